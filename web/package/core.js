// The library on the thread that asks.

import { Host } from "./host.js";
import init, { Oware as Library } from "./oware_db_web.js";

const WASM = new URL("./oware_db_web_bg.wasm", import.meta.url);

/** Loads the library: over the network, or from the disk where there is none. */
async function load() {
  if (WASM.protocol !== "file:") return init({ module_or_path: WASM });
  const { readFile } = await import("node:fs/promises");
  return init({ module_or_path: await readFile(WASM) });
}

let loaded = null;

/** Returns a library without any table. */
export async function open() {
  await (loaded ??= load());
  return new Library();
}

const hosts = new WeakMap();

/** Returns where the tables of a library are that are not here. */
function host(library) {
  if (!hosts.has(library)) hosts.set(library, new Host(library));
  return hosts.get(library);
}

/** Milliseconds of a search at most. */
const LONGEST = 60_000;

/** What a library is asked to do, by name. */
export const tasks = {
  async answer(library, { method, path, parameters, body }) {
    const bytes = new TextEncoder().encode(body ?? "");
    for (;;) {
      const answer = library.answer(method, path, parameters, bytes, LONGEST);
      const { status, body: text, wanted, ranges } = answer;
      answer.free();
      if (wanted.length === 0) return { status, text };
      const far = host(library);
      await Promise.all(wanted.map((name, at) => far.fetch(name, ...ranges.slice(2 * at))));
    }
  },

  connect: (library, { url }) => host(library).connect(url),

  async build(library, { rules, seeds }, report) {
    let isMore = false;
    for (let built; (built = library.build_next(rules, seeds)) !== undefined; isMore = true) {
      await report({ seeds: built });
    }
    return isMore;
  },

  put: (library, { name, bytes }) => library.put(name, bytes),
  file: (library, { name }) => library.file(name),
  names: (library) => library.names(),
};
