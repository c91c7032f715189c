// The sheets of rules, and what tables there are of them.

import { at, h } from "./dom.js";
import { onBoard, parse } from "./position.js";
import { texts } from "./texts.js";

/** What a sheet is called. */
export const title = (id) => texts.rulesTitle[id] ?? id;

/** Whether there is a table that holds a position. */
export function hasTable(sheet, start) {
  return Boolean(sheet?.layers.includes(onBoard(parse(start))));
}

/** Shows the choice of rules and the list of tables. */
export function showSheets(sheets, chosen, others = []) {
  const option = ({ id }) => h("option", { value: id, selected: id === chosen }, title(id));
  const group = (label, list) => h("optgroup", { label }, list.map(option));
  for (const id of ["rules", "other-rules"])
    at(id).replaceChildren(group("Oware", sheets), group(texts.otherGames, others));
  const held = [...sheets, ...others]
    .filter(({ layers }) => layers.length > 0)
    .map(({ id, layers }) => `${title(id)} ${layers[0]}–${layers.at(-1)}`);
  at("tables").textContent = held.length > 0 ? texts.tables(held.join(", ")) : texts.tablesNone;
}
