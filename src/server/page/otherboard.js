// The boards of Bao and Nam Nam: two rows or four, with stores or without.

import { h, s } from "./dom.js";
import { hasOwners, hasStores, name, spot } from "./places.js";
import { seeds } from "./seeds.js";
import { texts } from "./texts.js";

const PIT = { x: 50, y: 50, wide: 40, high: 40, largest: 12 };

export class OtherBoard {
  /** Draws the board of a game in `root`; `act(place)` is called for clicks. */
  constructor(root, sheet, act) {
    Object.assign(this, { root, sheet, act, rows: hasStores(sheet.id) ? 2 : 4 });
    const places = Array.from({ length: sheet.places }, (_, place) => place);
    const ordered = places.sort((one, two) => this.order(one) - this.order(two));
    this.houses = new Map(ordered.map((place) => [place, this.house(place)]));
    this.stores = hasStores(sheet.id) ? { north: this.store("north"), south: this.store("south") } : {};
    const boxes = [...this.houses.values()].map(({ button }) => button);
    root.replaceChildren(
      ...(this.stores.north ? [this.stores.north.box] : []),
      ...boxes,
      ...(this.stores.south ? [this.stores.south.box] : []),
    );
    root.classList.toggle("four", this.rows === 4);
    root.style.setProperty("--columns", String(sheet.places / this.rows));
  }

  /** Houses come in the order in which they are seen. */
  order(place) {
    const [row, column] = spot(place, this.sheet);
    return row * 100 + column;
  }

  house(place) {
    const pile = s("g");
    const count = h("span", { class: "count" });
    const title = h("span", { class: "name" }, name(place, this.sheet));
    const hollow = s(
      "svg",
      { class: "hollow", viewBox: "0 0 100 100", "aria-hidden": "true" },
      s("circle", { class: "pit", cx: 50, cy: 50, r: 47 }),
      pile,
    );
    const caption = h("span", { class: "caption" }, title, count);
    const act = () => this.act(place);
    const button = h("button", { type: "button", class: "place", "data-place": place, onclick: act });
    button.append(hollow, caption);
    const [row, column] = spot(place, this.sheet);
    button.style.setProperty("--row", String(row + 2));
    button.style.setProperty("--column", String(column + 1));
    return { button, pile, count, shown: null };
  }

  store(seat) {
    const count = h("b", { class: "count" });
    const who = h("span", { class: "who" });
    const box = h("div", { class: `keep ${seat}`, role: "img", "data-store": seat }, who, count);
    return { box, count, who };
  }

  /** Shows seeds: `counts` by place, `at` is the place where a seed has just fallen. */
  put(counts, stores, at = null) {
    for (const [place, drawn] of this.houses) {
      drawn.button.classList.toggle("lands", place === at);
      if (drawn.shown === counts[place]) continue;
      drawn.shown = counts[place];
      drawn.count.textContent = counts[place];
      drawn.pile.replaceChildren(...seeds(counts[place], { ...PIT, salt: place + 1 }));
    }
    for (const [seat, { box, count, who }] of Object.entries(this.stores)) {
      count.textContent = stores[seat];
      who.textContent = texts[seat];
      box.setAttribute("aria-label", texts.store(texts[seat], stores[seat]));
    }
  }

  /** Shows a position; `marks` has, by place, the moves that begin there, with a colour or none. */
  show({ counts, stores, toMove, owners }, marks, last) {
    this.put(counts, stores);
    for (const [place, { button }] of this.houses) {
      const moves = marks.get(place) ?? [];
      const owner = owners[place] === "s" ? "south" : "north";
      button.className = `place ${hasOwners(this.sheet.id) ? `of-${owner}` : ""}`;
      button.classList.toggle("playable", moves.length > 0);
      button.classList.toggle("best", moves.some(({ best }) => best));
      button.classList.toggle("played", place === last);
      button.setAttribute("aria-disabled", String(moves.length === 0));
      const said = [
        texts.others.place(texts[owner], name(place, this.sheet), counts[place]),
        place === last ? texts.justPlayed : null,
      ];
      button.setAttribute("aria-label", said.filter(Boolean).join(", "));
    }
    for (const [seat, { box }] of Object.entries(this.stores))
      box.classList.toggle("turn", seat === toMove);
  }
}
