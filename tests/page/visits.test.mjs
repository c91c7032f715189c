// Visits of those who want to play: a game in a press, rules, hints, and no answers before they ask.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { badge, close, houses, open, settled, shoot, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const quiet = `${ENDGAME}&play=nobody`;
const badges = (page) => page.$$eval(".badge", (all) => all.map((each) => each.textContent).join(""));
/** What is said at the lower edge, where it can be seen. */
const toast = async (page, wanted) => {
  await page.waitForFunction((part) => document.querySelector("#said").textContent.includes(part), wanted);
  const box = await page.locator("#said").boundingBox();
  assert.ok(box.height > 20 && box.y + box.height <= page.viewportSize().height, JSON.stringify(box));
};

test("a first visit says what this is and what to tap, and the engine answers", () =>
  visit("", async (page) => {
    assert.match(await text(page, ".brand"), /tap a house to sow its seeds/);
    assert.match(await text(page, "#verdict"), /South to move Tap a house in the row of South/);
    assert.equal(await badges(page), "", "no scores before somebody asks");
    await page.click('[data-house="2"]');
    await page.waitForURL(/moves=C[a-f]&play=north2/, { timeout: 20000 });
    await settled(page);
    assert.match(await text(page, "#verdict"), /South to move North plays [a-f]/);
    assert.equal(await page.locator(".house.played").count(), 1);
    const landed = await page.$$eval(".house.sown", (all) => all.length);
    assert.ok(landed >= 4, `${landed} houses are marked as sown`);
    assert.match(await page.getAttribute(".house.played", "aria-label"), /just played/);
  }));

test("a new game takes one press, and whoever sits North has that row in front", () =>
  visit(ENDGAME, async (page) => {
    await page.click("#begin");
    await shoot(page, "new-game");
    await page.keyboard.press("Enter");
    await page.waitForURL(/board=4-4.*&play=north2/);
    await settled(page);
    assert.deepEqual(await houses(page), Array(12).fill(4));
    await page.keyboard.press("n");
    await page.getByRole("radio", { name: "the engine begins" }).check();
    await page.getByRole("radio", { name: "1: first steps" }).check();
    await page.selectOption("#new-rules", "abapa-even");
    await page.click("#start-game");
    await page.waitForURL(/rules=abapa-even&moves=[A-F]&play=south1/, { timeout: 20000 });
    assert.ok(await page.$eval("#board", (board) => board.classList.contains("flipped")));
    assert.equal(await page.inputValue("#rules"), "abapa-even");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.inputValue("#versus"), "south", "the game goes on after a reload");
  }));

test("the rules are ten sentences with pictures, and open at their top", () =>
  visit(
    "",
    async (page) => {
      for (const [button, dialog] of [
        ["#open-rules", "#howto"],
        ["#open-help", "#help"],
      ]) {
        await page.click(button);
        const [top, heading] = await page.$eval(dialog, (each) => [
          each.scrollTop,
          each.querySelector("h2").getBoundingClientRect().top,
        ]);
        assert.equal(top, 0, dialog);
        assert.ok(heading >= 0 && heading < 100, `${dialog} ${heading}`);
        if (dialog === "#howto") {
          assert.equal(await page.locator("#howto li").count(), 10);
          assert.ok((await page.locator("#howto .mini").count()) >= 6);
          await shoot(page, "rules");
        }
        await page.keyboard.press("Escape");
      }
    },
    { viewport: { width: 390, height: 600 } },
  ));

test("scores and best moves are hidden until they are asked for", () =>
  visit(quiet, async (page) => {
    assert.equal(await badges(page), "");
    assert.equal(await page.locator(".house.best").count(), 0);
    assert.doesNotMatch(await text(page, "main"), /24–24|\+4|Drawing|[Ww]ith best play|F×3/);
    assert.match(await text(page, "#line"), /Hidden while you play/);
    await page.click("#hint");
    await toast(page, "Hint: F, proved to be best.");
    assert.equal(await page.locator(".house.best").getAttribute("data-house"), "5");
    assert.equal(await badges(page), "", "a hint is no score");
    await page.click("#scores");
    await page.waitForFunction(() => document.querySelector("#layer .bar.here"));
    assert.deepEqual(await badge(page, 5), ["+4", true]);
    assert.equal(await page.getAttribute("#scores", "aria-pressed"), "true");
    await page.keyboard.press("v");
    await page.waitForFunction(() => !document.querySelector(".badge").textContent);
    assert.equal(await badges(page), "");
  }));

test("above the tables a hint is the engine's, and says so", () =>
  visit(
    "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S&play=nobody",
    async (page) => {
      await page.click("#hint");
      await toast(page, "as the engine estimates");
      assert.equal(await page.locator(".house.best").count(), 1);
    },
    { expected: ["429"] },
  ));

test("a house that cannot be sown says why", async () => {
  for (const [address, house, why] of [
    [quiet, 6, "House a is North’s; South is to move."],
    ["?board=0-1-3-1-1-1-2-0-0-0-0-2-17-20-S&play=nobody", 0, "House A is empty"],
    ["?board=1-0-0-0-0-1-0-0-0-0-0-0-23-23-S&play=nobody", 0, "A gives North no seed"],
    [`${ENDGAME}&moves=Ff`, 0, "The game is over."],
  ])
    await visit(address, async (page) => {
      await page.click(`[data-house="${house}"]`, { force: true });
      await toast(page, why);
      await settled(page);
    });
});

test("grand slams and the duty to feed are explained where they happen", async () => {
  await visit("?board=1-0-0-0-0-1-0-0-0-0-0-0-23-23-S&play=nobody", async (page) => {
    assert.match(await text(page, "#verdict"), /North has no seeds: South has to play a move that gives/);
  });
  await visit("?board=0-1-0-2-0-2-1-2-0-0-0-0-20-20-S&play=nobody", async (page) => {
    await page.click('[data-house="5"]');
    await page.waitForURL(/moves=F/);
    await settled(page);
    assert.match(await text(page, "#verdict"), /A grand slam: it would take all the seeds of North/);
  });
  await visit("?board=0-1-0-2-0-2-1-2-0-0-0-0-20-20-S&rules=masters&moves=F", async (page) => {
    assert.doesNotMatch(await text(page, "#verdict"), /grand slam/, "here it captures");
  });
});

test("before a move one sees where its seeds will land and what it takes", () =>
  visit(quiet, async (page) => {
    const gains = () =>
      page.$$eval(".house", (all) =>
        all
          .filter((each) => each.querySelector(".gain").textContent)
          .map((each) => each.dataset.house + each.querySelector(".gain").textContent)
          .sort(),
      );
    await page.hover('[data-house="2"]');
    assert.deepEqual(await gains(), ["3+1", "4+1", "5+1"]);
    await page.hover('[data-house="5"]');
    assert.deepEqual(await gains(), ["6−3"]);
    await shoot(page, "preview");
    await page.hover("#verdict");
    assert.deepEqual(await gains(), []);
    await page.focus('[data-house="2"]');
    assert.equal((await gains()).length, 3, "those at the keyboard see it, too");
  }));

test("the lowest levels err inside the tables, too", () =>
  visit("?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S", async (page) => {
    const played = new Set();
    for (let game = 0; game < 12 && played.size < 2; game += 1) {
      await page.goto(page.url().replace(/\?.*/, `${ENDGAME}&play=south1`));
      await page.waitForURL(/moves=[A-F]/);
      played.add(new URL(page.url()).searchParams.get("moves")[0]);
    }
    assert.ok(played.size > 1, "not always the same move, though one is best");
  }));
