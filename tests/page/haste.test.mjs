// Haste: whatever the reader does while something is shown or asked for, what comes late is let go.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, settled, text, visit } from "./browser.mjs";

before(open);
after(close);

const START = "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const FAILED = ["Failed to load resource", "net::ERR"];
const MOVING = { reducedMotion: "no-preference" };
const place = (page) => page.inputValue("#other-position");
const has = (page, selector, part) =>
  page.waitForFunction(([where, wanted]) => document.querySelector(where).textContent.includes(wanted), [
    selector,
    part,
  ]);

/** Lets answers come late. */
const delay = (page, path, time) =>
  page.route(path, async (route) => {
    await new Promise((done) => setTimeout(done, time));
    await route.continue().catch(() => {});
  });

test("a move of Bao that is being sown is let go when the reader goes elsewhere", () =>
  visit(
    "?rules=bao-stores&board=1-9-1-1-9-1-1-1-1-9-1-1-9-1-1-1-0-0-S&moves=B.B",
    async (page) => {
      const url = page.url();
      const steps = await text(page, "#other-steps");
      await page.locator("#other-moves button", { hasText: /^E/ }).click();
      await page.waitForSelector(".place.lands");
      await page.click("#other-undo");
      await page.waitForURL(/at=1/);
      await page.waitForTimeout(1500);
      assert.equal(await text(page, "#other-steps"), steps);
      assert.equal(page.url(), `${url}&at=1`);
      const shown = await page.$$eval(".place", (all) =>
        all.map((each) => [Number(each.dataset.place), each.querySelector(".count").textContent]),
      );
      const counts = shown.sort(([one], [other]) => one - other).map(([, count]) => count);
      assert.ok((await place(page)).startsWith(counts.join("-")), `${counts}`);
      await page.locator("#other-moves button", { hasText: /^E/ }).click();
      await page.waitForSelector(".place.lands");
      await page.selectOption("#other-rules", "nam-nam");
      await page.waitForURL(/rules=nam-nam&board/);
      await page.waitForTimeout(1500);
      assert.match(page.url(), /4-0-0-S-ssssssnnnnnn$/);
      assert.equal(await page.locator("#other-steps li").count(), 1);
    },
    MOVING,
  ));

test("the engine does not play on when another game is opened", () =>
  visit(
    `${START}&play=north1`,
    async (page) => {
      await delay(page, "**/v1/search*", 1000);
      await page.click('[data-house="2"]');
      await page.waitForSelector("#verdict .thinks");
      await page.selectOption("#rules", "bao-stores");
      await page.waitForURL(/rules=bao-stores&board/);
      await page.waitForTimeout(4000);
      assert.match(page.url(), /rules=bao-stores&board/);
      assert.equal(await page.isVisible("#trouble"), false);
    },
    { expected: ["429"] },
  ));

test("a position that is read late opens no other game", () =>
  visit(ENDGAME, async (page) => {
    await delay(page, "**/v1/game*", 700);
    await page.fill("#position", "1 2 0 0 0 0  0 0 0 0 0 2");
    await page.press("#position", "Enter");
    await page.selectOption("#rules", "bao-stores");
    await page.waitForURL(/rules=bao-stores&board/);
    await page.waitForTimeout(1200);
    assert.match(page.url(), /rules=bao-stores&board/);
  }));

test("what the page stops itself is no trouble", () =>
  visit(
    `${START}&moves=FfEdDaCbBcAe`,
    async (page) => {
      await delay(page, "**/v1/search*", 400);
      const trouble = () => page.isVisible("#trouble");
      await page.click("#first");
      await settled(page);
      await page.keyboard.press("h");
      await has(page, "#said", "Hint: ");
      assert.equal(await trouble(), false);
      await page.waitForSelector("#verdict .tone-guess", { timeout: 20000 });
      await page.click("#last");
      await settled(page);
      await page.locator("#game .group button").first().click();
      await has(page, "#waiting", "of 12");
      await page.click("#undo");
      await page.waitForURL(/at=11/);
      await page.waitForTimeout(600);
      assert.equal(await trouble(), false);
    },
    { expected: ["429"] },
  ));

test("a key before the first answer leaves the keyboard as it was", () =>
  visit(`${START}&play=north1`, async (page) => {
    await delay(page, "**/v1/game*", 800);
    await page.reload();
    await page.waitForSelector("html[data-drawn]");
    await page.keyboard.press("z");
    await page.waitForSelector("html[data-ready]");
    await page.keyboard.press("?");
    await page.waitForSelector("#help", { state: "visible" });
  }));

test("an import that is cancelled comes to nothing, and is asked for once", () =>
  visit(ENDGAME, async (page) => {
    let asked = 0;
    await page.route("**/v1/verify*", async (route) => {
      asked += 1;
      await new Promise((done) => setTimeout(done, 600));
      await route.continue();
    });
    await page.click("#import");
    await page.fill("#record", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves F f E");
    await page.dblclick("#judge");
    await page.click('#importer button[value="cancel"]');
    await page.waitForTimeout(1200);
    assert.equal(asked, 1);
    assert.ok(page.url().endsWith(ENDGAME), page.url());
    await page.click("#import");
    await page.click("#judge");
    await page.waitForURL(/moves=FfE/);
  }));

test("going back while seeds fly is going back", () =>
  visit(
    `${START}&play=nobody1`,
    async (page) => {
      const play = (house) => page.click(`[data-house="${house}"]`);
      await play(0);
      await page.waitForURL(/moves=A&/);
      await settled(page);
      await play(6);
      await page.waitForURL(/moves=Aa/);
      await settled(page);
      await play(1);
      await page.waitForSelector(".flying");
      await page.goBack();
      await page.waitForURL(/moves=A&/);
      await page.waitForTimeout(2500);
      assert.match(page.url(), /moves=A&/);
      assert.deepEqual(await houses(page), [0, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4]);
      assert.match(await text(page, "#verdict"), /^North to move/);
    },
    MOVING,
  ));

test("a table of Bao that is gone leaves the board and its moves", () =>
  visit(
    "",
    async (page) => {
      const error = { kind: "missing_table", message: "there is no bao-stores table for 3 seeds" };
      await page.route("**/v1/query*", (route) => route.fulfill({ status: 404, json: { error } }));
      await page.goto(`${process.env.OWARE_URL}?rules=bao-stores&board=1-0-1-0-0-0-0-0-0-0-0-1-0-0-0-0-0-0-S`);
      await page.waitForSelector("html[data-ready]");
      assert.match(await text(page, "#other-verdict"), /There is no table of this position/);
      assert.ok((await page.locator("#other-moves tbody tr").count()) > 0);
      await page.click("#other-scores");
    },
    { expected: FAILED },
  ));

test("a server that is silent in Bao is asked again", () =>
  visit(
    "",
    async (page) => {
      await page.route("**/v1/moves*", (route) => route.abort());
      await page.goto(`${process.env.OWARE_URL}?rules=bao-stores`);
      await page.waitForSelector("#trouble:not([hidden])");
      await page.click("#other-scores");
      await page.unroute("**/v1/moves*");
      await page.click("#retry");
      await page.waitForSelector("#trouble", { state: "hidden" });
      assert.equal(await page.locator("#other-moves tbody tr").count(), 8);
    },
    { expected: FAILED },
  ));

test("waiting ends for those who leave a look ahead", () =>
  visit(ENDGAME, async (page) => {
    await delay(page, "**/v1/query*", 1500);
    await page.click("#line .group button:last-child");
    await page.waitForSelector('main[aria-busy="true"]');
    await page.keyboard.press("z");
    await page.waitForTimeout(2500);
    assert.equal(await page.getAttribute("main", "aria-busy"), "false");
  }));

test("a list of puzzles that is refused is asked for again", () =>
  visit(
    ENDGAME,
    async (page) => {
      const error = { kind: "io", message: "too many connections" };
      await page.route("**/puzzles.json", (route) => route.fulfill({ status: 503, json: { error } }));
      await page.click("#puzzle");
      await has(page, "#said", "The puzzles cannot be loaded");
      await page.unroute("**/puzzles.json");
      await page.click("#puzzle");
      await page.waitForURL(/puzzle=\d+/);
    },
    { expected: FAILED },
  ));
