// What the server is asked, and what becomes of its answers.

import * as address from "./address.js";
import * as api from "./api.js";
import { say, wait } from "./busy.js";
import { at } from "./dom.js";
import * as others from "./others.js";
import { EXAMPLE, INITIAL, onBoard, parse } from "./position.js";
import { hasTable, showSheets } from "./sheets.js";
import { isStill } from "./sowing.js";
import {
  NOTHING,
  acts,
  engine,
  game,
  isCurrent,
  isOver,
  isQuiet,
  page,
  setup,
  sheet,
  show,
  showMore,
  sowing,
  stand,
} from "./state.js";
import { explain, texts } from "./texts.js";

/** Counts what was asked for, so that late answers are let go. */
let visit = 0;
/** When to ask a server again that is silent. */
let again = null;
const PATIENCE = 3000;
/** Milliseconds that the engine takes at least, so that its opponent sees what it does. */
const BREATH = 600;

/** Changes the game and shows it, unless the reader has gone to one on another board. */
export async function go(change, { push = false, review = null, puzzle = null } = {}) {
  if (others.isOpen()) return;
  Object.assign(game, change);
  Object.assign(page, { ahead: null, hint: null, review, puzzle });
  at("position-error").textContent = "";
  address.write({ ...game, puzzle: puzzle && puzzle.number + 1 }, push);
  await refresh();
}

/** Lets go of all that was asked for, as the reader goes to a game on another board. */
export function abandon() {
  visit += 1;
  engine.stop();
  page.thinks = false;
  trouble(null);
}

/** Asks for everything that is to be shown. What is there already stays until then. */
export async function refresh() {
  const turn = ++visit;
  const isLate = () => turn !== visit;
  engine.stop();
  page.thinks = false;
  wait(true);
  try {
    const analysis = await api.game(game.rules, game.start, game.moves.join(""));
    if (isLate()) return;
    trouble(null);
    const start = analysis.positions[game.at].start;
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    // A move that is being shown would sow over what is shown now.
    if (page.busy) sowing.rush();
    await page.busy;
    if (isLate()) return;
    page.known = { ...NOTHING, analysis, at: game.at, answer, failure };
    show();
    await more(start, isLate);
  } catch (failure) {
    if (isLate()) return;
    trouble(failure);
    if (failure.canPass) forget();
    if (!page.known.analysis && failure.kind === "usage") await start(failure);
  }
  if (isLate()) return;
  wait(false);
  think(isLate);
}

/** Whether it is the engine that has to move. */
const isEnginesTurn = () =>
  game.play?.engine === stand().to_move && page.known.at === game.moves.length;

/** Lets the engine answer where no table does, or make its move. */
async function think(isLate) {
  if (!page.known.answer || isOver() || setup.isOpen || page.review || page.puzzle || !isCurrent()) return;
  const isAbove = page.known.failure?.kind === "missing_table";
  try {
    if (isEnginesTurn()) await answer(isLate);
    else if (isAbove && !isQuiet()) await estimate(isLate);
  } catch (failure) {
    if (isLate() || !failure.kind) return;
    Object.assign(page, { thinks: false });
    if (failure.kind === "stopped") page.known.guess ??= null;
    else page.known.guess = null;
    if (failure.canPass) trouble(failure);
    if (!page.busy) show();
  }
}

/** Lets the engine make its move. */
async function answer(isLate) {
  page.thinks = true;
  say(texts.thinking);
  show();
  const breath = new Promise((done) => setTimeout(done, isStill() ? 0 : BREATH));
  const best = await engine.move(sofar(), game.play.level);
  await breath;
  if (!best || isLate() || page.ahead) return;
  page.thinks = false;
  await acts.play(best);
}

/** Shows what the engine makes of a position that no table has. */
async function estimate(isLate) {
  page.known.guess = undefined;
  show();
  await engine.estimate(sofar(), (guess) => {
    if (isLate()) return;
    page.known.guess = guess;
    show();
  });
}

/** The game up to the position that is shown. */
export const sofar = () => ({ ...game, moves: game.moves.slice(0, game.at) });

/** Takes away what the server said of the position, for nobody knows whether it is still so. */
function forget() {
  Object.assign(page.known, NOTHING);
  if (page.known.analysis) show();
}

/** Shows something, where the address made no sense. */
async function start(failure) {
  Object.assign(game, { rules: sheet() ? game.rules : "abapa", moves: [], at: 0 });
  game.start = opening();
  showSheets(page.sheets, game.rules, page.others);
  await refresh();
  trouble(failure);
}

/** What may come later. */
async function more(start, isLate) {
  const seeds = onBoard(parse(start));
  const ask = async (wish) =>
    page.known.failure || isQuiet() ? null : wish().catch(() => null);
  const [line, figures] = await Promise.all([
    ask(() => api.line(game.rules, start)),
    ask(() => api.layer(game.rules, seeds)).then((stats) => stats?.layers[0] ?? null),
  ]);
  if (isLate()) return;
  Object.assign(page.known, { line, figures });
  showMore();
}

/** What is the matter, or that nothing is; what was stopped does not matter. A server that is silent
 * is asked again. */
export function trouble(failure) {
  if (failure?.kind === "stopped") return;
  clearTimeout(again);
  at("trouble").hidden = !failure;
  at("retry").hidden = !failure?.canPass;
  if (!failure) return;
  at("trouble-text").textContent = explain(failure);
  if (failure.canPass) again = setTimeout(retry, PATIENCE);
}

export function retry() {
  if (others.isOpen()) return others.retry();
  return page.sheets.length > 0 ? refresh() : begin();
}

/** What is shown to those who name no position: the start of a game that they may play, else an
 * endgame, if there are tables for it. */
export function opening() {
  return game.play === null && hasTable(sheet(), EXAMPLE) ? EXAMPLE : INITIAL;
}

/** Asks what there is, and shows the game. */
export async function begin() {
  wait(true);
  try {
    ({ sheets: page.sheets, others: page.others } = await api.sheets());
  } catch (failure) {
    wait(false);
    trouble(failure);
    return;
  }
  showSheets(page.sheets, game.rules, page.others);
  const other = page.others.find(({ id }) => id === game.rules);
  if (other) abandon();
  if (other) await others.open(other, new URLSearchParams(location.search));
  else if (game.puzzle) await acts.puzzle(game.puzzle - 1);
  else {
    game.start ??= opening();
    await refresh();
  }
  document.documentElement.dataset.ready = "";
}
