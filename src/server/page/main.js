// The page: a game, where it stands, and everything that shows it.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { at } from "./dom.js";
import { Engine } from "./engine.js";
import { openHelp } from "./help.js";
import { Importer, isRecord } from "./importer.js";
import { Keys } from "./keys.js";
import { copy, download, ogn, onDrop } from "./ogn.js";
import { EXAMPLE, INITIAL, along, letter, number, onBoard, parse, seated } from "./position.js";
import { isSlip } from "./record.js";
import { Setup } from "./setup.js";
import { hasTable, showSheets } from "./sheets.js";
import { Sowing } from "./sowing.js";
import { choose, explain, preferred, remember, texts } from "./texts.js";
import { follow as followTheme } from "./theme.js";
import { Variations } from "./variations.js";
import { endOf, showAll, showDetails, shownOf, standOf } from "./view.js";

/** The game: its rules, where it starts, its moves, and how many of them have been made. */
const game = address.read();
/** What is known of it: its analysis, which position of it is shown, the answer for that one, what
 * the engine makes of it, a line of best play from there, the figures of its layer. It lags behind
 * while the server works. */
const NOTHING = { answer: null, failure: null, guess: null, line: null, figures: null };
let known = { analysis: null, at: 0, ...NOTHING };
/** The positions along the line of best play that are looked at, which one, and its answer. */
let ahead = null;
/** What the record said of a game that was read. */
let tags = [];
let sheets = [];
/** Counts what was asked for, so that late answers are let go. */
let visit = 0;
let busy = null;
/** When to ask a server again that is silent. */
let again = null;
const PATIENCE = 3000;

const board = new Board(at("board"), { act, type });
const sowing = new Sowing(board);
const setup = new Setup(at("setup"), { change: put, done: () => edit(false) });
const importer = new Importer({ take, rules: () => game.rules });
const engine = new Engine();
const variations = new Variations();

const sheet = () => sheets.find(({ id }) => id === game.rules);
const stand = () => standOf(known);
const shown = () => shownOf(known, ahead);
const isOver = () => endOf(known);
/** Whether what is shown is the game as it is: moves can be made. */
const isCurrent = () =>
  known.analysis &&
  !busy &&
  known.at === game.at &&
  known.analysis.moves.length === game.moves.length;
const say = (text) => {
  at("said").textContent = text;
};

/** Changes the game and shows it. */
async function go(change, { push = false } = {}) {
  Object.assign(game, change);
  ahead = null;
  at("position-error").textContent = "";
  address.write(game, push);
  await refresh();
}

/** Asks for everything that is to be shown. What is there already stays until then. */
async function refresh() {
  const turn = ++visit;
  const isLate = () => turn !== visit;
  engine.stop();
  wait(true);
  try {
    const analysis = await api.game(game.rules, game.start, game.moves.join(""));
    if (isLate()) return;
    trouble(null);
    const start = analysis.positions[game.at].start;
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    if (isLate()) return;
    known = { ...NOTHING, analysis, at: game.at, answer, failure };
    show();
    await more(start, isLate);
  } catch (failure) {
    if (isLate()) return;
    trouble(failure);
    if (failure.kind === "silent") forget();
    if (!known.analysis && failure.kind === "usage") await start(failure);
  }
  if (isLate()) return;
  wait(false);
  think(isLate);
}

/** Lets the engine answer where no table does, or make its move. */
async function think(isLate) {
  if (!known.answer || isOver() || setup.isOpen || !isCurrent()) return;
  const mine = at("versus").value === stand().to_move && known.at === game.moves.length;
  const moves = game.moves.slice(0, game.at);
  try {
    if (mine) {
      say(texts.thinking);
      const best = await engine.move({ ...game, moves }, at("strength").value);
      if (best && !isLate() && !ahead) await playLetter(best);
    } else if (known.failure?.kind === "missing_table") {
      known.guess = undefined;
      show();
      await engine.estimate({ ...game, moves }, (guess) => {
        if (isLate()) return;
        known.guess = guess;
        show();
      });
    }
  } catch (failure) {
    if (isLate() || !failure.kind) return;
    known.guess = null;
    if (failure.kind === "silent") trouble(failure);
    else show();
  }
}

/** Takes away what the server said of the position, for nobody knows whether it is still so. */
function forget() {
  Object.assign(known, NOTHING);
  if (known.analysis) show();
}

/** Shows something, where the address made no sense. */
async function start(failure) {
  Object.assign(game, { rules: sheet() ? game.rules : "abapa", moves: [], at: 0 });
  game.start = opening();
  showSheets(sheets, game.rules);
  await refresh();
  trouble(failure);
}

/** Says that the page is at work, to those who listen to it. */
function wait(busy) {
  document.querySelector("main").setAttribute("aria-busy", String(busy));
}

/** What may come later. */
async function more(start, isLate) {
  const seeds = onBoard(parse(start));
  const ask = async (wish) => (known.failure ? null : wish().catch(() => null));
  const [line, figures] = await Promise.all([
    ask(() => api.line(game.rules, start)),
    ask(() => api.layer(game.rules, seeds)).then((stats) => stats?.layers[0] ?? null),
  ]);
  if (isLate()) return;
  Object.assign(known, { line, figures });
  showMore();
}

/** Everything that decides what is shown. */
const state = () => ({
  ...{ known, ahead, game, board, sheet: sheet(), editing: setup.isOpen },
  variations: variations.of(game),
});

const acts = {
  play: playLetter,
  goTo,
  look,
  leave,
  goOn,
  vary: (variation) => go(variations.swap(game, variation), { push: true }),
};

const show = () => showAll(state(), acts);
const showMore = () => showDetails(state(), acts);

/** What is the matter, or that nothing is. A server that is silent is asked again. */
function trouble(failure) {
  clearTimeout(again);
  at("trouble").hidden = !failure;
  at("retry").hidden = failure?.kind !== "silent";
  if (!failure) return;
  at("trouble-text").textContent = explain(failure);
  if (failure.kind === "silent") again = setTimeout(retry, PATIENCE);
}

function retry() {
  return sheets.length > 0 ? refresh() : begin();
}

/** A click on a house or store: a seed more, a move, or an end to waiting. */
function act(place, event) {
  if (typeof place === "number") board.focus(place);
  if (setup.isOpen) setup.click(place, event);
  else if (busy) sowing.rush();
  else if (typeof place === "number") play(place);
}

function type(place, event) {
  if (setup.isOpen) setup.type(place, event);
}

function playLetter(house) {
  return play(number(house, parse(shown()).toMove));
}

/** Plays a house, if it may be played. */
async function play(house) {
  if (!isCurrent() || ahead || isOver() || !known.answer) return;
  const before = parse(shown());
  const move = known.answer.moves.find((each) => number(each.house, before.toMove) === house);
  if (!move) return;
  const text = letter(move.house, before.toMove);
  const isNext = game.moves[game.at] === text;
  if (!isNext) variations.keep(game);
  const moves = isNext ? game.moves : [...game.moves.slice(0, game.at), text];
  engine.stop();
  api.game(game.rules, game.start, moves.join("")).catch(() => {});
  await sow(before, house, move);
  say(texts.said(texts[before.toMove], text, move.captured));
  await go({ moves, at: game.at + 1 }, { push: true });
}

/** Shows a move being made. */
async function sow(before, house, { board: next }) {
  wait(true);
  const after = seated(next, before.toMove === "south" ? "north" : "south");
  busy = sowing.play({ before, after, house, skipsOrigin: sheet()?.origin !== "sown" });
  await busy;
  busy = null;
}

/** Goes to another position of the game. */
async function goTo(ply) {
  if (busy || ply < 0 || ply > game.moves.length) return;
  if (ply === game.at + 1 && isCurrent() && !ahead) {
    await playLetter(game.moves[game.at]);
    return;
  }
  if (ply < game.at) say(texts.undone);
  await go({ at: ply });
}

/** Looks at a position along the line of best play. */
async function look(ply) {
  if (!isCurrent()) return;
  const positions = ahead?.positions ?? along(stand().start, known.line.steps);
  const from = ahead?.at ?? 0;
  if (ply === from + 1) {
    const before = parse(positions[from]);
    await sow(before, number(known.line.steps[from].house, before.toMove), known.line.steps[from]);
  }
  const place = { positions, at: ply };
  ahead = place;
  wait(true);
  try {
    const start = positions[ply];
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    Object.assign(place, { answer, failure });
  } catch (failure) {
    trouble(failure);
  }
  if (ahead !== place) return;
  show();
  wait(false);
}

function leave() {
  ahead = null;
  show();
}

/** Makes the moves that were looked at. */
function goOn() {
  if (!isCurrent()) return;
  const { to_move: first } = stand();
  const seats = first === "south" ? ["south", "north"] : ["north", "south"];
  const moves = known.line.steps
    .slice(0, ahead.at)
    .map(({ house }, ply) => letter(house, seats[ply % 2]));
  variations.keep(game);
  go(
    { moves: [...game.moves.slice(0, game.at), ...moves], at: game.at + moves.length },
    { push: true },
  );
}

/** Shows a position that is being set up at once, and what it is worth when that is known. */
function put(start) {
  board.show({ ...parse(start), marks: new Map(), editing: true, came: false });
  return go({ start, moves: [], at: 0 });
}

/** Begins or ends setting up. */
async function edit(open) {
  if (!known.analysis) return;
  at("edit").setAttribute("aria-pressed", String(open));
  if (!open) {
    if (!setup.isOpen) return;
    setup.close();
    await refresh();
    return;
  }
  setup.open(shown());
  await go({ start: shown(), moves: [], at: 0 }, { push: true });
}

/** Shows a position as somebody wrote it. */
async function enter(text) {
  try {
    const { positions } = await api.game(game.rules, text, "");
    const { start } = positions[0];
    if (setup.isOpen) setup.follow(start);
    await go({ start, moves: [], at: 0 }, { push: true });
  } catch (failure) {
    if (failure.kind === "silent") trouble(failure);
    else at("position-error").textContent = explain(failure);
  }
}

/** Shows a game that was read, from its first slip on. */
async function take(rules, { positions, moves, illegal, tags: said }) {
  await edit(false);
  const slips = moves.flatMap((move, ply) => (isSlip(move) ? [ply + 1] : []));
  at("rules").value = rules;
  tags = said ?? [];
  variations.clear();
  await go(
    {
      rules,
      start: positions[0].start,
      moves: moves.map(({ move }) => move),
      at: slips[0] ?? moves.length,
    },
    { push: true },
  );
  const text = [
    texts.imported(moves.length, slips.length),
    illegal ? texts.importedIllegal(illegal) : null,
  ]
    .filter(Boolean)
    .join(" ");
  say(text);
  if (illegal) at("position-error").textContent = texts.importedIllegal(illegal);
}

/** A position or a game that came as a text. */
function receive(text) {
  if (isRecord(text)) importer.open(text);
  else enter(text);
}

/** What a key does, if it does anything. */
function keyAct(name) {
  if (/^[a-f]$/.test(name)) {
    if (setup.isOpen) return null;
    return () => {
      if (!known.analysis) return null;
      const house = number(name, parse(shown()).toMove);
      board.focus(house);
      return play(house);
    };
  }
  const acts = {
    z: back,
    ArrowLeft: back,
    y: forth,
    ArrowRight: forth,
    Home: () => go({ at: 0 }),
    End: () => go({ at: game.moves.length }),
    s: () => edit(!setup.isOpen),
    x: flip,
    "?": openHelp,
  };
  return acts[name];
}

function back() {
  return ahead ? leave() : goTo(game.at - 1);
}

function forth() {
  return goTo(game.at + 1);
}

function flip() {
  at("flip").setAttribute("aria-pressed", String(board.flip()));
}

async function copyLink() {
  say((await copy(location.href)) ? texts.copied : location.href);
}

function save() {
  const { analysis } = known;
  const text = ogn({ ...game, analysis, tags, variations: variations.of(game) });
  download("game.ogn", text);
}

/** Everything that the reader may press. */
function listen() {
  const press = (id, act) => at(id).addEventListener("click", act);
  press("first", () => go({ at: 0 }));
  press("undo", back);
  press("redo", forth);
  press("last", () => go({ at: game.moves.length }));
  press("edit", () => edit(!setup.isOpen));
  press("flip", flip);
  press("import", () => importer.open());
  press("copy", copyLink);
  press("download", save);
  press("open-help", openHelp);
  press("retry", retry);
  for (const id of ["versus", "strength"]) at(id).addEventListener("change", () => refresh());
  at("rules").addEventListener("change", ({ target }) =>
    go({ rules: target.value }, { push: true }),
  );
  at("language").addEventListener("change", ({ target }) => speak(target.value));
  at("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(at("position").value);
  });
  const settled = async () => {
    while (busy) await busy;
  };
  new Keys(keyAct, { ready: settled, hurry: () => busy && sowing.rush() });
  onDrop(receive);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    receive(event.clipboardData.getData("text"));
  });
  addEventListener("popstate", () => {
    Object.assign(game, address.read());
    game.start ??= opening();
    at("rules").value = game.rules;
    go({});
  });
  addEventListener("resize", () => known.analysis && show());
}

function speak(language) {
  remember(language);
  choose(language);
  showSheets(sheets, game.rules);
  if (known.analysis) show();
  if (setup.isOpen) setup.show();
}

/** What is shown to those who ask for nothing: an endgame, if there are tables for it. */
function opening() {
  return hasTable(sheet(), EXAMPLE) ? EXAMPLE : INITIAL;
}

/** Asks what there is, and shows the game. */
async function begin() {
  try {
    ({ sheets } = await api.sheets());
  } catch (failure) {
    trouble(failure);
    return;
  }
  showSheets(sheets, game.rules);
  game.start ??= opening();
  await refresh();
  document.documentElement.dataset.ready = "";
}

followTheme(at("theme"));
choose(preferred());
at("language").value = preferred();
listen();
begin();
