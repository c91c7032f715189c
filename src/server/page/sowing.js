// A move as it is made: seeds fly from house to house, what is captured leaves for the store.

import { h } from "./dom.js";

const FLIGHT = 300;
const PACE = 130;
/** However many seeds there are, sowing takes no longer. */
const LONGEST = 1500;

/** The houses that a sowing passes, one for each seed. */
export function path(house, seeds, skipsOrigin) {
  const houses = [];
  for (let at = (house + 1) % 12; houses.length < seeds; at = (at + 1) % 12) {
    if (at !== house || !skipsOrigin) houses.push(at);
  }
  return houses;
}

/** Whether the reader wants things to stand still. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Sowing {
  constructor(board) {
    this.board = board;
    this.flights = new Set();
    this.rushed = false;
  }

  /** Ends what is in the air. */
  rush() {
    this.rushed = true;
    for (const flight of this.flights) flight.finish();
  }

  /** Shows the sowing of `house`, from `before` to the twelve houses `after`; the mover captures. */
  async play({ before, after, house, skipsOrigin }) {
    if (isStill()) return;
    this.rushed = false;
    const counts = [...before.houses];
    const seeds = counts[house];
    const pace = Math.min(PACE, LONGEST / seeds);
    const origin = house;
    counts[house] = 0;
    this.board.setHouse(house, 0);
    await Promise.all(
      path(house, seeds, skipsOrigin).map(async (target, number) => {
        await this.fly(origin, target, number * pace);
        counts[target] += 1;
        this.board.setHouse(target, counts[target]);
      }),
    );
    await this.capture(counts, after, before);
  }

  async capture(counts, after, before) {
    const taken = counts.map((count, house) => count - after[house]);
    const houses = taken.flatMap((count, house) => (count > 0 ? [house] : []));
    const button = (house) => this.board.houses[house].button;
    houses.forEach((house) => button(house).classList.add("taken"));
    let captured = before.stores[before.toMove];
    await Promise.all(
      houses.map(async (house, number) => {
        await Promise.all(
          Array.from({ length: taken[house] }, (_, seed) =>
            this.fly(house, before.toMove, 350 + number * 180 + seed * 60),
          ),
        );
        this.board.setHouse(house, after[house]);
        captured += taken[house];
        this.board.setStore(before.toMove, captured);
      }),
    );
    houses.forEach((house) => button(house).classList.remove("taken"));
  }

  /** A seed on its way. It is in the air from `delay` on. */
  async fly(from, to, delay) {
    if (this.rushed) return;
    const [start, end] = [this.board.middle(from), this.board.middle(to)];
    const lift = 14 + Math.hypot(end.x - start.x, end.y - start.y) * 0.12;
    const at = (x, y, scale) => `translate(${x}px, ${y}px) scale(${scale})`;
    const frames = [
      { transform: at(start.x, start.y, 1), opacity: 1 },
      { transform: at((start.x + end.x) / 2, (start.y + end.y) / 2 - lift, 1.25), opacity: 1 },
      { transform: at(end.x, end.y, 1), opacity: 1 },
    ];
    const seed = h("div", { class: "flying", "aria-hidden": "true" });
    this.board.root.append(seed);
    const flight = seed.animate(frames, {
      duration: FLIGHT,
      delay,
      easing: "ease-in-out",
      fill: "both",
    });
    this.flights.add(flight);
    await flight.finished.catch(() => {});
    this.flights.delete(flight);
    seed.remove();
  }
}
