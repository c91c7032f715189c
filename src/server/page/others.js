// Bao and Nam Nam: games on other boards, played and looked at move by move. The server is asked
// about one position at a time.

import * as api from "./api.js";
import { tell, wait } from "./busy.js";
import { allow, at, h, renew } from "./dom.js";
import { frames } from "./laps.js";
import { OtherBoard } from "./otherboard.js";
import { match, showMatch } from "./othermatch.js";
import { showOtherMoves, showOtherVerdict } from "./otherwords.js";
import { after, asked, beginning, name, origin, ownersFor, read, seat, write } from "./places.js";
import { isStill } from "./sowing.js";
import { acts } from "./state.js";
import { explain, texts } from "./texts.js";

/** Milliseconds between two seeds of a move, and for all of them at most. */
const PACE = 140;
const LONGEST = 6000;

/** The game that is shown: its sheet, the labels of its moves, its positions as far as they are
 * known, and the answer for the one that is shown. */
const state = { sheet: null, board: null, positions: [], moves: [], at: 0, answer: null, shows: true };
/** Asks again for what was asked for last. */
export let retry = () => {};
/** Counts what was asked for, so that late answers are let go. */
let visit = 0;
let isSowing = false;
let isRushed = false;

export const isOpen = () => state.sheet !== null;
export const rules = () => state.sheet?.id;

/** What is known of a position: its moves, with scores if there is a table. */
async function ask(position) {
  const { id, layers } = state.sheet;
  const board = asked(position, id);
  const seeds = position.counts.reduce((sum, count) => sum + count, 0);
  const isUsual = position.owners === beginning(state.sheet).owners;
  const [answer] = await api.answer(id, board, isUsual && layers.includes(seeds));
  return answer;
}

function tellAddress(push) {
  const said = new URLSearchParams({ rules: state.sheet.id, board: write(state.positions[0], state.sheet.id) });
  if (state.moves.length > 0) said.set("moves", state.moves.join("."));
  if (state.at < state.moves.length) said.set("at", state.at);
  const address = `?${said}`;
  if (address !== location.search) history[push ? "pushState" : "replaceState"](null, "", address);
}

/** Goes to a position of the game; those before it are asked for as far as they are not known. Returns
 * false if it was refused. */
export async function turnTo(ply, push = false) {
  const turn = ++visit;
  retry = () => turnTo(ply, push);
  wait(true);
  try {
    while (state.positions.length <= ply) {
      const before = state.positions.at(-1);
      const { moves } = await ask(before);
      if (turn !== visit) return;
      const move = moves.find(({ house }) => house === state.moves[state.positions.length - 1]);
      if (!move) {
        state.moves.length = state.positions.length - 1;
        break;
      }
      state.positions.push(after(before, move));
    }
    // Till the answer comes there is none: that of another position has other moves.
    Object.assign(state, { at: Math.min(ply, state.positions.length - 1), answer: null });
    const answer = await ask(state.positions[state.at]);
    if (turn !== visit) return;
    state.answer = answer;
    acts.trouble(null);
    tellAddress(push);
    showAll();
  } catch (failure) {
    if (turn !== visit) return;
    wait(false);
    if (!failure.canPass) {
      tell(explain(failure));
      return false;
    }
    acts.trouble(failure);
  }
  if (turn === visit) wait(false);
  return true;
}

/** Shows a game: where it starts, the labels of its moves, and how many have been made. If its start is
 * refused, the game before goes on. */
async function start(position, moves = [], ply = moves.length, push = false) {
  const { positions, moves: made, at: shown, answer } = state;
  Object.assign(state, { positions: [position], moves: [...moves], at: 0, answer: null });
  const isRefused = (await turnTo(ply, push)) === false;
  if (isRefused && answer) Object.assign(state, { positions, moves: made, at: shown, answer });
}

/** Opens the game of a sheet, where an address says or at its beginning. */
export async function open(sheet, said = new URLSearchParams()) {
  if (state.sheet !== sheet) {
    Object.assign(state, { sheet, answer: null });
    document.querySelector("main").classList.add("elsewhere");
    state.board = new OtherBoard(at("other-board"), sheet, press);
  }
  const position = read(said.get("board") ?? "", sheet) ?? beginning(sheet);
  const moves = (said.get("moves") ?? "").split(".").filter(Boolean);
  const ply = Number.parseInt(said.get("at") ?? "", 10);
  await start(position, moves, ply >= 0 && ply <= moves.length ? ply : moves.length);
}

/** Makes room for Oware. */
export function close() {
  state.sheet = null;
  visit += 1;
  wait(false);
  document.querySelector("main").classList.remove("elsewhere");
}

/** Plays what begins in a house; where two moves do, both are offered. */
function press(place) {
  if (isSowing) return (isRushed = true);
  const position = state.positions[state.at];
  if (match.isChoosing) return match.press(place);
  if (!state.answer) return undefined;
  const moves = state.answer.moves.filter(({ house }) => origin(house, position) === place);
  if (moves.length === 1) return play(moves[0]);
  if (moves.length > 1) return offer(moves, place);
  return tell(texts.notHere(name(place, state.sheet)));
}

/** Offers both directions of a shimo. */
function offer(moves, place) {
  const button = (move) =>
    h(
      "button",
      { type: "button", onclick: () => play(move) },
      move.house.endsWith("+") ? texts.others.clockwise : texts.others.anticlockwise,
    );
  const title = h("span", {}, texts.others.which(name(place, state.sheet)));
  renew(at("other-choice"), title, ...moves.map(button));
  at("other-choice").querySelector("button").focus();
}

/** Makes a move. */
async function play(move) {
  if (isSowing || !state.answer) return;
  const turn = ++visit;
  const ply = state.at;
  const before = state.positions[ply];
  await sow(before, move, () => turn !== visit);
  if (turn !== visit) return;
  state.moves = [...state.moves.slice(0, ply), move.house];
  state.positions = [...state.positions.slice(0, ply + 1), after(before, move)];
  await turnTo(ply + 1, true);
}

/** Shows a move being made, seed by seed and lap by lap. */
async function sow(before, move, isLate) {
  if (isStill()) return;
  const { toMove, counts, stores } = before;
  const shown = frames(state.sheet.id, seat(counts, toMove), move.house, ownersFor(before));
  const pace = Math.min(PACE, LONGEST / Math.max(shown.length, 1));
  [isSowing, isRushed] = [true, false];
  for (const { counts: now, gains, at: place } of shown) {
    if (isRushed || isLate()) break;
    const [own, other] = toMove === "south" ? ["south", "north"] : ["north", "south"];
    const held = { ...stores, [own]: stores[own] + gains[0], [other]: stores[other] + gains[1] };
    const half = counts.length / 2;
    const there = toMove === "south" ? place : (place + half) % counts.length;
    state.board.put(seat(now, toMove), held, there);
    await new Promise((done) => setTimeout(done, pace));
  }
  isSowing = false;
}

/** The moves by the place that they begin in, and which of them are best. */
function marks(position, best) {
  const found = new Map();
  for (const move of state.answer.moves) {
    const place = origin(move.house, position);
    if (place === null) continue;
    found.set(place, [...(found.get(place) ?? []), { ...move, best: best.includes(move.house) }]);
  }
  return found;
}

function showAll() {
  const { sheet, answer, positions, moves, at: ply } = state;
  const position = positions[ply];
  const known = state.shows ? answer : hidden(answer);
  const last = ply > 0 ? origin(moves[ply - 1], positions[ply - 1]) : null;
  state.board.show(position, marks(position, known.best ?? []), last);
  renew(at("other-choice"));
  showOtherVerdict(at("other-verdict"), { sheet, answer: known, position, isHidden: !state.shows });
  showOtherMoves(at("other-moves"), { sheet, answer: known, position, play });
  showSteps();
  showMatch(at("other-match"), { ...state, position, start });
  at("other-title").textContent = texts.rulesTitle[sheet.id] ?? sheet.title;
  if (document.activeElement !== at("other-position")) at("other-position").value = write(position, sheet.id);
  for (const id of ["other-first", "other-undo"]) allow(at(id), ply > 0);
  for (const id of ["other-redo", "other-last"]) allow(at(id), ply < moves.length);
  at("other-scores").setAttribute("aria-pressed", String(state.shows));
}

/** An answer without what it says of worth, its moves in the order of the board. */
function hidden({ moves, final }) {
  const order = (one, other) => one.house.localeCompare(other.house, "en", { numeric: true });
  const bare = (move) => ({ ...move, low: undefined });
  return { moves: moves.map(bare).sort(order), final, best: [] };
}

/** The moves so far, to go to. */
function showSteps() {
  const chip = (text, ply) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", "aria-current": ply === state.at ? "true" : null, onclick: () => turnTo(ply) },
        text,
      ),
    );
  const moves = state.moves.map((label, ply) => chip(label, ply + 1));
  renew(at("other-steps"), h("ol", { class: "chips" }, chip(texts.start, 0), moves));
}

/** Lets everything of the other games be pressed. */
export function listen() {
  const press = (id, act) => at(id).addEventListener("click", act);
  const step = (id, ply) => press(id, () => ply() >= 0 && ply() <= state.moves.length && turnTo(ply()));
  step("other-first", () => 0);
  step("other-undo", () => state.at - 1);
  step("other-redo", () => state.at + 1);
  step("other-last", () => state.moves.length);
  press("other-begin", () => start(beginning(state.sheet), [], 0, true));
  press("other-scores", () => {
    state.shows = !state.shows;
    refresh();
  });
  at("other-paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const position = read(at("other-position").value, state.sheet);
    at("other-error").textContent = position ? "" : texts.others.wrong(state.sheet.places);
    if (position) start(position, [], 0, true);
  });
}

/** A key that goes along the game; tells whether it was one. */
export function keyAct(key) {
  const ply = {
    ArrowLeft: state.at - 1,
    z: state.at - 1,
    ArrowRight: state.at + 1,
    y: state.at + 1,
    Home: 0,
    End: state.moves.length,
  }[key];
  return ply >= 0 && ply <= state.moves.length ? () => turnTo(ply) : null;
}

/** Shows everything again, in another language. */
export const refresh = () => state.answer && showAll();
