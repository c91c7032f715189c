// Setting positions up: by click, by key, by paste; and games that were recorded.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, paste, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

test("clicks and keys put seeds down and take them away", () =>
  visit("", async (page) => {
    await page.click("#edit");
    await page.getByRole("button", { name: "Empty" }).click();
    await page.click('[data-house="2"]');
    await page.click('[data-house="2"]');
    await page.click('[data-house="2"]', { modifiers: ["Shift"] });
    await page.click('[data-house="4"]');
    await page.focus('[data-house="11"]');
    await page.keyboard.type("12");
    await page.keyboard.press("-");
    await page.keyboard.press("Delete");
    await page.keyboard.press("1");
    await settled(page);
    assert.deepEqual(await houses(page), [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
    assert.match(page.url(), /board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S/);
    assert.match(await text(page, "#verdict"), /South \+3/);
    await page.focus('[data-store="north"]');
    await page.keyboard.type("20");
    assert.deepEqual(await stores(page), { south: 0, north: 20 });
    assert.match(await text(page, "#setup"), /3 seeds on the board, 25 in neither/);
    await page.keyboard.type("4");
    await page.waitForTimeout(1000);
    await page.focus('[data-house="0"]');
    await page.keyboard.type("48");
    assert.match(await text(page, "#setup"), /The game has 48 seeds/);
    await page.getByLabel("North", { exact: true }).check();
    await page.waitForURL(/-N$/);
    await page.getByRole("button", { name: "Done" }).click();
    assert.equal(await page.isVisible("#setup"), false);
    await shoot(page, "set-up");
  }));

test("fingers are enough to set a position up", () =>
  visit(
    "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    async (page) => {
      await page.tap("#edit");
      const mode = () => page.getAttribute("#setup [aria-pressed='true']", "aria-pressed");
      assert.equal(await mode(), "true");
      // The board is full: taps take.
      await page.tap('[data-house="0"]');
      await page.tap('[data-house="0"]');
      await page.waitForURL(/board=2-4-/);
      await page.getByRole("button", { name: "Taps add" }).tap();
      await page.tap('[data-store="south"]');
      await page.tap('[data-house="5"]');
      await page.waitForURL(/board=2-4-4-4-4-5-.*-1-0-S/);
      // Now all are in the game again: a seed for a house comes from a store ...
      await page.tap('[data-house="6"]');
      await page.waitForURL(/board=2-4-4-4-4-5-5-.*-0-0-S/);
      // ... and if there is none, the tap takes one, and says so.
      await page.tap('[data-house="6"]');
      assert.match(await text(page, "#setup"), /All 48 seeds are in the game: taps take/);
      await page.tap('[data-house="6"]');
      await page.waitForURL(/board=2-4-4-4-4-5-4-/);
      await page.getByRole("button", { name: "Empty" }).tap();
      await page.tap('[data-house="3"]');
      await page.waitForURL(/board=0-0-0-1-0-0-0-0-0-0-0-0-0-0-S/);
      await page.getByRole("button", { name: "Fill the stores" }).tap();
      await page.waitForURL(/board=0-0-0-1-0-0-0-0-0-0-0-0-24-23-S/);
      const [wide, shown] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(wide <= shown, `${wide} of ${shown}`);
      await shoot(page, "set-up-phone");
    },
    {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      expected: ["429"],
    },
  ));

test("every form of a position can be pasted or typed", () =>
  visit("", async (page) => {
    for (const [written, start] of [
      ["0 0 1 0 1 0  0 0 0 0 0 1", "0-0-1-0-1-0-0-0-0-0-0-1-0-0-S"],
      ["1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2", "1-0-0-0-0-0-0-0-0-0-0-2-20-25-N"],
      ["0-0-0-0-0-1-1-0-0-0-0-3-20-23-N", "0-0-0-0-0-1-1-0-0-0-0-3-20-23-N"],
    ]) {
      await paste(page, written);
      await page.waitForURL((url) => url.searchParams.get("board") === start);
    }
    await page.fill("#position", "0,0,0,0,1,2,1,0,0,0,3,0");
    await page.press("#position", "Enter");
    await page.waitForURL((url) =>
      url.searchParams.get("board")?.startsWith("0-0-0-0-1-2-1-0-0-0-3-0"),
    );
    await settled(page);
    assert.deepEqual(await houses(page), [0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]);
  }));

test("a recorded game is judged along its graph", () =>
  visit("", async (page) => {
    await page.click("#import");
    await page.fill(
      "#record",
      '[Variant "abapa"]\n[FEN "1-1-3-1-1-1-2-0-0-0-0-2-16-20-S"]\n\n1. D f 2. C a 3. E c *\n',
    );
    await page.click("#judge");
    await page.waitForURL(/moves=DfCaEc/);
    await settled(page);
    assert.equal(await page.isVisible("#importer"), false);
    assert.match(await text(page, "#said"), /6 moves, \d of them give something away/);
    assert.ok((await page.locator("#graph .slip").count()) > 0);
    assert.ok((await page.locator("#game .slip").count()) > 0);
    assert.match(await text(page, "#game .state"), /gives away 12 seeds, better was F/);
    await shoot(page, "imported");
    await paste(page, "0 0 1 0 1 0  0 0 0 0 0 1 moves Cf");
    await page.waitForURL(/moves=Cf/);
  }));

test("of several games one is chosen", () =>
  visit("", async (page) => {
    const one = (name, moves) =>
      `[South "A"]\n[North "${name}"]\n[FEN "0-0-1-0-1-0-0-0-0-0-0-1-22-23-S"]\n\n${moves} *\n\n`;
    await page.click("#import");
    await page.fill("#record", one("B", "C f") + one("C", "E"));
    await page.click("#judge");
    await page.getByRole("button", { name: "2. A – C" }).waitFor();
    assert.match(await text(page, "#games"), /2 games. Choose one: 1. A – B \* 2 moves, 0 of them/);
    await shoot(page, "games");
    await page.getByRole("button", { name: "2. A – C" }).click();
    await page.waitForURL(/moves=E/);
  }));
