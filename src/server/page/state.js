// Where the page stands: the game, what is known of it, and the parts that show it.

import * as address from "./address.js";
import { Board } from "./board.js";
import { at } from "./dom.js";
import { Engine } from "./engine.js";
import { Importer } from "./importer.js";
import { Setup } from "./setup.js";
import { Sowing } from "./sowing.js";
import { trace } from "./trace.js";
import { Variations } from "./variations.js";
import { number, parse } from "./position.js";
import { endOf, showAll, showDetails, shownOf, standOf } from "./view.js";

const { asides, ...said } = address.read();
/** The game: its rules, where it starts, its moves, how many of them have been made, and who plays:
 * `null` if a game is looked at rather than played. */
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
  /** What the record said of its moves, by their number from 1, and its moves. */
  comments: new Map(),
  recorded: [],
  /** Whether scores are shown, if the reader has said so. */
  scores: null,
  /** The move that the reader was given as a hint. */
  hint: null,
  /** Whether the engine thinks about its move. */
  thinks: false,
  /** The mistakes that are looked at one by one. */
  review: null,
  /** The puzzle that is to be solved. */
  puzzle: null,
  /** The sheets of Oware, and those of other games. */
  sheets: [],
  others: [],
  /** A move that is being shown. */
  busy: null,
};

/** What can be done with the page; the modules that do it fill this in, as the parts need it
 * before. */
export const acts = {};

export const board = new Board(at("board"), {
  act: (...what) => acts.press(...what),
  type: (...what) => acts.type(...what),
  foresee: (house) => foresee(house),
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

/** Whether what moves are worth is kept from those who play until they ask. */
export const isQuiet = () =>
  page.review ? !page.review.isTold : page.puzzle !== null || !(page.scores ?? game.play === null);

/** What sowing a house would do, if it may be sown. */
function foresee(house) {
  if (setup.isOpen || page.ahead || !isCurrent() || isOver()) return null;
  const before = parse(shown());
  const isThis = (move) => number(move.house, before.toMove) === house;
  const move = page.known.answer?.moves.find(isThis);
  return move ? trace(before, house, move.board, sheet()) : null;
}

/** Lets go of what a record said: what comes now is another game. */
export function forgetRecord() {
  Object.assign(page, { tags: [], comments: new Map(), recorded: [] });
}

/** What the record says of moves that are still those of the game. */
export function comments() {
  const other = game.moves.findIndex((move, at) => move !== page.recorded[at]);
  const same = other < 0 ? Infinity : other;
  return new Map([...page.comments].filter(([ply]) => ply <= same));
}

/** Everything that decides what is shown. */
const state = () => ({
  ...{ known: page.known, ahead: page.ahead, game, board, sheet: sheet() },
  ...{ editing: setup.isOpen, variations: variations.of(game), quiet: isQuiet() },
  ...{ hint: page.hint, thinks: page.thinks, review: page.review, puzzle: page.puzzle },
  comment: comments().get(page.known.at),
});

export const show = () => showAll(state(), acts);
export const showMore = () => showDetails(state(), acts);
