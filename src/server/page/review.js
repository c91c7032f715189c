// The mistakes of a game, one by one: the position before each, and another try.

import { go, refresh, sofar, trouble } from "./asking.js";
import { progress, tell } from "./busy.js";
import { letter, name, parse } from "./position.js";
import { lossText } from "./loss.js";
import { engine, game, isCurrent, isOver, page, show, shown } from "./state.js";
import { texts } from "./texts.js";

/** An estimate must be this much worse to be called a mistake, in seeds. */
const CLEARLY = 2;
/** What the engine made of positions, by the game up to them. */
const glances = new Map();

/** What the engine makes of the moves before move `ply`; `null` if it was stopped. */
async function glance(ply, signal) {
  const moves = game.moves.slice(0, ply);
  const key = [game.rules, game.start, moves.join("")].join(" ");
  if (!glances.has(key)) glances.set(key, await engine.glance({ ...game, moves }, signal));
  const found = glances.get(key);
  if (!found) glances.delete(key);
  return found;
}

/** A mistake that the tables prove. */
function proved({ judgement, move }, ply) {
  if (judgement?.verdict !== "loses") return null;
  return { ply, move, loss: judgement.loss, better: judgement.better, guess: null };
}

/** A mistake above the tables, as the engine sees it. */
function estimated({ move, house }, ply, guess) {
  const played = guess.moves.find((each) => each.house === house);
  if (!played) return null;
  const worse = (each) => guess.moves[0].estimate - each.estimate;
  if (worse(played) < CLEARLY) return null;
  const better = guess.moves.filter((each) => worse(each) < CLEARLY / 2).map((each) => each.house);
  return { ply, move, loss: [worse(played), worse(played)], better, guess };
}

/** Looks for the mistakes of those who are no engine; `null` if it was stopped. */
async function search() {
  const { moves, positions } = page.known.analysis;
  const mine = moves.map((_, at) => at).filter((at) => positions[at].to_move !== game.play?.engine);
  const signal = engine.stop();
  const found = [];
  for (const [number, at] of mine.entries()) {
    progress(texts.judging(number + 1, mine.length));
    if (moves[at].judgement) found.push(proved(moves[at], at));
    else {
      const guess = await glance(at, signal);
      if (!guess || signal.aborted) return null;
      found.push(estimated(moves[at], at, guess));
    }
  }
  return found.filter(Boolean);
}

/** Looks for mistakes, and shows the first. */
export async function review() {
  if (!isCurrent() || game.moves.length === 0) return;
  let slips = null;
  try {
    slips = await search();
  } catch (failure) {
    trouble(failure);
  } finally {
    progress(null);
  }
  if (!slips) return;
  tell(texts.found(slips.length));
  if (slips.length > 0) await turnTo(slips, 0);
  else await refresh();
}

/** Shows the position before a mistake. */
function turnTo(slips, at) {
  const { ply, guess } = slips[at];
  page.review = { slips, at, isTold: false, reply: texts.yourTry };
  return go({ at: ply }, { review: page.review }).then(() => {
    if (guess && page.review) page.known.guess = guess;
  });
}

/** The move that is looked at. */
const current = () => page.review.slips[page.review.at];

/** What another move in the position gives away. */
function worth(house) {
  const { moves } = current().guess ?? page.known.answer;
  const move = moves.find((each) => each.house === house);
  if (!move) return null;
  if (current().guess) return { loss: [moves[0].estimate - move.estimate], guess: true };
  // As games are judged: at least what is sure, at most what is possible.
  const [low, high] = ["low", "high"].map((end) => Math.max(...moves.map((each) => each[end])));
  return { loss: [Math.max(0, low - move.high), Math.max(0, high - move.low)] };
}

/** Tries a house instead of the one that was played. */
export function tryOut(place) {
  const { toMove } = parse(shown());
  const isOwn = place < 6 === (toMove === "south");
  const house = name(place).toUpperCase();
  const loses = isOwn ? worth(house) : null;
  if (!loses) return tell(texts.notHere(name(place)));
  const label = letter(house, toMove);
  const isRight = current().better.includes(house);
  const reply = isRight ? texts.right(label) : texts.wrong(label, lossText(loses));
  Object.assign(page.review, { reply, isTold: page.review.isTold || isRight });
  tell(reply);
  show();
}

/** Shows what would have been better. */
export function tellAnswer() {
  const { toMove } = parse(shown());
  const better = current().better.map((house) => letter(house, toMove)).join(", ");
  Object.assign(page.review, { isTold: true, reply: texts.better(better) });
  show();
}

/** Goes on to the next mistake, or ends after the last. */
export function next() {
  const { slips, at } = page.review;
  if (at + 1 < slips.length) return turnTo(slips, at + 1);
  return end();
}

/** Ends the review, where the game ends. */
export function end() {
  return go({ at: game.moves.length });
}

/** Shows a move that is good, as far as anybody knows. */
export async function hint() {
  if (!isCurrent() || isOver() || page.ahead || page.review || page.thinks || !page.known.answer) return;
  const { toMove } = parse(shown());
  let [best] = page.known.answer.best ?? [];
  const isProved = Boolean(best);
  if (!isProved) {
    progress(texts.thinking);
    const found = await engine.glance(sofar()).catch(trouble);
    progress(null);
    best = found?.best[0];
  }
  if (!best || !isCurrent()) return;
  page.hint = best;
  show();
  tell((isProved ? texts.hintProved : texts.hintGuessed)(letter(best, toMove)));
  // An estimate that was under way goes on.
  if (!isProved) await refresh();
}
