// A recorded game, read and judged by the server.

import * as api from "./api.js";
import { at, h } from "./dom.js";
import { texts } from "./texts.js";

/** Whether a text is a record rather than a position. */
export function isRecord(text) {
  return /^\s*\[\w+\s+"|\bmoves\b|^\s*1\./m.test(text);
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
    });
    at("judge").addEventListener("click", () => this.judge());
  }

  open(text) {
    if (text) this.text.value = text;
    this.error.replaceChildren();
    this.dialog.showModal();
    if (text) this.judge();
  }

  async judge() {
    try {
      const { rules, games } = await api.verify(
        sheetFor(this.text.value, this.rules()),
        this.text.value,
      );
      if (games.length === 1) this.choose(rules, games[0]);
      else this.offer(rules, games);
    } catch (failure) {
      this.error.textContent = failure.kind === "silent" ? texts.silent : failure.message;
    }
  }

  /** Several games: one is to be chosen. */
  offer(rules, games) {
    const title = ({ tags, result }, number) => {
      const tag = (name) => tags.find((each) => each.name.toLowerCase() === name)?.value ?? "?";
      return `${number + 1}. ${tag("south")} – ${tag("north")}  ${result}`;
    };
    this.error.replaceChildren(
      h(
        "span",
        { class: "group" },
        games.map((game, number) =>
          h(
            "button",
            { type: "button", onclick: () => this.choose(rules, game) },
            title(game, number),
          ),
        ),
      ),
    );
  }

  choose(rules, game) {
    this.dialog.close();
    this.take(rules, game);
  }
}
