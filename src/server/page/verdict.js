// How the game comes out, in words, for whoever is to move there.

import { h, renew } from "./dom.js";
import { explained } from "./help.js";
import { why, winner } from "./record.js";
import { finals, isWhole, outcome, toneOf } from "./result.js";
import { amount, guessed, scale, signed, written } from "./score.js";
import { explain, texts } from "./texts.js";

const otherSeat = (seat) => (seat === "south" ? "north" : "south");
const reason = (text) => h("span", { class: "reason" }, text);

/** How a game has ended, and what may be done then. */
function ended({ ending, endless, position, acts }) {
  const button = (text, act) => h("button", { type: "button", onclick: act }, text);
  return [
    h("span", { class: "figure" }, winner(ending.margin)),
    h("span", {}, texts.overVerdict),
    reason(why(ending, position, endless)),
    h("div", { class: "group" }, button(texts.review, acts.review), button(texts.newGame, acts.begin)),
  ];
}

/** Why there is no score. */
function noScore({ answer, failure, most }) {
  if (failure.kind === "missing_table") return texts.noTable(answer.seeds, most);
  return explain(failure);
}

const thinking = () =>
  h("span", { class: "reason thinks" }, h("span", { class: "spinner" }), texts.thinking);

/** There is no score, but what the engine makes of it, as soon as it has looked. */
function unknown(state) {
  const { toMove, guess, thinks } = state;
  const found = guess && "estimate" in guess;
  const who = found && guess.estimate >= 0 ? toMove : otherSeat(toMove);
  const figure = () => `${texts[toMove]} ${guessed(guess.estimate)}`;
  const words = () =>
    texts.guessVerdict(texts[who], amount(Math.abs(guess.estimate)), guess.depth);
  return [
    found
      ? h("span", { class: "figure tone-guess" }, figure())
      : h("span", {}, texts.toMove(texts[toMove])),
    found ? h("span", { class: "words" }, words()) : null,
    reason(noScore(state)),
    guess === undefined || thinks ? thinking() : null,
  ];
}

/** Whether all that is known of a score is that it is at an end of what its table tells apart. */
const isCut = ({ low, high, range }) => low !== high && range && (low >= range || high <= -range);

function words(answer, toMove) {
  const { low, high } = answer;
  if (isCut(answer)) {
    const [who, count] = low > 0 ? [toMove, low] : [otherSeat(toMove), -high];
    return texts.verdictAtLeast(texts[who], count);
  }
  if (low !== high) return texts.verdictOpen(texts[toMove], signed(low), signed(high));
  if (low === 0) return texts.verdictEven;
  return texts.verdictAhead(texts[low > 0 ? toMove : otherSeat(toMove)], Math.abs(low));
}

/** How the game comes out, and with how many seeds for South and for North. */
function result({ answer, position, toMove }, tone) {
  if (!isWhole(position)) return [];
  const { least, most, total } = finals(position, answer) ?? {};
  const figures =
    least === most ? texts.totals(least, total - least) : texts.totalsOpen(least, most);
  const kind = outcome(position, answer);
  const text = texts.outcomes[kind](texts[toMove], texts[otherSeat(toMove)]);
  return [
    h("span", { class: `figure result tone-${tone}` }, text),
    total ? h("span", { class: "totals-figure" }, figures) : null,
  ];
}

/** Why a score is not one number. */
function whyOpen(answer, endless) {
  const { low, high, range } = answer;
  const clamped = low <= -range || high >= range ? reason(texts.reasonClamped(range)) : null;
  if (isCut(answer)) return [clamped];
  const open =
    { even_split: texts.reasonOpen, drawn: texts.reasonDrawn }[endless] ?? texts.reasonOwnSide;
  return [explained(open, endless === "drawn" ? texts.whyDrawnText : texts.whyTwoText), clamped];
}

/** What the tables know: the result, and then the seeds, both in the colour of the result. */
function known(state) {
  const { answer, endless, position, toMove, thinks } = state;
  const isOpen = answer.low !== answer.high;
  const tone = toneOf(position, answer);
  const head = result(state, tone);
  const figure = head.length > 0 ? "score" : "figure";
  return [
    ...head,
    h("span", { class: `${figure} tone-${tone}` }, `${texts[toMove]} ${written(answer)}`),
    h("span", { class: "words" }, words(answer, toMove)),
    scale(answer, answer.seeds, tone),
    ...(isOpen ? whyOpen(answer, endless) : [reason(texts.toMove(texts[toMove]))]),
    thinks ? thinking() : null,
  ];
}

/** Who is to move, and what has just been played: all that those who play are told. */
function playing({ toMove, played, play, thinks }) {
  const isEngine = play?.engine === toMove;
  const text = isEngine ? texts.engineToMove(texts[toMove], play.level) : texts.toMove(texts[toMove]);
  const last = played && texts.said(texts[played.seat], played.move, played.captured);
  return [
    h("span", { class: "figure" }, text),
    h("span", { class: "words" }, last ?? texts.tapHouse(texts[toMove])),
    thinks ? thinking() : null,
  ];
}

function body(state) {
  if (!state.answer) return [reason(texts.noAnswer)];
  if (state.ending && !state.isAhead) return ended(state);
  if (state.quiet) return playing(state);
  return state.failure ? unknown(state) : known(state);
}

/** Shows in `root` the verdict on a position: after the end why the game ended, to those who play
 * whose turn it is, without a table what the engine makes of it, and else the result; while looking
 * ahead that it is not the game's. */
export function showVerdict(root, state) {
  const notes = (state.notes ?? []).map(reason);
  renew(root, ...body(state), ...notes, state.isAhead ? reason(texts.looking) : null);
}
