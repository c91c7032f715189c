// The board: twelve houses and two stores, drawn once and then kept up to date.

import { h, s } from "./dom.js";
import { name } from "./position.js";
import { guessed, written } from "./score.js";
import { fillings, seeds } from "./seeds.js";
import { texts } from "./texts.js";

const PIT = { x: 50, y: 50, wide: 40, high: 40, largest: 12 };
/** From left to right, North's row above South's. */
const ROWS = [
  [11, 10, 9, 8, 7, 6],
  [0, 1, 2, 3, 4, 5],
];

function drawHouse(house) {
  const south = house < 6;
  const pile = s("g");
  const count = h("span", { class: "count" });
  const badge = h("span", { class: "badge" });
  const caption = h("span", { class: "caption" }, h("span", { class: "name" }, name(house)), count);
  const hollow = s(
    "svg",
    { class: "hollow", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("circle", { class: "pit", cx: 50, cy: 50, r: 47 }),
    pile,
    s("text", { class: "gain", x: 50, y: 62, "text-anchor": "middle" }),
  );
  const parts = south ? [hollow, caption, badge] : [badge, caption, hollow];
  const button = h(
    "button",
    {
      type: "button",
      class: `house ${south ? "south" : "north"}`,
      "data-house": house,
      tabindex: -1,
    },
    parts,
  );
  return { button, pile, count, badge, shown: null };
}

function drawStore(seat) {
  const pile = s("g");
  const count = h("span", { class: "count" });
  const more = h("span", { class: "more" });
  const who = h("span", { class: "who" });
  const well = s(
    "svg",
    { class: "well", "aria-hidden": "true" },
    s("rect", { rx: 22, ry: 22 }),
    pile,
  );
  const box = h(
    "div",
    { class: `store ${seat}`, "data-store": seat, role: "img" },
    who,
    well,
    h("span", { class: "sum" }, count, more),
  );
  return { box, pile, well, count, more, who, shown: null };
}

function way() {
  return s(
    "svg",
    { class: "way", viewBox: "0 0 600 24", preserveAspectRatio: "none", role: "img" },
    s("title"),
    s("path", { d: "M560 5H40M52 1L40 5l12 4M40 19H560M548 15l12 4-12 4" }),
  );
}

export class Board {
  /** Calls `act(place, event)` for clicks and `type(place, event)` for keys on houses and stores;
   * `foresee(house)` says what sowing a house would do, if it may be sown. */
  constructor(root, { act, type, foresee }) {
    this.root = root;
    this.foresee = foresee;
    this.watchHands();
    this.houses = Array.from({ length: 12 }, (_, house) => drawHouse(house));
    this.stores = { north: drawStore("north"), south: drawStore("south") };
    this.way = way();
    const row = (numbers) => numbers.map((house) => this.houses[house].button);
    document.body.prepend(fillings());
    root.append(
      this.stores.north.box,
      ...row(ROWS[0]),
      this.way,
      ...row(ROWS[1]),
      this.stores.south.box,
    );
    for (const [house, { button }] of this.houses.entries()) {
      button.addEventListener("click", (event) => act(house, event));
      for (const come of ["pointerenter", "pointerdown", "focus"])
        button.addEventListener(come, () => this.preview(house));
      for (const go of ["pointerleave", "pointercancel", "blur", "click"])
        button.addEventListener(go, () => this.preview(null));
      button.addEventListener("keydown", (event) => this.walk(house, event) || type(house, event));
    }
    for (const [seat, { box }] of Object.entries(this.stores)) {
      box.addEventListener("click", (event) => act(seat, event));
      box.addEventListener("keydown", (event) => type(seat, event));
    }
    new ResizeObserver(() => this.fit()).observe(root);
  }

  /** Turns the board, so that the other player sits in front of it. */
  flip() {
    return this.root.classList.toggle("flipped");
  }

  get isFlipped() {
    return this.root.classList.contains("flipped");
  }

  /** The rows as they are seen, from left to right. */
  rows() {
    return this.isFlipped ? [...ROWS].reverse().map((row) => [...row].reverse()) : ROWS;
  }

  /** Arrows to the sides go from house to house for those who came by keyboard. Elsewhere, and
   * after the mouse, they go along the game. */
  watchHands() {
    this.walks = true;
    document.addEventListener("pointerdown", () => (this.walks = false));
    document.addEventListener("keydown", ({ key }) => (this.walks ||= key === "Tab"), true);
  }

  /** Shows where the seeds of a house would go, or of none. */
  preview(house) {
    const seen = house === null ? null : this.foresee(house);
    this.root.classList.toggle("foresees", Boolean(seen));
    for (const [each, { button }] of this.houses.entries()) {
      const more = seen ? seen.sown.filter((to) => to === each).length : 0;
      const taken = seen ? seen.taken[each] : 0;
      button.classList.toggle("lands", more > 0);
      button.classList.toggle("loses", taken > 0);
      button.querySelector(".gain").textContent = taken > 0 ? `−${taken}` : more > 0 ? `+${more}` : "";
    }
  }

  /** Goes to another house by an arrow, if the keyboard brought the reader here; tells whether it
   * was one. */
  walk(house, event) {
    const isAcross = ["ArrowLeft", "ArrowRight"].includes(event.key);
    if (isAcross && !this.walks) return false;
    const [above, below] = this.rows();
    const row = above.includes(house) ? above : below;
    const at = row.indexOf(house);
    const next = {
      ArrowLeft: () => row[(at + 5) % 6],
      ArrowRight: () => row[(at + 1) % 6],
      ArrowUp: () => above[at],
      ArrowDown: () => below[at],
    }[event.key];
    if (!next) return false;
    event.preventDefault();
    event.stopPropagation();
    this.walks = true;
    this.focus(next());
    return true;
  }

  /** Lets the keyboard in at one house: the others are reached by arrows. */
  focus(house, move = true) {
    for (const [each, { button }] of this.houses.entries())
      button.tabIndex = each === house ? 0 : -1;
    if (move) this.houses[house].button.focus();
  }

  /** Shows a position. `marks` has, for houses that may be played, what that is worth; `editing` is
   * for setting up. */
  show({ houses, stores, toMove, marks, editing, came, gathers, last = null }) {
    this.preview(null);
    houses.forEach((count, house) => this.setHouse(house, count));
    for (const seat of ["south", "north"]) {
      this.setStore(seat, stores[seat]);
      const { box, who, more } = this.stores[seat];
      more.textContent = gathers?.[seat] ? `+${gathers[seat]}` : "";
      who.textContent = texts[seat];
      box.classList.toggle("turn", seat === toMove);
      if (editing) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
      box.setAttribute("role", editing ? "button" : "img");
      box.setAttribute("aria-label", texts.store(texts[seat], stores[seat]));
    }
    this.way.querySelector("title").textContent = texts.way;
    for (const house of this.houses.keys())
      this.mark(house, houses[house], marks.get(house), { editing, came, last });
    if (!this.houses.some(({ button }) => button.tabIndex === 0))
      this.focus(toMove === "north" ? 6 : 0, false);
  }

  mark(house, count, mark, { editing, came, last }) {
    const { button, badge } = this.houses[house];
    const isGuess = mark?.estimate !== undefined;
    const text = mark?.score ? written(mark.score) + (mark.certified ? "" : "*") : "";
    badge.textContent = isGuess ? guessed(mark.estimate) : text;
    badge.className = `badge ${isGuess ? "guess" : mark?.tone ?? ""}`;
    button.classList.toggle("playable", Boolean(mark) || editing);
    button.classList.toggle("best", Boolean(mark?.best));
    button.classList.toggle("idle", !mark && !editing);
    button.classList.toggle("came", Boolean(came));
    button.classList.toggle("played", last?.house === house);
    button.classList.toggle("sown", Boolean(last?.sown.includes(house)));
    button.setAttribute("aria-disabled", String(!mark && !editing));
    const said = [texts.house(name(house), count), last?.house === house ? texts.justPlayed : null];
    if (mark?.score)
      said.push(
        mark.end ? `${texts.ends[mark.tone]} ${mark.end}` : null,
        texts.score(written(mark.score)),
        mark.best ? texts.isBest : mark.certified ? null : texts.uncertified,
      );
    if (isGuess) said.push(texts.guess(guessed(mark.estimate)));
    if (mark?.captured) said.push(texts.captures(mark.captured));
    button.setAttribute("aria-label", said.filter(Boolean).join(", "));
  }

  setHouse(house, count) {
    const drawn = this.houses[house];
    if (drawn.shown === count) return;
    drawn.shown = count;
    drawn.pile.replaceChildren(...seeds(count, { ...PIT, salt: house + 1 }));
    drawn.count.textContent = count;
  }

  setStore(seat, count) {
    const drawn = this.stores[seat];
    drawn.count.textContent = count;
    if (drawn.shown === count) return;
    drawn.shown = count;
    this.fillStore(drawn);
  }

  /** Stores are as high or as wide as the board leaves them. */
  fillStore({ well, pile, shown }) {
    const { width, height } = well.getBoundingClientRect();
    if (width < 10 || height < 10) return;
    well.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const rect = well.querySelector("rect");
    for (const [key, value] of Object.entries({ x: 1, y: 1, width: width - 2, height: height - 2 }))
      rect.setAttribute(key, value);
    const lie = {
      x: width / 2,
      y: height / 2,
      wide: width / 2 - 5,
      high: height / 2 - 5,
      largest: 8,
      salt: 3,
    };
    pile.replaceChildren(...seeds(shown ?? 0, lie));
  }

  fit() {
    Object.values(this.stores).forEach((store) => this.fillStore(store));
  }

  /** Where a hollow's or a store's middle is, in the board. */
  middle(place) {
    const element =
      typeof place === "number"
        ? this.houses[place].button.querySelector(".hollow")
        : this.stores[place].well;
    const inner = element.getBoundingClientRect();
    const outer = this.root.getBoundingClientRect();
    return {
      x: inner.left + inner.width / 2 - outer.left,
      y: inner.top + inner.height / 2 - outer.top,
    };
  }
}
