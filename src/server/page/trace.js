// What a move did: where its seeds went, what it took, and which rule it met.

import { parse, seated } from "./position.js";
import { path } from "./sowing.js";

const isOwn = (house, toMove) => house < 6 === (toMove === "south");
const other = (seat) => (seat === "south" ? "north" : "south");

/** Seeds in a player's row. */
export function row({ houses }, seat) {
  const own = seat === "south" ? houses.slice(0, 6) : houses.slice(6);
  return own.reduce((sum, count) => sum + count, 0);
}

/** What sowing `house` does, where it leads to the houses of `next`, the next mover's first. */
export function trace(before, house, next, sheet) {
  const sown = path(house, before.houses[house], sheet?.origin !== "sown");
  const counts = [...before.houses];
  counts[house] = 0;
  for (const each of sown) counts[each] += 1;
  const after = seated(next, other(before.toMove));
  const taken = counts.map((count, each) => Math.max(0, count - after[each]));
  const { toMove } = before;
  return { house, toMove, sown, counts, taken, last: sown.at(-1) };
}

/** Whether a move would take all that the opponent has and so takes nothing. */
export function isGrandSlam({ counts, taken, last, toMove }, sheet) {
  if (sheet?.grand_slam !== "captures_nothing" || taken.some(Boolean)) return false;
  if (isOwn(last, toMove)) return false;
  let left = row({ houses: counts }, other(toMove));
  for (let at = last; !isOwn(at, toMove) && [2, 3].includes(counts[at]); at -= 1) left -= counts[at];
  return left === 0;
}

/** The last move of a game that is shown up to move `at`; `null` at its beginning. */
export function lastMove({ analysis, at }, sheet) {
  if (at === 0) return null;
  const { house, board } = analysis.moves[at - 1];
  const before = parse(analysis.positions[at - 1].start);
  const number = "ABCDEF".indexOf(house) + (before.toMove === "north" ? 6 : 0);
  return { before, ...trace(before, number, board, sheet) };
}

/** Whether the player to move has to give the opponent seeds, who has none. */
export function mustFeed(position, sheet) {
  return sheet?.feeding === "must_feed" && row(position, other(position.toMove)) === 0;
}
