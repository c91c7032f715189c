// The page without a server, in a browser: scripts/web says where it is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, launch, open, settled, text, visit } from "../../tests/page/browser.mjs";

before(open);
after(close);

test("small endgames are solved on the spot", () =>
  visit("?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S", async (page) => {
    assert.match(await text(page, "#verdict"), /South \+3/);
    assert.match(await text(page, "#tables"), /0–1[0-9]/);
  }));

test("other sheets are solved when they are chosen", () =>
  visit("?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S&rules=awari", async (page) => {
    assert.match(await text(page, "#verdict"), /South [+−]?\d/);
  }));

test("larger endgames come from the tables beside the page", () =>
  visit("?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S", async (page) => {
    assert.match(await text(page, "#verdict"), /^Draw 24–24 South \+4/);
  }));

test("tables of another origin are read, though it does not expose which part it sends", () =>
  visit("?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S", async (page) => {
    const address = process.env.OWARE_URL.replace("127.0.0.1", "localhost");
    const value = await page.evaluate(async (address) => {
      const { Oware } = await import(new URL("oware.js", document.baseURI).href);
      const oware = new Oware();
      await oware.connect(`${address}tables/`);
      return (await oware.query("1-1-3-1-1-1-2-0-0-0-0-2")).value;
    }, address);
    assert.equal(value, 4);
  }));

test("a library that does not come is fetched again", async () => {
  const browser = await launch();
  try {
    const context = await browser.newContext();
    let comes = false;
    await context.route("**/*.wasm", (route) => (comes ? route.continue() : route.abort()));
    const page = await context.newPage();
    await page.goto(`${process.env.OWARE_URL}?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S`);
    await page.waitForSelector("#trouble:not([hidden])");
    comes = true;
    await page.selectOption("#rules", "awari");
    await page.waitForFunction(() => /South/.test(document.querySelector("#verdict").textContent));
  } finally {
    await browser.close();
  }
});

test("after the first visit it works without a network", async () => {
  const browser = await launch();
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const address = `${process.env.OWARE_URL}?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S`;
    const [foreign, old] = [`oware ${address} 1`, `oware ${process.env.OWARE_URL} 1`];
    // Caches that are there before the service worker is.
    await page.goto(`${process.env.OWARE_URL}icon.svg`);
    await page.evaluate((names) => Promise.all(names.map((name) => caches.open(name))), [foreign, old]);
    await page.goto(address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    const kept = await page.evaluate(() => caches.keys());
    assert.ok(kept.includes(foreign) && !kept.includes(old), `${kept}`);
    await context.setOffline(true);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await settled(page);
    assert.match(await text(page, "#verdict"), /South \+3/);
  } finally {
    await browser.close();
  }
});
