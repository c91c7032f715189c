// The keys, the words of the page explained, and the rules of the game with pictures.

import { at, h, s } from "./dom.js";
import { seeds } from "./seeds.js";
import { texts } from "./texts.js";
import { path } from "./sowing.js";

/** What stands beside the sentences of the rules: South's houses and North's, the house that is
 * sown, and those that are captured. */
const PICTURES = [
  { houses: [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4] },
  { houses: [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], sown: 3 },
  { houses: [1, 0, 13, 2, 0, 1, 3, 1, 0, 2, 1, 0], sown: 2 },
  { houses: [0, 2, 0, 1, 3, 0, 4, 2, 5, 0, 3, 1], sown: 4, taken: [7] },
  { houses: [0, 2, 0, 1, 0, 3, 2, 1, 2, 4, 3, 5], sown: 5, taken: [6, 7, 8] },
  { houses: [0, 1, 0, 2, 0, 2, 1, 2, 0, 0, 0, 0], sown: 5 },
  { houses: [0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0], sown: 5 },
  { houses: [3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
];

function hollow(house, count, { sown, taken = [] }, more) {
  const [x, y] = house < 6 ? [house * 20 + 11, 33] : [(11 - house) * 20 + 11, 11];
  const kind = house === sown ? "from" : taken.includes(house) ? "lost" : "";
  const lie = { x, y, wide: 7, high: 7, largest: 2.4, salt: house };
  const gain = more > 0 ? s("text", { x, y: y + 3, "text-anchor": "middle" }, `+${more}`) : null;
  return s(
    "g",
    { class: kind },
    s("circle", { class: "pit", cx: x, cy: y, r: 9 }),
    seeds(count, lie),
    gain,
  );
}

/** A board, small, as a picture beside a sentence that says the same. */
function picture(board) {
  const { houses, sown } = board;
  const landed = sown === undefined ? [] : path(sown, houses[sown], true);
  const more = (house) => landed.filter((each) => each === house).length;
  return s(
    "svg",
    { class: "mini", viewBox: "0 0 122 44", "aria-hidden": "true" },
    s("rect", { class: "wood", width: 122, height: 44, rx: 8 }),
    houses.map((count, house) => hollow(house, count, board, more(house))),
  );
}

/** Opens a dialog at its top. */
function open(dialog) {
  dialog.showModal();
  dialog.querySelector("h2").focus();
  dialog.scrollTop = 0;
}

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
  open(at("help"));
}

/** Opens the rules: ten sentences, with a picture where one helps. */
export function openRules() {
  const entry = (sentence, number) =>
    h("li", {}, h("p", {}, sentence), PICTURES[number] ? picture(PICTURES[number]) : null);
  showRules(texts.rulebook.map(entry), texts.rulebookNote);
}

/** Opens the rules of another game. */
export function openOtherRules(id) {
  const kind = Object.keys(texts.others.rules).find((each) => id.startsWith(each));
  showRules(texts.others.rules[kind].map((sentence) => h("li", {}, h("p", {}, sentence))), "");
}

function showRules(entries, note) {
  at("howto-body").replaceChildren(
    h("ol", { class: "rulebook" }, entries),
    h("p", { class: "faint" }, note),
  );
  open(at("howto"));
}

/** A word that explains itself where it stands. */
export function explained(word, meaning) {
  return h("details", { class: "why" }, h("summary", {}, word), h("p", {}, meaning));
}
