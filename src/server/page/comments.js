// What a record says about its moves: the comments of OGN, which the server does not send back.

/** Pieces of OGN: tags, comments, other continuations, results, numbers, moves. */
const PIECES =
  /\[[^\]"]*"(?:\\.|[^"\\])*"\s*\]|\{[^}]*\}|;[^\n]*|[()]|(?:1-0|0-1|1\/2-1\/2|\*)(?=\s|$)|\$\d+|\d+\.+|[^\s(){};[]+/g;
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|\*)$/;
/** What the program's own comments begin with: they are made again. */
export const REMARK = "oware: ";

/** How many moves a piece has: letters may be run together, `FfB`; the rest of a word says what a
 * move captured or how good it was. */
const plies = (piece) => /^(?:[A-Fa-f]+$|[A-Fa-f](?![A-Za-z]))/.exec(piece)?.[0].length ?? 0;

/** Reads one piece after the other; `games` has one map for each game. */
class Reader {
  constructor() {
    this.games = [];
    this.begin();
  }

  begin() {
    Object.assign(this, { comments: new Map(), ply: 0, depth: 0, isOpen: false });
  }

  end() {
    if (this.isOpen) this.games.push(this.comments);
    this.begin();
  }

  take(piece) {
    if (piece.startsWith("[")) return this.ply > 0 ? this.end() : (this.isOpen = true);
    if (piece === "(" || piece === ")") return (this.depth += piece === "(" ? 1 : -1);
    if (/^[{;]/.test(piece)) return this.comment(piece.replace(/^[{;]|\}$/g, "").trim());
    if (this.depth > 0) return null;
    this.isOpen = true;
    if (RESULT.test(piece)) return this.end();
    this.ply += plies(piece);
    return null;
  }

  comment(text) {
    if (this.depth > 0 || text.startsWith(REMARK) || text === "") return;
    const before = this.comments.get(this.ply);
    this.comments.set(this.ply, before ? `${before} ${text}` : text);
  }
}

/** The comments of each game of a text, by the number of the move that they follow. */
export function commentsOf(text) {
  const reader = new Reader();
  for (const [piece] of text.matchAll(PIECES)) reader.take(piece);
  reader.end();
  return reader.games;
}
