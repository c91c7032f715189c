// All positions with as many seeds: how many are worth what, and where this one is among them.

import { h, s } from "./dom.js";
import { signed } from "./score.js";
import { texts } from "./texts.js";

const HEIGHT = 150;
const EDGE = { left: 6, right: 6, top: 20, bottom: 24 };

function shares({ positions, wins, draws, losses }) {
  const open = positions - wins - draws - losses;
  let from = 0;
  const piece = (kind, count) => {
    const part = s("rect", {
      class: `share-${kind}`,
      x: (100 * from) / positions,
      width: (100 * count) / positions,
      y: 0,
      height: 10,
    });
    from += count;
    return part;
  };
  const percent = (count) => {
    const digits = count === 0 ? 0 : 1;
    const shape = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return ((100 * count) / positions).toLocaleString(document.documentElement.lang, shape);
  };
  return [
    h(
      "div",
      { class: "shares" },
      s(
        "svg",
        { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        piece("good", wins),
        piece("even", draws),
        piece("open", open),
        piece("bad", losses),
      ),
    ),
    h(
      "p",
      { class: "faint" },
      texts.layerShares(percent(wins), percent(draws), percent(losses), percent(open)),
    ),
  ];
}

function histogram({ seeds, positions, histogram }, score, width) {
  const values = Array.from({ length: 2 * seeds + 1 }, (_, at) => at - seeds);
  const count = (value) => histogram[value] ?? 0;
  const most = Math.max(...values.map(count), 1);
  const pitch = (width - EDGE.left - EDGE.right) / values.length;
  const x = (value) => EDGE.left + (value + seeds) * pitch;
  const high = (value) => ((HEIGHT - EDGE.top - EDGE.bottom) * count(value)) / most;
  const isHere = (value) => score && value >= score.low && value <= score.high;
  const bar = (value) => {
    const kind = value > 0 ? "good" : value < 0 ? "bad" : "";
    return s(
      "rect",
      {
        class: `bar ${kind} ${isHere(value) ? "here" : ""}`,
        x: x(value) + pitch * 0.1,
        width: pitch * 0.8,
        y: HEIGHT - EDGE.bottom - high(value),
        height: high(value),
      },
      s(
        "title",
        {},
        `${signed(value)}: ${count(value).toLocaleString(document.documentElement.lang)}`,
      ),
    );
  };
  const label = (value, kind = "") =>
    s(
      "text",
      { class: kind, x: x(value) + pitch / 2, y: HEIGHT - 8, "text-anchor": "middle" },
      signed(value),
    );
  const far = (value) =>
    !score || [score.low, score.high].every((end) => Math.abs(value - end) * pitch > 26);
  const ends = [-seeds, 0, seeds].filter(
    (value, at, all) => all.indexOf(value) === at && far(value),
  );
  const marks = score ? [...new Set([score.low, score.high])] : [];
  const pointer = (value) => {
    const [tipX, tipY] = [x(value) + pitch / 2, HEIGHT - EDGE.bottom - high(value) - 3];
    return s("path", { class: "pointer", d: `M${tipX} ${tipY}l-6 -9h12z` });
  };
  const text = texts.layerText(seeds, positions.toLocaleString(document.documentElement.lang));
  const here = score ? `; ${texts.layerHere}: ${marks.map(signed).join(" … ")}` : "";
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": text + here },
    values.filter((value) => count(value) > 0).map(bar),
    s("line", {
      class: "base",
      x1: EDGE.left,
      x2: width - EDGE.right,
      y1: HEIGHT - EDGE.bottom,
      y2: HEIGHT - EDGE.bottom,
    }),
    marks.map(pointer),
    ends.map((value) => label(value)),
    marks.map((value) => label(value, "here")),
  );
}

/** Shows the figures of a layer in `root`, and where `score` is among them. */
export function showLayer(root, { figures, score }) {
  if (!figures) {
    root.replaceChildren(h("p", { class: "faint" }, texts.layerNone));
    return;
  }
  const number = figures.positions.toLocaleString(document.documentElement.lang);
  root.replaceChildren(
    h("p", { class: "faint" }, `${texts.layerText(figures.seeds, number)}.`),
    histogram(figures, score, Math.max(root.clientWidth, 200)),
    ...shares(figures),
  );
}
