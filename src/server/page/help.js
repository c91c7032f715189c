// The keys, and the words of the page explained.

import { at, h } from "./dom.js";
import { texts } from "./texts.js";

function pairs(list, name) {
  const entry = ([word, meaning]) => [
    h("dt", {}, name === "keys" ? h("kbd", {}, word) : word),
    h("dd", {}, meaning),
  ];
  return h("dl", { class: name }, list.map(entry).flat());
}

/** Opens the dialog of keys and words. */
export function openHelp() {
  const { keyList, wordList } = texts;
  at("help-body").replaceChildren(
    h("h3", {}, texts.keysTitle),
    pairs(Object.values(keyList), "keys"),
    h("h3", {}, texts.wordsTitle),
    pairs(Object.values(wordList), "words"),
  );
  at("help").showModal();
}

/** A word that explains itself where it stands. */
export function explained(word, meaning) {
  return h("details", { class: "why" }, h("summary", {}, word), h("p", {}, meaning));
}
