// Looking at a position, playing, taking back, going round.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { badge, close, houses, open, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
/** Where the players agree on the end of a cycle, its score depends on where they do. */
const OPEN = "?board=0-0-0-0-0-1-0-0-1-2-1-3-20-20-S&rules=abapa-agreed";

test("a position shows its seeds, its score and what each move is worth", () =>
  visit(ENDGAME, async (page) => {
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
    assert.deepEqual(await stores(page), { south: 16, north: 20 });
    assert.match(await text(page, "#verdict"), /South \+4 With best play South gets 4 seeds more/);
    const badges = [];
    for (const house of [0, 1, 2, 3, 4, 5, 6]) badges.push(await badge(page, house));
    assert.deepEqual(badges, [
      ["+2*", false],
      ["+2*", false],
      ["0*", false],
      ["−8*", false],
      ["−4*", false],
      ["+4", true],
      ["", false],
    ]);
    assert.equal(
      await page.getAttribute('[data-house="5"]', "aria-label"),
      "House F, 1 seed, draws 24–24, score +4, best, certified, captures 3",
    );
    assert.match(await text(page, "#moves tbody tr:first-child"), /^F ★ 3 24–24 \+4$/);
    assert.equal(await page.locator("#moves tbody .span").count(), 0, "every score is exact");
    assert.match(await text(page, "#game"), /With best play: South 24, North 24/);
    assert.equal(await page.locator("#layer .bar.here").count(), 1);
    assert.match(await text(page, "#layer"), /1,339,702 positions with 12 seeds/);
    await shoot(page, "light");
  }));

test("an interval is drawn and explained", async () => {
  await visit(`${ENDGAME}&rules=abapa-agreed`, async (page) => {
    assert.deepEqual(await badge(page, 0), ["0…+2*", false]);
    assert.equal(await page.locator("#moves tbody .span").count(), 1);
  });
  await visit(OPEN, async (page) => {
    assert.match(
      await text(page, "#verdict"),
      /South −4…−2 .*between −4 and −2.*where the cycle is cut decides/,
    );
    assert.equal(await page.locator("#verdict .scale .end").count(), 2);
    assert.deepEqual(
      await page.$$eval("#layer .pointer", (all) => all.length),
      2,
      "both ends are marked in the layer",
    );
    assert.equal(await page.locator("#graph .whisker").count(), 1);
    await shoot(page, "interval");
  });
});

test("clicks play, keys take back and play again, and the address follows", () =>
  visit(ENDGAME, async (page) => {
    await page.click('[data-house="5"]');
    await page.waitForURL(/moves=F$/);
    await settled(page);
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 0, 0, 0, 0, 0, 0, 2]);
    assert.deepEqual(await stores(page), { south: 19, north: 20 });
    assert.match(await text(page, "#said"), /South plays F and captures 3/);
    await page.click('[data-house="0"]', { force: true });
    assert.deepEqual(
      await houses(page),
      [1, 1, 3, 1, 1, 0, 0, 0, 0, 0, 0, 2],
      "it is North's turn",
    );
    await page.keyboard.press("z");
    await page.waitForURL(/at=0/);
    await settled(page);
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
    await page.keyboard.press("y");
    await page.waitForURL((url) => !url.search.includes("at="));
    await settled(page);
    assert.deepEqual(await stores(page), { south: 19, north: 20 });
    await page.click("#undo");
    await page.waitForURL(/at=0/);
    await settled(page);
    await page.click('[data-house="1"]');
    await page.waitForURL(/moves=B$/);
    await page.goBack();
    await page.waitForFunction(
      () => document.querySelector('[data-house="1"] .count').textContent === "1",
    );
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
  }));

test("seeds fly one by one and what is captured leaves", () =>
  visit(
    ENDGAME,
    async (page) => {
      await page.click('[data-house="2"]');
      const inTheAir = await page.waitForFunction(
        () => document.querySelectorAll(".flying").length,
      );
      assert.ok((await inTheAir.jsonValue()) <= 3);
      await page.waitForURL(/moves=C$/);
      await page.waitForFunction(() => document.querySelectorAll(".flying").length === 0);
      await settled(page);
      assert.deepEqual(await houses(page), [1, 1, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2]);
      // A click in the middle of it brings it to its end, and is no move.
      await page.click('[data-house="11"]');
      await page.waitForSelector(".flying");
      await page.click('[data-house="6"]', { force: true });
      await page.waitForURL(/moves=Cf$/);
    },
    { reducedMotion: "no-preference" },
  ));

test("best play is stepped through without touching the game", () =>
  visit(ENDGAME, async (page) => {
    assert.match(await text(page, "#line"), /F×3 f×4 Then the game is over/);
    await page.click("#line .group button:last-child");
    await page.waitForSelector('#line [aria-current="true"]');
    assert.deepEqual(await stores(page), { south: 19, north: 20 });
    assert.doesNotMatch(page.url(), /moves/);
    await page.click("#line li:nth-child(2) button");
    await page.waitForFunction(
      () => document.querySelector(".store.north .count").textContent === "24",
    );
    await page.getByRole("button", { name: "Back to the game" }).click();
    assert.deepEqual(await stores(page), { south: 16, north: 20 });
    await page.click("#line li:nth-child(2) button");
    await page.getByRole("button", { name: "Go on from here" }).click();
    await page.waitForURL(/moves=Ff/);
    await settled(page);
    assert.match(await text(page, "#verdict"), /A draw The game is over/);
    assert.match(await text(page, "#game"), /each keeps their own row/);
  }));

test("25 seeds win, and a position that comes back ends the game as the sheet has it", async () => {
  await visit("?board=0-0-0-0-0-1-1-0-0-0-0-3-23-20-S&moves=F", async (page) => {
    assert.match(await text(page, "#verdict"), /South wins .*South has 25 seeds and wins/);
    assert.equal(await page.locator(".house.playable").count(), 0);
  });
  const round =
    "board=0-3-1-1-1-0-1-3-0-1-1-0-18-18-S&moves=CbEaDbEeAcBdDeCfEaDbCcBdFaAcBdEbDeEdCcEeDdEeFfCaDcEdFfBaCbDcEeFfAaBbCd";
  await visit(
    `?${round}`,
    async (page) => {
      assert.match(
        await text(page, "#verdict"),
        /A draw .*position after move 58 came back.*each keeps their own row/,
      );
      await shoot(page, "dark");
    },
    { colorScheme: "dark" },
  );
  await visit(`?${round}&rules=abapa-even`, async (page) => {
    assert.match(await text(page, "#verdict"), /the remaining seeds are split evenly/);
  });
});

test("the graph goes to where it is clicked", () =>
  visit("?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S&moves=DfCaEc", async (page) => {
    assert.equal(await page.locator("#graph .dot").count(), 7);
    assert.ok((await page.locator("#graph .slip").count()) > 0, "D gives 12 seeds away");
    assert.match(
      await page.getAttribute("#game .slip button", "aria-label"),
      /Move 1: D\?, gives away 12 seeds, better was F/,
    );
    await page.locator("#graph .dot").nth(2).click();
    await page.waitForURL(/at=2/);
    await settled(page);
    assert.equal(await page.getAttribute("#game li:nth-child(3) button", "aria-current"), "true");
  }));

test("another sheet is another game", () =>
  visit(OPEN, async (page) => {
    assert.match(await text(page, "#verdict"), /South −4…−2/);
    await page.selectOption("#rules", "abapa-even");
    await page.waitForURL(/rules=abapa-even/);
    await settled(page);
    assert.doesNotMatch(await text(page, "#verdict"), /…/, "halving leaves nothing open");
    await page.selectOption("#rules", "awari");
    await page.waitForURL(/rules=awari/);
    await settled(page);
    assert.match(await text(page, "#verdict"), /There are no tables of these rules here/);
  }));

test("hasty readers break nothing", () =>
  visit(ENDGAME, async (page) => {
    for (const keys of ["ffffff", "zzzzz", "yyzyzyy", "zzz"]) await page.keyboard.type(keys);
    await settled(page);
    await page.keyboard.press("z");
    await settled(page);
    assert.deepEqual(await houses(page), [1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
    await page.click("#last");
    await page.click("#first");
    await page.click("#redo");
    await page.waitForURL((url) => /moves=F/.test(url.search));
  }));
