// The package under Node, beside the program: the same tables, the same answers.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";

import { Oware, OwareError } from "../../target/web/package/oware.js";

const PROGRAM = process.env.OWARE ?? "target/release/oware";
const SEEDS = 9;

const dir = mkdtempSync(join(tmpdir(), "oware-"));
after(() => rmSync(dir, { recursive: true }));
const run = (words) =>
  execFileSync(PROGRAM, words, { encoding: "utf8", maxBuffer: 1 << 28 });
run(["build", "--quiet", "--rules", "abapa", "--seeds", `${SEEDS}`, "--out", dir]);

async function built(seeds = SEEDS) {
  const oware = new Oware();
  const progress = [];
  await oware.build("abapa", seeds, ({ seeds }) => progress.push(seeds));
  assert.deepEqual(progress, Array.from({ length: seeds + 1 }, (_, at) => at));
  return oware;
}

/** Numbers that look drawn by lot, the same each time. */
function* numbers(state = 41) {
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function positions(count, most) {
  const dice = numbers();
  const below = (end) => Math.floor(dice.next().value * end);
  return Array.from({ length: count }, () => {
    const houses = Array(12).fill(0);
    for (let seeds = below(most + 1); seeds > 0; seeds--) houses[below(12)]++;
    return houses.join("-");
  });
}

test("tables are those of the program, byte for byte", async () => {
  const oware = await built();
  const names = readdirSync(dir).filter((name) => name.endsWith(".oware"));
  assert.equal(names.length, SEEDS + 1);
  assert.deepEqual((await oware.names()).sort(), names.sort());
  for (const name of names) {
    const ours = Buffer.from(await oware.file(name));
    assert.ok(ours.equals(readFileSync(join(dir, name))), name);
  }
});

test("a thousand positions are answered as by the program", async () => {
  const oware = await built();
  const asked = positions(1000, SEEDS + 1);
  const words = ["query", "--batch", "--tables", dir];
  // Some have more seeds than there are tables, so that it fails in the end.
  const { stdout } = spawnSync(PROGRAM, words, { input: asked.join("\n"), encoding: "utf8" });
  const expected = stdout.trimEnd().split("\n");
  const { text } = await oware.ask("/v1/batch", { method: "POST", body: asked.join("\n") });
  const answers = text.trimEnd().split("\n");
  assert.equal(answers.length, 1000);
  for (const [at, answer] of answers.entries()) {
    const [ours, theirs] = [answer, expected[at]].map((line) => JSON.parse(line));
    if (theirs.error) assert.equal(ours.error.kind, theirs.error.kind, asked[at]);
    else assert.deepEqual(ours, theirs, asked[at]);
  }
});

test("files of the program are read, and damaged ones refused", async () => {
  const oware = new Oware();
  const names = readdirSync(dir).filter((name) => name.endsWith(".oware"));
  for (const name of names) await oware.put(name, readFileSync(join(dir, name)));
  const board = "1-1-1-1-1-0-1-1-1-0-0-0";
  const { value } = await oware.query(board);
  const theirs = JSON.parse(run(["query", "--json", "--tables", dir, board]));
  assert.equal(value, theirs.value);

  const bad = new Oware();
  for (const name of names) {
    const bytes = readFileSync(join(dir, name));
    bytes[bytes.length - 60] ^= 1;
    await bad.put(name, bytes);
  }
  await assert.rejects(bad.query(board), { kind: "corrupt_table", status: 500 });
});

test("what is wrong is said", async () => {
  const oware = await built(3);
  const refused = (kind, status) => (error) =>
    error instanceof OwareError && error.kind === kind && error.status === status;
  await assert.rejects(oware.query("1-2-3"), refused("usage", 400));
  await assert.rejects(oware.query("1-1-1-1-1-0-1-1-0-0-0-0"), refused("missing_table", 404));
  await assert.rejects(oware.query("0-0-0-0-0-1-1-0-0-0-0-0", { sheet: "x" }), refused("usage", 400));
  assert.equal((await oware.ask("/v1/nothing")).status, 404);
  assert.equal((await oware.ask("/v1/query", { method: "POST" })).status, 405);
  const { message } = await oware.query("1-1-1-1-1-0-1-1-0-0-0-0").catch((error) => error);
  assert.match(message, /^there is no abapa table for 7 seeds;/);
  assert.doesNotMatch(message, /server/);
  await assert.rejects(oware.connect("http://127.0.0.1:1/"), refused("io", 500));
});

test("a build that fails says so each time, and one under way is waited for", async () => {
  const oware = new Oware();
  const failed = (error) => error instanceof OwareError && error.kind === "io";
  for (const _ of [1, 2]) await assert.rejects(oware.build("no such sheet", 3), failed);
  await Promise.all([oware.build("abapa", 4), oware.build("abapa", 4)]);
  assert.equal((await oware.names()).length, 5);
  await oware.build("abapa", 2);
  assert.equal((await oware.names()).length, 5);
});

test("tables are listed", async () => {
  const { status, text } = await (await built(2)).ask("/v1/tables");
  assert.equal(status, 200, text);
  const files = JSON.parse(text).tables.map(({ file, bytes }) => [file, bytes]);
  const expected = ["abapa-00.oware", "abapa-01.oware", "abapa-02.oware"];
  assert.deepEqual(files, expected.map((file) => [file, statSync(join(dir, file)).size]));
});

/** The fields that the types declare: of each interface whether they may be missing, by name. */
function declared(name) {
  const types = readFileSync(new URL("../package/oware.d.ts", import.meta.url), "utf8");
  const [, above, body] = types.match(
    new RegExp(`^export interface ${name}(?: extends (\\w+))? \\{\n([^]*?)^\\}`, "m"),
  );
  const fields = [...body.matchAll(/^  (\w+)(\??):/gm)].map(([, field, mark]) => [field, mark === "?"]);
  return new Map([...(above ? declared(above) : []), ...fields]);
}

test("documents have the fields that the types declare", async () => {
  const oware = await built(6);
  const has = (document, name) => {
    const fields = declared(name);
    for (const field of Object.keys(document)) assert.ok(fields.has(field), `${name}.${field}`);
    for (const [field, isOptional] of fields) {
      assert.ok(isOptional || field in document, `${name}.${field} is missing`);
    }
  };
  const boards = [
    "0-0-1-0-1-0-0-0-0-0-0-1",
    "0-0-1-0-0-0-0-1-0-0-1-1", // repeats itself
    "0-0-0-0-1-0-0-0-0-0-0-0", // is over
    "0-0-1-0-1-0-0-0-0-0-0-1-22-23-S",
    "0-0-1-0-1-0-0-0-0-0-0-1-1-1-S", // is of no game
  ];
  const seen = new Set();
  for (const board of boards) {
    const query = await oware.query(board, { explain: true });
    has(query, "Query");
    for (const move of query.moves) has(move, "ScoredMove");
    has(await oware.query(board, { scores_only: true }), "Score");
    Object.keys(query).forEach((field) => seen.add(field));
  }
  // Only clamped tables have a range.
  assert.deepEqual([...declared("Query").keys()].filter((field) => !seen.has(field)), ["range"]);
});

test("the engine thinks for a while", async () => {
  const oware = await built(4);
  const begun = Date.now();
  const found = await oware.search("4-4-4-4-4-4-4-4-4-4-4-4", { time: 300, depth: 48 });
  const taken = Date.now() - begun;
  assert.ok(taken >= 250 && taken < 5000, `${taken} ms`);
  assert.ok(found.depth > 4 && found.best.length === 1 && found.line.length > 0);
});

test("estimates are those of the program", async () => {
  const oware = await built(0);
  const boards = positions(60, 48).filter((board) => /[1-9]/.test(board));
  const go = boards.map((board) => `ucinewgame\nposition fen ${board.replaceAll("-", " ")}\ngo depth 5\n`);
  const said = execFileSync(PROGRAM, ["engine", "--no-tables"], { encoding: "utf8", input: go.join("") });
  const theirs = said.split(/^bestmove .*\n/m).map((search) => search.match(/score cp (-?\d+)(?!.*score cp)/s));
  let compared = 0;
  for (const [at, board] of boards.entries()) {
    // Where there is one move, or none, a search that has a time ends at once.
    const { estimate, depth } = await oware.search(board, { time: 60_000, depth: 5 });
    if (depth !== 5) continue;
    assert.equal(Math.round(100 * estimate), Number(theirs[at][1]), board);
    compared++;
  }
  assert.ok(compared > 40, `${compared}`);
});

test("games, records, lines and figures", async () => {
  const oware = await built(6);
  const game = await oware.game("0-0-1-0-1-0-0-0-0-0-0-1-22-23-S", "Cf");
  assert.deepEqual(game.positions.map(({ low }) => low), [3, -3, 3]);
  const record = await oware.verify("0-0-1-0-1-0-0-0-0-0-0-1-22-23-S moves Cf");
  assert.equal(record.games.length, 1);
  const line = await oware.line("0-0-1-0-1-0-0-0-0-0-0-1");
  assert.equal(line.steps.length, line.line.length);
  const stats = await oware.stats({ layer: 5 });
  assert.equal(stats.layers[0].positions, 4368);
  const many = await oware.batch([[0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1], "nonsense"]);
  assert.equal(many[0].value, 3);
  assert.equal(many[1].error.kind, "usage");
});
