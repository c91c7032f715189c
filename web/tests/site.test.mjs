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
    await page.goto(address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await context.setOffline(true);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await settled(page);
    assert.match(await text(page, "#verdict"), /South \+3/);
  } finally {
    await browser.close();
  }
});
