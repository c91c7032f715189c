// The moves of a position by how the game ends after them, best first: the end, then the seeds.

import { allow, h, renew } from "./dom.js";
import { explained } from "./help.js";
import { letter, number } from "./position.js";
import { finalText, isWhole as hasTotals, outcome, toneOf } from "./result.js";
import { guessed, scale, written } from "./score.js";
import { texts } from "./texts.js";

const KINDS = ["win", "safe", "draw", "open", "behind", "loss"];

/** What a move is worth: a score, an estimate, or nothing. */
function figure(move, tone) {
  if (tone) return h("span", { class: `tone-${tone}` }, written(move), move.certified ? "" : "*");
  if ("estimate" in move) return h("span", { class: "tone-guess" }, guessed(move.estimate));
  return "";
}

function player(move, { toMove, best, play, over }) {
  const name = letter(move.house, toMove);
  const star = best.includes(move.house) ? " ★" : "";
  const act = () => over || play(move.house);
  const button = h(
    "button",
    { type: "button", onclick: act, "aria-label": texts.play(name) },
    name,
    h("span", { class: "star", "aria-hidden": "true" }, star),
  );
  allow(button, !over);
  return button;
}

function row(move, shown) {
  const { position, widest, isWhole } = shown;
  const tone = "low" in move ? toneOf(position, move) : null;
  return h(
    "tr",
    {},
    h("td", { class: "house-name" }, player(move, shown)),
    h("td", { class: "captured" }, move.captured > 0 ? String(move.captured) : "–"),
    isWhole ? h("td", { class: `end tone-${tone}` }, finalText(position, move)) : null,
    h("td", { class: "figure" }, figure(move, tone)),
    h("td", { class: "drawn" }, tone ? scale(move, widest, tone) : ""),
  );
}

/** What the board shows of moves: each under the number of its house. */
export function marksOf({ moves, best }, toMove, position) {
  const mark = (move) => {
    const score = "low" in move ? { low: move.low, high: move.high } : null;
    const told = score && { tone: toneOf(position, score), end: finalText(position, score) };
    const isBest = best?.includes(move.house);
    return [number(move.house, toMove), { ...move, ...told, score, best: isBest }];
  };
  return new Map(moves.map(mark));
}

/** The moves as they come out, best first: lists with a title each. Where captured totals are not
 * known it is the seeds that are left that are won or lost. */
function grouped(moves, position) {
  if (!("low" in moves[0])) return [[null, moves]];
  const of = (kind) => moves.filter((move) => outcome(position, move) === kind);
  return KINDS.map((kind) => [kind, of(kind)]).filter(([, list]) => list.length > 0);
}

function heads({ isWhole, isJudged }) {
  const names = [texts.houseHead, texts.capturedHead, isWhole ? texts.endHead : null];
  const told = [...names, isJudged ? texts.scoreHead : null].filter(Boolean);
  const head = (text) => h("th", { scope: "col" }, text);
  return h("thead", {}, h("tr", {}, told.map(head), h("td")));
}

function notes({ moves, best = [] }) {
  const isGuess = "estimate" in moves[0];
  const isScored = "low" in moves[0];
  const loose = isScored && moves.some(({ certified }) => !certified);
  const said = [
    best.length > 0 && isScored ? texts.star : null,
    best.length > 0 && isGuess ? texts.starGuess : null,
    loose ? texts.asterisk : null,
  ];
  const lines = said.filter(Boolean).map((note) => h("p", { class: "faint note" }, note));
  return [...lines, isScored ? explained(texts.whatCertified, texts.whatCertifiedText) : null];
}

/** The greatest score of the moves, either way. */
function widest(moves) {
  const sizes = moves.flatMap(({ low = 0, high = 0 }) => [Math.abs(low), Math.abs(high)]);
  return Math.max(1, ...sizes);
}

/** Shows the moves of an answer in `root`. `position` is that of the answer, with its totals. */
export function showMoves(root, { answer, position, ...acts }) {
  if (!answer) return renew(root);
  const { moves, best = [] } = answer;
  if (moves.length === 0) return renew(root, h("p", {}, texts.noMoves));
  const isWhole = "low" in moves[0] && hasTotals(position);
  const isJudged = "low" in moves[0] || "estimate" in moves[0];
  const shown = { ...acts, best, position, widest: widest(moves), isWhole, isJudged };
  const table = ([kind, list], index) => [
    kind ? h("h3", { class: `kind kind-${kind}` }, texts.kinds[kind]) : null,
    h(
      "table",
      { class: isWhole ? "whole" : "" },
      index === 0 ? heads(shown) : null,
      h("tbody", {}, list.map((move) => row(move, shown))),
    ),
  ];
  return renew(root, ...grouped(moves, position).flatMap(table), ...notes(answer));
}
