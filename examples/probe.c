/* Asks the tables about a position, from C.
 *
 *     make -C capi install PREFIX=$HOME/oware
 *     export PKG_CONFIG_PATH=$HOME/oware/lib/pkgconfig LD_LIBRARY_PATH=$HOME/oware/lib
 *     gcc -O2 examples/probe.c $(pkg-config --cflags --libs oware) -o probe
 *     ./probe tables 0 0 0 0 1 2  1 0 0 0 3 0
 *
 * The archive of a release is what the first line installs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "oware.h"

static int complain(void) {
  fprintf(stderr, "probe: %s\n", oware_last_error());
  return EXIT_FAILURE;
}

static void print_score(OwareScore score) {
  if (score.low == score.high)
    printf("%d", score.low);
  else
    printf("%d..%d", score.low, score.high);
}

static int print_answers(const OwareTables *tables, const uint8_t board[12]) {
  OwareScore score;
  if (oware_probe(tables, board, &score) != OWARE_STATUS_OK)
    return complain();
  printf("score ");
  print_score(score);
  printf("\n");

  OwareMove moves[6];
  size_t count;
  if (oware_probe_moves(tables, board, moves, &count) != OWARE_STATUS_OK)
    return complain();
  for (size_t at = 0; at < count; at++) {
    printf("%c ", 'A' + moves[at].house);
    print_score(moves[at].score);
    printf(", captures %d%s\n", moves[at].captured, moves[at].certified ? ", certified" : "");
  }

  /* A game that begins here: no seed captured, no house emptied yet. */
  OwareMove best;
  switch (oware_best(tables, board, 0, 0, NULL, 0, &best)) {
  case OWARE_STATUS_OK:
    printf("best %c\n", 'A' + best.house);
    return EXIT_SUCCESS;
  case OWARE_STATUS_GAME_OVER:
    printf("the game is over\n");
    return EXIT_SUCCESS;
  default:
    return complain();
  }
}

/* Reads a number of seeds, and says whether it is one: nothing but digits, and no more than 48. */
static int read_seeds(const char *text, uint8_t *seeds) {
  char *end;
  errno = 0;
  const unsigned long number = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number > 48)
    return 0;
  *seeds = (uint8_t)number;
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 14) {
    fprintf(stderr, "usage: probe TABLES A B C D E F a b c d e f\n");
    return 2;
  }
  uint8_t board[12];
  for (int house = 0; house < 12; house++)
    if (!read_seeds(argv[house + 2], &board[house])) {
      fprintf(stderr, "probe: `%s` is not a number of seeds, 0 to 48\n", argv[house + 2]);
      return 2;
    }

  OwareTables *tables = oware_open(argv[1], "abapa");
  if (tables == NULL)
    return complain();
  const int most = (int)oware_max_seeds(tables);
  int status = EXIT_FAILURE;
  if (oware_last_status() != OWARE_STATUS_OK) {
    complain();
  } else {
    printf("layers to %d seeds\n", most);
    status = print_answers(tables, board);
  }
  oware_close(tables);
  return status;
}
