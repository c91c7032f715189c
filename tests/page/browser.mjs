// A browser and a server for the tests, and what they ask of both.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const SHOTS = process.env.SHOTS;
const server = process.env.OWARE_URL;
assert.ok(server, "scripts/page says where the server is");
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

let browser;

/** Starts a browser, which the caller closes. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });

/** Starts the browser; to be called before all tests of a file. */
export async function open() {
  browser = await launch();
}

/** Ends it. */
export async function close() {
  await browser.close();
}

/** Visits the page. Whatever the console complains of fails the test, unless it is expected. */
export async function visit(path, act, { expected = [], server: address = server, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 1000 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  const note = (text) => expected.some((part) => text.includes(part)) || complaints.push(text);
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && note(message.text()),
  );
  page.on("pageerror", (error) => note(`${error.message} ${error.stack}`));
  page.setDefaultTimeout(20000);
  try {
    await page.goto(address + path);
    if (options.javaScriptEnabled !== false) {
      await page.waitForSelector("html[data-ready]");
      await settled(page);
    }
    await act(page);
  } finally {
    await context.close();
  }
  assert.deepEqual(complaints, []);
}

/** Waits until everything that was asked for is shown. */
export async function settled(page) {
  await page.waitForSelector('main[aria-busy="false"]');
}

/** Keeps a picture for people, if they have named a directory for pictures. */
export async function shoot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** Seeds that the twelve houses show, South's A to F and then North's, as numbers and as drawn. */
export async function houses(page) {
  const counts = await page.$$eval(".house", (all) =>
    all.map((each) => [
      Number(each.dataset.house),
      Number(each.querySelector(".count").textContent),
      each.querySelectorAll(".seed").length,
    ]),
  );
  for (const [, count, drawn] of counts)
    assert.equal(count, drawn, "as many seeds are drawn as are counted");
  return counts.sort(([one], [other]) => one - other).map(([, count]) => count);
}

/** What both stores show. */
export async function stores(page) {
  return page.$$eval(".store", (all) =>
    Object.fromEntries(
      all.map((each) => [each.dataset.store, Number(each.querySelector(".count").textContent)]),
    ),
  );
}

/** The score that a house shows, and whether it is marked as best. */
export async function badge(page, house) {
  return page.$eval(`[data-house="${house}"]`, (each) => [
    each.querySelector(".badge").textContent,
    each.classList.contains("best"),
  ]);
}

export const text = (page, selector) =>
  page.$eval(selector, (each) => each.innerText.replace(/\s+/g, " ").trim());

/** Pastes a text into the page, as a person does with keys. */
export const paste = (page, written) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, written);
