/* What the header promises, tried from C: null and garbage are errors, threads share tables, and
 * batches, moves and games agree. Takes a directory with tables of abapa to 8 seeds or more. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  int8_t bound;
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
  CHECK(oware_probe_batch(tables, NULL, 1, &bound, &bound) == OWARE_STATUS_USAGE);
  says("boards is null");
  CHECK(oware_probe_batch(tables, CHASE, 1, NULL, &bound) == OWARE_STATUS_USAGE);
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
  says("`bao-laps` is no sheet of Oware; oware_mancala_open knows it");
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
  OwareTables *none = oware_open("no such directory", NULL);
  CHECK(none != NULL && oware_max_seeds(none) == -1);
  CHECK(oware_probe(none, CHASE, &score) == OWARE_STATUS_MISSING_TABLE);
  oware_close(none);
}

/* Nam Nam and Bao: finished games need no table, others name the command that makes it. */
static void other_games_are_asked_by_text(void) {
  OwareMancalaScore score;
  OwareMancalaMove moves[OWARE_MANCALA_MOVES];
  size_t count = 1;
  const char *finished = "0 0 0 0 0 0 0 0  0 0 1 0 0 0 2 0";
  OwareMancala *tables = oware_mancala_open("no such directory", "bao-laps");
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
  CHECK(oware_mancala_moves(tables, finished, NULL, &count) == OWARE_STATUS_USAGE);
  CHECK(oware_mancala_moves(tables, finished, moves, NULL) == OWARE_STATUS_USAGE);
  oware_mancala_close(tables);
  oware_mancala_close(NULL);
  CHECK(oware_mancala_open("tables", "abapa") == NULL);
  says("`abapa` is a sheet of Oware; oware_open knows it");
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

int main(int argc, char **argv) {
  CHECK(argc == 2 && strcmp(oware_last_error(), "") == 0);
  OwareTables *tables = oware_open(argv[1], NULL);
  CHECK(tables != NULL && oware_max_seeds(tables) >= 8);
  null_is_an_error(tables);
  garbage_is_an_error(tables);
  missing_tables_are_an_error(tables);
  other_games_are_asked_by_text();
  answers_agree(tables);
  a_game_is_played_to_its_end(tables);
  threads_share_tables(tables);
  oware_close(tables);
  puts("9 passed");
  return 0;
}
