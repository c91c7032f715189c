// Puzzles: positions in which one move is good, of a list that stands beside the page. What each
// move is worth stands in the list, so no tables are asked.

import { go } from "./asking.js";
import { tell } from "./busy.js";
import { dayOf, nextOf, numberOf } from "./daily.js";
import { INITIAL, format, letter, name, parse } from "./position.js";
import { outcome } from "./result.js";
import { forgetRecord, game, isCurrent, page, show, shown, variations } from "./state.js";
import { texts } from "./texts.js";

const SOLVED = "puzzles-solved";
/** Days of which it is remembered that their puzzle was solved. */
const REMEMBERED = 400;

let list = null;

async function load() {
  const response = await fetch("puzzles.json");
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/** The list; it is fetched once. */
async function puzzles() {
  list ??= load();
  return list.catch((failure) => {
    list = null;
    throw failure;
  });
}

/** The days whose puzzles were solved. */
export function solvedDays() {
  try {
    const days = JSON.parse(localStorage.getItem(SOLVED));
    return Array.isArray(days) ? days.filter(Number.isInteger) : [];
  } catch {
    return [];
  }
}

function remember(day) {
  const days = [...new Set([...solvedDays(), day])].slice(-REMEMBERED);
  try {
    localStorage.setItem(SOLVED, JSON.stringify(days));
  } catch {
    // A browser that keeps nothing forgets.
  }
}

/** The position of a puzzle, for South to play. */
function startOf({ board, stores: [south, north] }) {
  return format({ houses: board, stores: { south, north }, toMove: "south" });
}

/** Opens the puzzle with a number, or that of today if there is none. */
export async function open(wish = null) {
  let found;
  try {
    found = await puzzles();
  } catch {
    return tell(texts.puzzle.missing);
  }
  const all = found.puzzles;
  const today = dayOf(new Date());
  const number = wish === null ? numberOf(today, all.length) : wish % all.length;
  const day = number === numberOf(today, all.length) ? today : null;
  const puzzle = { ...all[number], number, day, hints: 0, isTold: false, isRight: false };
  puzzle.reply = () => texts.puzzle.tap;
  variations.clear();
  forgetRecord();
  const { level = 3 } = game.play ?? {};
  const start = startOf(puzzle);
  const fresh = { rules: found.rules, start, moves: [], at: 0, play: { engine: null, level } };
  page.scores = null;
  await go(fresh, { push: true, puzzle });
}

/** What the position is worth to South after a move, as the list says. */
const resultOf = ({ stores: [mover, opponent], seeds }, score) =>
  outcome({ seeds, stores: { mover, opponent } }, { low: score, high: score });

/** What is said of a move that is not the good one: no more than what is proved of it. */
function wrong(puzzle, house, score) {
  const text = resultOf(puzzle, score) === "loss" ? texts.puzzle.loses : texts.puzzle.drawsAtBest;
  return () => text(house);
}

/** What both have in the end, if South plays the good move and both go on well. */
function totals({ stores: [south], seeds, scores, solution }) {
  const total = south + (seeds + scores[solution]) / 2;
  return texts.totals(total, 48 - total);
}

/** Tries a house. */
export function tryMove(place) {
  if (!isCurrent()) return;
  const { puzzle } = page;
  const house = place < 6 ? name(place) : null;
  if (!house || !(house in puzzle.scores)) return tell(texts.notHere(name(place)));
  if (house === puzzle.solution) solve(puzzle);
  else if (!puzzle.isTold) puzzle.reply = wrong(puzzle, house, puzzle.scores[house]);
  tell(puzzle.reply());
  show();
}

function solve(puzzle) {
  if (!puzzle.isTold && puzzle.day !== null) remember(puzzle.day);
  puzzle.isRight ||= !puzzle.isTold;
  puzzle.reply = () => texts.puzzle.right[puzzle.outcome](puzzle.solution, totals(puzzle));
  reveal(puzzle);
}

/** Marks the good move. */
function reveal(puzzle) {
  puzzle.isTold = true;
  page.hint = puzzle.solution;
}

/** Gives a hint: first what kind of move it is, then where. */
export function hint() {
  const { puzzle } = page;
  if (puzzle.isTold) return;
  const half = "ABC".includes(puzzle.solution) ? "A, B, C" : "D, E, F";
  puzzle.hints += 1;
  puzzle.reply = () =>
    puzzle.hints === 1 ? texts.puzzle.kinds[puzzle.kind] : texts.puzzle.among(half);
  tell(puzzle.reply());
  show();
}

/** Shows the answer. */
export function tellAnswer() {
  const { puzzle } = page;
  if (puzzle.isTold) return;
  puzzle.reply = () => texts.puzzle.answer[puzzle.outcome](puzzle.solution, totals(puzzle));
  reveal(puzzle);
  show();
}

/** Goes on to the next puzzle of a difficulty, `null` for any. */
export async function next(difficulty) {
  const { puzzles: all } = await puzzles();
  return open(nextOf(all, page.puzzle.number, difficulty));
}

/** Puts the solution on the board, to be stepped through. */
export function walk() {
  const { line } = page.puzzle;
  const first = parse(shown()).toMove;
  return go({ moves: [letter(line[0], first), ...line.slice(1)], at: 0 }, { push: true });
}

/** Leaves the puzzles for a game. */
export function end() {
  forgetRecord();
  return go({ start: INITIAL, moves: [], at: 0 }, { push: true });
}
