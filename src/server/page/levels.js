// The five levels of the engine, from a child's play to its best.

/** How long the slower levels may think, how far ahead, and how the lower ones err. A level with
 * `slack` plays moves that look a few seeds worse now and then, never the same way: a greedy one
 * looks at what a move captures and no further. */
export const LEVELS = {
  1: { greedy: true, slack: 1.5 },
  2: { depth: 2, time: 150, every_move: true, slack: 1.5 },
  3: { depth: 3, time: 250 },
  4: { depth: 8, time: 700 },
  5: { depth: 48, time: 2500 },
};

/** What has to be added to a worth so that the greatest sum comes about as often as it should. */
const luck = (random) => -Math.log(-Math.log(Math.min(Math.max(random(), 1e-9), 1 - 1e-9)));

/** Chooses among moves by what `worth` says of them, give or take `slack` seeds. */
export function choose(moves, worth, slack, random = Math.random) {
  const drawn = moves.map((move) => [worth(move) / slack + luck(random), move]);
  return drawn.reduce((best, each) => (each[0] > best[0] ? each : best))[1].house;
}
