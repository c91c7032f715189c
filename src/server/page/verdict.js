// How the game comes out, in words, for whoever is to move there.

import { h } from "./dom.js";
import { explained } from "./help.js";
import { why, winner } from "./record.js";
import { finals, outcome } from "./result.js";
import { amount, guessed, scale, signed, tone, written } from "./score.js";
import { explain, texts } from "./texts.js";

const otherSeat = (seat) => (seat === "south" ? "north" : "south");

/** How a game has ended. */
function ended({ ending, endless, position }) {
  return [
    h("span", { class: "figure" }, winner(ending.margin)),
    h("span", {}, texts.overVerdict),
    h("span", { class: "reason" }, why(ending, position, endless)),
  ];
}

/** Why there is no score. */
function noScore({ answer, failure, most }) {
  if (failure.kind === "missing_table") return texts.noTable(answer.seeds, most);
  return explain(failure);
}

/** There is no score, but what the engine makes of it, as soon as it has looked. */
function unknown(state) {
  const { toMove, guess } = state;
  const found = guess && "estimate" in guess;
  const who = found && guess.estimate >= 0 ? toMove : otherSeat(toMove);
  return [
    found
      ? h("span", { class: "figure tone-guess" }, `${texts[toMove]} ${guessed(guess.estimate)}`)
      : h("span", {}, texts.toMove(texts[toMove])),
    found
      ? h(
          "span",
          { class: "words" },
          texts.guessVerdict(texts[who], amount(Math.abs(guess.estimate)), guess.depth),
        )
      : null,
    h("span", { class: "reason" }, noScore(state)),
    guess === undefined ? h("span", { class: "reason" }, texts.thinking) : null,
  ].filter(Boolean);
}

function words({ low, high }, toMove) {
  if (low !== high) return texts.verdictOpen(texts[toMove], signed(low), signed(high));
  if (low === 0) return texts.verdictEven;
  return texts.verdictAhead(texts[low > 0 ? toMove : otherSeat(toMove)], Math.abs(low));
}

/** How the game comes out, and with how many seeds for South and for North. */
function result({ answer, position, toMove }) {
  const totals = finals(position, answer);
  if (!totals) return [];
  const kind = outcome(position, answer);
  const { least, most, total } = totals;
  const figures =
    least === most ? texts.totals(least, total - least) : texts.totalsOpen(least, most);
  return [
    h(
      "span",
      { class: `figure result tone-${{ win: "good", loss: "bad", draw: "even" }[kind] ?? "open"}` },
      texts.outcomes[kind](texts[toMove], texts[otherSeat(toMove)]),
    ),
    h("span", { class: "totals-figure" }, figures),
  ];
}

function known(state) {
  const { answer, endless, toMove } = state;
  const isOpen = answer.low !== answer.high;
  const open =
    { even_split: texts.reasonOpen, drawn: texts.reasonDrawn }[endless] ?? texts.reasonOwnSide;
  const head = result(state);
  const figure = head.length > 0 ? "score" : "figure";
  return [
    ...head,
    h("span", { class: `${figure} tone-${tone(answer)}` }, `${texts[toMove]} ${written(answer)}`),
    h("span", { class: "words" }, words(answer, toMove)),
    scale(answer, answer.seeds),
    isOpen
      ? explained(open, endless === "drawn" ? texts.whyDrawnText : texts.whyTwoText)
      : h("span", { class: "reason" }, texts.toMove(texts[toMove])),
  ];
}

/** Shows in `root` the verdict on a position: after the end why the game ended, without a table
 * what the engine makes of it, and else the result; while looking ahead that it is not the game's. */
export function showVerdict(root, state) {
  const tell =
    state.ending && !state.isAhead ? ended : state.failure || !state.answer ? unknown : known;
  root.replaceChildren(
    ...(state.answer ? tell(state) : [h("span", { class: "reason" }, texts.noAnswer)]),
    ...(state.isAhead ? [h("span", { class: "reason" }, texts.looking)] : []),
  );
}
