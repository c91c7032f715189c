// A new game: who plays, how strong the engine is, by which rules.

import { at, h, renew } from "./dom.js";
import { INITIAL } from "./position.js";
import { title } from "./sheets.js";
import { texts } from "./texts.js";

const WHO = ["south", "north", "nobody"];

/** One of several things to be chosen, as a row of buttons. */
function choice(name, legend, options, chosen) {
  const one = ([value, text]) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name, value, checked: value === chosen }),
      h("span", {}, text),
    );
  return h("fieldset", { class: "choice" }, h("legend", {}, legend), options.map(one));
}

/** Offers a new game; `start` gets it. */
export function offerGame({ game, sheets, start }) {
  const { engine, level } = game.play ?? { engine: "north", level: 2 };
  const who = { north: "south", south: "north" }[engine] ?? "nobody";
  const rules = h(
    "select",
    { name: "rules", id: "new-rules" },
    sheets.map(({ id }) => h("option", { value: id, selected: id === game.rules }, title(id))),
  );
  const levels = Object.entries(texts.levels);
  renew(
    at("new-body"),
    choice("who", texts.whoPlays, WHO.map((each) => [each, texts.players[each]]), who),
    choice("level", texts.strength, levels, String(level)),
    h("label", { class: "field" }, h("span", {}, texts.sheet), rules),
  );
  const dialog = at("new-game");
  dialog.onclose = () => {
    if (dialog.returnValue === "start") start(chosen(new FormData(dialog.querySelector("form"))));
  };
  dialog.returnValue = "";
  dialog.showModal();
}

/** The game that was chosen. */
function chosen(said) {
  const engine = { south: "north", north: "south" }[said.get("who")] ?? null;
  const play = { engine, level: Number(said.get("level")) };
  return { rules: said.get("rules"), start: INITIAL, moves: [], at: 0, play };
}
