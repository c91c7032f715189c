// The engine of the server: what it makes of positions above the tables, and as an opponent.

import * as api from "./api.js";

/** How long it thinks about all moves of a position: a moment first, then longer. */
const THOUGHTS = [
  { depth: 12, time: 250, every_move: true },
  { depth: 30, time: 2500, every_move: true },
];
/** How long it looks at each move of a game that is reviewed. */
const GLANCE = { depth: 10, time: 300, every_move: true };
/** How long it may think about its own move. What it makes of that is a matter of its level. */
const MOVE = { depth: 48, time: 2500 };
/** How long to wait before it is asked again when it has too much to do, and how often. */
const PAUSE = 700;
const TRIES = 8;

const wait = (time) => new Promise((done) => setTimeout(done, time));

/** Asks, and asks again while the server has too much to do. */
async function ask(wish, signal) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.search(wish, signal);
    } catch (failure) {
      if (failure.status !== 429 || tries === TRIES) throw failure;
      await wait(PAUSE);
    }
  }
}

const wishOf = ({ rules, start, moves }) => ({ rules, board: start, moves: moves.join("") });

export class Engine {
  constructor() {
    this.thinking = new AbortController();
  }

  /** Ends what it is thinking about. */
  stop() {
    this.thinking.abort();
    this.thinking = new AbortController();
    return this.thinking.signal;
  }

  /** Tells `show` what it makes of a game, first soon and then better. */
  async estimate(game, show) {
    const signal = this.stop();
    for (const thought of THOUGHTS) {
      const found = await ask({ ...wishOf(game), ...thought }, signal);
      if (signal.aborted) return;
      show(found);
    }
  }

  /** What every move of a position is worth, at a glance; `null` if it was stopped. */
  async glance(game, signal = this.stop()) {
    const found = await ask({ ...wishOf(game), ...GLANCE }, signal);
    return signal.aborted ? null : found;
  }

  /** The move that it makes in a game. The lower levels draw theirs. */
  async move(game, level) {
    const signal = this.stop();
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { best } = await ask({ ...wishOf(game), ...MOVE, level, seed }, signal);
    return signal.aborted ? null : best[0];
  }
}
