// The page: everything that the reader may press, and its beginning.

import * as address from "./address.js";
import { abandon, begin, go, opening, refresh, retry, trouble } from "./asking.js";
import { tell } from "./busy.js";
import { at, h } from "./dom.js";
import { edit, enter, put, receive, take } from "./entering.js";
import { openHelp, openOtherRules, openRules } from "./help.js";
import { Keys } from "./keys.js";
import { offerGame } from "./newgame.js";
import * as others from "./others.js";
import { copy, download, ogn, onDrop } from "./ogn.js";
import { back, forth, goOn, goTo, leave, look, play, playLetter } from "./playing.js";
import { number, parse } from "./position.js";
import * as puzzles from "./puzzles.js";
import { end, hint, next, review, tellAnswer } from "./review.js";
import { showSheets } from "./sheets.js";
import {
  acts,
  board,
  comments,
  forgetRecord,
  game,
  importer,
  isQuiet,
  page,
  setup,
  show,
  shown,
  sowing,
  variations,
} from "./state.js";
import { choose, preferred, remember, texts } from "./texts.js";
import { follow as followTheme } from "./theme.js";

/** A click on a house or store: a seed more, a move, or an end to waiting. */
function press(place, event) {
  if (typeof place === "number") board.focus(place);
  if (setup.isOpen) setup.click(place, event);
  else if (page.busy) sowing.rush();
  else if (typeof place === "number") play(place);
}

function type(place, event) {
  if (setup.isOpen) setup.type(place, event);
}

/** What a key does, if it does anything. */
function keyAct(name) {
  if (others.isOpen()) return name === "?" ? openHelp : others.keyAct(name);
  if (/^[a-f]$/.test(name)) {
    if (setup.isOpen) return null;
    return () => {
      if (!page.known.analysis) return null;
      const house = number(name, parse(shown()).toMove);
      board.focus(house);
      return play(house);
    };
  }
  const named = {
    z: undo,
    ArrowLeft: undo,
    y: redo,
    ArrowRight: redo,
    Home: first,
    End: last,
    s: () => edit(!setup.isOpen),
    x: flip,
    h: help,
    p: () => puzzles.open(),
    n: newGame,
    v: toggleScores,
    "?": openHelp,
  };
  return named[name];
}

/** To the start and the end of the game, and move by move; in setting up, change by change. */
const first = () => (setup.isOpen ? setup.undo(Infinity) : go({ at: 0 }));
const last = () => (setup.isOpen ? setup.redo(Infinity) : go({ at: game.moves.length }));
const undo = () => (setup.isOpen ? setup.undo() : back());
const redo = () => (setup.isOpen ? setup.redo() : forth());

function flip() {
  at("flip").setAttribute("aria-pressed", String(board.flip()));
}

/** Gives a hint. */
const help = () => (page.puzzle ? puzzles.hint() : hint());

/** Shows what moves are worth, or keeps it from those who play. */
function toggleScores() {
  if (page.review) return tellAnswer();
  if (page.puzzle) return puzzles.tellAnswer();
  page.scores = isQuiet();
  return refresh();
}

/** Offers a new game, and begins it with the player's own row in front. */
function newGame() {
  offerGame({ game, sheets: page.sheets, start: beginGame });
}

async function beginGame(begun) {
  await edit(false);
  forgetRecord();
  variations.clear();
  Object.assign(page, { scores: null });
  if ((begun.play.engine === "south") !== board.isFlipped) flip();
  at("rules").value = begun.rules;
  await go(begun, { push: true });
}

/** Goes on by other rules, or to another game. */
async function changeRules(rules) {
  const other = page.others.find(({ id }) => id === rules);
  for (const id of ["rules", "other-rules"]) at(id).value = rules;
  if (other) {
    await edit(false);
    history.pushState(null, "", `?rules=${rules}`);
    abandon();
    return others.open(other);
  }
  if (others.isOpen()) others.close();
  game.start ??= opening();
  return go({ rules }, { push: true });
}

/** Lets the engine take a seat, or leave it. */
function seatEngine() {
  const engine = at("versus").value || null;
  return go({ play: engine && { engine, level: Number(at("strength").value) } });
}

async function copyLink() {
  const link = address.link(variations.of(game));
  tell((await copy(link)) ? texts.copied : link);
}

function save() {
  const { analysis } = page.known;
  const { tags } = page;
  const text = ogn({ ...game, analysis, tags, comments: comments(), variations: variations.of(game) });
  download("game.ogn", text);
}

/** Everything that the reader may press. */
function listen() {
  const press = (id, act) => at(id).addEventListener("click", act);
  const moves = { first, undo, redo, last };
  for (const [id, act] of Object.entries(moves)) press(id, act);
  press("hint", help);
  press("puzzle", () => puzzles.open());
  press("scores", toggleScores);
  press("begin", newGame);
  press("edit", () => edit(!setup.isOpen));
  press("flip", flip);
  press("import", () => importer.open());
  press("copy", copyLink);
  press("download", save);
  press("open-help", openHelp);
  press("open-rules", () => (others.isOpen() ? openOtherRules(others.rules()) : openRules()));
  press("retry", retry);
  for (const id of ["versus", "strength"]) at(id).addEventListener("change", seatEngine);
  for (const id of ["rules", "other-rules"])
    at(id).addEventListener("change", ({ target }) => changeRules(target.value));
  others.listen();
  at("language").addEventListener("change", ({ target }) => speak(target.value));
  at("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(at("position").value);
  });
  const settled = async () => {
    while (page.busy) await page.busy;
  };
  new Keys(keyAct, { ready: settled, hurry: () => page.busy && sowing.rush() });
  onDrop(receive);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    receive(event.clipboardData.getData("text"));
  });
  addEventListener("popstate", () => {
    const { rules, start, moves, at: ply, play, puzzle } = address.read();
    const other = page.others.find(({ id }) => id === rules);
    if (other) abandon();
    if (other) return void others.open(other, new URLSearchParams(location.search));
    if (others.isOpen()) others.close();
    if (puzzle) return void puzzles.open(puzzle - 1);
    Object.assign(game, { rules, start, moves, at: ply, play });
    game.start ??= opening();
    setup.close();
    at("edit").setAttribute("aria-pressed", "false");
    at("rules").value = game.rules;
    go({});
  });
  addEventListener("resize", () => page.known.analysis && show());
}

function speak(language) {
  remember(language);
  choose(language);
  showLevels();
  showSheets(page.sheets, others.isOpen() ? others.rules() : game.rules, page.others);
  if (others.isOpen()) return others.refresh();
  if (page.known.analysis) show();
  if (setup.isOpen) setup.show();
}

/** Shows the five levels. */
function showLevels() {
  const level = game.play?.level ?? 3;
  const option = ([value, text]) => h("option", { value, selected: value === String(level) }, text);
  at("strength").replaceChildren(...Object.entries(texts.levels).map(option));
}

Object.assign(acts, {
  ...{ press, type, play: playLetter, goTo, look, leave, goOn, put, edit, take, trouble },
  ...{ review, tellAnswer, nextMistake: next, endReview: end, begin: newGame },
  ...{ puzzle: puzzles.open, tellPuzzle: puzzles.tellAnswer, nextPuzzle: puzzles.next },
  ...{ walkPuzzle: puzzles.walk, endPuzzle: puzzles.end },
  vary: (variation) => go(variations.swap(game, variation), { push: true }),
});
followTheme(at("theme"));
choose(preferred());
at("language").value = preferred();
showLevels();
listen();
document.documentElement.dataset.drawn = "";
begin();
