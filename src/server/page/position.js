// Positions in the engines' form: South's six houses, North's six, both stores, who is to move.

export const INITIAL = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

/** An endgame that shows what there is to see: a capture that is best, moves that are not
 * certified, an interval. */
export const EXAMPLE = "1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";

/** The parts of a position: `houses` are South's A to F, then North's a to f. */
export function parse(text) {
  const parts = text.split("-");
  const numbers = parts.slice(0, 14).map(Number);
  return {
    houses: numbers.slice(0, 12),
    stores: { south: numbers[12], north: numbers[13] },
    toMove: parts[14] === "N" ? "north" : "south",
  };
}

/** The inverse of `parse`. */
export function format({ houses, stores, toMove }) {
  return [...houses, stores.south, stores.north, toMove === "north" ? "N" : "S"].join("-");
}

/** Seeds on the board. */
export function onBoard({ houses }) {
  return houses.reduce((sum, count) => sum + count, 0);
}

/** Twelve houses with the mover's first, as South sees them. */
export function seated(board, toMove) {
  return toMove === "south" ? board : [...board.slice(6), ...board.slice(0, 6)];
}

/** The positions from `start` on along the steps of a line. */
export function along(start, steps) {
  const positions = [start];
  for (const step of steps) {
    const { stores, toMove } = parse(positions.at(-1));
    const next = toMove === "south" ? "north" : "south";
    stores[toMove] += step.captured;
    positions.push(format({ houses: seated(step.board, next), stores, toMove: next }));
  }
  return positions;
}

/** The number of a player's house among the twelve. */
export function number(letter, toMove) {
  return "ABCDEF".indexOf(letter.toUpperCase()) + (toMove === "north" ? 6 : 0);
}

/** What a house is called: `A` to `F`, or `a` to `f`. */
export function name(house) {
  return "ABCDEFabcdef"[house];
}

/** A house as moves are written: upper case for South. */
export function letter(house, toMove) {
  return toMove === "north" ? house.toLowerCase() : house;
}
