// The moves of a position, best first, each with its score on a scale.

import { h } from "./dom.js";
import { letter, number } from "./position.js";
import { scale, tone, written } from "./score.js";
import { texts } from "./texts.js";

function row(move, { toMove, best, widest, play, over }) {
  const name = letter(move.house, toMove);
  const isBest = best.includes(move.house);
  const score = "low" in move ? move : null;
  const figure = score
    ? h("span", { class: `tone-${tone(score)}` }, written(score), move.certified ? "" : "*")
    : "";
  return h(
    "tr",
    {},
    h(
      "td",
      { class: "house-name" },
      h(
        "button",
        {
          type: "button",
          onclick: () => play(move.house),
          "aria-label": texts.play(name),
          disabled: over,
        },
        name,
        h("span", { class: "star", "aria-hidden": "true" }, isBest ? " ★" : ""),
      ),
    ),
    h("td", { class: "captured" }, move.captured > 0 ? String(move.captured) : "–"),
    h("td", { class: "figure" }, figure),
    h("td", {}, score ? scale(score, widest) : ""),
  );
}

/** What the board shows of moves: each under the number of its house. */
export function marksOf({ moves, best }, toMove) {
  const mark = (move) => {
    const score = "low" in move ? { low: move.low, high: move.high } : null;
    return [number(move.house, toMove), { ...move, score, best: best?.includes(move.house) }];
  };
  return new Map(moves.map(mark));
}

/** Shows the moves of an answer in `root`. */
export function showMoves(root, { answer, toMove, play, over }) {
  if (!answer) {
    root.replaceChildren();
    return;
  }
  const { moves, best = [] } = answer;
  if (moves.length === 0) {
    root.replaceChildren(h("p", {}, texts.noMoves));
    return;
  }
  const widest = Math.max(
    1,
    ...moves.flatMap(({ low = 0, high = 0 }) => [Math.abs(low), Math.abs(high)]),
  );
  const scored = "low" in moves[0];
  const heads = [texts.houseHead, texts.capturedHead, texts.scoreHead, ""];
  const notes = [];
  if (best.length > 0) notes.push(texts.star);
  if (scored && moves.some(({ certified }) => !certified)) notes.push(texts.asterisk);
  root.replaceChildren(
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", head ? { scope: "col" } : { "aria-hidden": "true" }, head)),
        ),
      ),
      h(
        "tbody",
        {},
        moves.map((move) => row(move, { toMove, best, widest, play, over })),
      ),
    ),
    ...notes.map((note) => h("p", { class: "faint note" }, note)),
  );
}
