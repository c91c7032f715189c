// Bao and Nam Nam on the page: every board, laps as they are sown, scores, plies, the match.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { frames } from "../../src/server/page/laps.js";
import { close, open, shoot, text, visit } from "./browser.mjs";

before(open);
after(close);

const WIDE = { width: 1280, height: 800 };
/** The position in the address: South's places, North's, stores, who is to move. */
const board = (page) => page.inputValue("#other-position");
const at = (page, part) =>
  page.waitForFunction((wanted) => document.querySelector("#other-position").value.startsWith(wanted), part);

test("moves are sown seed by seed to where the server says that they lead", async () => {
  let [seed, moves] = [7, 0];
  const dice = (sides) => (seed = (seed * 1103515245 + 12345) % 2147483648) % sides;
  const sheets = { "bao-stores": 16, "bao-laps": 16, "nam-nam": 12 };
  for (const columns of [2, 3, 4, 5, 6, 8]) sheets[`bao-kujifunza-4x${columns}`] = 4 * columns;
  for (const [rules, places] of Object.entries(sheets))
    for (let game = 0; game < 15; game += 1) {
      const counts = Array(places).fill(0);
      for (let left = 4 * (2 + dice(7)); left > 0; left -= 1) counts[dice(places)] += 1;
      const owned = ["m", ..."xxxxxxxxxx", "o"].map((each) => (each === "x" ? "mo"[dice(2)] : each)).join("");
      const owners = rules === "nam-nam" ? owned : undefined;
      const asked = new URLSearchParams({ rules, board: [...counts, owners ?? ""].join(" ").trim() });
      const answer = await (await fetch(`${process.env.OWARE_URL}v1/moves?${asked}`)).json();
      assert.ok(answer.moves, `${asked}: ${answer.error?.message}`);
      for (const move of answer.moves.filter(({ house }) => house !== "-")) {
        const last = frames(rules, counts, move.house, [...(owners ?? "")]).at(-1);
        const half = places / 2;
        const next = move.again ? last.counts : [...last.counts.slice(half), ...last.counts.slice(0, half)];
        assert.deepEqual(next, move.board, `${asked} ${move.house}`);
        assert.deepEqual(last.gains, [move.captured, move.opponent_captured ?? 0], `${asked} ${move.house}`);
        moves += 1;
      }
    }
  assert.ok(moves > 150, `${moves} moves`);
});

test("every game has its board, and one goes from game to game", () =>
  visit("?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S", async (page) => {
    for (const [rules, places, stores] of [
      ["bao-laps", 16, 2],
      ["nam-nam", 12, 2],
      ["bao-kujifunza-4x4", 16, 0],
      ["bao-kujifunza-4x8", 32, 0],
      ["bao-stores", 16, 2],
    ]) {
      await page.selectOption((await page.isVisible("#rules")) ? "#rules" : "#other-rules", rules);
      await page.waitForURL(new RegExp(`rules=${rules}&board=`));
      await page.waitForFunction((count) => document.querySelectorAll(".place").length === count, places);
      assert.equal(await page.locator(".keep").count(), stores, rules);
      assert.equal(await page.isVisible("#board"), false);
      await shoot(page, rules);
    }
    await page.goBack();
    await page.waitForURL(/rules=bao-stores$|rules=bao-kujifunza-4x8/);
    await page.selectOption("#other-rules", "abapa");
    await page.waitForSelector("#board", { state: "visible" });
    assert.match(await text(page, "#verdict"), /Draw 24–24/);
  }));

test("a game is played, taken back, and found again by its address", () =>
  visit("?rules=bao-stores&board=1-0-0-0-0-0-2-0-0-0-0-0-0-0-0-1-20-24-S", async (page) => {
    assert.match(await text(page, "#other-verdict"), /^South wins|^North wins|^Draw/);
    assert.match(await text(page, "#other-moves"), /Score/);
    await page.click('[data-place="0"]');
    await page.waitForURL(/moves=A/);
    await at(page, "0-1-0-0-0-0-2-0-");
    await page.keyboard.press("ArrowLeft");
    await at(page, "1-0-0-0-0-0-2-0-");
    await page.click("#other-redo");
    await at(page, "0-1-0-0-0-0-2-0-");
    const before = await board(page);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await board(page), before);
    await page.click('[data-place="2"]', { force: true });
    assert.match(await text(page, "#said"), /cannot be played here/);
    await page.click("#other-scores");
    assert.match(await text(page, "#other-verdict"), /North to move Hidden while you play/);
  }));

test("laps are shown as they are sown", () =>
  visit(
    "?rules=bao-laps",
    async (page) => {
      await page.click('[data-place="0"]');
      const seen = new Set();
      while (!page.url().includes("moves=A")) {
        seen.add(await page.$$eval(".place .count", (all) => all.map((each) => each.textContent).join("-")));
        await page.waitForTimeout(40);
      }
      assert.ok(seen.size > 5, `${seen.size} pictures`);
      await at(page, "1-0-1-4-4-1-3-3-0-3-0-0-3-3-0-3-3-0-N");
    },
    { reducedMotion: "no-preference" },
  ));

test("a shimo is sown in either direction, and plies are told", () =>
  visit("?rules=bao-kujifunza-4x2&board=1-1-0-1-1-2-0-0-0-0-S", async (page) => {
    assert.match(await text(page, "#other-verdict"), /wins|Draw/);
    await page.fill("#other-position", "2 1 2 2 2 3 2 2");
    await page.press("#other-position", "Enter");
    await page.waitForURL(/board=2-1-2-2-2-3-2-2/);
    await page.click('[data-place="3"]');
    assert.match(await text(page, "#other-choice"), /Sow 3:.*clockwise.*anticlockwise/);
    await page.getByRole("button", { name: "anticlockwise ↺" }).click();
    await page.waitForURL(/moves=3-/);
    await page.fill("#other-position", "1 2");
    await page.press("#other-position", "Enter");
    assert.match(await text(page, "#other-error"), /write 8 numbers/);
  }));

test("the leader of a round of Nam Nam chooses houses for the next", () =>
  visit("?rules=nam-nam&board=0-0-0-0-0-0-0-0-0-0-0-0-28-20-N-ssssssnnnnnn", async (page) => {
    assert.match(await text(page, "#other-verdict"), /^South wins 28–20 The game is over/);
    assert.match(await text(page, "#other-match"), /South leads and owns 7 houses in the next round, the other 5/);
    await page.click("#other-match button");
    assert.match(await text(page, "#said"), /Tap 1 house of the other row/);
    await page.click('[data-place="8"]', { force: true });
    assert.match(await text(page, "#other-match"), /Chosen: c/);
    await page.click("#other-match button");
    await page.waitForURL(/board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-ssssssnnsnnn/);
    assert.equal(await page.locator(".place.of-south").count(), 7);
    assert.match(await page.getAttribute('[data-place="8"]', "aria-label"), /South’s c, 4 seeds/);
  }));

test("a phone shows the widest and the narrowest board whole", () =>
  visit(
    "?rules=bao-kujifunza-4x8",
    async (page) => {
      for (const viewport of [{ width: 320, height: 568 }, { width: 844, height: 390 }, WIDE]) {
        await page.setViewportSize(viewport);
        const box = await page.locator("#other-board").boundingBox();
        assert.ok(box.x + box.width <= viewport.width && box.y + box.height <= viewport.height, JSON.stringify(box));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${wide}`);
        await shoot(page, `kujifunza-${viewport.width}`);
      }
      await page.setViewportSize({ width: 320, height: 568 });
      await page.selectOption("#other-rules", "bao-kujifunza-4x2");
      await page.waitForURL(/4x2&board/);
      const box = await page.locator("#other-board").boundingBox();
      assert.ok(box.y + box.height <= 568, JSON.stringify(box));
    },
    { viewport: WIDE },
  ));

test("stars of moves have room, and tables of all games are named", () =>
  visit("?rules=bao-kujifunza-4x2&board=2-2-0-0-1-1-0-0-S", async (page) => {
    assert.match(await text(page, "#other-moves"), /★/);
    const wide = await page.$$eval("#other-moves button", (all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
    );
    assert.deepEqual(wide, []);
    assert.match(await text(page, "#tables"), /Abapa \(tournament\) 0–12, .*Bao of Kenyan children 0–4, .*4 × 2 6–6\./);
  }));
