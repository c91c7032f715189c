// How a position of Bao or Nam Nam comes out, and its moves, in words.

import { h, renew } from "./dom.js";
import { hasStores } from "./places.js";
import { written } from "./score.js";
import { texts } from "./texts.js";

const other = (seat) => (seat === "south" ? "north" : "south");

/** What the mover is ahead by, in seeds that have been captured. */
const lead = ({ stores, toMove }) => stores[toMove] - stores[other(toMove)];

/** How it comes out for the mover: "win", "loss", "draw", or "open". */
function kindOf({ low, high }, position) {
  const ahead = lead(position);
  if (ahead + low > 0) return "win";
  if (ahead + high < 0) return "loss";
  return low === high ? "draw" : "open";
}

const TONES = { win: "good", loss: "bad", draw: "even", open: "open" };

/** What is said of a score: seeds, or the plies to the end where only the result counts. */
function scoreText(score, sheet) {
  if (hasStores(sheet.id)) return written(score);
  return score.plies === null ? "–" : texts.others.plies(score.plies);
}

/** What both have in the end, where that is settled. */
function finals({ low, high }, { counts, stores, toMove }, sheet) {
  if (!hasStores(sheet.id) || low !== high) return null;
  const left = counts.reduce((sum, count) => sum + count, 0);
  const south = stores.south + (left + (toMove === "south" ? low : -low)) / 2;
  return texts.totals(south, stores.south + stores.north + left - south);
}

/** Shows how a position comes out, or how it has ended. */
export function showOtherVerdict(root, { sheet, answer, position, isHidden }) {
  const { toMove } = position;
  const isOver = answer.moves.length === 0;
  const score = isOver ? { low: answer.final, high: answer.final, plies: 0 } : answer;
  if (score.low === undefined)
    return renew(
      root,
      h("span", { class: "figure" }, texts.toMove(texts[toMove])),
      h("span", { class: "reason" }, isHidden ? texts.hidden : texts.others.noTable),
    );
  const kind = kindOf(score, position);
  const [who, opponent] = [texts[toMove], texts[other(toMove)]];
  const total = finals(score, position, sheet);
  return renew(
    root,
    h("span", { class: `figure result tone-${TONES[kind]}` }, texts.outcomes[kind](who, opponent)),
    total ? h("span", { class: "totals-figure" }, total) : null,
    isOver ? null : h("span", { class: `score tone-${TONES[kind]}` }, `${who} ${scoreText(score, sheet)}`),
    h("span", { class: "reason" }, isOver ? texts.overVerdict : texts.toMove(who)),
  );
}

function row(move, { sheet, answer, position, play }) {
  const tone = move.low === undefined ? null : TONES[kindOf(move, position)];
  const taken = [move.captured, move.opponent_captured ? `−${move.opponent_captured}` : null];
  const star = answer.best?.includes(move.house) ? " ★" : "";
  const label = move.house === "-" ? texts.others.miss : move.house;
  return h(
    "tr",
    {},
    h("td", { class: "house-name" }, h("button", { type: "button", onclick: () => play(move) }, label, star)),
    h("td", {}, hasStores(sheet.id) ? taken.filter((each) => each !== null).join(" ") : ""),
    h("td", { class: `figure tone-${tone}` }, tone ? scoreText(move, sheet) : ""),
    h("td", { class: "faint" }, move.again ? texts.others.again : ""),
  );
}

/** Shows the moves of a position. */
export function showOtherMoves(root, shown) {
  const { moves } = shown.answer;
  if (moves.length === 0) return renew(root, h("p", {}, texts.noMoves));
  const isScored = moves[0].low !== undefined;
  const head = [texts.houseHead, hasStores(shown.sheet.id) ? texts.capturedHead : null];
  const cells = [...head, isScored ? texts.scoreHead : null, null].map((text) =>
    text ? h("th", { scope: "col" }, text) : h("td"),
  );
  const body = moves.map((move) => row(move, shown));
  return renew(root, h("table", {}, h("thead", {}, h("tr", {}, cells)), h("tbody", {}, body)));
}
