// What the server is asked, and what becomes of its answers.

import * as address from "./address.js";
import * as api from "./api.js";
import { at } from "./dom.js";
import { EXAMPLE, INITIAL, onBoard, parse } from "./position.js";
import { hasTable, showSheets } from "./sheets.js";
import {
  NOTHING,
  acts,
  engine,
  game,
  isCurrent,
  isOver,
  page,
  say,
  setup,
  sheet,
  show,
  showMore,
  stand,
  wait,
} from "./state.js";
import { explain, texts } from "./texts.js";

/** Counts what was asked for, so that late answers are let go. */
let visit = 0;
/** When to ask a server again that is silent. */
let again = null;
const PATIENCE = 3000;

/** Changes the game and shows it. */
export async function go(change, { push = false } = {}) {
  Object.assign(game, change);
  page.ahead = null;
  at("position-error").textContent = "";
  address.write(game, push);
  await refresh();
}

/** Asks for everything that is to be shown. What is there already stays until then. */
export async function refresh() {
  const turn = ++visit;
  const isLate = () => turn !== visit;
  engine.stop();
  wait(true);
  try {
    const analysis = await api.game(game.rules, game.start, game.moves.join(""));
    if (isLate()) return;
    trouble(null);
    const start = analysis.positions[game.at].start;
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    if (isLate()) return;
    page.known = { ...NOTHING, analysis, at: game.at, answer, failure };
    show();
    await more(start, isLate);
  } catch (failure) {
    if (isLate()) return;
    trouble(failure);
    if (failure.kind === "silent") forget();
    if (!page.known.analysis && failure.kind === "usage") await start(failure);
  }
  if (isLate()) return;
  wait(false);
  think(isLate);
}

/** Lets the engine answer where no table does, or make its move. */
async function think(isLate) {
  if (!page.known.answer || isOver() || setup.isOpen || !isCurrent()) return;
  const mine = at("versus").value === stand().to_move && page.known.at === game.moves.length;
  const moves = game.moves.slice(0, game.at);
  try {
    if (mine) {
      say(texts.thinking);
      const best = await engine.move({ ...game, moves }, at("strength").value);
      if (best && !isLate() && !page.ahead) await acts.play(best);
    } else if (page.known.failure?.kind === "missing_table") {
      page.known.guess = undefined;
      show();
      await engine.estimate({ ...game, moves }, (guess) => {
        if (isLate()) return;
        page.known.guess = guess;
        show();
      });
    }
  } catch (failure) {
    if (isLate() || !failure.kind) return;
    page.known.guess = null;
    if (failure.kind === "silent") trouble(failure);
    else show();
  }
}

/** Takes away what the server said of the position, for nobody knows whether it is still so. */
function forget() {
  Object.assign(page.known, NOTHING);
  if (page.known.analysis) show();
}

/** Shows something, where the address made no sense. */
async function start(failure) {
  Object.assign(game, { rules: sheet() ? game.rules : "abapa", moves: [], at: 0 });
  game.start = opening();
  showSheets(page.sheets, game.rules);
  await refresh();
  trouble(failure);
}

/** What may come later. */
async function more(start, isLate) {
  const seeds = onBoard(parse(start));
  const ask = async (wish) => (page.known.failure ? null : wish().catch(() => null));
  const [line, figures] = await Promise.all([
    ask(() => api.line(game.rules, start)),
    ask(() => api.layer(game.rules, seeds)).then((stats) => stats?.layers[0] ?? null),
  ]);
  if (isLate()) return;
  Object.assign(page.known, { line, figures });
  showMore();
}

/** What is the matter, or that nothing is. A server that is silent is asked again. */
export function trouble(failure) {
  clearTimeout(again);
  at("trouble").hidden = !failure;
  at("retry").hidden = failure?.kind !== "silent";
  if (!failure) return;
  at("trouble-text").textContent = explain(failure);
  if (failure.kind === "silent") again = setTimeout(retry, PATIENCE);
}

export function retry() {
  return page.sheets.length > 0 ? refresh() : begin();
}

/** What is shown to those who ask for nothing: an endgame, if there are tables for it. */
export function opening() {
  return hasTable(sheet(), EXAMPLE) ? EXAMPLE : INITIAL;
}

/** Asks what there is, and shows the game. */
export async function begin() {
  try {
    ({ sheets: page.sheets } = await api.sheets());
  } catch (failure) {
    trouble(failure);
    return;
  }
  showSheets(page.sheets, game.rules);
  game.start ??= opening();
  await refresh();
  document.documentElement.dataset.ready = "";
}
