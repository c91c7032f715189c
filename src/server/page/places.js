// Where the places of the other games lie, what they are called, and positions of them as text:
// South's places, North's, both stores, S or N, and in Nam Nam whose each house is, `s` or `n`.

const other = (seat) => (seat === "south" ? "north" : "south");
const isKujifunza = (rules) => rules.startsWith("bao-kujifunza");
export const hasStores = (rules) => !isKujifunza(rules);
export const hasOwners = (rules) => rules === "nam-nam";

/** Seeds in each place where a game begins. */
const BEGINNING = { "bao-stores": 3, "nam-nam": 4 };

/** The houses of both rows as each player's own. */
export const ownHalves = (half) => "s".repeat(half) + "n".repeat(half);

/** Where a game begins. */
export function beginning({ id, places }) {
  const counts = Array(places).fill(BEGINNING[id] ?? 2);
  return { counts, stores: { south: 0, north: 0 }, toMove: "south", owners: ownHalves(places / 2) };
}

/** The inverse of `read`. */
export function write({ counts, stores, toMove, owners }, rules) {
  const parts = [...counts, stores.south, stores.north, toMove === "north" ? "N" : "S"];
  return [...parts, ...(hasOwners(rules) ? [owners] : [])].join("-");
}

/** Reads a position of a game; `null` if it is none. Stores, player and owners may be left out. */
export function read(text, { id, places }) {
  const [, numbers, seat, owners] =
    /^\s*([\d\s,-]*\d)[\s,-]*([SN])?[\s,-]*([sn]+)?\s*$/.exec(text) ?? [];
  const found = numbers?.split(/[\s,-]+/).map(Number) ?? [];
  if (![places, places + 2].includes(found.length)) return null;
  const [south = 0, north = 0] = found.slice(places);
  const isFit = owners?.length === places && owners.includes("s") && owners.includes("n");
  return {
    counts: found.slice(0, places),
    stores: { south, north },
    toMove: seat === "N" ? "north" : "south",
    owners: hasOwners(id) && isFit ? owners : ownHalves(places / 2),
  };
}

/** A list that begins with South's half as the mover sees it, or the other way round. */
export const seat = (list, toMove) => {
  const half = list.length / 2;
  return toMove === "south" ? [...list] : [...list.slice(half), ...list.slice(0, half)];
};

/** Owners as the server writes them, the mover's first. */
export function ownersFor({ owners, toMove }) {
  const mine = toMove === "south" ? "s" : "n";
  return seat([...owners], toMove).map((each) => (each === mine ? "m" : "o"));
}

/** A position as the server reads it. */
export function asked(position, rules) {
  const numbers = seat(position.counts, position.toMove).join(" ");
  return hasOwners(rules) ? `${numbers} ${ownersFor(position).join("")}` : numbers;
}

/** The position after a move that the server lists. */
export function after(position, move) {
  const { toMove, owners } = position;
  const next = move.again ? toMove : other(toMove);
  const stores = { ...position.stores };
  stores[toMove] += move.captured;
  stores[other(toMove)] += move.opponent_captured ?? 0;
  return { counts: seat(move.board, next), stores, toMove: next, owners };
}

/** The place that a move begins in, as its number with South's half first; `null` for none. */
export function origin(label, { counts, toMove }) {
  if (label === "-") return null;
  const half = counts.length / 2;
  const at = /^\d/.test(label) ? Number.parseInt(label, 10) : label.charCodeAt(0) - 65;
  return toMove === "south" ? at : (at + half) % counts.length;
}

/** What a place is called: South's in capitals, shimo with numbers. */
export function name(place, { id, places }) {
  const half = places / 2;
  const isSouth = place < half;
  const at = place % half;
  if (isKujifunza(id)) return `${at}${isSouth ? "" : "′"}`;
  return String.fromCharCode(at + (isSouth ? 65 : 97));
}

/** Row and column of a place, from the upper left. */
export function spot(place, { id, places }) {
  const half = places / 2;
  const [isSouth, at] = [place < half, place % half];
  if (!isKujifunza(id)) return isSouth ? [1, at] : [0, half - 1 - at];
  const columns = half / 2;
  const [isFront, from] = [at < columns, at % columns];
  const column = isFront === isSouth ? from : columns - 1 - from;
  return [isSouth ? (isFront ? 2 : 3) : isFront ? 1 : 0, column];
}
