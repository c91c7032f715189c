// The page: a game, where it stands, and everything that shows it.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { at } from "./dom.js";
import { margin, showGraph } from "./graph.js";
import { Importer, isRecord } from "./importer.js";
import { showLayer } from "./layer.js";
import { showLine } from "./line.js";
import { marksOf, showMoves } from "./moves.js";
import { EXAMPLE, INITIAL, along, letter, number, onBoard, parse, seated } from "./position.js";
import { isSlip, showRecord } from "./record.js";
import { Setup } from "./setup.js";
import { hasTable, showSheets } from "./sheets.js";
import { Sowing } from "./sowing.js";
import { choose, preferred, remember, texts } from "./texts.js";
import { follow as followTheme } from "./theme.js";
import { showVerdict } from "./verdict.js";

/** The game: its rules, where it starts, its moves, and how many of them have been made. */
const game = address.read();
/** What is known of it: its analysis, which position of it is shown, the answer for that one, a
 * line of best play from there, the figures of its layer. It lags behind while the server works. */
let known = { analysis: null, at: 0, answer: null, failure: null, line: null, figures: null };
/** The positions along the line of best play that are looked at, and which one. */
let ahead = null;
let sheets = [];
/** Counts what was asked for, so that late answers are let go. */
let visit = 0;
let busy = null;

const board = new Board(at("board"), { act, type });
const sowing = new Sowing(board);
const setup = new Setup(at("setup"), { change: put, done: () => edit(false) });
const importer = new Importer({ take, rules: () => game.rules });

const sheet = () => sheets.find(({ id }) => id === game.rules);
const stand = () => known.analysis.positions[known.at];
const shown = () => ahead?.positions[ahead.at] ?? stand().start;
const isOver = () => known.at === known.analysis.moves.length && known.analysis.ending;
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
  address.write(game, push);
  await refresh();
}

/** Asks for everything that is to be shown. What is there already stays until then. */
async function refresh() {
  const turn = ++visit;
  const isLate = () => turn !== visit;
  wait(true);
  try {
    const analysis = await api.game(game.rules, game.start, game.moves.join(""));
    if (isLate()) return;
    trouble(null);
    const start = analysis.positions[game.at].start;
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    if (isLate()) return;
    known = { analysis, at: game.at, answer, failure, line: null, figures: null };
    show();
    await more(start, isLate);
  } catch (failure) {
    if (isLate()) return;
    trouble(failure);
    if (!known.analysis && failure.kind === "usage") await start(failure);
  }
  if (!isLate()) wait(false);
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

function show() {
  const position = parse(shown());
  const { answer, failure, analysis } = known;
  const canMove = !ahead && !isOver() && !setup.isOpen;
  const marks = canMove ? marksOf(answer, position.toMove) : new Map();
  board.show({
    ...position,
    marks,
    editing: setup.isOpen,
    came: !ahead && stand().repeats !== null,
  });
  const ending = isOver() || null;
  const endless = sheet()?.endless ?? "own_side";
  const most = sheet()?.layers.at(-1) ?? null;
  showVerdict(at("verdict"), {
    toMove: position.toMove,
    answer,
    failure,
    ending,
    endless,
    most,
    position: stand(),
    isAhead: Boolean(ahead),
  });
  showMoves(at("moves"), {
    answer,
    toMove: stand().to_move,
    play: (house) => playLetter(house),
    over: Boolean(ending || ahead || setup.isOpen),
  });
  const ends = margin(stand());
  const forecast = ends && ends.low === ends.high ? ends.low : null;
  showRecord(at("game"), { analysis, at: known.at, ending, endless, forecast, goTo });
  showGraph(at("graph"), { analysis, at: known.at, goTo });
  for (const id of ["first", "undo"]) at(id).disabled = known.at === 0 && !ahead;
  for (const id of ["last", "redo"])
    at(id).disabled = known.at === analysis.moves.length || Boolean(ahead);
  if (document.activeElement !== at("position")) at("position").value = shown();
  at("position-error").textContent = "";
  showMore();
}

function showMore() {
  const { analysis, answer, line, figures, failure } = known;
  const score = failure || !answer || !("low" in answer) ? null : answer;
  showLine(at("line"), { line, toMove: stand().to_move, at: ahead?.at ?? 0, look, leave, goOn });
  showLayer(at("layer"), { figures, score });
}

/** What is the matter, or that nothing is. */
function trouble(failure) {
  const element = at("trouble");
  element.hidden = !failure;
  if (failure)
    element.textContent =
      failure.kind === "silent" || !failure.kind ? texts.silent : failure.message;
}

/** A click on a house: a seed more, a move, or an end to waiting. */
function act(house, event) {
  board.focus(house);
  if (setup.isOpen) setup.click(house, event);
  else if (busy) sowing.rush();
  else play(house);
}

function type(place, event) {
  if (setup.isOpen) setup.type(place, event);
}

function playLetter(house) {
  return play(number(house, parse(shown()).toMove));
}

/** Plays a house, if it may be played. */
async function play(house) {
  if (!isCurrent() || ahead || isOver()) return;
  const before = parse(shown());
  const move = known.answer.moves.find((each) => number(each.house, before.toMove) === house);
  if (!move) return;
  const text = letter(move.house, before.toMove);
  const isNext = game.moves[game.at] === text;
  const moves = isNext ? game.moves : [...game.moves.slice(0, game.at), text];
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
  ahead = { positions, at: ply };
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
    setup.close();
    show();
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
    else at("position-error").textContent = failure.message;
  }
}

/** Shows a game that was read, from its first slip on. */
async function take(rules, { positions, moves, illegal }) {
  edit(false);
  const slips = moves.flatMap((move, ply) => (isSlip(move) ? [ply + 1] : []));
  at("rules").value = rules;
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

/** Keys that mean something wherever no text is being written. */
function key(event) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.target.closest("input, textarea, select, dialog")
  )
    return;
  const toMove = () => parse(shown()).toMove;
  if (/^[a-f]$/i.test(event.key)) {
    if (!setup.isOpen && isCurrent()) {
      const house = number(event.key, toMove());
      board.focus(house);
      play(house);
    }
  } else {
    const acts = { z: back, y: () => goTo(game.at + 1), s: () => edit(!setup.isOpen) };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    act();
  }
  event.preventDefault();
}

function back() {
  return ahead ? leave() : goTo(game.at - 1);
}

/** Everything that the reader may press. */
function listen() {
  at("first").addEventListener("click", () => go({ at: 0 }));
  at("undo").addEventListener("click", back);
  at("redo").addEventListener("click", () => goTo(game.at + 1));
  at("last").addEventListener("click", () => go({ at: game.moves.length }));
  at("edit").addEventListener("click", () => edit(!setup.isOpen));
  at("import").addEventListener("click", () => importer.open());
  at("rules").addEventListener("change", ({ target }) =>
    go({ rules: target.value }, { push: true }),
  );
  at("language").addEventListener("change", ({ target }) => speak(target.value));
  at("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(at("position").value);
  });
  document.addEventListener("keydown", key);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (isRecord(text)) importer.open(text);
    else enter(text);
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

async function begin() {
  followTheme(at("theme"));
  const language = preferred();
  choose(language);
  at("language").value = language;
  listen();
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

begin();
