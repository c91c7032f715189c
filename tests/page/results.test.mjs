// How games come out: results, endings, and the words for them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { finals, finalText, outcome } from "../../src/server/page/result.js";
import { close, houses, open, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
/** Where the players agree on the end of a cycle, its score depends on where they do. */
const OPEN = "?board=0-0-0-0-0-1-0-0-1-2-1-3-20-20-S&rules=abapa-agreed";

test("the headline is the result, and moves stand under the result that they lead to", () =>
  visit(ENDGAME, async (page) => {
    assert.match(await text(page, "#verdict"), /^Draw 24–24 South \+4/);
    assert.doesNotMatch(await text(page, "#game"), /The game goes on/);
    const groups = await page.$$eval("#moves h3, #moves tbody tr", (all) =>
      all.map((each) =>
        each.localName === "h3" ? each.textContent : each.querySelector("button").textContent[0],
      ),
    );
    assert.deepEqual(groups, ["Drawing", "F", "Losing", "A", "B", "C", "E", "D"]);
    await page.click('[data-house="0"]');
    await page.waitForURL(/moves=A$/);
    await settled(page);
    assert.match(await text(page, "#verdict"), /^North wins South 22 to 23|^North wins/);
  }));

test("where endless play is a draw, a game that nobody can win is drawn, without totals", () => {
  const whole = { seeds: 2, stores: { mover: 23, opponent: 23 }, to_move: "south", endless: "drawn" };
  const open = { low: -2, high: 2 };
  assert.deepEqual([outcome(whole, open), finals(whole, open), finalText(whole, open)], ["draw", null, ""]);
  assert.equal(outcome(whole, { low: 1, high: 2 }), "win");
  assert.equal(finalText(whole, { low: 0, high: 0 }), "24–24");
  assert.equal(outcome({ ...whole, endless: "own_side" }, open), "open");
  assert.equal(outcome({ ...whole, stores: { mover: 0, opponent: 0 } }, open), "open");
});

test("a position without totals has a score and no result", () =>
  visit("?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S", async (page) => {
    assert.match(await text(page, "#verdict"), /^South \+3 With best play South gets 3 seeds more/);
    assert.equal(await page.locator("#verdict .result").count(), 0);
  }));

test("who wins is said wherever tables know it, also where the totals stay open", () =>
  visit(OPEN, async (page) => {
    assert.match(await text(page, "#verdict"), /^North wins South 22 to 23 South −4…−2/);
    assert.doesNotMatch(await text(page, "#game"), /The game goes on/);
  }));

test("the end says why, and what each gathers is in the stores and totals", () =>
  visit(`${ENDGAME}&moves=Ff`, async (page) => {
    assert.match(
      await text(page, "#verdict"),
      /^A draw .*South cannot feed North: each keeps their own row. South gathers 5 seeds, North 0 seeds/,
    );
    assert.deepEqual(await stores(page), { south: 19, north: 24 });
    assert.equal(await text(page, ".store.south .more"), "+5");
    assert.match(await text(page, "#game .totals"), /South 24 19 and 5 gathered North 24 in the end/);
    assert.doesNotMatch(await text(page, "#game"), /to 25/);
    await shoot(page, "ended");
  }));

test("words explain themselves where they stand", () =>
  visit(OPEN, async (page) => {
    await page.click("#verdict summary");
    assert.match(await text(page, "#verdict details"), /where in the cycle they stop/);
    await page.click("#moves summary");
    assert.match(await text(page, "#moves details"), /whatever the opponent does/);
    await page.keyboard.press("?");
    assert.match(await text(page, "#help"), /Home, End to the start.*certified playing on/);
    await shoot(page, "help");
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("#help"), false);
  }));

test("looking ahead shows the moves and totals of what is looked at", () =>
  visit(ENDGAME, async (page) => {
    await page.click("#line .group button:last-child");
    await page.waitForFunction(() => document.querySelector("#moves").textContent.includes("f"));
    await settled(page);
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 0, 0, 0, 0, 0, 0, 2]);
    assert.match(await text(page, "#moves tbody tr:first-child"), /^f/);
    assert.match(await text(page, "#verdict"), /^Draw 24–24 .*You are looking ahead/);
    assert.match(await text(page, "#game .totals"), /South 19 .*North 20/);
    await shoot(page, "ahead");
    await page.getByRole("button", { name: "Back to the game" }).click();
    assert.match(await text(page, "#moves tbody tr:first-child"), /^F/);
    assert.match(await text(page, "#game .totals"), /South 16 .*North 20/);
  }));
