// Hands: what has the keyboard keeps it, arrows step through the game, set-ups are taken back; and
// whatever happens can be seen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, settled, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const FAILED = ["Failed to load resource", "net::ERR"];
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: it } = document;
    return it.id || it.getAttribute("aria-label") || it.textContent;
  });

test("what has the keyboard keeps it after a press", () =>
  visit(`${ENDGAME}&moves=DfCaEc`, async (page) => {
    for (const id of ["undo", "first", "redo", "last", "flip", "scores"]) {
      await page.focus(`#${id}`);
      await page.keyboard.press("Enter");
      await settled(page);
      assert.equal(await focused(page), id);
    }
    await page.click("#scores");
    await page.click("#first");
    await settled(page);
    await page.focus("#moves button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/moves=F$/);
    await settled(page);
    assert.match(await focused(page), /^Play [a-f]$/, "the first of the moves that there are now");
    await page.focus("#game .chips button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/at=0/);
    await settled(page);
    assert.equal(await focused(page), "Start");
    await page.focus("#line .group button:last-child");
    await page.keyboard.press("Enter");
    await page.waitForSelector('#line [aria-current="true"]');
    assert.match(await focused(page), /Next/);
  }));

test("arrows step through the game wherever the mouse was last", () =>
  visit(`${ENDGAME}&moves=DfCaEc`, async (page) => {
    await page.click('[data-house="6"]', { force: true });
    for (const at of [5, 4]) {
      await page.keyboard.press("ArrowLeft");
      await page.waitForURL(new RegExp(`at=${at}`));
      await settled(page);
    }
    await page.click("#verdict");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/at=5/);
    await settled(page);
    await page.click('[data-house="0"]', { force: true });
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    assert.match(await focused(page), /^House/, "who goes into the board by an arrow stays there");
    assert.match(page.url(), /at=5/);
  }));

test("set-ups are taken back, and what was removed stays away", () =>
  visit(ENDGAME, async (page) => {
    await page.click("#edit");
    await page.getByRole("button", { name: "Taps take" }).click();
    await page.click('[data-house="2"]');
    await page.click('[data-house="2"]');
    await page.waitForURL(/board=1-1-1-/);
    await page.keyboard.press("z");
    await page.waitForURL(/board=1-1-2-/);
    await page.click("#undo");
    await page.waitForURL(/board=1-1-3-/);
    await page.click("#last");
    await page.waitForURL(/board=1-1-1-/);
    await settled(page);
    await page.goBack();
    await page.waitForURL(/board=1-1-3-/);
    await settled(page);
    assert.equal(await page.isVisible("#setup"), false, "back is out of the set-up");
    assert.deepEqual((await houses(page)).slice(0, 3), [1, 1, 3]);
    await page.click("#edit");
    await page.getByRole("button", { name: "Empty" }).click();
    await page.click('[data-house="4"]');
    await page.waitForURL(/board=0-0-0-0-1-0-/);
    assert.deepEqual(await houses(page), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  }));

test("what is waited for can be seen, and waiting ends", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.clock.install();
      await page.route("**/v1/game*", () => {});
      await page.click('[data-house="2"]');
      await page.clock.fastForward(4000);
      await page.waitForFunction(() => /for \d s/.test(document.querySelector("#waiting").textContent));
      await page.locator("#waiting").waitFor({ state: "visible" });
      await page.clock.fastForward(13000);
      await page.waitForSelector("#trouble:not([hidden])");
      assert.match(await text(page, "#trouble"), /No answer for 15 seconds. Try again/);
      await page.unroute("**/v1/game*");
      await page.click("#retry");
      await page.waitForSelector("#trouble", { state: "hidden" });
      await settled(page);
      assert.deepEqual(await houses(page), [1, 1, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2]);
    },
    { expected: FAILED },
  ));

test("a server with too much to do is asked again", () =>
  visit(
    "",
    async (page) => {
      let refused = 0;
      await page.route("**/v1/query*", (route) => {
        if (refused > 0) return route.continue();
        refused += 1;
        const error = { kind: "io", message: "too many connections" };
        return route.fulfill({ status: 503, json: { error } });
      });
      await page.goto(process.env.OWARE_URL + ENDGAME);
      await page.waitForSelector("html[data-ready]");
      await settled(page);
      assert.equal(refused, 1);
      assert.match(await text(page, "#verdict"), /^Draw 24–24/);
    },
    { expected: FAILED },
  ));

test("the engine is seen to think", () =>
  visit(
    "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S&play=north5",
    async (page) => {
      await page.click('[data-house="2"]');
      await page.waitForSelector("#verdict .thinks .spinner");
      assert.match(await text(page, "#verdict"), /North to move: the engine, level 5/);
      await page.waitForURL(/moves=C[a-f]/, { timeout: 20000 });
    },
    { expected: ["429"] },
  ));

test("what is done is said where it is seen", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.click("#copy");
      await page.waitForFunction(() => document.querySelector("#said").textContent.includes("copied"));
      const seen = await page.locator("#said").boundingBox();
      assert.ok(seen.height > 20 && seen.width > 60, JSON.stringify(seen));
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));
