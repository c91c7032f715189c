// The game so far: captured totals, how it stands, its moves.

import { h } from "./dom.js";
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

function totals(position) {
  const { mover, opponent } = position.stores;
  const [south, north] = position.to_move === "south" ? [mover, opponent] : [opponent, mover];
  const box = (seat, count) =>
    h(
      "div",
      { class: position.to_move === seat ? "turn" : "" },
      h("span", {}, texts[seat]),
      h("b", {}, String(count)),
      h("span", {}, count > 24 ? texts.isHome : texts.to25(25 - count)),
    );
  return h("div", { class: "totals" }, box("south", south), box("north", north));
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
  return ending.reason === "repetition"
    ? texts.repetition[endless](position.repeats)
    : texts.over[ending.reason](ending.margin > 0 ? texts.south : texts.north);
}

/** How the game has ended, or how it will with best play. */
function state({ position, ending, endless, forecast }) {
  if (ending) {
    const totals = ending.reason === "decided" ? null : final(position, ending.margin);
    return [
      why(ending, position, endless),
      totals ? `${winner(ending.margin)}. ${texts.result(...totals)}` : null,
    ];
  }
  const totals = forecast === null ? null : final(position, forecast);
  return [totals ? texts.forecast(...totals) : texts.goesOn];
}

function chips({ analysis, at, goTo }) {
  const entry = (move, index) => {
    const slip = isSlip(move);
    const text =
      (move.captured > 0 ? `${move.move}×${move.captured}` : move.move) + (slip ? "?" : "");
    const label = texts.step(index + 1, text) + (slip ? `, ${slipText(move)}` : "");
    return h(
      "li",
      { class: slip ? "slip" : "" },
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

/** Shows a game in `root`. */
export function showRecord(root, { analysis, at, ending, endless, forecast, goTo }) {
  const position = analysis.positions[at];
  const lines = state({ position, ending, endless, forecast }).filter(Boolean);
  const last =
    at > 0 && isSlip(analysis.moves[at - 1])
      ? `${analysis.moves[at - 1].move} ${slipText(analysis.moves[at - 1])}.`
      : null;
  const list = chips({ analysis, at, goTo });
  root.replaceChildren(
    totals(position),
    h(
      "div",
      { class: "state" },
      lines.map((line) => h("p", {}, line)),
      last ? h("p", { class: "error" }, last) : null,
    ),
    list,
  );
  const current = list.querySelector("[aria-current]");
  if (current)
    list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
}
