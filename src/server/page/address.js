// The address bar: where the game starts, its rules, its moves, and which position is shown. A link
// has the variations, too.

/** What the address says; `start` is null if it says nothing of it. */
export function read() {
  const said = new URLSearchParams(location.search);
  const moves = (said.get("moves") ?? "").replace(/[^A-Fa-f]/g, "");
  const at = Number.parseInt(said.get("at") ?? "", 10);
  return {
    rules: said.get("rules") ?? "abapa",
    start: said.get("board"),
    moves: [...moves],
    at: at >= 0 && at <= moves.length ? at : moves.length,
    play: player(said.get("play") ?? (said.has("board") ? "" : "north2")),
    puzzle: Number(/^[1-9]\d{0,5}$/.exec(said.get("puzzle") ?? "")?.[0] ?? 0),
    asides: (said.get("asides") ?? "").split("_").flatMap(aside),
  };
}

/** Reads who plays: `north3`, the engine with North at level 3; `nobody`, two people. `null` is to
 * look at a game with its scores. */
function player(text) {
  const [, engine, level] = /^(north|south|nobody)([1-5]?)$/.exec(text) ?? [];
  if (!engine) return null;
  return { engine: engine === "nobody" ? null : engine, level: Number(level || 3) };
}

/** Reads a continuation that was left for another: `3-FaB`, the moves that come after three. */
function aside(text) {
  const [, at, moves] = /^(\d+)-([A-Fa-f]+)$/.exec(text) ?? [];
  return moves ? [{ at: Number(at), moves: [...moves] }] : [];
}

/** What the address says, and the continuations that were left for others, as a link. */
export function link(asides) {
  const said = new URL(location.href);
  said.searchParams.delete("play");
  const text = asides.map(({ at, moves }) => `${at}-${moves.join("")}`).join("_");
  if (text) said.searchParams.set("asides", text);
  return said.href;
}

/** Makes the address say this; `push` leaves the old one behind for the back button, "always" even
 * if it says the same. */
export function write({ rules, start, moves, at, play, puzzle }, push) {
  const said = new URLSearchParams(puzzle ? { puzzle } : { board: start });
  if (rules !== "abapa") said.set("rules", rules);
  if (moves.length > 0) said.set("moves", moves.join(""));
  if (at < moves.length) said.set("at", at);
  if (play && !puzzle) said.set("play", play.engine ? `${play.engine}${play.level}` : "nobody");
  const address = `?${said}`;
  if (address === location.search && push !== "always") return;
  history[push ? "pushState" : "replaceState"](null, "", address);
}
