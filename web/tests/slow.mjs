// How long a slow phone waits for the page of a static host: 400 kbit/s, 400 ms for each request, and a
// processor that is four times slower (DevTools throttles the page; the worker of the library runs at
// the speed of this machine).
//
//   node web/tests/slow.mjs SITE        prints seconds: from an empty cache, and from a warm one

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { chromium } from "../../tests/page/node_modules/playwright-core/index.mjs";
import { host } from "./host.mjs";

const LATENCY = 400;
const BYTES_PER_SECOND = 400_000 / 8;
const SLOWER = 4;
const site = process.argv[2];
const QUESTIONS = {
  "a new game: the board with its moves": "",
  "an endgame of 6 seeds: what it is worth": "?board=0-0-1-0-1-0-2-0-1-0-0-1-21-21-S",
};

/** The line to the phone: one byte after the other, for all requests together. */
let free = 0;
const sent = (bytes) => {
  const now = performance.now();
  free = Math.max(free, now) + (bytes / BYTES_PER_SECOND) * 1000;
  return new Promise((done) => setTimeout(done, free - now));
};
const packed = new Map();
let carried = 0;

/** Sends a file as static hosts do, in brotli, in small pieces over the slow line. */
async function carry(path, response) {
  const file = `${site}/${path.endsWith("/") ? `${path}index.html` : path}`;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  if (!packed.has(file)) packed.set(file, brotliCompressSync(readFileSync(file), quality));
  const bytes = packed.get(file);
  carried += bytes.length;
  await new Promise((done) => setTimeout(done, LATENCY));
  const kinds = { js: "text/javascript", css: "text/css", wasm: "application/wasm", json: "application/json" };
  const kind = kinds[file.split(".").pop()] ?? (file.endsWith(".svg") ? "image/svg+xml" : "text/html");
  const age = /sw\.js$|index\.html$/.test(file) ? "no-cache" : "max-age=600";
  response.writeHead(200, { "content-type": kind, "content-encoding": "br", "cache-control": age });
  for (let at = 0; at < bytes.length; at += 4096) {
    await sent(Math.min(4096, bytes.length - at));
    response.write(bytes.subarray(at, at + 4096));
  }
  response.end();
}

const { address, close } = await host(site, {
  seen: (path, _, response) => {
    if (path.endsWith(".oware") || path.endsWith("tables.json")) return false;
    carry(path, response).catch(() => response.destroy());
    return true;
  },
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

/** Seconds until the page has answered. */
async function visit(context, question) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  page.setDefaultTimeout(120_000);
  carried = 0;
  const begin = performance.now();
  await page.goto(address + question, { waitUntil: "commit" });
  const told = question ? "#verdict .figure" : "#moves button, #board [data-house='0']";
  await page.waitForSelector("html[data-ready]");
  await page.waitForSelector('main[aria-busy="false"]');
  await page.waitForSelector(told);
  const seconds = (performance.now() - begin) / 1000;
  const kilobytes = Math.round(carried / 1000);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.close();
  return `${seconds.toFixed(1)} s, ${kilobytes} KB`;
}

for (const [name, question] of Object.entries(QUESTIONS)) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true });
  console.log(`${name}: empty cache ${await visit(context, question)}`);
  console.log(`${name}: warm cache ${await visit(context, question)}`);
  await context.close();
}
await browser.close();
close();
