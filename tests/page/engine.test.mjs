// The engine: what it makes of positions above the tables, and as an opponent.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { badge, close, open, settled, shoot, text, visit } from "./browser.mjs";

before(open);
after(close);

const START = "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const estimated = (page) =>
  page.waitForSelector("#verdict .tone-guess", { timeout: 20000 });

/** What a browser writes when the engine has too much to do at the moment. */
const BUSY = { expected: ["429"] };

test("above the tables there is an estimate, marked as one", () =>
  visit(
    START,
    async (page) => {
      await estimated(page);
      assert.match(
        await text(page, "#verdict"),
        /South ≈ [+−]?\d+\.\d The engine expects .* seeds more. An estimate, \d+ moves ahead: not proved. No table for 48 seeds/,
      );
      assert.match((await badge(page, 0))[0], /^≈ /);
      assert.ok(await page.$eval('[data-house="0"] .badge', (each) => each.matches(".guess")));
      assert.equal(await page.locator("#moves .tone-guess").count(), 6);
      const colour = (selector) =>
        page.$eval(selector, (each) => getComputedStyle(each).backgroundColor);
      const guess = await colour('[data-house="0"] .badge');
      assert.match(await text(page, "#moves"), /what the engine would play.*not proved/);
      assert.match(await text(page, "#line"), /The engine expects [A-F]( [a-f])?/);
      assert.match(
        await page.getAttribute('[data-house="0"]', "aria-label"),
        /House A, 4 seeds, estimate ≈/,
      );
      await shoot(page, "estimate");
      await page.goto(page.url().replace(/\?.*/, "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S"));
      await page.waitForSelector("html[data-ready]");
      await settled(page);
      for (const house of [0, 1, 2, 3, 4, 5])
        assert.notEqual(await colour(`[data-house="${house}"] .badge`), guess, "not a proved one's");
    },
    BUSY,
  ));

test("the engine answers moves, and one can take back against it", () =>
  visit(
    START,
    async (page) => {
      await page.selectOption("#strength", "1");
      await page.selectOption("#versus", "north");
      await page.click('[data-house="2"]');
      await page.waitForURL(/moves=C[a-f]&play=north1$/, { timeout: 20000 });
      await settled(page);
      assert.equal(await page.locator("#game .chips li").count(), 3);
      await page.keyboard.press("z");
      await page.waitForURL(/at=0/);
      await page.waitForTimeout(600);
      assert.match(page.url(), /at=0/, "both moves are taken back, and neither is played again");
      await page.selectOption("#versus", "");
    },
    BUSY,
  ));

test("within the tables the engine plays for the best", () =>
  visit("?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S", async (page) => {
    await page.selectOption("#versus", "south");
    await page.waitForURL(/moves=F&play=south3$/, { timeout: 20000 });
    await settled(page);
  }));
