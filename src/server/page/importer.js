// A recorded game, read and judged by the server.

import * as api from "./api.js";
import { commentsOf } from "./comments.js";
import { allow, at, h } from "./dom.js";
import { isSlip } from "./record.js";
import { explain, texts } from "./texts.js";

/** Two moves as squares, as PlayStrategy writes them. */
const SQUARES = /\b[a-f][12][a-f][12][\s,]+[a-f][12][a-f][12]\b/;

/** Whether a text is a record rather than a position. */
export function isRecord(text) {
  return /^\s*\[\w+\s+"|\bmoves\b|^\s*1\./m.test(text) || SQUARES.test(text);
}

/** The rules that a record names are its own; one that names none is of the sheet in use. */
function sheetFor(text, rules) {
  return /^\s*\[Variant\s/im.test(text) ? null : rules;
}

export class Importer {
  /** `take(rules, game)` gets the game that is chosen. */
  constructor({ take, rules }) {
    Object.assign(this, {
      take,
      rules,
      dialog: at("importer"),
      text: at("record"),
      error: at("import-error"),
      // Counts what was asked for, so that late answers are let go; `judged` is under way.
      turn: 0,
      judged: null,
    });
    this.dialog.addEventListener("close", () => (this.turn += 1));
    at("judge").addEventListener("click", () => this.judge());
  }

  open(text) {
    this.turn += 1;
    allow(at("judge"), true);
    if (text) this.text.value = text;
    this.error.replaceChildren();
    at("games").replaceChildren();
    if (!this.dialog.open) this.dialog.showModal();
    if (text) this.judge();
  }

  async judge() {
    const { turn } = this;
    if (this.judged === turn) return;
    this.judged = turn;
    allow(at("judge"), false);
    const isLate = () => turn !== this.turn || !this.dialog.open;
    await this.ask(isLate);
    if (isLate()) return;
    this.judged = null;
    allow(at("judge"), true);
  }

  async ask(isLate) {
    this.error.replaceChildren();
    at("games").replaceChildren();
    try {
      const { rules, games } = await api.verify(
        sheetFor(this.text.value, this.rules()),
        this.text.value,
      );
      if (isLate()) return;
      this.comments = commentsOf(this.text.value);
      if (games.length === 1) this.choose(rules, games[0], 0);
      else this.offer(rules, games);
    } catch (failure) {
      if (!isLate()) this.error.textContent = explain(failure);
    }
  }

  /** Several games: one is to be chosen. */
  offer(rules, games) {
    const entry = (game, number) => {
      const slips = game.moves.filter(isSlip).length;
      const tag = (name) => game.tags.find((each) => each.name.toLowerCase() === name)?.value;
      const occasion = [tag("event"), tag("date")].filter((text) => text && !/^\?/.test(text));
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", onclick: () => this.choose(rules, game, number) },
          h("b", {}, `${number + 1}. ${tag("south") ?? "?"} – ${tag("north") ?? "?"}`),
          h("span", {}, game.result),
          h("span", { class: "faint" }, texts.imported(game.moves.length, slips)),
          h("span", { class: "faint" }, occasion.join(", ")),
        ),
      );
    };
    at("games").replaceChildren(
      h("p", { class: "faint" }, texts.choose(games.length)),
      h("ol", { class: "games" }, games.map(entry)),
    );
    at("games").querySelector("button").focus();
  }

  choose(rules, game, number) {
    this.dialog.close();
    this.take(rules, game, this.comments[number]);
  }
}
