// Moves: made, taken back, and looked at ahead along the line of best play.

import * as api from "./api.js";
import { go, trouble } from "./asking.js";
import { say, tell, wait } from "./busy.js";
import { along, letter, number, parse, seated } from "./position.js";
import { refusal } from "./refusal.js";
import { tryMove } from "./puzzles.js";
import { tryOut } from "./review.js";
import { hasTable } from "./sheets.js";
import {
  engine,
  game,
  isCurrent,
  isOver,
  page,
  sheet,
  show,
  shown,
  sowing,
  stand,
  variations,
} from "./state.js";
import { texts } from "./texts.js";

/** Plays the house of this letter, if it may be played. */
export function playLetter(house) {
  return play(number(house, parse(shown()).toMove));
}

/** Plays a house; where it may not be played, says why. */
export async function play(house) {
  if (!isCurrent() || !page.known.answer) return;
  if (page.review) return tryOut(house);
  if (page.puzzle) return tryMove(house);
  const before = parse(shown());
  const isThis = (each) => number(each.house, before.toMove) === house;
  const move = page.ahead || isOver() ? null : page.known.answer.moves.find(isThis);
  if (!move) return tell(refusal(house, before));
  const text = letter(move.house, before.toMove);
  const isNext = !game.play && game.moves[game.at] === text;
  const moves = isNext ? game.moves : [...game.moves.slice(0, game.at), text];
  engine.stop();
  api.game(game.rules, game.start, moves.join("")).catch(() => {});
  if (!(await sow(before, house, move))) return;
  if (!isNext) variations.keep(game);
  say(texts.said(texts[before.toMove], text, move.captured));
  await go({ moves, at: game.at + 1 }, { push: true });
}

/** Shows a move being made; tells whether the reader is still where it was made. */
async function sow(before, house, { board: next }) {
  wait(true);
  const { rules, start, moves, at } = game;
  const { ahead } = page;
  const after = seated(next, before.toMove === "south" ? "north" : "south");
  page.busy = sowing.play({ before, after, house, skipsOrigin: sheet()?.origin !== "sown" });
  await page.busy;
  page.busy = null;
  const isSame = game.rules === rules && game.start === start && game.moves === moves && game.at === at;
  return isSame && page.ahead === ahead;
}

/** Goes to another position of the game. */
export async function goTo(ply) {
  if (page.busy || ply < 0 || ply > game.moves.length) return;
  if (ply === game.at + 1 && isCurrent() && !page.ahead) {
    const { start } = page.known.analysis.positions[game.at];
    const move = page.known.analysis.moves[game.at];
    const before = parse(start);
    if (!(await sow(before, number(move.house, before.toMove), move))) return;
  }
  if (ply < game.at) say(texts.undone);
  await go({ at: ply });
}

/** Looks at a position along the line of best play. */
export async function look(ply) {
  if (!isCurrent()) return;
  const positions = page.ahead?.positions ?? along(stand().start, page.known.line.steps);
  const from = page.ahead?.at ?? 0;
  if (ply === from + 1) {
    const [before, step] = [parse(positions[from]), page.known.line.steps[from]];
    if (!(await sow(before, number(step.house, before.toMove), step))) return show();
  }
  const place = { positions, at: ply };
  page.ahead = place;
  wait(true);
  try {
    const start = positions[ply];
    const [answer, failure] = await api.answer(game.rules, start, hasTable(sheet(), start));
    Object.assign(place, { answer, failure });
  } catch (failure) {
    trouble(failure);
  }
  if (page.ahead !== place) return;
  show();
  wait(false);
}

export function leave() {
  page.ahead = null;
  wait(false);
  show();
}

/** Makes the moves that were looked at. */
export function goOn() {
  if (!isCurrent()) return;
  const { to_move: first } = stand();
  const seats = first === "south" ? ["south", "north"] : ["north", "south"];
  const moves = page.known.line.steps
    .slice(0, page.ahead.at)
    .map(({ house }, ply) => letter(house, seats[ply % 2]));
  variations.keep(game);
  go(
    { moves: [...game.moves.slice(0, game.at), ...moves], at: game.at + moves.length },
    { push: true },
  );
}

/** Takes a move back; against the engine its answer, too. */
export function back() {
  if (!page.known.analysis) return undefined;
  if (page.ahead) return leave();
  const isAnswer = game.play?.engine && stand().to_move !== game.play.engine;
  return goTo(isAnswer ? Math.max(game.at - 2, 0) : game.at - 1);
}

export function forth() {
  return goTo(game.at + 1);
}
