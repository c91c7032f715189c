// Tables on a web host, fetched part by part.

/** Bytes of a file that is taken whole from a host that sends no parts. */
const WHOLE = 64 << 20;

export class Host {
  #library;
  /** The address of each file, and its length. */
  #files = new Map();

  constructor(library) {
    this.#library = library;
  }

  /** Reads the list of files in a directory, and returns their names. */
  async connect(url) {
    const list = new URL("tables.json", url.endsWith("/") ? url : `${url}/`);
    const response = await get(list);
    let tables;
    try {
      ({ tables } = await response.json());
      for (const { file, bytes } of tables) {
        if (typeof file !== "string" || !Number.isSafeInteger(bytes) || bytes < 1) throw Error();
      }
    } catch {
      throw new Error(`${list} is no list of tables`);
    }
    for (const { file, bytes } of tables) {
      if (this.#files.has(file)) continue;
      this.#files.set(file, { address: new URL(file, list), bytes });
      this.#library.note(file, bytes);
    }
    return tables.map(({ file }) => file);
  }

  /** Fetches a part of a file. */
  async fetch(name, start, end) {
    const { address, bytes } = this.#files.get(name);
    const response = await get(address, { range: `bytes=${start}-${end - 1}` });
    if (response.status === 206) {
      // Pages of other hosts may not read which part it is, unless the host exposes that.
      const said = response.headers.get("content-range");
      const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(said) ?? [];
      if (said && (Number(from) !== start || Number(total) !== bytes)) throw changed(address);
      return this.#supply(name, start, end, await body(address, response));
    }
    if (bytes > WHOLE) {
      throw new Error(`${address} is ${bytes} bytes, and its host sends no parts of files`);
    }
    return this.#supply(name, 0, bytes, await body(address, response));
  }

  #supply(name, start, end, part) {
    const { address } = this.#files.get(name);
    if (part.length < end - start) throw new Error(`${address} broke off; try again`);
    if (part.length > end - start) throw changed(address);
    this.#library.supply(name, start, part);
  }
}

const changed = (address) =>
  new Error(`${address} is not what it was when it was listed; load the page again`);

async function get(address, headers) {
  let response;
  try {
    response = await fetch(address, { headers, cache: headers ? "no-store" : "no-cache" });
  } catch {
    const why = "its host is out of reach, or does not let pages of other hosts read it (CORS)";
    throw new Error(`${address} cannot be fetched: ${why}`);
  }
  if (!response.ok) throw new Error(`${address} cannot be fetched: status ${response.status}`);
  return response;
}

async function body(address, response) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new Error(`${address} broke off; try again`);
  }
}
