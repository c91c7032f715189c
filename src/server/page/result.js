// How a game comes out with best play, as far as scores and captured totals tell.

/** What both have captured. */
export function taken({ stores, to_move }) {
  const { mover, opponent } = stores;
  return to_move === "south"
    ? { south: mover, north: opponent }
    : { south: opponent, north: mover };
}

/** Whether every seed of the game is on the board or captured. */
export function isWhole({ seeds, stores }) {
  return seeds + stores.mover + stores.opponent === 48;
}

/** How the game comes out for the mover if the rest is worth `score`: "win", "loss", "draw",
 * "safe" (win or draw), "behind" (loss or draw) or "open". Of a position whose captured totals are
 * not known this is about the seeds that are left. Where endless play is a draw and nobody can win,
 * the game is drawn, whatever players could have in the end. */
export function outcome(position, { low, high }) {
  const lead = isWhole(position) ? position.stores.mover - position.stores.opponent : 0;
  const [least, most] = [lead + low, lead + high];
  if (least > 0) return "win";
  if (most < 0) return "loss";
  if (least === most || (position.endless === "drawn" && isWhole(position))) return "draw";
  if (least === 0) return "safe";
  return most === 0 ? "behind" : "open";
}

/** The colour of each outcome: one that is not settled has one of its own. */
const TONES = { win: "good", draw: "even", loss: "bad" };

/** How good it is for the mover that the rest is worth `score`: "good", "even", "bad" or "open". */
export const toneOf = (position, score) => TONES[outcome(position, score)] ?? "open";

/** What both have in the end, South's first: `24–24`, or `22…23–25…26` where that is open. */
export function finalText(position, score) {
  const found = finals(position, score);
  if (!found) return "";
  const { least, most, total } = found;
  if (least === most) return `${least}–${total - least}`;
  return `${least}…${most}–${total - most}…${total - least}`;
}

/** What both have in the end: the least and the most of South's; `null` where totals are not
 * known, or do not count because the game goes on without end. */
export function finals(position, { low, high }) {
  if (!isWhole(position)) return null;
  if (low !== high && outcome(position, { low, high }) === "draw") return null;
  const { south, north } = taken(position);
  const left = position.seeds;
  const rest = position.to_move === "south" ? [low, high] : [-high, -low];
  const share = (value) => south + (left + value) / 2;
  const [least, most] = rest.map(share);
  return { least, most, total: south + north + left };
}

/** The seeds that each player gathers when nobody can move any more. */
export function gathered({ board, to_move }) {
  const sum = (row) => row.reduce((total, count) => total + count, 0);
  const [mover, other] = [sum(board.slice(0, 6)), sum(board.slice(6))];
  return to_move === "south" ? { south: mover, north: other } : { south: other, north: mover };
}
