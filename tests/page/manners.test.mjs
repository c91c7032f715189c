// The page as a thing of use: keys, links, files, windows, proxies, and servers that stop.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, houses, open, settled, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const FAILED = ["Failed to load resource", "net::ERR"];

test("the board is one stop of the Tab key from the beginning", () =>
  visit(ENDGAME, async (page) => {
    const stops = () =>
      page.$$eval(".board [tabindex='0'], .board :not([tabindex]):is(button, a)", (all) => all.length);
    assert.equal(await stops(), 1);
    await page.click("#edit");
    await page.click("#edit");
    assert.equal(await stops(), 1, "stores are out of it again after setting up");
  }));

test("arrows, Home and End go along the game", () =>
  visit(`${ENDGAME}&moves=DfCaEc`, async (page) => {
    const at = () => new URL(page.url()).searchParams.get("at");
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/at=5/);
    await page.keyboard.press("Home");
    await page.waitForURL(/at=0/);
    await settled(page);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/at=1/);
    await page.keyboard.press("End");
    await page.waitForURL((url) => !url.search.includes("at="));
    assert.equal(at(), null);
  }));

test("keys that are pressed while seeds fly are not lost", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.keyboard.press("c");
      await page.waitForSelector(".flying");
      await page.keyboard.press("f");
      await page.keyboard.press("d");
      await page.waitForURL(/moves=CfD$/);
    },
    { reducedMotion: "no-preference" },
  ));

test("seeds that fly can be seen", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.click('[data-house="2"]');
      await page.waitForFunction(() => {
        const seed = document.querySelector(".flying");
        return seed && getComputedStyle(seed).backgroundImage.includes("radial-gradient");
      });
      await page.waitForURL(/moves=C$/);
    },
    { reducedMotion: "no-preference" },
  ));

test("moves have numbers, and what they went on with before stays", () =>
  visit(`${ENDGAME}&moves=DfCa`, async (page) => {
    const numbers = () => page.$$eval("#game .no", (all) => all.map((each) => each.textContent));
    assert.deepEqual(await numbers(), ["1.", "2."]);
    await page.click("#first");
    await settled(page);
    await page.click('[data-house="5"]');
    await page.waitForURL(/moves=F$/);
    await settled(page);
    assert.match(await text(page, "#game .variations"), /after the start: D f C a/);
    await page.click("#game .variations button");
    await page.waitForURL(/moves=DfCa&at=1/);
    await settled(page);
    assert.match(await text(page, "#game .variations"), /after the start: F/);
  }));

test("the board turns, for the eye and for the keys", () =>
  visit(ENDGAME, async (page) => {
    const place = (house) =>
      page.$eval(`[data-house="${house}"]`, (each) => {
        const { left, top } = each.getBoundingClientRect();
        return [Math.round(left), Math.round(top)];
      });
    const [before, other] = [await place(0), await place(6)];
    await page.keyboard.press("x");
    assert.equal(await page.getAttribute("#flip", "aria-pressed"), "true");
    assert.deepEqual([(await place(6))[0], (await place(0))[0]], [before[0], other[0]]);
    assert.ok((await place(0))[1] < (await place(6))[1], "South's row is above");
    await page.focus('[data-house="6"]');
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.house), "7");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.house), "4");
    await page.click("#flip");
    assert.deepEqual(await place(0), before);
  }));

test("a link is copied, and a game goes out as a record and comes back by a drop", () =>
  visit(
    `${ENDGAME}&moves=DfC`,
    async (page) => {
      await page.click("#copy");
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
      assert.match(await text(page, "#said"), /copied/);
      await page.click("#first");
      await settled(page);
      await page.click('[data-house="5"]');
      await page.waitForURL(/moves=F$/);
      await page.click("#game .variations button");
      await page.waitForURL(/moves=DfC&at=1/);
      await settled(page);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click("#download"),
      ]);
      assert.match(download.suggestedFilename(), /\.ogn$/);
      const record = readFileSync(await download.path(), "utf8");
      assert.match(record, /\[Variant "abapa"\]\n\[FEN "1-1-3-1-1-1-2-0-0-0-0-2-16-20-S"\]/);
      assert.match(record, /1\. D \{oware: gives away 12 seeds, better was F\} \(1\. F\) 1\.\.\. f/);
      await page.goto(page.url().replace(/\?.*/, ""));
      await page.waitForSelector("html[data-ready]");
      await page.evaluate((data) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([data], "game.ogn", { type: "text/plain" }));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      }, record);
      await page.waitForURL(/moves=DfC/);
      await settled(page);
      assert.deepEqual(await stores(page), { south: 16, north: 20 });
      assert.match(await text(page, "#game .variations"), /after the start: F$/);
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("a copied link brings the variations along", () =>
  visit(
    `${ENDGAME}&moves=DfCa`,
    async (page) => {
      await page.click("#first");
      await settled(page);
      await page.click('[data-house="5"]');
      await page.waitForURL(/moves=F$/);
      await settled(page);
      await page.click("#copy");
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(link, `${page.url()}&asides=0-DfCa`);
      for (const [address, shown] of [
        [link, /after the start: D f C a/],
        [link.replace("0-DfCa", "0-Df_7-C_x_0-C"), /D f[^]*C(?! a)/],
        [page.url(), /^$/],
      ]) {
        await page.goto("about:blank");
        await page.goto(address);
        await page.waitForSelector("html[data-ready]");
        await settled(page);
        const variations = await page.$$eval("#game .variations", (all) =>
          all.map((each) => each.textContent).join(" "),
        );
        assert.match(variations, shown);
      }
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("a message about a position stays when the window changes", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.fill("#position", "1 2 3");
      await page.press("#position", "Enter");
      await page.waitForFunction(() => document.querySelector("#position-error").textContent);
      await page.setViewportSize({ width: 800, height: 900 });
      await page.waitForTimeout(200);
      assert.match(await text(page, "#position-error"), /3 numbers instead of 12/);
    },
    { expected: FAILED },
  ));

test("a server that stops leaves no stale scores, and is asked again", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.route("**/v1/**", (route) => route.abort());
      await page.click('[data-house="2"]');
      await page.waitForSelector("#trouble:not([hidden])");
      assert.match(await text(page, "#trouble"), /There is no answer.*Try again/);
      assert.equal(await page.$$eval(".badge", (all) => all.map((each) => each.textContent).join("")), "");
      assert.doesNotMatch(await text(page, "#verdict"), /\+4/);
      assert.equal(await page.locator("#moves tbody tr").count(), 0);
      await page.unroute("**/v1/**");
      // Without a click: it asks again by itself.
      await page.waitForSelector("#trouble", { state: "hidden", timeout: 15000 });
      await settled(page);
      assert.deepEqual(await houses(page), [1, 1, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2]);
      await page.route("**/v1/**", (route) => route.abort());
      await page.selectOption("#rules", "abapa-even");
      await page.waitForSelector("#trouble:not([hidden])");
      await page.unroute("**/v1/**");
      await page.click("#retry");
      await page.waitForSelector("#trouble", { state: "hidden" });
    },
    { expected: FAILED },
  ));

test("what the server says is German for readers of German", () =>
  visit(
    ENDGAME,
    async (page) => {
      for (const [written, part] of [
        ["1 2 3", "3 Zahlen statt 12"],
        ["a b c", "ist keine Zahl"],
        ["49 0 0 0 0 0 0 0 0 0 0 0", "zu viele Bohnen|48"],
        ["9 9 9 9 9 9 0 0 0 0 0 0", "das Spiel hat 48"],
        ["", "0 Zahlen"],
      ]) {
        await page.fill("#position", written);
        await page.press("#position", "Enter");
        await page.waitForFunction(
          (wanted) => new RegExp(wanted).test(document.querySelector("#position-error").textContent),
          part,
        );
        assert.doesNotMatch(await text(page, "#position-error"), /\bseeds?\b|\bnumbers?\b|Englisch/);
      }
      await page.click("#import");
      for (const record of ["", "1. Q", '[FEN "nonsense"]\n\n1. A *']) {
        await page.fill("#record", record);
        await page.click("#judge");
        await page.waitForFunction(() =>
          /Partie|Stellung/.test(document.querySelector("#import-error").textContent),
        );
        assert.doesNotMatch(await text(page, "#import-error"), /Englisch/, record);
      }
    },
    { locale: "de-DE", expected: FAILED },
  ));

test("below a path of a proxy everything works", async () => {
  const upstream = new URL(process.env.OWARE_URL);
  const asked = [];
  const proxy = createServer((incoming, answer) => {
    asked.push(incoming.url);
    if (!incoming.url.startsWith("/games/oware/")) {
      answer.writeHead(404).end();
      return;
    }
    const path = incoming.url.slice("/games/oware".length);
    const { hostname: host, port } = upstream;
    const { method, headers } = incoming;
    const passed = request({ host, port, path, method, headers }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    incoming.pipe(passed);
  });
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${proxy.address().port}/games/oware/`;
  try {
    await visit(
      ENDGAME,
      async (page) => {
        await page.click('[data-house="5"]');
        await page.waitForURL(/games\/oware\/\?.*moves=F$/);
        await settled(page);
        assert.match(await text(page, "#verdict"), /^Draw 24–24/);
      },
      { server: address },
    );
    assert.deepEqual(asked.filter((path) => !path.startsWith("/games/oware/")), []);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("without scripts the page says so, in both languages", () =>
  visit(
    "",
    async (page) => {
      assert.match(await text(page, "noscript"), /needs JavaScript.*braucht JavaScript/);
    },
    { javaScriptEnabled: false },
  ));
