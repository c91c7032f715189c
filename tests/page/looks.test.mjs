// How the page looks and is heard in all its states: nothing jumps, nothing is cut off, axe finds
// nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { close, open, settled, shoot, text, visit } from "./browser.mjs";

before(open);
after(close);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const START = "?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const OPEN = "?board=0-0-0-0-0-1-0-0-1-2-1-3-20-20-S&rules=abapa-agreed";
const BUSY = ["429", "Failed to load resource", "net::ERR"];
const press = (...selectors) => async (page) => {
  for (const selector of selectors) await page.click(selector);
};
const named = (...names) => async (page) => {
  for (const name of names) await page.getByRole("button", { name }).first().click();
};

const openPuzzle = async (page) => {
  await page.click("#puzzle");
  await page.waitForURL(/puzzle=/);
  await settled(page);
};

/** The states of the page, as readers come into them. */
const STATES = {
  "a first visit": [""],
  "an endgame": [ENDGAME],
  "a score between two ends": [OPEN],
  "a move played": [`${ENDGAME}&moves=D`],
  "a game with mistakes": [`${ENDGAME}&moves=DfEaC`],
  "a game that is over": [`${ENDGAME}&moves=Ff`],
  "scores hidden": [`${ENDGAME}&play=nobody`],
  "a hint": [`${ENDGAME}&play=nobody`, press("#hint")],
  "a house that may not be sown": [ENDGAME, (page) => page.click('[data-house="6"]', { force: true })],
  "a review": [`${ENDGAME}&moves=DfEaC`, named("Review mistakes")],
  "a review that is told": [`${ENDGAME}&moves=DfEaC`, named("Review mistakes", "Show the answer")],
  "a puzzle": ["", openPuzzle],
  "a puzzle that is hinted at": ["", async (page) => {
    await openPuzzle(page);
    await page.click("#hint");
  }],
  "a puzzle that is told": ["", async (page) => {
    await openPuzzle(page);
    await named("Show the answer")(page);
  }],
  "a new game": [ENDGAME, press("#begin")],
  "the rules": ["", press("#open-rules")],
  "the keys": [ENDGAME, press("#open-help")],
  "an import": [ENDGAME, press("#import")],
  "an import that failed": [ENDGAME, press("#import", "#judge")],
  "setting up": [ENDGAME, press("#edit")],
  "looking ahead": [ENDGAME, press("#line .group button:last-child")],
  "an explanation": [ENDGAME, press("#moves summary")],
  "another continuation": [`${ENDGAME}&moves=DfCa&asides=0-Ff`],
  "an estimate": [START, (page) => page.waitForSelector("#verdict .tone-guess", { timeout: 20000 })],
  "Nam Nam": ["?rules=nam-nam"],
  "Bao with scores": ["?rules=bao-stores&board=1-0-0-0-0-0-2-0-0-0-0-0-0-0-0-1-20-24-S"],
  "a choice of directions": [
    "?rules=bao-kujifunza-4x2&board=2-1-2-2-2-3-2-2-0-0-S",
    press('[data-place="3"]'),
  ],
  "rules without tables": [`${ENDGAME}&rules=awari`],
  "a wrong position": [ENDGAME, async (page) => {
    await page.fill("#position", "1 2 3");
    await page.press("#position", "Enter");
    await page.waitForFunction(() => document.querySelector("#position-error").textContent);
  }],
  "a server that is silent": [ENDGAME, async (page) => {
    await page.route("**/v1/**", (route) => route.abort());
    await page.click('[data-house="2"]');
    await page.waitForSelector("#trouble:not([hidden])");
  }],
};

const phone = ({ width }) => ({ isMobile: width < 900, hasTouch: width < 900 });

/** Goes through states in one window: `look(page, name)` looks at each. */
async function stroll(states, options, look) {
  await visit(
    "",
    async (page) => {
      for (const [name, [address, act]] of states) {
        await page.goto(process.env.OWARE_URL + address);
        await page.waitForSelector("html[data-ready]");
        await settled(page);
        await look(page, name, act);
        await page.unroute("**/v1/**");
      }
    },
    { ...phone(options.viewport), ...options, expected: BUSY },
  );
}

/** What has moved without anybody having pressed anything, as browsers measure it. */
const watch = () => {
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) globalThis.shifted += each.value;
  }).observe({ type: "layout-shift", buffered: true });
};

/** Whether the board is not below a dialog. */
const showsBoard = (name) => !/import|Nam|Bao|choice|^(a new game|the rules|the keys)$/.test(name);

/** What jumps while a state is entered, and what is cut off in it. */
async function misplaced(page, viewport, enter) {
  const place = () => page.locator("#board").boundingBox();
  const before = await place();
  await page.evaluate(watch);
  await enter();
  await page.waitForTimeout(150);
  await page.evaluate(() => scrollTo(0, 0));
  const [now, shifted, wide] = [
    await place(),
    await page.evaluate(() => globalThis.shifted),
    await page.evaluate(() => document.documentElement.scrollWidth),
  ];
  const faults = [];
  if (["y", "height", "x"].some((each) => Math.abs(now[each] - before[each]) > 0.5))
    faults.push(`the board goes from ${JSON.stringify(before)} to ${JSON.stringify(now)}`);
  if (now.y + now.height > viewport.height) faults.push(`the board ends at ${now.y + now.height}`);
  if (shifted >= 0.05) faults.push(`${shifted} shifted`);
  if (wide > viewport.width) faults.push(`${wide} pixels wide`);
  return faults;
}

/** What axe finds. */
async function violated(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** Windows; axe looks at those that name a theme, the others differ from them in size alone. */
for (const [viewport, colorScheme] of [
  [{ width: 320, height: 568 }],
  [{ width: 390, height: 844 }, "dark"],
  [{ width: 844, height: 390 }],
  [{ width: 1280, height: 800 }, "light"],
])
  test(`nothing jumps, the whole board is seen${colorScheme ? `, axe finds nothing (${colorScheme})` : ""}, at ${viewport.width} × ${viewport.height}`, async () => {
    const found = [];
    const states = Object.entries(STATES).filter(([name]) => colorScheme || showsBoard(name));
    await stroll(states, { viewport, ...(colorScheme && { colorScheme }) }, async (page, name, act) => {
      const enter = async () => act?.(page);
      const faults = showsBoard(name) ? await misplaced(page, viewport, enter) : [];
      if (!showsBoard(name)) {
        await enter();
        await page.waitForTimeout(100);
      }
      await shoot(page, `${name.replaceAll(" ", "-")}-${viewport.width}`);
      if (colorScheme) faults.push(...(await violated(page)));
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    });
    assert.deepEqual(found, []);
  });

test("at 1280 × 800 the moves are in view, in every language", async () => {
  for (const locale of ["en", "de-DE", "fr-FR"])
    await visit(
      ENDGAME,
      async (page) => {
        const box = await page.locator("#moves table").last().boundingBox();
        assert.ok(box.y + box.height <= 800, JSON.stringify(box));
        const low = await page.locator("#verdict .figure").boundingBox();
        assert.ok(low.y + low.height <= 800, JSON.stringify(low));
      },
      { locale, viewport: { width: 1280, height: 800 } },
    );
});

test("readers of French read French", () =>
  visit(
    ENDGAME,
    async (page) => {
      assert.equal(await page.getAttribute("html", "lang"), "fr");
      assert.match(await text(page, "#verdict"), /^Match nul 24–24 Sud \+4 Au meilleur jeu Sud obtient/);
      assert.match(await page.getAttribute('[data-house="5"]', "aria-label"), /^Trou F, 1 graine/);
      await page.fill("#position", "1 2 3");
      await page.press("#position", "Enter");
      await page.waitForFunction(() =>
        document.querySelector("#position-error").textContent.includes("3 nombres au lieu de 12"),
      );
    },
    { locale: "fr-FR", expected: BUSY },
  ));

test("the colour of a move is that of the result, on the board and in the list", () =>
  visit(ENDGAME, async (page) => {
    const tones = await page.$$eval(".badge:not(:empty)", (all) => all.map((each) => each.className));
    assert.deepEqual(tones, Array(5).fill("badge bad").concat("badge even"));
    const rows = await page.$$eval("#moves tbody tr", (all) =>
      all.map((each) => [each.querySelector(".end").textContent, each.querySelector(".figure span").className]),
    );
    assert.deepEqual(rows[0], ["24–24", "tone-even"]);
    assert.deepEqual(rows[1], ["23–25", "tone-bad"]);
    await page.click('[data-house="0"]');
    await page.waitForURL(/moves=A$/);
    await settled(page);
    const colours = await page.$$eval("#verdict .figure, #verdict .score", (all) =>
      all.map((each) => getComputedStyle(each).color),
    );
    assert.equal(colours[0], colours[1], "North wins, and the score is no loss");
  }));

test("a link shows the board as a picture", () =>
  visit("", async (page) => {
    const image = await page.getAttribute('meta[property="og:image"]', "content");
    const answer = await page.request.get(new URL(image, process.env.OWARE_URL).href);
    assert.equal(answer.status(), 200);
    assert.match(answer.headers()["content-type"], /^image\//);
    assert.ok((await answer.body()).length > 5000);
  }));
