// Scores: as text, as a colour that never stands alone, and as a mark on a scale.

import { s } from "./dom.js";

/** `+3`, `0`, `−3`. */
export function signed(number) {
  if (number === 0) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}

/** `+3`, or `0…+2` where the bounds differ. */
export function written({ low, high }) {
  return low === high ? signed(low) : `${signed(low)}…${signed(high)}`;
}

/** Good, bad, even, or open which of them. */
export function tone({ low, high }) {
  if (low > 0) return "good";
  if (high < 0) return "bad";
  return low === high ? "even" : "open";
}

/** The same from the other side. */
export function turned({ low, high }) {
  return { low: -high, high: -low };
}

/** A score on a scale from minus to plus `most`: a dot, or a bar between two ends. */
export function scale(score, most) {
  const place = (value) => 100 + (92 * value) / Math.max(most, 1);
  const { low, high } = score;
  const kind = `mark-${tone(score)}`;
  const mark = low === high
    ? [s("circle", { class: kind, cx: place(low), cy: 12, r: 6 })]
    : [
        s("line", { class: `span ${kind}`, x1: place(low), x2: place(high), y1: 12, y2: 12 }),
        ...[low, high].map((end) => s("line", { class: `end ${kind}`, x1: place(end), x2: place(end), y1: 3, y2: 21 })),
      ];
  return s("svg", { class: "scale", viewBox: "0 0 200 24", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("line", { class: "axis", x1: 8, x2: 192, y1: 12, y2: 12 }),
    s("line", { class: "zero", x1: 100, x2: 100, y1: 5, y2: 19 }),
    mark);
}
