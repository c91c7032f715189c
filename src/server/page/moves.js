// The moves of a position, best first, each with its score on a scale.

import { h } from "./dom.js";
import { explained } from "./help.js";
import { letter, number } from "./position.js";
import { outcome } from "./result.js";
import { guessed, scale, tone, written } from "./score.js";
import { texts } from "./texts.js";

function row(move, { toMove, best, widest, play, over }) {
  const name = letter(move.house, toMove);
  const isBest = best.includes(move.house);
  const score = "low" in move ? move : null;
  const isGuess = "estimate" in move;
  const figure = score
    ? h("span", { class: `tone-${tone(score)}` }, written(score), move.certified ? "" : "*")
    : isGuess
      ? h("span", { class: "tone-guess" }, guessed(move.estimate))
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

/** The moves as they come out, best first: lists with a title each. Where captured totals are not
 * known it is the seeds that are left that are won or lost. */
function grouped(moves, position) {
  if (!("low" in moves[0]) || !position) return [[null, moves]];
  const kinds = ["win", "safe", "draw", "open", "behind", "loss"];
  const of = (kind) => moves.filter((move) => outcome(position, move) === kind);
  return kinds.map((kind) => [kind, of(kind)]).filter(([, list]) => list.length > 0);
}

/** Shows the moves of an answer in `root`. `position` is that of the answer, with its totals. */
export function showMoves(root, { answer, position, toMove, play, over }) {
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
  const isGuess = "estimate" in moves[0];
  const notes = [];
  if (best.length > 0) notes.push(isGuess ? texts.starGuess : texts.star);
  if (scored && moves.some(({ certified }) => !certified)) notes.push(texts.asterisk);
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      heads.map((head) => h("th", head ? { scope: "col" } : { "aria-hidden": "true" }, head)),
    ),
  );
  const table = ([kind, list], index) => [
    kind ? h("h3", { class: `kind kind-${kind}` }, texts.kinds[kind]) : null,
    h(
      "table",
      {},
      index === 0 ? head : null,
      h(
        "tbody",
        {},
        list.map((move) => row(move, { toMove, best, widest, play, over })),
      ),
    ),
  ];
  root.replaceChildren(
    ...grouped(moves, position).flatMap(table).filter(Boolean),
    ...notes.map((note) => h("p", { class: "faint note" }, note)),
    ...(scored ? [explained(texts.whatCertified, texts.whatCertifiedText)] : []),
  );
}
