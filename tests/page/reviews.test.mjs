// The mistakes of a game, afterwards: the position before each, and another try.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, settled, shoot, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const said = (page, part) =>
  page.waitForFunction((wanted) => document.querySelector("#said").textContent.includes(wanted), part);

test("a review shows the position before each mistake and lets one try again", () =>
  visit(`${ENDGAME}&moves=DfEaC&play=nobody`, async (page) => {
    await page.getByRole("button", { name: "Review mistakes" }).first().click();
    await said(page, "mistakes found");
    await page.waitForURL(/at=0/);
    await settled(page);
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
    assert.match(
      await text(page, "#verdict"),
      /Mistake 1 of \d South played D \(move 1\), which gives away 12 seeds. Which house would have been better/,
    );
    assert.equal(await page.locator(".house.best").count(), 0, "the answer is not given away");
    await page.click('[data-house="0"]');
    await said(page, "A gives away 2 seeds. Try another house.");
    await page.click('[data-house="6"]', { force: true });
    await said(page, "a cannot be played here.");
    assert.match(page.url(), /moves=DfEaC/, "the game stays as it was");
    await page.click('[data-house="5"]');
    await said(page, "F is right.");
    assert.equal(await page.locator(".house.best").getAttribute("data-house"), "5");
    await shoot(page, "review");
    await page.getByRole("button", { name: "Next mistake" }).click();
    await page.waitForURL(/at=[1-5]/);
    await settled(page);
    assert.match(await text(page, "#verdict"), /Mistake 2 of/);
    assert.equal(await page.locator(".house.best").count(), 0);
    await page.getByRole("button", { name: "Show the answer" }).click();
    assert.match(await text(page, "#verdict"), /Better: [A-Fa-f]/);
    await page.getByRole("button", { name: "End the review" }).click();
    await page.waitForURL((url) => !url.search.includes("at="));
  }));

test("moves above the tables are judged by the engine, and that is called an estimate", () =>
  visit(
    "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S&moves=A&play=north1&at=0",
    async (page) => {
      await page.getByRole("button", { name: "Review mistakes" }).click();
      await said(page, "1 mistake found");
      await settled(page);
      assert.match(
        await text(page, "#verdict"),
        /South played A \(move 1\), which gives away about \d+\.\d seeds, as the engine estimates/,
      );
      await page.getByRole("button", { name: "Show the answer" }).click();
      const [, better] = /Better: ([A-F])/.exec(await text(page, "#verdict"));
      assert.notEqual(better, "A");
      await page.click(`[data-house="${"ABCDEF".indexOf(better)}"]`);
      await said(page, `${better} is right.`);
    },
    { expected: ["429"] },
  ));

test("a game without mistakes has none", () =>
  visit(`${ENDGAME}&moves=Ff`, async (page) => {
    await page.getByRole("button", { name: "Review mistakes" }).first().click();
    await said(page, "No mistakes found.");
  }));
