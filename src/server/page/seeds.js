// Seeds in a hollow: each one drawn, lying as seeds do, the same way each time.

import { s } from "./dom.js";

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Fewer seeds than this lie together in the middle. */
const FEW = 7;

/** A number that looks like chance and is not. */
function scatter(seed) {
  const x = Math.sin(seed * 127.1 + 11.7) * 43758.5453;
  return x - Math.floor(x) - 0.5;
}

/** The seeds of a hollow: around (x, y), within half axes `wide` and `high`. `salt` tells hollows
 * apart. */
export function seeds(count, { x, y, wide, high, salt, largest }) {
  const room = Math.sqrt((wide * high) / Math.max(count, 5));
  const radius = Math.min(largest, room * 0.68);
  const lie = (at) => {
    const out = count === 1 ? 0 : Math.sqrt((at + 0.55) / Math.max(count, FEW));
    const turn = at * GOLDEN + salt;
    const jitter = radius * 0.35;
    return {
      cx: x + Math.cos(turn) * out * (wide - radius) + scatter(at + salt * 13) * jitter,
      cy: y + Math.sin(turn) * out * (high - radius) + scatter(at * 3 + salt * 7) * jitter,
    };
  };
  return Array.from({ length: count }, (_, at) =>
    s("circle", { class: "seed", r: radius.toFixed(2), ...lie(at) }),
  );
}

/** What hollows and seeds are filled with, once for the page. */
export function fillings() {
  const stop = (offset, color) => s("stop", { offset, "stop-color": color });
  return s(
    "svg",
    { width: 0, height: 0, class: "unseen", "aria-hidden": "true" },
    s(
      "defs",
      {},
      s(
        "radialGradient",
        { id: "pit", cx: "50%", cy: "62%", r: "62%" },
        stop("0", "#5a3315"),
        stop("0.7", "#3b1f0c"),
        stop("1", "#241104"),
      ),
      s(
        "radialGradient",
        { id: "seed", cx: "36%", cy: "30%", r: "75%" },
        stop("0", "#f8fbf0"),
        stop("0.45", "#d7dfc8"),
        stop("1", "#8d9a79"),
      ),
    ),
  );
}
