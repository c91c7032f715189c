// Setting positions up: by click, by key, by paste; and games that were recorded.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const paste = (page, written) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, written);

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
    await page.getByRole("button", { name: "2. A – C" }).click();
    await page.waitForURL(/moves=E/);
  }));
