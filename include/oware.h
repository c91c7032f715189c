/*
 * Exact scores of Oware endgames, from tables that `oware build` makes.
 *
 *     OwareTables *tables = oware_open("tables", "abapa");
 *     OwareScore score;
 *     const uint8_t board[12] = {0, 0, 0, 0, 1, 2,  1, 0, 0, 0, 3, 0};
 *     if (oware_probe(tables, board, &score) != OWARE_STATUS_OK)
 *         fprintf(stderr, "%s\n", oware_last_error());
 *     oware_close(tables);
 *
 * Link with -loware, or as `pkg-config --cflags --libs oware` says; the static library also takes
 * -lpthread -ldl -lm.
 *
 * A board is twelve numbers of seeds: the houses of the player to move, then the opponent's, each
 * from the left of its owner. Null where something is needed, a board with more than 48 seeds and
 * the like are errors, not crashes. Pointers must point to what is documented, which no call can
 * check. What a call writes may not overlap what else it writes or reads, which is an error, except
 * that a single score or move may be written over the position that was asked. All functions may be
 * called from any number of threads at the same time. Functions with `mancala` in their names are
 * about Nam Nam and Bao, whose positions are texts.
 *
 * No thread outlives the call that began it. So a process may fork, and a child may use the tables
 * that are open, unless another thread of its parent was in a call at that moment: then it opens them
 * for itself, and leaves those of its parent alone.
 *
 * Made by cbindgen from capi/src/lib.rs (scripts/c --write); do not edit.
 */

#ifndef OWARE_H
#define OWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this header; `oware_version` returns that of the library.
#define OWARE_VERSION "0.1.0"
#define OWARE_VERSION_MAJOR 0
#define OWARE_VERSION_MINOR 1
#define OWARE_VERSION_PATCH 0

// Moves of a position at most: two directions for each of 16 places.
#define OWARE_MANCALA_MOVES 32

// Bytes of the text of a position at most, with the 0 at its end.
#define OWARE_MANCALA_TEXT 112

// Bytes of the name of a move at most, with the 0 at its end.
#define OWARE_MANCALA_NAME 4

// How a call ended.
typedef enum OwareStatus {
  // Everything is as it should be.
  OWARE_STATUS_OK = 0,
  // A mistake of the caller.
  OWARE_STATUS_USAGE = 1,
  // A table is needed that has not been built.
  OWARE_STATUS_MISSING_TABLE = 2,
  // A table is damaged, foreign, or of another version.
  OWARE_STATUS_CORRUPT_TABLE = 3,
  // The operating system refused.
  OWARE_STATUS_IO = 4,
  // The game is over: there is no move.
  OWARE_STATUS_GAME_OVER = 5,
  // A mistake in this library.
  OWARE_STATUS_MISTAKE = 6,
} OwareStatus;

// Tables of another game, open. Any number of threads may use it at the same time.
typedef struct OwareMancala OwareMancala;

// Tables of one sheet, open. Any number of threads may use it at the same time.
typedef struct OwareTables OwareTables;

// What a position is worth to the player to move: the seeds still to come minus the opponent's,
// with best play, and no position of the game so far able to come back.
typedef struct OwareScore {
  // The player to move gets at least this.
  int8_t low;
  // The player to move gets at most this; equal to `low` where the score is exact.
  int8_t high;
} OwareScore;

// A legal move, and what it is worth to the player who makes it.
typedef struct OwareMove {
  // The house that is emptied, 0 to 5 from the player's left.
  uint8_t house;
  // The seeds captured.
  uint8_t captured;
  // The score, the seeds captured included.
  struct OwareScore score;
  // Whether `score.low` is secured by this move and by going on with `oware_best`.
  bool certified;
  // The board after it, from the next player's seat.
  uint8_t board[12];
} OwareMove;

// The score of a position of another game for the player to move: the seeds still to come
// minus the opponent's; in Bao la Kujifunza 1, 0 or -1.
typedef struct OwareMancalaScore {
  // The player to move gets at least this.
  int8_t low;
  // The player to move gets at most this; equal to `low` where the score is exact.
  int8_t high;
  // In Bao la Kujifunza the plies to the end, if the winner hurries and the loser does not; -1 in
  // a drawn position, and in the other games.
  int16_t plies;
} OwareMancalaScore;

// A legal move of another game, and its score for the player who makes it.
typedef struct OwareMancalaMove {
  // What it is called, as `oware moves` writes it.
  char name[OWARE_MANCALA_NAME];
  // The seeds that the mover gets.
  uint8_t captured;
  // The seeds that the opponent gets.
  uint8_t opponent_captured;
  // Whether the same player moves again.
  bool again;
  // Whether `score.low` is secured by this move and by going on with such moves.
  bool certified;
  // The score, the seeds captured included; `plies` counts this move.
  struct OwareMancalaScore score;
  // The position after it, from the view of the next player.
  char next[OWARE_MANCALA_TEXT];
} OwareMancalaMove;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens the tables of a sheet in a directory. `rules` is the id of the sheet, as in "abapa"; null
// stands for that one. The directory has to exist, no file is looked at yet. Returns null if it fails
// (`oware_last_status`). Close it with `oware_close`.
struct OwareTables *oware_open(const char *dir,
                               const char *rules);

// Opens tables as `oware_open` does, with a cache of at most so many bytes for decoded pieces of
// them; `oware_open` keeps 256 MiB. Whatever the size, answers are the same: a larger cache makes
// them faster. All threads share it.
struct OwareTables *oware_open_with_cache(const char *dir, const char *rules, uint64_t bytes);

// Closes tables. No thread may be using them, nor use them afterwards. Null is left alone, and so is what
// `oware_last_error` says.
void oware_close(struct OwareTables *tables);

// Returns the number of seeds up to which every layer has a table, so that each position with so
// many seeds or fewer can be probed; -1 if there is none, and if it fails, which `oware_last_status`
// tells apart.
int32_t oware_max_seeds(const struct OwareTables *tables);

// Finds the score of a position: twelve houses, those of the player to move first, each row from
// the left of its owner.
enum OwareStatus oware_probe(const struct OwareTables *tables,
                             const uint8_t *board,
                             struct OwareScore *score);

// Finds the legal moves of a position, best first, and their scores. `moves` has room for six;
// `count` is set to how many there are, 0 if the game is over. They may not overlap.
enum OwareStatus oware_probe_moves(const struct OwareTables *tables,
                                   const uint8_t *board,
                                   struct OwareMove *moves,
                                   size_t *count);

// Finds the scores of `count` positions on all processors: `boards` has twelve houses for each,
// one position after the other; `low` and `high` have room for `count` bounds. None of the three may
// overlap another. If it fails, which the first position with a mistake or without a table makes it
// do, nothing is written.
enum OwareStatus oware_probe_batch(const struct OwareTables *tables,
                                   const uint8_t *boards,
                                   size_t count,
                                   int8_t *low,
                                   int8_t *high);

// Finds the move to make in a game: the one that collects what the tables promise, given where
// play has been.
//
// The game began, or had its last capture, at `start`, when the player to move had captured
// `own_store` seeds and the other one `other_store` (0 for both if that does not matter), and
// since then `count` moves have emptied `houses`, 0 to 5, of both players in turn. Null is enough
// for no houses.
enum OwareStatus oware_best(const struct OwareTables *tables,
                            const uint8_t *start,
                            uint8_t own_store,
                            uint8_t other_store,
                            const uint8_t *houses,
                            size_t count,
                            struct OwareMove *best);

// Returns what went wrong in the last call of this thread, and what to do about it: a text that is
// empty if nothing did, and stays until the next call. The functions that close tables and the three
// below this text leave it as it is.
const char *oware_last_error(void);

// Returns how the last call of this thread ended, also one that returns a pointer or a number.
enum OwareStatus oware_last_status(void);

// Returns the version of the library, as in "0.1.0": `OWARE_VERSION` is that of the header.
const char *oware_version(void);

// Opens the tables of another game in a directory; `rules` is the id of its sheet, as in
// "bao-laps". The directory has to exist, no file is looked at yet. Returns null if it fails
// (`oware_last_status`). Close it with `oware_mancala_close`.
struct OwareMancala *oware_mancala_open(const char *dir, const char *rules);

// Closes tables. No thread may be using them, nor use them afterwards. Null is left alone, and so is what
// `oware_last_error` says.
void oware_mancala_close(struct OwareMancala *tables);

// Finds the score of a position, which is a text as the command line reads it: the numbers of all
// places, those of the player to move first; in Nam Nam the owners of the houses may follow.
enum OwareStatus oware_mancala_probe(const struct OwareMancala *tables,
                                     const char *position,
                                     struct OwareMancalaScore *score);

// Finds the legal moves of a position, best first, and their scores. `moves` has room for
// `OWARE_MANCALA_MOVES`; `count` is set to how many there are, 0 if the game is over. They may not
// overlap.
enum OwareStatus oware_mancala_moves(const struct OwareMancala *tables,
                                     const char *position,
                                     struct OwareMancalaMove *moves,
                                     size_t *count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OWARE_H */
