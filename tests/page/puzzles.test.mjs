// Puzzles: that of the day, tries, hints and answers, without any table being asked.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { dayOf, nextOf, numberOf } from "../../src/server/page/daily.js";
import { outcome } from "../../src/server/page/result.js";
import { close, houses, open, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const FILE = new URL("../../src/server/page/puzzles.json", import.meta.url);
const { puzzles } = JSON.parse(readFileSync(FILE));
const DATE = new Date("2026-12-05T12:00:00Z");
const today = numberOf(dayOf(DATE), puzzles.length);
const house = (letter) => `[data-house="${"ABCDEF".indexOf(letter)}"]`;
const verdict = (page) => text(page, "#verdict");
const button = (page, name) => page.getByRole("button", { name }).first();
const said = (page, part) =>
  page.waitForFunction((wanted) => document.querySelector("#said").textContent.includes(wanted), part);

/** A visit on a certain day, with the puzzle of that day open. */
const onDay = (act, { date = DATE, path = "", ...options } = {}) =>
  visit(
    path,
    async (page) => {
      await page.clock.setFixedTime(date);
      await page.click("#puzzle");
      await page.waitForURL(/puzzle=\d+/);
      await settled(page);
      await act(page);
    },
    options,
  );

test("the list is small, of every difficulty, and says itself which move is good", () => {
  assert.ok(readFileSync(FILE).length < 60000);
  for (const level of [1, 2, 3, 4, 5])
    assert.ok(puzzles.filter(({ difficulty }) => difficulty === level).length >= 5, `of ${level}`);
  for (const puzzle of puzzles) {
    const [mover, opponent] = puzzle.stores;
    const end = (score) =>
      outcome({ seeds: puzzle.seeds, stores: { mover, opponent } }, { low: score, high: score });
    const good = Object.entries(puzzle.scores).filter(([, score]) => end(score) === puzzle.outcome);
    assert.deepEqual(good.map(([letter]) => letter), [puzzle.solution]);
  }
});

test("on one date the puzzle is the same for everyone, and each has its turn", async () => {
  const numbers = puzzles.map((_, at) => numberOf(dayOf(new Date(2026, 11, 1 + at)), puzzles.length));
  assert.equal(new Set(numbers).size, puzzles.length);
  for (const hour of [0, 23]) assert.equal(dayOf(new Date(2026, 11, 5, hour, 59)), 20792);
  const boards = [];
  for (const timezoneId of ["Pacific/Auckland", "America/Los_Angeles"])
    for (const locale of ["en", "fr-FR"])
      await onDay(
        async (page) => {
          const date = await page.evaluate(() => new Date().getDate());
          boards.push([date, (await houses(page)).join("-")].join(" "));
        },
        { timezoneId, locale, date: new Date("2026-12-05T19:00:00Z") },
      );
  assert.equal(new Set(boards).size, 2, "Auckland has the next day already: two days, two puzzles");
});

test("a wrong house says what it loses, the right one what it wins", () =>
  onDay(async (page) => {
    const puzzle = puzzles[today];
    assert.deepEqual(await houses(page), puzzle.board);
    assert.deepEqual(await stores(page), { south: puzzle.stores[0], north: puzzle.stores[1] });
    assert.match(await verdict(page), /^South to move and (win|draw) Puzzle of December 5, 2026/);
    assert.equal(await page.locator(".house.best").count(), 0);
    const [other] = Object.keys(puzzle.scores).filter((letter) => letter !== puzzle.solution);
    await page.click(house(other));
    await said(page, `${other} `);
    assert.match(await verdict(page), /(loses|draws at best)\. Try another house\./);
    assert.deepEqual(await houses(page), puzzle.board, "the board stays");
    await page.click(house(puzzle.solution));
    await said(page, `${puzzle.solution} is right: it ${puzzle.outcome}s`);
    const end = puzzle.stores[0] + (puzzle.seeds + puzzle.scores[puzzle.solution]) / 2;
    assert.match(await verdict(page), new RegExp(`${end}–${48 - end} with best play`));
    assert.match(await verdict(page), /Solved\. 1 daily puzzle solved so far/);
    assert.equal(await page.locator(".house.best").count(), 1);
    await shoot(page, "puzzle");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.click("#puzzle");
    await settled(page);
    assert.match(await verdict(page), /Solved\./, "a solved day is remembered");
  }));

test("hints say what kind of move it is, and then where", () =>
  onDay(async (page) => {
    await page.click("#hint");
    await said(page, "Hint: ");
    const first = await verdict(page);
    await page.keyboard.press("h");
    await said(page, "it is one of");
    assert.notEqual(await verdict(page), first);
    assert.ok((await verdict(page)).includes("ABC".includes(puzzles[today].solution) ? "A, B, C" : "D, E, F"));
    assert.equal(await page.locator(".house.best").count(), 0, "a hint is no answer");
  }));

test("an answer that is shown solves nothing, and its solution can be stepped through", () =>
  onDay(async (page) => {
    const puzzle = puzzles[today];
    await button(page, "Show the answer").click();
    assert.match(await verdict(page), new RegExp(`${puzzle.solution} (wins|draws) \\d+–\\d+ with best play`));
    assert.equal(await page.locator(".house.best").count(), 1);
    await page.click(house(puzzle.solution));
    assert.equal(await page.evaluate(() => localStorage.getItem("puzzles-solved")), null);
    await button(page, "Step through the solution").click();
    await page.waitForURL(new RegExp(`moves=${puzzle.line.join("")}&at=0`));
    await settled(page);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/at=1/);
    await page.goBack();
    await page.waitForURL(/puzzle=\d+$/);
    await settled(page);
    assert.match(await verdict(page), /South to move and (win|draw)/, "the way back is to the puzzle");
  }));

test("the next puzzle is as hard as one wishes", () =>
  onDay(async (page) => {
    await page.getByLabel("Difficulty of the next puzzle").selectOption("5");
    const next = nextOf(puzzles, today, 5);
    await page.waitForURL(new RegExp(`puzzle=${next + 1}$`));
    await settled(page);
    assert.match(await verdict(page), /difficulty 5 of 5/);
    await button(page, "Next puzzle").click();
    await page.waitForURL(new RegExp(`puzzle=${nextOf(puzzles, next, 5) + 1}$`));
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.match(await verdict(page), /Puzzle \d+ · difficulty 5 of 5/, "a link leads to it");
    await button(page, "Leave the puzzles").click();
    await page.waitForURL(/board=4-4-4/);
    await page.waitForFunction(() => !/uzzle/.test(document.querySelector("#verdict").textContent));
    assert.doesNotMatch(await verdict(page), /uzzle/);
  }));

test("puzzles speak German and French", async () => {
  for (const [locale, task, again] of [
    ["de-DE", /^Süd zieht und .* Rätsel vom 5\. Dezember 2026 · Schwierigkeit/, /Eine andere Mulde versuchen/],
    ["fr-FR", /^Sud joue et .* Problème du 5 décembre 2026 · difficulté/, /Essayer un autre trou/],
  ])
    await onDay(
      async (page) => {
        assert.match(await verdict(page), task);
        const puzzle = puzzles[today];
        const [other] = Object.keys(puzzle.scores).filter((letter) => letter !== puzzle.solution);
        await page.click(house(other));
        await page.waitForFunction(() => document.querySelector("#verdict .reason").textContent);
        assert.match(await verdict(page), again);
      },
      { locale },
    );
});

test("a list that does not come is said", () =>
  visit(
    "",
    async (page) => {
      await page.route("**/puzzles.json", (route) => route.abort());
      await page.click("#puzzle");
      await said(page, "The puzzles cannot be loaded");
      await page.unroute("**/puzzles.json");
      await page.click("#puzzle");
      await page.waitForURL(/puzzle=\d+/);
    },
    { expected: ["Failed to load resource", "net::ERR"] },
  ));
