// The game so far: captured totals, how it stands, its moves.

import { h, renew } from "./dom.js";
import { gathered } from "./result.js";
import { texts } from "./texts.js";

/** Whether a move gives something away. */
export function isSlip(move) {
  return move.judgement?.verdict === "loses";
}

/** What a slip gives away, in words. */
export function slipText({ move, judgement }) {
  const lower = move === move.toLowerCase();
  const better = judgement.better.map((house) => (lower ? house.toLowerCase() : house)).join(", ");
  return texts.slip(judgement.loss[0], judgement.loss[1], better);
}

function totals(position, ending, endless) {
  const { mover, opponent } = position.stores;
  const [south, north] = position.to_move === "south" ? [mover, opponent] : [opponent, mover];
  const more = collects(ending, position, endless) ?? { south: 0, north: 0 };
  const aim = (count) => {
    if (ending) return texts.inTheEnd;
    return count > 24 ? texts.isHome : texts.to25(25 - count);
  };
  const box = (seat, count) =>
    h(
      "div",
      { class: position.to_move === seat && !ending ? "turn" : "" },
      h("span", {}, texts[seat]),
      h("b", {}, String(count + more[seat])),
      h("span", {}, more[seat] > 0 ? texts.sum(count, more[seat]) : aim(count)),
    );
  return h("div", { class: "totals" }, box("south", south), box("north", north));
}

/** What both gather at the end of a game that ends with seeds on the board, where each keeps their
 * own row; else `null`. */
export function collects(ending, position, endless) {
  if (!ending || ending.reason === "decided") return null;
  if (ending.reason === "repetition" && endless !== "own_side") return null;
  return gathered(position);
}

/** What both have in the end, if the game is known from its beginning. */
export function final(position, margin) {
  const known = position.seeds + position.stores.mover + position.stores.opponent === 48;
  return known && (48 + margin) % 2 === 0 ? [(48 + margin) / 2, (48 - margin) / 2] : null;
}

/** Who wins, in words. */
export function winner(margin) {
  if (margin === 0) return texts.draw;
  return texts.wins(margin > 0 ? texts.south : texts.north);
}

/** Why the game has ended. */
export function why(ending, position, endless) {
  if (ending.reason === "repetition")
    return (texts.repetition[endless] ?? texts.repetition.own_side)(position.repeats);
  if (ending.reason !== "no_move")
    return texts.over[ending.reason](ending.margin > 0 ? texts.south : texts.north);
  const { to_move: seat } = position;
  const other = seat === "south" ? "north" : "south";
  const rows = gathered(position);
  const cause =
    rows[seat] === 0 ? texts.noSeeds(texts[seat]) : texts.cannotFeed(texts[seat], texts[other]);
  return `${cause} ${texts.gathers(rows.south, rows.north)}`;
}

/** How the game has ended, or how it will with best play. */
function state({ position, ending, endless, forecast, known }) {
  if (ending) {
    const isDrawn = ending.reason === "repetition" && endless === "drawn";
    const totals =
      ending.reason === "decided" || isDrawn ? null : final(position, ending.margin);
    return [
      why(ending, position, endless),
      totals ? `${winner(ending.margin)}. ${texts.result(...totals)}` : null,
    ];
  }
  const totals = forecast === null ? null : final(position, forecast);
  return [totals ? texts.forecast(...totals) : known ? null : texts.goesOn];
}

/** The numbers of moves stand before South's, or before the first one. */
function moveNumber(analysis, index) {
  const ply = index + (analysis.positions[0].to_move === "north" ? 1 : 0);
  if (ply % 2 === 1 && index > 0) return null;
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

function chips({ analysis, at, goTo, quiet }) {
  const entry = (move, index) => {
    const slip = !quiet && isSlip(move);
    const number = moveNumber(analysis, index);
    const text =
      (move.captured > 0 ? `${move.move}×${move.captured}` : move.move) + (slip ? "?" : "");
    const label = texts.step(index + 1, text) + (slip ? `, ${slipText(move)}` : "");
    return h(
      "li",
      { class: slip ? "slip" : "" },
      number ? h("span", { class: "no" }, number) : null,
      h(
        "button",
        {
          type: "button",
          "aria-current": at === index + 1 ? "true" : null,
          "aria-label": label,
          title: slip ? slipText(move) : null,
          onclick: () => goTo(index + 1),
        },
        text,
      ),
    );
  };
  const start = h(
    "li",
    {},
    h(
      "button",
      { type: "button", "aria-current": at === 0 ? "true" : null, onclick: () => goTo(0) },
      texts.start,
    ),
  );
  return h("ol", { class: "chips" }, start, analysis.moves.map(entry));
}

/** Other continuations, to be taken up again. */
function branches({ variations, take }) {
  if (variations.length === 0) return null;
  const entry = (variation) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => take(variation) },
        texts.variation(variation.at, variation.moves.join(" ")),
      ),
    );
  return h("ul", { class: "variations" }, variations.map(entry));
}

/** Shows a game in `root`: at its position, or at one that is looked at ahead. */
export function showRecord(root, game) {
  const { analysis, at, ahead, ending, endless, forecast, known, goTo, variations, take } = game;
  const { quiet, review, comment } = game;
  const position = analysis.positions[at];
  const lines = ahead ? [] : state({ position, ending, endless, forecast, known }).filter(Boolean);
  const last =
    at > 0 && !quiet && isSlip(analysis.moves[at - 1])
      ? `${analysis.moves[at - 1].move} ${slipText(analysis.moves[at - 1])}.`
      : null;
  const list = chips({ analysis, at, goTo, quiet });
  const look = h("button", { type: "button", onclick: review }, texts.review);
  renew(
    root,
    totals(ahead ?? position, ahead ? null : ending, endless),
    h(
      "div",
      { class: "state" },
      lines.map((line) => h("p", {}, line)),
      last ? h("p", { class: "error" }, last) : null,
      comment ? h("p", { class: "said-of" }, `“${comment}”`) : null,
    ),
    list,
    branches({ variations, take }),
    analysis.moves.length > 0 ? h("div", { class: "group" }, look) : null,
  );
  const current = list.querySelector("[aria-current]");
  if (current)
    list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
}
