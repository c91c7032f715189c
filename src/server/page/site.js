// The page without a server: the library runs in a worker of the browser. Small tables are built
// on the spot; larger ones are read from the same host, if it has any.

import { progress, tell } from "./busy.js";
import { texts } from "./texts.js";

/** Layers are built on the spot up to this one, in a few seconds at most. */
const SEEDS = 10;

const { Oware, OwareError } = await import(new URL("oware.js", document.baseURI).href);
const open = () => new Oware({ worker: new URL("worker.js", document.baseURI) });
let oware = open();
/** Whether the host's tables are used, too. */
let isConnected = document.querySelector('meta[name="oware-site"]').content === "tables";
const sheets = connecting();

/** The sheets of Oware, of which tables can be built. */
async function connecting() {
  if (isConnected) await oware.connect(new URL("tables/", document.baseURI)).catch(disconnect);
  const { text } = await oware.ask("/v1/sheets");
  return new Set(JSON.parse(text).sheets.map(({ id }) => id));
}

/** Without a way to the host there are its tables no more, but those that are built on the spot. */
function disconnect(failure) {
  if (!isConnected || !(failure instanceof OwareError)) throw failure;
  tell(failure.message);
  isConnected = false;
  oware.close();
  oware = open();
}

/** Builds what a question needs. */
export async function prepare(path) {
  const [at, asked = ""] = path.split("?");
  const rules = new URLSearchParams(asked).get("rules") ?? "abapa";
  if (at === "v1/sheets" || !(await sheets).has(rules)) return;
  await oware.build(rules, SEEDS, ({ seeds }) => progress(texts.building(seeds, SEEDS)));
  progress(null);
}

/** Says of the sheets of Oware that they have the layers that will be built. */
function withBuilt(document) {
  const built = Array.from({ length: SEEDS + 1 }, (_, seeds) => seeds);
  const layers = ({ layers }) => [...new Set([...built, ...layers])].sort((a, b) => a - b);
  const all = document.sheets.map((sheet) => ({ ...sheet, layers: layers(sheet) }));
  return { ...document, sheets: all };
}

async function ask(path, options) {
  try {
    return await oware.ask(`/${path}`, options);
  } catch (failure) {
    disconnect(failure);
    await prepare(path);
    return oware.ask(`/${path}`, options);
  }
}

/** Answers as a server does: how it went, and the document. */
export async function answer(path, options) {
  await sheets;
  const { status, text } = await ask(path, options);
  const document = JSON.parse(text);
  return [{ ok: status === 200, status }, path === "v1/sheets" ? withBuilt(document) : document];
}
