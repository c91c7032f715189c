// Where the page stands: the game, what is known of it, and the parts that show it.

import * as address from "./address.js";
import { Board } from "./board.js";
import { at } from "./dom.js";
import { Engine } from "./engine.js";
import { Importer } from "./importer.js";
import { Setup } from "./setup.js";
import { Sowing } from "./sowing.js";
import { Variations } from "./variations.js";
import { endOf, showAll, showDetails, shownOf, standOf } from "./view.js";

const { asides, ...said } = address.read();
/** The game: its rules, where it starts, its moves, and how many of them have been made. */
export const game = said;

/** Nothing is known of a position. */
export const NOTHING = { answer: null, failure: null, guess: null, line: null, figures: null };

/** What changes besides the game. */
export const page = {
  /** What is known of the game: its analysis, which position of it is shown, the answer for that
   * one, what the engine makes of it, a line of best play from there, the figures of its layer. It
   * lags behind while the server works. */
  known: { analysis: null, at: 0, ...NOTHING },
  /** The positions along the line of best play that are looked at, which one, and its answer. */
  ahead: null,
  /** What the record said of a game that was read. */
  tags: [],
  sheets: [],
  /** A move that is being shown. */
  busy: null,
};

/** What can be done with the page; the modules that do it fill this in, as the parts need it
 * before. */
export const acts = {};

export const board = new Board(at("board"), {
  act: (...what) => acts.press(...what),
  type: (...what) => acts.type(...what),
});
export const sowing = new Sowing(board);
export const setup = new Setup(at("setup"), {
  change: (start) => acts.put(start),
  done: () => acts.edit(false),
});
export const importer = new Importer({
  take: (...what) => acts.take(...what),
  rules: () => game.rules,
});
export const engine = new Engine();
export const variations = new Variations(game, asides);

export const sheet = () => page.sheets.find(({ id }) => id === game.rules);
export const stand = () => standOf(page.known);
export const shown = () => shownOf(page.known, page.ahead);
export const isOver = () => endOf(page.known);
/** Whether what is shown is the game as it is: moves can be made. */
export const isCurrent = () =>
  page.known.analysis &&
  !page.busy &&
  page.known.at === game.at &&
  page.known.analysis.moves.length === game.moves.length;

export const say = (text) => {
  at("said").textContent = text;
};

/** Says that the page is at work, to those who listen to it. */
export function wait(busy) {
  document.querySelector("main").setAttribute("aria-busy", String(busy));
}

/** Everything that decides what is shown. */
const state = () => ({
  ...{ known: page.known, ahead: page.ahead, game, board, sheet: sheet() },
  ...{ editing: setup.isOpen, variations: variations.of(game) },
});

export const show = () => showAll(state(), acts);
export const showMore = () => showDetails(state(), acts);
