// Requests to the server, or to the library where there is none. Answers are remembered: a position
// is worth the same each time.

/** What answers in place of a server. */
const site = document.querySelector('meta[name="oware-site"]') ? import("./site.js") : null;

const REMEMBERED = 500;
const answers = new Map();

/** Milliseconds that an answer may take, and how often a server with too much to do is asked. */
const PATIENCE = 15000;
const TRIES = 3;
const CROWDED = [429, 503];

/** A failure as the server reports it: `kind` is "usage", "missing_table", "corrupt_table",
 * "io", "silent" if it does not answer at all, "slow" if it does not answer in time, or "stopped" if
 * the page itself wants no answer any more. */
export class Failure extends Error {
  constructor(kind, message, status = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
  }

  /** Whether there is no answer, so that nobody knows what it would have been. */
  get isSilent() {
    return this.kind === "silent" || this.kind === "slow";
  }

  /** Whether to ask once more may help. */
  get canPass() {
    return this.isSilent || CROWDED.includes(this.status);
  }
}

async function carry(path, options) {
  if (site) return (await site).answer(path, options);
  const response = await fetch(path, options);
  return [response, await response.json()];
}

/** Fetches, but ends when `signal` says so or when it takes too long. */
async function limited(path, { signal, ...options } = {}) {
  if (signal?.aborted) throw new Failure("stopped", "");
  const stop = new AbortController();
  let isLate = false;
  const alarm = setTimeout(() => stop.abort((isLate = true)), PATIENCE);
  signal?.addEventListener("abort", () => stop.abort());
  try {
    return await carry(path, { ...options, signal: stop.signal });
  } catch {
    if (signal?.aborted) throw new Failure("stopped", "");
    throw isLate ? new Failure("slow", String(PATIENCE / 1000)) : new Failure("silent", "");
  } finally {
    clearTimeout(alarm);
  }
}

async function ask(path, options) {
  await (await site)?.prepare(path);
  const [response, body] = await limited(path, options);
  if (response.ok) return body;
  throw new Failure(body.error.kind, body.error.message, response.status);
}

/** Asks for what is only read, some times if the server has too much to do. */
async function patiently(path) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(path);
    } catch (failure) {
      if (!CROWDED.includes(failure.status) || tries === TRIES) throw failure;
      await new Promise((done) => setTimeout(done, 400 * tries));
    }
  }
}

function remembered(path) {
  if (!answers.has(path)) {
    if (answers.size >= REMEMBERED) answers.delete(answers.keys().next().value);
    answers.set(
      path,
      patiently(path).catch((failure) => {
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
    if (failure.canPass || failure.kind === "usage") throw failure;
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
export const sheets = () => patiently("v1/sheets");

/** A record, judged; by its own rules if none are given. */
export const verify = (rules, record) =>
  ask(`v1/verify?${parameters(rules ? { rules } : {})}`, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: record,
  });
