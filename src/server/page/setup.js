// Setting a position up: seeds come and go by click and by key.

import { h, renew } from "./dom.js";
import { INITIAL, format, onBoard, parse } from "./position.js";
import { texts } from "./texts.js";

/** Digits typed within this time make one number. */
const PATIENCE = 900;
const SEEDS = 48;

export class Setup {
  /** Calls `change(start)` after every change, and `done()` at the end. */
  constructor(root, { change, done }) {
    Object.assign(this, {
      root,
      change,
      done,
      position: null,
      takes: false,
      past: [],
      future: [],
      typed: { place: null, text: "", when: 0 },
    });
  }

  get isOpen() {
    return !this.root.hidden;
  }

  open(start) {
    this.position = parse(start);
    Object.assign(this, { past: [], future: [], shown: start });
    this.begin();
    this.root.hidden = false;
    this.show();
  }

  /** Taps add as long as there is something to add from. */
  begin() {
    const { south, north } = this.position.stores;
    this.takes = this.left() + south + north === 0;
  }

  close() {
    this.root.hidden = true;
  }

  /** Takes another position, as it was typed or pasted. */
  follow(start) {
    this.position = parse(start);
    this.remember(start);
    this.show();
  }

  /** Keeps what was there before a change, so that it can be had back. */
  remember(start) {
    if (start === this.shown) return;
    this.past.push(this.shown);
    Object.assign(this, { shown: start, future: [] });
  }

  /** Takes changes back. */
  undo(count = 1) {
    this.walk(this.past, this.future, count);
  }

  /** Makes changes again that were taken back. */
  redo(count = 1) {
    this.walk(this.future, this.past, count);
  }

  walk(from, to, count) {
    if (from.length === 0) return;
    for (let left = count; left > 0 && from.length > 0; left -= 1) {
      to.push(this.shown);
      this.shown = from.pop();
    }
    this.position = parse(this.shown);
    this.show();
    this.change(this.shown);
  }

  count(place) {
    return typeof place === "number" ? this.position.houses[place] : this.position.stores[place];
  }

  /** Puts so many seeds in a house or store, if the game has them. */
  put(place, count) {
    const { houses, stores } = this.position;
    const others = onBoard(this.position) + stores.south + stores.north - this.count(place);
    if (count < 0) return;
    if (others + count > SEEDS) {
      this.show(texts.tooMany);
      return;
    }
    if (typeof place === "number") houses[place] = count;
    else stores[place] = count;
    this.tell();
  }

  /** Seeds that are nowhere yet. */
  left() {
    const { south, north } = this.position.stores;
    return SEEDS - onBoard(this.position) - south - north;
  }

  /** A tap puts a seed down or takes one away, on a house or a store. Where all seeds are in the
   * game already, a seed for a house comes from the fuller store, and else taps take from now on. */
  click(place, event) {
    if (this.takes !== event.shiftKey) {
      this.put(place, this.count(place) - 1);
      return;
    }
    if (this.left() > 0) {
      this.put(place, this.count(place) + 1);
      return;
    }
    const { stores } = this.position;
    const fuller = stores.south >= stores.north ? "south" : "north";
    if (typeof place === "number" && stores[fuller] > 0) {
      stores[fuller] -= 1;
      this.put(place, this.count(place) + 1);
      return;
    }
    this.takes = true;
    this.show(texts.boardFull);
  }

  /** Divides the seeds that are nowhere among the stores, an odd one to the emptier. */
  fill() {
    const { stores } = this.position;
    const total = this.left() + stores.south + stores.north;
    stores.south = Math.ceil(total / 2);
    stores.north = Math.floor(total / 2);
    this.tell();
  }

  /** Takes a key on a house or store. */
  type(place, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { "+": 1, "=": 1, "-": -1 };
    if (event.key in steps) this.put(place, this.count(place) + steps[event.key]);
    else if (event.key === "Delete" || event.key === "Backspace") this.put(place, 0);
    else if (typeof place === "string" && ["Enter", " "].includes(event.key))
      this.click(place, event);
    else if (/^\d$/.test(event.key)) this.digit(place, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  digit(place, key) {
    const now = performance.now();
    const goesOn =
      this.typed.place === place && now - this.typed.when < PATIENCE && this.typed.text.length < 2;
    this.typed = { place, text: goesOn ? this.typed.text + key : key, when: now };
    this.put(place, Number(this.typed.text));
  }

  set(position, begins = false) {
    this.position = position;
    if (begins) this.begin();
    this.tell();
  }

  turned() {
    const { houses, stores, toMove } = this.position;
    const other = toMove === "south" ? "north" : "south";
    this.set({
      houses: [...houses.slice(6), ...houses.slice(0, 6)],
      stores: { south: stores.north, north: stores.south },
      toMove: other,
    });
  }

  tell() {
    this.show();
    this.remember(format(this.position));
    this.change(this.shown);
  }

  show(complaint) {
    const { toMove, stores } = this.position;
    const count = onBoard(this.position);
    const button = (text, act) => h("button", { type: "button", onclick: act }, text);
    const seat = (each) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "to-move",
          value: each,
          checked: toMove === each,
          onchange: () => this.set({ ...this.position, toMove: each }),
        }),
        texts[each],
      );
    const mode = (takes, text) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(this.takes === takes),
          onclick: () => {
            this.takes = takes;
            this.show();
          },
        },
        text,
      );
    renew(
      this.root,
      h("p", { class: "faint" }, texts.setupHint),
      h(
        "div",
        { class: "group", role: "group", "aria-label": texts.taps },
        mode(false, texts.tapsAdd),
        mode(true, texts.tapsTake),
      ),
      h("fieldset", {}, h("legend", {}, texts.whoMoves), seat("south"), seat("north")),
      h(
        "div",
        { class: "group" },
        button(texts.empty, () =>
          this.set({ houses: Array(12).fill(0), stores: { south: 0, north: 0 }, toMove }, true),
        ),
        button(texts.initial, () => this.set(parse(INITIAL), true)),
        button(texts.fill, () => this.fill()),
        button(texts.turn, () => this.turned()),
        button(texts.done, this.done),
      ),
      h(
        "p",
        { class: complaint ? "error" : "faint", role: "status" },
        complaint ?? texts.onBoard(count, SEEDS - count - stores.south - stores.north),
      ),
    );
  }
}
