// Endgame databases for Oware, in a browser or in Node.

import { open, tasks } from "./core.js";

/** An answer that is none: `kind` is "usage", "missing_table", "corrupt_table" or "io". */
export class OwareError extends Error {
  constructor(kind, message, status) {
    super(message);
    this.name = "OwareError";
    this.kind = kind;
    this.status = status;
  }
}

/** The library on this thread. */
class Here {
  #library = null;

  async run(task, wish, report = () => {}) {
    try {
      const library = await (this.#library ??= open());
      return await tasks[task](library, wish, report);
    } catch (error) {
      throw new OwareError("io", String(error?.message ?? error), 500);
    }
  }

  close() {
    this.#library?.then((library) => library.free());
    this.#library = null;
  }
}

/** The library in a worker. */
class There {
  #worker;
  #waiting = new Map();
  #next = 0;
  #ended = null;

  constructor(url) {
    this.#worker = new Worker(url, { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#end(new Error(event.message || "the worker ended"));
  }

  run(task, wish, report = () => {}) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    this.#worker.postMessage({ id, task, wish });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, report }));
  }

  close() {
    this.#worker.terminate();
    this.#end(new DOMException("the library was closed", "AbortError"));
  }

  #hear({ id, progress, failure, done }) {
    const asked = this.#waiting.get(id);
    if (!asked) return;
    if (progress) return asked.report(progress);
    this.#waiting.delete(id);
    if (failure === undefined) asked.resolve(done);
    else asked.reject(new OwareError("io", failure, 500));
  }

  #end(why) {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}

const parameters = (values = {}) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined)).toString();

/** Tables, and what answers from them. */
export class Oware {
  #place;
  #free = null;
  #thinking = new Set();
  #tables = 0;
  #worker;
  #hosts = [];

  constructor({ worker = typeof Worker !== "undefined" } = {}) {
    this.#worker = worker === true ? new URL("./worker.js", import.meta.url) : worker;
    this.#place = this.#open();
  }

  #open() {
    return this.#worker ? new There(this.#worker) : new Here();
  }

  /** Answers a question of the HTTP API: its status and the text of its document. */
  async ask(path, { method = "GET", body, signal } = {}) {
    signal?.throwIfAborted();
    const [at, text = ""] = path.replace(/^(?!\/)/, "/").split("?");
    const wish = { method, path: at, parameters: text, body };
    return at === "/v1/search" ? this.#search(wish, signal) : this.#place.run("answer", wish);
  }

  /** The engine thinks elsewhere, so that other questions are answered, and can be stopped. */
  async #search(wish, signal) {
    if (!this.#worker) return this.#place.run("answer", wish);
    // One engine for each search, so that to end one ends no other. One that is free is used again.
    const engine = this.#free ?? this.#equipped();
    this.#free = null;
    this.#thinking.add(engine);
    const stop = () => end(engine);
    signal?.addEventListener("abort", stop, { once: true });
    const tables = this.#tables;
    let isFree = false;
    try {
      const answer = await (await engine).run("answer", wish);
      isFree = tables === this.#tables && !this.#free && !signal?.aborted;
      return answer;
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#thinking.delete(engine);
      if (isFree) this.#free = engine;
      else end(engine);
    }
  }

  /** Returns a worker with the same tables. */
  async #equipped() {
    const engine = this.#open();
    try {
      for (const name of await this.names()) {
        await engine.run("put", { name, bytes: await this.file(name) });
      }
      for (const url of this.#hosts) await engine.run("connect", { url });
      return engine;
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  async #document(path, options) {
    const { status, text } = await this.ask(path, options);
    const document = JSON.parse(text);
    if (status === 200) return document;
    throw new OwareError(document.error.kind, document.error.message, status);
  }

  /** What a position is worth, its moves, and a line of best play. */
  query(board, options) {
    return this.#document(`/v1/query?${parameters({ board, ...options })}`);
  }

  /** The legal moves of a position, without tables. */
  moves(board, options) {
    return this.#document(`/v1/moves?${parameters({ board, ...options })}`);
  }

  /** A line of best play with every position on it. */
  line(board, options) {
    return this.#document(`/v1/line?${parameters({ board, ...options })}`);
  }

  /** A game with its scores and judgements. */
  game(board, moves, options) {
    return this.#document(`/v1/game?${parameters({ board, moves, ...options })}`);
  }

  /** Figures of layers. */
  stats(options) {
    return this.#document(`/v1/stats?${parameters(options)}`);
  }

  /** Recorded games, judged. */
  verify(record, options) {
    return this.#document(`/v1/verify?${parameters(options)}`, { method: "POST", body: record });
  }

  /** Many positions: a list of answers in the same order, errors among them. */
  async batch(lines, options) {
    const path = `/v1/batch?${parameters(options)}`;
    const body = lines.map((line) => JSON.stringify(line)).join("\n");
    const { status, text } = await this.ask(path, { method: "POST", body });
    if (status !== 200) {
      const { error } = JSON.parse(text);
      throw new OwareError(error.kind, error.message, status);
    }
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  /** What the engine makes of a position. */
  search(board, { signal, ...options } = {}) {
    return this.#document(`/v1/search?${parameters({ board, ...options })}`, { signal });
  }

  /** Builds the layers of a sheet to so many seeds, as far as they are not built yet. */
  async build(rules, seeds, report) {
    const isMore = await this.#place.run("build", { rules, seeds }, report);
    if (isMore) this.#refit();
  }

  /** Puts a file of a table there, as `oware build` writes it. */
  async put(name, bytes) {
    await this.#place.run("put", { name, bytes });
    this.#refit();
  }

  /** Uses the tables that `tables.json` at an address lists, and fetches what a question needs. */
  async connect(url) {
    const address = new URL(url, globalThis.location?.href).href;
    const names = await this.#place.run("connect", { url: address });
    this.#hosts.push(address);
    this.#refit();
    return names;
  }

  /** The file of a table that is there; undefined if there is none of that name. */
  file(name) {
    return this.#place.run("file", { name });
  }

  /** The names of the files that are there. */
  names() {
    return this.#place.run("names", {});
  }

  /** Ends everything; what was asked for is refused. */
  close() {
    this.#refit();
    for (const engine of this.#thinking) end(engine);
    this.#place.close();
  }

  /** The next search takes an engine with the current tables. */
  #refit() {
    this.#tables += 1;
    if (this.#free) end(this.#free);
    this.#free = null;
  }
}

/** Ends an engine, if there will be one. */
const end = (engine) => engine.then((place) => place.close()).catch(() => {});
