// The engine of the server: what it makes of positions above the tables, and as an opponent.

import * as api from "./api.js";

/** How hard it thinks as an opponent. */
export const STRENGTHS = {
  easy: { depth: 1, time: 100 },
  medium: { depth: 5, time: 400 },
  strong: { depth: 48, time: 2000 },
};
/** How long it thinks about all moves of a position: a moment first, then longer. */
const THOUGHTS = [
  { depth: 12, time: 250, every_move: true },
  { depth: 30, time: 2500, every_move: true },
];
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
      if (failure.status !== 429 || tries === TRIES || signal.aborted) throw failure;
      await wait(PAUSE);
    }
  }
}

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
  async estimate({ rules, start, moves }, show) {
    const signal = this.stop();
    for (const thought of THOUGHTS) {
      const found = await ask({ rules, board: start, moves: moves.join(""), ...thought }, signal);
      if (signal.aborted) return;
      show(found);
    }
  }

  /** The move that it makes in a game. */
  async move({ rules, start, moves }, strength) {
    const signal = this.stop();
    const wish = { rules, board: start, moves: moves.join(""), ...STRENGTHS[strength] };
    const { best } = await ask(wish, signal);
    return signal.aborted ? null : best[0];
  }
}
