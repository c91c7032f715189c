// Requests to the server. Answers are remembered: a position is worth the same each time.

const REMEMBERED = 500;
const answers = new Map();

/** A failure as the server reports it: `kind` is "usage", "missing_table", "corrupt_table",
 * "io", or "silent" if it does not answer at all. */
export class Failure extends Error {
  constructor(kind, message, status = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

async function ask(path, options) {
  let response, body;
  try {
    response = await fetch(path, options);
    body = await response.json();
  } catch {
    throw new Failure("silent", "");
  }
  if (!response.ok) throw new Failure(body.error.kind, body.error.message, response.status);
  return body;
}

function remembered(path) {
  if (!answers.has(path)) {
    if (answers.size >= REMEMBERED) answers.delete(answers.keys().next().value);
    answers.set(
      path,
      ask(path).catch((failure) => {
        answers.delete(path);
        throw failure;
      }),
    );
  }
  return answers.get(path);
}

function parameters(values) {
  return new URLSearchParams(values).toString();
}

/** A game: where it starts, in the engines' form, and its moves. */
export const game = (rules, board, moves) =>
  remembered(`v1/game?${parameters({ rules, board, moves })}`);

/** What a position and its moves are worth. */
export const query = (rules, board) =>
  remembered(`v1/query?${parameters({ rules, board, line: 0 })}`);

/** The legal moves, where there is no table. */
export const moves = (rules, board) => remembered(`v1/moves?${parameters({ rules, board })}`);

/** The moves of a position, with scores if there is a table, and the failure if there is none. */
export async function answer(rules, board, hasTable) {
  if (!hasTable) return [await moves(rules, board), new Failure("missing_table", "")];
  try {
    return [await query(rules, board), null];
  } catch (failure) {
    if (failure.kind === "silent" || failure.kind === "usage") throw failure;
    return [await moves(rules, board), failure];
  }
}

/** A line of best play. */
export const line = (rules, board) =>
  remembered(`v1/line?${parameters({ rules, board, limit: 80 })}`);

/** The figures of a layer. */
export const layer = (rules, seeds) =>
  remembered(`v1/stats?${parameters({ rules, layer: seeds })}`);

/** What the engine makes of a game; `signal` ends the search. */
export const search = (wish, signal) => ask(`v1/search?${parameters(wish)}`, { signal });

/** The sheets, and which layers there are. */
export const sheets = () => ask("v1/sheets");

/** A record, judged; by its own rules if none are given. */
export const verify = (rules, record) =>
  ask(`v1/verify?${parameters(rules ? { rules } : {})}`, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: record,
  });
