// Scores: as text, as a colour that never stands alone, and as a mark on a scale.

import { s } from "./dom.js";

/** `+3`, `0`, `−3`. */
export function signed(number) {
  if (number === 0) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}

/** A number of seeds that need not be whole, in the way of the language. */
export function amount(number) {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return number.toLocaleString(document.documentElement.lang, options);
}

/** An estimate: `≈ +2.3`, in the way of the language. */
export function guessed(number) {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" };
  return `≈ ${number.toLocaleString(document.documentElement.lang, options).replace("-", "−")}`;
}

/** `+3`, or `0…+2` where the bounds differ. */
export function written({ low, high }) {
  return low === high ? signed(low) : `${signed(low)}…${signed(high)}`;
}

/** A score on a scale from minus to plus `most`: a dot, or a bar between two ends, in the colour of
 * the result. */
export function scale(score, most, tone) {
  const place = (value) => `${50 + (45 * value) / Math.max(most, 1)}%`;
  const { low, high } = score;
  const kind = `mark-${tone}`;
  const across = (name, from, to, top, bottom) =>
    s("line", { class: name, x1: place(from), x2: place(to), y1: top, y2: bottom });
  const mark =
    low === high
      ? [s("circle", { class: kind, cx: place(low), cy: 12, r: 6 })]
      : [
          across(`span ${kind}`, low, high, 12, 12),
          ...[low, high].map((end) => across(`end ${kind}`, end, end, 3, 21)),
        ];
  return s(
    "svg",
    { class: "scale", "aria-hidden": "true" },
    across("axis", -most, most, 12, 12),
    across("zero", 0, 0, 5, 19),
    mark,
  );
}
