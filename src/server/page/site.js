// The page without a server: the library runs in a worker of the browser. Small tables are built
// on the spot; larger ones are read from the same host, if it has any.
//
// What everyone asks first, the sheets and the beginning of a game, stands beside the page. So the
// board is there before the library is, which is ten times as large as all else; it comes after.

import { progress, tell } from "./busy.js";
import { texts } from "./texts.js";

/** Layers are built on the spot up to this one, in a few seconds at most. */
const SEEDS = 10;

/** Answers that stand beside the page, by what is asked. */
const first = fetch("first.json")
  .then((response) => (response.ok ? response.json() : {}))
  .catch(() => ({}));

/** Whether the host's tables are used, too. */
let isConnected = document.querySelector('meta[name="oware-site"]').content === "tables";
let library = null;

/** The library, with the tables of the host; and the sheets of Oware, of which tables can be built. */
function opened() {
  library ??= open().catch((failure) => {
    library = null;
    throw failure;
  });
  return library;
}

async function open() {
  const { Oware, OwareError } = await import(new URL("oware.js", document.baseURI).href);
  const fresh = () => new Oware({ worker: new URL("worker.js", document.baseURI) });
  const found = { oware: fresh(), fresh, OwareError };
  if (isConnected)
    await found.oware
      .connect(new URL("tables/", document.baseURI))
      .catch((failure) => disconnect(failure, found));
  const { text } = await found.oware.ask("/v1/sheets");
  found.sheets = new Set(JSON.parse(text).sheets.map(({ id }) => id));
  // From here on nothing is waited for any more, and all may be kept for the next visit.
  navigator.serviceWorker?.register("sw.js");
  return found;
}

/** Without a way to the host there are its tables no more, but those that are built on the spot. */
function disconnect(failure, found) {
  if (!isConnected || !(failure instanceof found.OwareError)) throw failure;
  tell(failure.message);
  isConnected = false;
  found.oware.close();
  found.oware = found.fresh();
}

/** Seeds on a board as it is written: those of twelve houses, in a form with captured totals or without. */
const seedsOf = (board) =>
  (board.match(/\d+/g) ?? []).slice(0, 12).reduce((sum, count) => sum + Number(count), 0);

/** The layers that a question needs to be built for: its board's, all for what is judged move by move
 * and for the engine when it may come there; none above. */
function needed(path) {
  const [at, text = ""] = path.split("?");
  const asked = new URLSearchParams(text);
  const rules = asked.get("rules") ?? "abapa";
  if (at === "v1/verify") return [rules, SEEDS];
  const seeds = asked.has("board") ? seedsOf(asked.get("board")) : Number(asked.get("layer") ?? Infinity);
  const isNear = at === "v1/search" && seeds <= 2 * SEEDS;
  return [rules, isNear ? Math.min(seeds, SEEDS) : seeds];
}

/** Builds what a question needs, if that is small. */
export async function prepare(path) {
  if (path in (await first)) return;
  await build(...needed(path));
}

let building = Promise.resolve();

/** Builds layers, one call after the other. */
async function build(rules, seeds) {
  const { oware, sheets } = await opened();
  if (seeds > SEEDS || !sheets.has(rules)) return;
  const report = ({ seeds: done }) => progress(texts.building(done, seeds));
  const built = building
    .then(() => oware.build(rules, seeds, report))
    .finally(() => progress(null));
  // One that fails is not in the way of the next.
  building = built.catch(() => {});
  await built;
}

/** Says of the sheets of Oware that they have the layers that will be built. */
function withBuilt(document) {
  const built = Array.from({ length: SEEDS + 1 }, (_, seeds) => seeds);
  const layers = ({ layers }) => [...new Set([...built, ...layers])].sort((a, b) => a - b);
  const all = document.sheets.map((sheet) => ({ ...sheet, layers: layers(sheet) }));
  return { ...document, sheets: all };
}

async function ask(path, options) {
  const found = await opened();
  try {
    return await found.oware.ask(`/${path}`, options);
  } catch (failure) {
    disconnect(failure, found);
    await prepare(path);
    return found.oware.ask(`/${path}`, options);
  }
}

/** The most seeds of a position of a game that can be built for and is not judged yet. */
function unjudged(path, document) {
  if (!path.startsWith("v1/game?")) return 0;
  const small = document.positions.map(({ seeds }) => seeds).filter((seeds) => seeds <= SEEDS);
  return Math.max(0, ...small);
}

/** Answers as a server does: how it went, and the document. */
export async function answer(path, options) {
  const known = (await first)[path];
  if (known) {
    setTimeout(opened);
    return [{ ok: true, status: 200 }, path === "v1/sheets" ? withBuilt(known) : known];
  }
  let { status, text } = await ask(path, options);
  let document = JSON.parse(text);
  const seeds = status === 200 ? unjudged(path, document) : 0;
  if (seeds > 0) {
    await build(needed(path)[0], seeds);
    ({ status, text } = await ask(path, options));
    document = JSON.parse(text);
  }
  return [{ ok: status === 200, status }, path === "v1/sheets" ? withBuilt(document) : document];
}
