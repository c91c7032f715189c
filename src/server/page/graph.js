// The score along the game: what South has in the end more than North, as far as tables tell.

import { h, renew, s } from "./dom.js";
import { isSlip, slipText } from "./record.js";
import { signed } from "./score.js";
import { texts } from "./texts.js";

const HEIGHT = 176;
const EDGE = { left: 34, right: 10, top: 12, bottom: 22 };

/** Captured so far, South's minus North's. */
export function ahead({ stores, to_move }) {
  return to_move === "south" ? stores.mover - stores.opponent : stores.opponent - stores.mover;
}

/** Both ends of what South has in the end more than North; `null` where no table tells. */
export function margin(position) {
  if (!("low" in position)) return null;
  const { low, high } = position;
  const base = ahead(position);
  return position.to_move === "south"
    ? { low: base + low, high: base + high }
    : { low: base - high, high: base - low };
}

/** Stretches of positions that are known, as lists of their numbers. */
function stretches(margins) {
  const found = [];
  margins.forEach((known, at) => {
    if (!known) return;
    if (at > 0 && margins[at - 1]) found.at(-1).push(at);
    else found.push([at]);
  });
  return found;
}

function dot(place, at, { analysis, current, goTo, many }) {
  const move = analysis.moves[at - 1];
  const slip = move && isSlip(move);
  const label =
    at === 0 ? texts.start : texts.ply(at, move.move) + (slip ? `, ${slipText(move)}` : "");
  const [x, y] = place;
  const size = slip ? 6 : many ? 2.5 : 4;
  const kind = `dot ${slip ? "slip" : ""} ${current === at ? "here" : ""}`;
  const title = s("title", {}, label);
  const act = { class: kind, onclick: () => goTo(at) };
  // A slip has a shape of its own, for those who do not see its colour.
  return slip
    ? s(
        "path",
        { ...act, d: `M${x} ${y - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z` },
        title,
      )
    : s("circle", { ...act, cx: x, cy: y, r: current === at ? size + 2 : size }, title);
}

/** Shows the graph of a game in `root`; `goTo` goes to a position. */
export function showGraph(root, { analysis, at, goTo }) {
  const margins = analysis.positions.map(margin);
  const known = margins.filter(Boolean);
  if (known.length === 0) {
    renew(root, h("p", { class: "faint" }, texts.graphNone));
    return;
  }
  const width = Math.max(root.clientWidth, 200);
  const leads = analysis.positions.map(ahead);
  const most =
    Math.max(
      4,
      ...known.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]),
      ...leads.map(Math.abs),
    ) + 1;
  const count = Math.max(analysis.positions.length - 1, 1);
  const x = (ply) => EDGE.left + ((width - EDGE.left - EDGE.right) * ply) / count;
  const y = (value) => EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (most - value)) / (2 * most);
  const step = most > 20 ? 12 : most > 8 ? 6 : 2;
  const grid = [];
  for (let value = -Math.floor(most / step) * step; value <= most; value += step) {
    grid.push(
      s("line", {
        class: value === 0 ? "zero" : "grid",
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: y(value),
        y2: y(value),
      }),
      s("text", { x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, signed(value)),
    );
  }
  const points = (plies, end) =>
    plies.map((ply) => `${x(ply).toFixed(1)},${y(margins[ply][end]).toFixed(1)}`);
  const bands = stretches(margins).flatMap((plies) => [
    s("polygon", {
      class: "band",
      points: [...points(plies, "low"), ...points(plies, "high").reverse()].join(" "),
    }),
    s("polyline", {
      class: "path",
      points: plies
        .map(
          (ply) =>
            `${x(ply).toFixed(1)},${y((margins[ply].low + margins[ply].high) / 2).toFixed(1)}`,
        )
        .join(" "),
    }),
  ]);
  const whiskers = margins.flatMap((known, ply) =>
    known && known.low < known.high
      ? [
          s("line", {
            class: "whisker",
            x1: x(ply),
            x2: x(ply),
            y1: y(known.low),
            y2: y(known.high),
          }),
        ]
      : [],
  );
  const many = analysis.positions.length > 60;
  const dots = margins.flatMap((known, ply) =>
    known
      ? [dot([x(ply), y((known.low + known.high) / 2)], ply, { analysis, current: at, goTo, many })]
      : [],
  );
  const middle = (EDGE.left + width - EDGE.right) / 2;
  root.replaceChildren(
    s(
      "svg",
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        role: "img",
        "aria-label": texts.graphText(analysis.moves.length),
      },
      grid,
      s("text", { x: middle, y: EDGE.top - 1, "text-anchor": "middle" }, texts.graphAxis),
      s("text", { x: middle, y: HEIGHT - 5, "text-anchor": "middle" }, texts.graphAxisBelow),
      s("polyline", {
        class: "taken",
        points: leads.map((lead, ply) => `${x(ply).toFixed(1)},${y(lead).toFixed(1)}`).join(" "),
      }),
      bands,
      whiskers,
      s("line", { class: "cursor", x1: x(at), x2: x(at), y1: EDGE.top, y2: HEIGHT - EDGE.bottom }),
      dots,
    ),
    h("p", { class: "faint legend" }, texts.graphKey),
  );
}
