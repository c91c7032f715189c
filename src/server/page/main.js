// The page: a game, where it stands, and everything that shows it.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { at, h } from "./dom.js";
import { margin, showGraph } from "./graph.js";
import { Importer, isRecord } from "./importer.js";
import { showLayer } from "./layer.js";
import { showLine } from "./line.js";
import { showMoves } from "./moves.js";
import { EXAMPLE, INITIAL, letter, number, onBoard, parse, seated } from "./position.js";
import { isSlip, showRecord, why, winner } from "./record.js";
import { scale, signed, tone, written } from "./score.js";
import { Setup } from "./setup.js";
import { Sowing } from "./sowing.js";
import { choose, preferred, remember, texts } from "./texts.js";
import { follow as followTheme } from "./theme.js";

/** The game: its rules, where it starts, its moves, and how many of them have been made. */
const game = address.read();
/** What is known of it: all of the game, the answer for the position shown, a line of best play, the
 * figures of its layer. */
let known = { told: null, answer: null, failure: null, line: null, figures: null };
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
const shown = () => ahead?.positions[ahead.at] ?? known.told?.positions[game.at].start;
const isOver = () => game.at === game.moves.length && known.told?.ending;
const say = (text) => { at("said").textContent = text; };

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
    const told = await api.game(game.rules, game.start, game.moves.join(""));
    if (isLate()) return;
    trouble(null);
    const start = told.positions[game.at].start;
    const [answer, failure] = await answerTo(start);
    if (isLate()) return;
    known = { told, answer, failure, line: null, figures: null };
    show();
    await more(start, isLate);
  } catch (failure) {
    if (!isLate()) trouble(failure);
  }
  if (!isLate()) wait(false);
}

/** Says that the page is at work, to those who listen to it. */
function wait(busy) {
  document.querySelector("main").setAttribute("aria-busy", String(busy));
}

/** The scores of a position; where there is no table, its moves. */
async function answerTo(start) {
  if (!sheet()?.layers.includes(onBoard(parse(start)))) {
    return [await api.moves(game.rules, start), new api.Failure("missing_table", "")];
  }
  try {
    return [await api.query(game.rules, start), null];
  } catch (failure) {
    if (failure.kind === "silent" || failure.kind === "usage") throw failure;
    return [await api.moves(game.rules, start), failure];
  }
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
  const { answer, told } = known;
  const marks = new Map();
  if (!ahead && !isOver() && !setup.isOpen) {
    for (const move of answer.moves) {
      const score = "low" in move ? { low: move.low, high: move.high } : null;
      marks.set(number(move.house, position.toMove), { ...move, score, best: answer.best?.includes(move.house) });
    }
  }
  board.show({ ...position, marks, editing: setup.isOpen, came: !ahead && told.positions[game.at].repeats !== null });
  showVerdict(position);
  showMoves(at("moves"), { answer, toMove: parse(told.positions[game.at].start).toMove, play: (house) => playLetter(house), over: Boolean(isOver() || ahead || setup.isOpen) });
  const ends = margin(told.positions[game.at]);
  const forecast = ends && ends.low === ends.high ? ends.low : null;
  showRecord(at("game"), { told, at: game.at, ending: isOver() || null, endless: sheet()?.endless ?? "own_side", forecast, goTo });
  showGraph(at("graph"), { told, at: game.at, goTo });
  for (const id of ["first", "undo"]) at(id).disabled = game.at === 0 && !ahead;
  for (const id of ["last", "redo"]) at(id).disabled = game.at === game.moves.length || Boolean(ahead);
  if (document.activeElement !== at("position")) at("position").value = shown();
  at("position-error").textContent = "";
  showMore();
}

function showMore() {
  const { told, answer, line, figures, failure } = known;
  const score = failure || !answer || !("low" in answer) ? null : answer;
  showLine(at("line"), { line, toMove: told.positions[game.at].to_move, at: ahead?.at ?? 0, look, leave, goOn });
  showLayer(at("layer"), { figures, score });
}

/** The score in words, for whoever is to move in the position that the game has come to. */
function showVerdict({ toMove }) {
  const { answer, failure } = known;
  const who = texts[toMove];
  if (ahead) {
    at("verdict").replaceChildren(h("span", {}, texts.looking), h("span", { class: "reason" }, texts.toMove(who)));
    return;
  }
  if (isOver()) {
    const { ending } = known.told;
    const lead = h("span", { class: "figure" }, winner(ending.margin));
    const reason = why(ending, known.told.positions[game.at], sheet()?.endless ?? "own_side");
    at("verdict").replaceChildren(lead, h("span", {}, texts.overVerdict), h("span", { class: "reason" }, reason));
    return;
  }
  if (failure) {
    const most = sheet()?.layers.at(-1) ?? null;
    const text = failure.kind === "missing_table" ? texts.noTable(answer.seeds, most) : failure.message;
    at("verdict").replaceChildren(h("span", {}, texts.toMove(who)), h("span", { class: "reason" }, text));
    return;
  }
  const other = texts[toMove === "south" ? "north" : "south"];
  const { low, high } = answer;
  const figure = h("span", { class: `figure tone-${tone(answer)}` }, `${who} ${written(answer)}`);
  const open = low !== high;
  const words = open ? texts.verdictOpen(who, signed(low), signed(high))
    : low === 0 ? texts.verdictEven : texts.verdictAhead(low > 0 ? who : other, Math.abs(low));
  const reason = open ? (sheet()?.endless === "own_side" ? texts.reasonOwnSide : texts.reasonOpen) : texts.toMove(who);
  at("verdict").replaceChildren(figure, h("span", { class: "words" }, words), scale(answer, answer.seeds), h("span", { class: "reason" }, reason));
}

/** What is the matter, or that nothing is. */
function trouble(failure) {
  const element = at("trouble");
  element.hidden = !failure;
  if (failure) element.textContent = failure.kind === "silent" || !failure.kind ? texts.silent : failure.message;
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
  const before = parse(shown() ?? game.start);
  const move = known.answer?.moves.find((each) => number(each.house, before.toMove) === house);
  if (busy || ahead || !move || isOver()) return;
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
  if (ply === game.at + 1 && !ahead) {
    await playLetter(game.moves[game.at]);
    return;
  }
  if (ply < game.at) say(texts.undone);
  await go({ at: ply });
}

/** Looks at a position along the line of best play. */
async function look(ply) {
  if (busy) return;
  const positions = ahead?.positions ?? along(known.line);
  const from = ahead?.at ?? 0;
  if (ply === from + 1) {
    const before = parse(positions[from]);
    await sow(before, number(known.line.steps[from].house, before.toMove), known.line.steps[from]);
  }
  ahead = { positions, at: ply };
  show();
  wait(false);
}

/** The positions of a line, in the engines' form. */
function along({ steps }) {
  const positions = [known.told.positions[game.at].start];
  for (const step of steps) {
    const { stores, toMove } = parse(positions.at(-1));
    const next = toMove === "south" ? "north" : "south";
    stores[toMove] += step.captured;
    positions.push([...seated(step.board, next), stores.south, stores.north, next === "north" ? "N" : "S"].join("-"));
  }
  return positions;
}

function leave() {
  ahead = null;
  show();
}

/** Makes the moves that were looked at. */
function goOn() {
  const { to_move: first } = known.told.positions[game.at];
  const seats = first === "south" ? ["south", "north"] : ["north", "south"];
  const moves = known.line.steps.slice(0, ahead.at).map(({ house }, ply) => letter(house, seats[ply % 2]));
  go({ moves: [...game.moves.slice(0, game.at), ...moves], at: game.at + moves.length }, { push: true });
}

/** Shows a position that is being set up at once, and what it is worth when that is known. */
function put(start) {
  board.show({ ...parse(start), marks: new Map(), editing: true, came: false });
  return go({ start, moves: [], at: 0 });
}

/** Begins or ends setting up. */
async function edit(open) {
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
  await go({ rules, start: positions[0].start, moves: moves.map(({ move }) => move), at: slips[0] ?? moves.length }, { push: true });
  const text = [texts.imported(moves.length, slips.length), illegal ? texts.importedIllegal(illegal) : null].filter(Boolean).join(" ");
  say(text);
  if (illegal) at("position-error").textContent = texts.importedIllegal(illegal);
}

/** Keys that mean something wherever no text is being written. */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const toMove = () => parse(shown()).toMove;
  if (/^[a-f]$/i.test(event.key)) {
    if (!setup.isOpen) {
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
  at("rules").addEventListener("change", ({ target }) => go({ rules: target.value }, { push: true }));
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
  addEventListener("resize", () => known.told && show());
}

function speak(language) {
  remember(language);
  choose(language);
  showSheets();
  if (known.told) show();
  if (setup.isOpen) setup.show();
}

/** The choice of rules, and what tables there are. */
function showSheets() {
  at("rules").replaceChildren(...sheets.map(({ id }) => h("option", { value: id, selected: id === game.rules }, texts.rulesTitle[id] ?? id)));
  const held = sheets.filter(({ layers }) => layers.length > 0).map(({ id, layers }) => `${texts.rulesTitle[id] ?? id} 0–${layers.at(-1)}`);
  at("tables").textContent = held.length > 0 ? texts.tables(held.join(", ")) : texts.tablesNone;
}

/** What is shown to those who ask for nothing: an endgame, if there are tables for it. */
function opening() {
  return sheet()?.layers.includes(onBoard(parse(EXAMPLE))) ? EXAMPLE : INITIAL;
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
  showSheets();
  game.start ??= opening();
  await refresh();
  document.documentElement.dataset.ready = "";
}

begin();
