// The score of a position in words, for whoever is to move there.

import { h } from "./dom.js";
import { why, winner } from "./record.js";
import { scale, signed, tone, written } from "./score.js";
import { texts } from "./texts.js";

/** How a game has ended. */
function ended({ ending, endless, position }) {
  return [
    h("span", { class: "figure" }, winner(ending.margin)),
    h("span", {}, texts.overVerdict),
    h("span", { class: "reason" }, why(ending, position, endless)),
  ];
}

/** Why there is no score. */
function unknown({ answer, failure, most, toMove }) {
  const text =
    failure.kind === "missing_table" ? texts.noTable(answer.seeds, most) : failure.message;
  return [h("span", {}, texts.toMove(texts[toMove])), h("span", { class: "reason" }, text)];
}

function words({ low, high }, toMove) {
  if (low !== high) return texts.verdictOpen(texts[toMove], signed(low), signed(high));
  if (low === 0) return texts.verdictEven;
  const other = toMove === "south" ? "north" : "south";
  return texts.verdictAhead(texts[low > 0 ? toMove : other], Math.abs(low));
}

function known({ answer, endless, toMove }) {
  const open = endless === "own_side" ? texts.reasonOwnSide : texts.reasonOpen;
  return [
    h("span", { class: `figure tone-${tone(answer)}` }, `${texts[toMove]} ${written(answer)}`),
    h("span", { class: "words" }, words(answer, toMove)),
    scale(answer, answer.seeds),
    h("span", { class: "reason" }, answer.low === answer.high ? texts.toMove(texts[toMove]) : open),
  ];
}

function ahead({ toMove }) {
  return [
    h("span", {}, texts.looking),
    h("span", { class: "reason" }, texts.toMove(texts[toMove])),
  ];
}

/** Shows in `root` the verdict on a position: while looking ahead that it is not the game's, after
 * the end why the game ended, without a table why there is no score, and else the score. */
export function showVerdict(root, state) {
  const tell = state.isAhead ? ahead : state.ending ? ended : state.failure ? unknown : known;
  root.replaceChildren(...tell(state));
}
