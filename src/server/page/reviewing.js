// The panel of a mistake that is looked at: what was played, and what may be done about it.

import { h, renew } from "./dom.js";
import { lossText } from "./loss.js";
import { texts } from "./texts.js";

/** Shows in `root` the mistake that is looked at. */
export function showReview(root, { review, toMove, acts }) {
  const { slips, at, isTold, reply } = review;
  const slip = slips[at];
  const button = (text, act) => h("button", { type: "button", onclick: act }, text);
  const isLast = at + 1 === slips.length;
  renew(
    root,
    h("span", { class: "figure" }, texts.mistake(at + 1, slips.length)),
    h("span", { class: "words" }, texts.mistakeText(texts[toMove], slip.ply + 1, slip.move, lossText(slip))),
    h("span", { class: "reason" }, reply),
    h(
      "div",
      { class: "group" },
      isTold ? null : button(texts.tellAnswer, acts.tellAnswer),
      isLast ? null : button(texts.nextMistake, acts.nextMistake),
      button(texts.endReview, acts.endReview),
    ),
  );
}
