// Tables on a host: parts of files are fetched as they are needed, and whatever goes wrong is said.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";

import { Oware } from "../../target/web/package/oware.js";
import { host } from "./host.mjs";

const PROGRAM = process.env.OWARE ?? "target/release/oware";
const BOARD = "1-1-3-1-1-1-2-0-0-0-0-2";

const dir = mkdtempSync(join(tmpdir(), "oware-"));
after(() => rmSync(dir, { recursive: true }));
execFileSync(PROGRAM, ["build", "--quiet", "--seeds", "13", "--out", dir]);
const tables = readdirSync(dir)
  .filter((name) => name.endsWith(".oware"))
  .map((file) => ({ file, bytes: statSync(join(dir, file)).size }));
writeFileSync(join(dir, "tables.json"), JSON.stringify({ tables }));

/** Asks with the tables of a host, and ends it. */
async function with_host(options, act) {
  const there = await host(dir, options);
  try {
    const oware = new Oware({ worker: false });
    await act(oware, there.address);
  } finally {
    there.close();
  }
}

const expected = JSON.parse(
  execFileSync(PROGRAM, ["query", "--json", "--tables", dir, BOARD], { encoding: "utf8" }),
);

test("a question fetches parts, and the same question nothing more", async () => {
  let requests = 0;
  const seen = (path) => void (path.endsWith(".oware") && requests++);
  await with_host({ seen }, async (oware, address) => {
    assert.equal((await oware.connect(address)).length, 14);
    assert.deepEqual(await oware.query(BOARD), expected);
    const cold = requests;
    assert.ok(cold > 0 && cold <= 40, `${cold} requests`);
    await oware.query(BOARD);
    assert.equal(requests, cold);
  });
});

test("a host that sends no parts is served as well", async () => {
  await with_host({ ranges: false }, async (oware, address) => {
    await oware.connect(address);
    assert.deepEqual(await oware.query(BOARD), expected);
  });
});

test("a host that does not say which part it sends is served as well", async () => {
  const seen = (path, _, response) => {
    const send = response.writeHead.bind(response);
    response.writeHead = (status, { "content-range": _, ...headers }) => send(status, headers);
  };
  await with_host({ seen }, async (oware, address) => {
    await oware.connect(address);
    assert.deepEqual(await oware.query(BOARD), expected);
  });
});

test("tables that are built on the spot come first", async () => {
  const asked = [];
  const seen = (path) => void (path.endsWith(".oware") && asked.push(path));
  await with_host({ seen }, async (oware, address) => {
    await oware.build("abapa", 11);
    await oware.connect(address);
    assert.deepEqual(await oware.query(BOARD), expected);
    assert.ok(asked.length > 0 && asked.every((path) => path === "/abapa-12.oware"), `${asked}`);
  });
});

const failures = {
  "nothing is there": [
    (path, _, response) => path.endsWith(".oware") && response.writeHead(404).end("no"),
    /abapa-\d\d\.oware cannot be fetched: status 404/,
  ],
  "the connection is cut": [
    (path, request, response) => path.endsWith(".oware") && request.socket.destroy(),
    /cannot be fetched: its host is out of reach/,
  ],
  "an answer breaks off": [
    (path, _, response) => {
      if (!path.endsWith(".oware")) return false;
      response.writeHead(200, { "content-length": 100000 });
      response.write("OWARE");
      return setTimeout(() => response.destroy(), 20);
    },
    /broke off; try again/,
  ],
  "a file has become longer": [
    (path, request, response) => {
      if (!path.endsWith(".oware")) return false;
      const [start, end] = request.headers.range.match(/\d+/g).map(Number);
      const headers = { "content-range": `bytes ${start}-${end}/999999999` };
      return response.writeHead(206, headers).end(Buffer.alloc(end - start + 1));
    },
    /is not what it was when it was listed/,
  ],
  "other bytes come": [
    (path, request, response) => {
      if (!path.endsWith(".oware")) return false;
      const bytes = readFileSync(join(dir, path));
      const [start, end] = request.headers.range.match(/\d+/g).map(Number);
      const part = Buffer.from(bytes.subarray(start, end + 1));
      for (let at = 200; at < part.length; at += 97) part[at] ^= 1;
      const headers = { "content-range": `bytes ${start}-${end}/${bytes.length}` };
      return response.writeHead(206, headers).end(part);
    },
    /a table of this server is damaged/,
  ],
};

for (const [name, [seen, words]] of Object.entries(failures)) {
  test(`${name}: one sentence, and never a score`, async () => {
    await with_host({ seen }, async (oware, address) => {
      await oware.connect(address);
      await assert.rejects(oware.query(BOARD), { name: "OwareError", message: words });
    });
  });
}

test("a directory without a list is said", async () => {
  const seen = (path, _, response) => path.endsWith(".json") && response.end("<html>");
  await with_host({ seen }, async (oware, address) => {
    await assert.rejects(oware.connect(address), /tables\.json is no list of tables/);
  });
});

/** What the program says of a position with the tables of a host. */
async function program(address) {
  const words = ["query", "--json", "--tables", address, BOARD];
  const { stdout } = await promisify(execFile)(PROGRAM, words).catch((error) => error);
  return JSON.parse(stdout);
}

test("the program reads the same hosts", async () => {
  for (const ranges of [true, false]) {
    await with_host({ ranges }, async (_, address) => {
      const said = await program(address);
      assert.deepEqual(said, expected);
    });
  }
});

for (const [name, [seen]] of Object.entries(failures)) {
  test(`${name}: the program says one sentence, and never a score`, async () => {
    await with_host({ seen }, async (_, address) => {
      const said = await program(address);
      assert.ok(["io", "corrupt_table"].includes(said.error?.kind), JSON.stringify(said));
    });
  });
}
