/* What the header promises, tried from C: null, garbage and overlaps are errors, threads and forked
 * children share tables, and batches, moves and games agree. Takes a directory with tables of abapa to
 * 8 seeds or more. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oware.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s; last error: %s\n", __FILE__, __LINE__, #condition,               \
              oware_last_error());                                                                 \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The last call failed with a text that contains `part`. */
static void says(const char *part) { CHECK(strstr(oware_last_error(), part) != NULL); }

static const uint8_t CHASE[12] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};

static void null_is_an_error(const OwareTables *tables) {
  OwareScore score;
  OwareMove moves[6];
  size_t count;
  int8_t bound, other;
  CHECK(oware_open(NULL, NULL) == NULL);
  says("dir is null");
  oware_close(NULL);
  CHECK(oware_max_seeds(NULL) == -1);
  says("tables is null");
  CHECK(oware_probe(NULL, CHASE, &score) == OWARE_STATUS_USAGE);
  CHECK(oware_probe(tables, NULL, &score) == OWARE_STATUS_USAGE);
  says("board is null");
  CHECK(oware_probe(tables, CHASE, NULL) == OWARE_STATUS_USAGE);
  says("score is null");
  CHECK(oware_probe_moves(tables, CHASE, NULL, &count) == OWARE_STATUS_USAGE);
  CHECK(oware_probe_moves(tables, CHASE, moves, NULL) == OWARE_STATUS_USAGE);
  CHECK(oware_probe_batch(tables, NULL, 1, &bound, &other) == OWARE_STATUS_USAGE);
  says("boards is null");
  CHECK(oware_probe_batch(tables, CHASE, 1, NULL, &other) == OWARE_STATUS_USAGE);
  CHECK(oware_probe_batch(tables, NULL, 0, NULL, NULL) == OWARE_STATUS_OK);
  CHECK(oware_best(tables, CHASE, 0, 0, NULL, 1, moves) == OWARE_STATUS_USAGE);
  says("houses is null");
  CHECK(oware_best(tables, CHASE, 0, 0, NULL, 0, NULL) == OWARE_STATUS_USAGE);
  says("best is null");
}

static void garbage_is_an_error(const OwareTables *tables) {
  OwareScore score;
  OwareMove best;
  int8_t low[2], high[2];
  uint8_t boards[24];
  memset(boards, 255, sizeof boards);
  CHECK(oware_probe(tables, boards, &score) == OWARE_STATUS_USAGE);
  says("3060 seeds on the board; the game has 48");
  memcpy(boards, CHASE, 12);
  CHECK(oware_probe_batch(tables, boards, 2, low, high) == OWARE_STATUS_USAGE);
  says("boards[1]: 3060 seeds");
  CHECK(oware_probe_batch(tables, boards, SIZE_MAX, low, high) == OWARE_STATUS_USAGE);
  CHECK(oware_probe_batch(tables, boards, SIZE_MAX / 12, low, high) == OWARE_STATUS_USAGE);
  CHECK(oware_open("tables", "chess") == NULL);
  says("unknown rules `chess`; known sheets: abapa");
  CHECK(oware_open("tables", "bao-laps") == NULL);
  says("`bao-laps` is not a sheet of Oware; use oware_mancala_open");
  CHECK(oware_open("tables", "\xff") == NULL);
  says("rules is not UTF-8");
  CHECK(oware_open("/dev/null", NULL) == NULL);
  says("/dev/null: opening failed");
  const uint8_t wrong[3] = {0, 0, 9};
  CHECK(oware_best(tables, CHASE, 0, 0, wrong, 3, &best) == OWARE_STATUS_USAGE);
  says("houses[2] is 9; houses are 0 to 5");
  const uint8_t illegal[3] = {0, 0, 0};
  CHECK(oware_best(tables, CHASE, 0, 0, illegal, 3, &best) == OWARE_STATUS_USAGE);
  says("houses[2]: A is not a legal move in");
  CHECK(oware_best(tables, CHASE, 40, 7, NULL, 0, &best) == OWARE_STATUS_USAGE);
  says("49 seeds on the board and in the stores");
}

static void missing_tables_are_an_error(const OwareTables *tables) {
  const uint8_t initial[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
  OwareScore score;
  OwareMove best;
  CHECK(oware_probe(tables, initial, &score) == OWARE_STATUS_MISSING_TABLE);
  says("`oware build --rules abapa --seeds ");
  CHECK(oware_best(tables, initial, 0, 0, NULL, 0, &best) == OWARE_STATUS_MISSING_TABLE);
  says("no abapa table for 48 seeds");
  uint8_t boards[36] = {0};
  int8_t low[3] = {7, 7, 7}, high[3] = {7, 7, 7};
  memcpy(boards + 12, initial, 12);
  memcpy(boards + 24, initial, 12);
  CHECK(oware_probe_batch(tables, boards, 3, low, high) == OWARE_STATUS_MISSING_TABLE);
  says("boards[1]: no abapa table for 48 seeds");
  CHECK(low[0] == 7 && high[2] == 7);
}

/* An empty directory has no tables, one that is not there cannot be opened. */
static void missing_directories_are_an_error(void) {
  OwareScore score;
  char empty[] = "/tmp/oware-XXXXXX";
  CHECK(mkdtemp(empty) != NULL);
  OwareTables *none = oware_open(empty, NULL);
  CHECK(none != NULL && oware_max_seeds(none) == -1 && oware_last_status() == OWARE_STATUS_OK);
  CHECK(oware_probe(none, CHASE, &score) == OWARE_STATUS_MISSING_TABLE);
  rmdir(empty);
  oware_close(none);
  CHECK(oware_open(empty, NULL) == NULL && oware_last_status() == OWARE_STATUS_IO);
  says("no such directory; check the path");
  CHECK(oware_mancala_open(empty, "bao-laps") == NULL && oware_last_status() == OWARE_STATUS_IO);
  says("no such directory");
}

/* What is said is of the last call, however it ended; closing says nothing. */
static void errors_belong_to_the_call_that_failed(const OwareTables *tables) {
  OwareScore score;
  CHECK(oware_probe(tables, NULL, &score) == OWARE_STATUS_USAGE);
  CHECK(oware_last_status() == OWARE_STATUS_USAGE);
  says("board is null");
  oware_close(NULL);
  oware_mancala_close(NULL);
  CHECK(oware_version() != NULL && oware_last_status() == OWARE_STATUS_USAGE);
  says("board is null");
  CHECK(oware_probe(tables, CHASE, &score) == OWARE_STATUS_OK);
  CHECK(oware_last_status() == OWARE_STATUS_OK && strcmp(oware_last_error(), "") == 0);
  CHECK(oware_max_seeds(NULL) == -1 && oware_last_status() == OWARE_STATUS_USAGE);
  CHECK(oware_max_seeds(tables) >= 8 && oware_last_status() == OWARE_STATUS_OK);
  CHECK(strcmp(oware_last_error(), "") == 0);
}

/* Outputs that share a byte with another one, or with what is read meanwhile. */
static void overlaps_are_an_error(const OwareTables *tables) {
  enum { COUNT = 100 };
  uint8_t memory[12 * COUNT + 2 * COUNT] = {0};
  int8_t *const bounds = (int8_t *)memory + 12 * COUNT;
  CHECK(oware_probe_batch(tables, memory, COUNT, bounds, bounds + COUNT) == OWARE_STATUS_OK);
  for (int shift = 0; shift < COUNT; shift++) {
    CHECK(oware_probe_batch(tables, memory, COUNT, bounds, bounds + shift) == OWARE_STATUS_USAGE);
    says("low and high overlap");
    CHECK(oware_probe_batch(tables, memory, COUNT, bounds + shift, bounds) == OWARE_STATUS_USAGE);
  }
  CHECK(oware_probe_batch(tables, memory, COUNT, bounds - 1, bounds + COUNT) == OWARE_STATUS_USAGE);
  says("low and boards overlap");
  CHECK(oware_probe_batch(tables, memory, COUNT, bounds, (int8_t *)memory) == OWARE_STATUS_USAGE);
  says("high and boards overlap");
  CHECK(oware_probe_batch(tables, memory, 0, bounds, bounds) == OWARE_STATUS_OK);

  union {
    OwareMove moves[6];
    size_t count;
    uint8_t board[12];
    OwareScore score;
  } shared;
  CHECK(oware_probe_moves(tables, CHASE, shared.moves, &shared.count) == OWARE_STATUS_USAGE);
  says("moves and count overlap");
  size_t count;
  memcpy(shared.board, CHASE, 12);
  CHECK(oware_probe_moves(tables, shared.board, shared.moves, &count) == OWARE_STATUS_USAGE);
  says("moves and board overlap");
  union {
    OwareMancalaMove moves[OWARE_MANCALA_MOVES];
    size_t count;
  } others;
  CHECK(oware_mancala_moves(NULL, "", others.moves, &others.count) == OWARE_STATUS_USAGE);
  says("moves and count overlap");

  /* A score or a move may come to stand where its board was. */
  OwareScore score;
  CHECK(oware_probe(tables, CHASE, &score) == OWARE_STATUS_OK);
  memcpy(shared.board, CHASE, 12);
  CHECK(oware_probe(tables, shared.board, &shared.score) == OWARE_STATUS_OK);
  CHECK(shared.score.low == score.low && shared.score.high == score.high);
  OwareMove best;
  CHECK(oware_best(tables, CHASE, 0, 0, NULL, 0, &best) == OWARE_STATUS_OK);
  memcpy(shared.board, CHASE, 12);
  CHECK(oware_best(tables, shared.board, 0, 0, NULL, 0, shared.moves) == OWARE_STATUS_OK);
  CHECK(shared.moves[0].house == best.house && shared.moves[0].score.low == best.score.low);
}

static void versions_agree(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", OWARE_VERSION_MAJOR, OWARE_VERSION_MINOR,
           OWARE_VERSION_PATCH);
  CHECK(strcmp(oware_version(), OWARE_VERSION) == 0);
  CHECK(strcmp(oware_version(), version) == 0);
}

/* Nam Nam and Bao: finished games need no table, others name the command that makes it. */
static void other_games_are_asked_by_text(void) {
  OwareMancalaScore score;
  OwareMancalaMove moves[OWARE_MANCALA_MOVES];
  size_t count = 1;
  const char *finished = "0 0 0 0 0 0 0 0  0 0 1 0 0 0 2 0";
  OwareMancala *tables = oware_mancala_open("/tmp", "bao-laps");
  CHECK(tables != NULL);
  CHECK(oware_mancala_probe(tables, finished, &score) == OWARE_STATUS_OK);
  CHECK(score.low == -3 && score.high == -3 && score.plies == -1);
  CHECK(oware_mancala_moves(tables, finished, moves, &count) == OWARE_STATUS_OK && count == 0);
  CHECK(oware_mancala_probe(tables, "1 0 0 0 0 0 0 0  0 0 1 0 0 0 2 0", &score) ==
        OWARE_STATUS_MISSING_TABLE);
  says("`oware build --rules bao-laps --seeds 4");
  CHECK(oware_mancala_probe(tables, "1 2 3", &score) == OWARE_STATUS_USAGE);
  says("3 numbers instead of 16");
  CHECK(oware_mancala_probe(NULL, finished, &score) == OWARE_STATUS_USAGE);
  says("tables is null");
  CHECK(oware_mancala_probe(tables, NULL, &score) == OWARE_STATUS_USAGE);
  says("position is null");
  CHECK(oware_mancala_probe(tables, "\xff", &score) == OWARE_STATUS_USAGE);
  says("position is not UTF-8");
  strcpy((char *)moves, finished);
  CHECK(oware_mancala_moves(tables, (char *)moves, moves, &count) == OWARE_STATUS_USAGE);
  says("moves and position overlap");
  CHECK(oware_mancala_moves(tables, finished, NULL, &count) == OWARE_STATUS_USAGE);
  CHECK(oware_mancala_moves(tables, finished, moves, NULL) == OWARE_STATUS_USAGE);
  oware_mancala_close(tables);
  oware_mancala_close(NULL);
  CHECK(oware_mancala_open("tables", "abapa") == NULL);
  says("`abapa` is a sheet of Oware; use oware_open");
  CHECK(oware_mancala_open("tables", "chess") == NULL);
  says("unknown rules `chess`; known sheets: bao-stores");
  CHECK(oware_mancala_open(NULL, "bao-laps") == NULL);
  CHECK(oware_mancala_open("tables", NULL) == NULL);
  says("rules is null");
}

/* The best move of a position is worth what the position is; a batch says the same. */
static void answers_agree(const OwareTables *tables) {
  enum { COUNT = 2000 };
  uint8_t boards[12 * COUNT] = {0};
  int8_t low[COUNT], high[COUNT];
  unsigned dice = 1;
  for (int board = 0; board < COUNT; board++)
    for (int seed = 0; seed < board % 9; seed++) {
      dice = dice * 1103515245 + 12345;
      boards[12 * board + (dice >> 16) % 12]++;
    }
  CHECK(oware_probe_batch(tables, boards, COUNT, low, high) == OWARE_STATUS_OK);
  for (int board = 0; board < COUNT; board++) {
    const uint8_t *houses = boards + 12 * board;
    OwareScore score;
    OwareMove moves[6], best;
    size_t count;
    CHECK(oware_probe(tables, houses, &score) == OWARE_STATUS_OK);
    CHECK(score.low == low[board] && score.high == high[board]);
    CHECK(oware_probe_moves(tables, houses, moves, &count) == OWARE_STATUS_OK);
    OwareStatus status = oware_best(tables, houses, 0, 0, NULL, 0, &best);
    CHECK(status == (count > 0 ? OWARE_STATUS_OK : OWARE_STATUS_GAME_OVER));
    if (count > 0)
      CHECK(moves[0].score.low == score.low && best.score.low == score.low);
  }
}

/* Play goes on with the history of the game until it is over. */
static void a_game_is_played_to_its_end(const OwareTables *tables) {
  const uint8_t start[12] = {0, 2, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1};
  uint8_t houses[200];
  size_t count = 0;
  OwareMove best;
  OwareStatus status;
  while ((status = oware_best(tables, start, 0, 0, houses, count, &best)) == OWARE_STATUS_OK) {
    CHECK(count < sizeof houses);
    houses[count++] = best.house;
  }
  CHECK(status == OWARE_STATUS_GAME_OVER && count > 3);
  says("the game is over");
}

static void *probe_in_a_thread(void *shared) {
  const OwareTables *tables = (const OwareTables *)shared;
  CHECK(strcmp(oware_last_error(), "") == 0);
  answers_agree(tables);
  CHECK(oware_probe(tables, NULL, NULL) == OWARE_STATUS_USAGE);
  return NULL;
}

static void threads_share_tables(OwareTables *tables) {
  pthread_t threads[4];
  for (int thread = 0; thread < 4; thread++)
    CHECK(pthread_create(&threads[thread], NULL, probe_in_a_thread, tables) == 0);
  for (int thread = 0; thread < 4; thread++)
    CHECK(pthread_join(threads[thread], NULL) == 0);
}

/* Tables with hardly any cache answer as others do. */
static void the_cache_has_any_size(const char *dir, const OwareTables *usual) {
  const uint64_t sizes[] = {0, 1, 1 << 20, UINT64_MAX};
  for (int at = 0; at < 4; at++) {
    OwareTables *tables = oware_open_with_cache(dir, "abapa", sizes[at]);
    CHECK(tables != NULL);
    answers_agree(tables);
    OwareScore one, other;
    const uint8_t board[12] = {0, 2, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1};
    CHECK(oware_probe(tables, board, &one) == OWARE_STATUS_OK);
    CHECK(oware_probe(usual, board, &other) == OWARE_STATUS_OK);
    CHECK(one.low == other.low && one.high == other.high);
    oware_close(tables);
  }
  CHECK(oware_open_with_cache(NULL, NULL, 0) == NULL);
  says("dir is null");
}

/* After a batch on all processors, in children and theirs: a child that hangs is ended. */
static void forked_children_answer(const OwareTables *tables, int generations) {
  enum { COUNT = 20000 };
  static uint8_t boards[12 * COUNT];
  static int8_t low[COUNT], high[COUNT], again[2][COUNT];
  for (int board = 0; board < COUNT; board++)
    boards[12 * board + board % 12] = (uint8_t)(board % 7);
  CHECK(oware_probe_batch(tables, boards, COUNT, low, high) == OWARE_STATUS_OK);
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(60);
    CHECK(oware_probe_batch(tables, boards, COUNT, again[0], again[1]) == OWARE_STATUS_OK);
    CHECK(memcmp(low, again[0], COUNT) == 0 && memcmp(high, again[1], COUNT) == 0);
    answers_agree(tables);
    if (generations > 1)
      forked_children_answer(tables, generations - 1);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2 && strcmp(oware_last_error(), "") == 0);
  OwareTables *tables = oware_open(argv[1], NULL);
  CHECK(tables != NULL && oware_max_seeds(tables) >= 8);
  null_is_an_error(tables);
  garbage_is_an_error(tables);
  missing_tables_are_an_error(tables);
  missing_directories_are_an_error();
  errors_belong_to_the_call_that_failed(tables);
  overlaps_are_an_error(tables);
  versions_agree();
  other_games_are_asked_by_text();
  answers_agree(tables);
  a_game_is_played_to_its_end(tables);
  threads_share_tables(tables);
  the_cache_has_any_size(argv[1], tables);
  forked_children_answer(tables, 3);
  oware_close(tables);
  puts("15 passed");
  return 0;
}
