// Every reader: with a keyboard alone, on a phone, in German, in the dark, with a screen reader.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { badge, close, houses, open, settled, shoot, stores, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";

test("a keyboard is enough", () =>
  visit(ENDGAME, async (page) => {
    const focused = () =>
      page.evaluate(() => document.activeElement.dataset.house ?? document.activeElement.id);
    for (let presses = 0; presses < 12 && (await focused()) !== "0"; presses += 1)
      await page.keyboard.press("Tab");
    assert.equal(await focused(), "0", "the board is reached by Tab");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused(), "5");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), "6");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/moves=F$/);
    await settled(page);
    await page.keyboard.press("f");
    await page.waitForURL(/moves=Ff$/);
    await settled(page);
    assert.deepEqual(await stores(page), { south: 19, north: 24 });
    await page.keyboard.press("z");
    await page.waitForURL(/at=1/);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "first", "one step leads out of the board");
  }));

test("everything that can be pressed has a name, and every picture a text", () =>
  visit(ENDGAME, async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, textarea, [role=img]")]
        .filter(
          (each) =>
            !(
              each.getAttribute("aria-label") ||
              each.textContent.trim() ||
              each.labels?.length ||
              each.querySelector("title")
            ),
        )
        .map((each) => each.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless, []);
    assert.equal(await page.getAttribute("#said", "aria-live"), "polite");
    assert.equal(await page.getAttribute("html", "lang"), "en");
  }));

test("a phone shows everything without scrolling sideways", () =>
  visit(
    ENDGAME,
    async (page) => {
      const [wide, shown] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(wide <= shown, `${wide} of ${shown}`);
      const sizes = await page.$$eval(".house", (all) =>
        all.map((each) => each.getBoundingClientRect().width),
      );
      assert.ok(Math.min(...sizes) >= 44, `houses can be hit: ${sizes}`);
      const cut = await page.$$eval(".badge", (all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth + 1)
          .map((each) => each.textContent),
      );
      assert.deepEqual(cut, []);
      await page.tap('[data-house="5"]');
      await page.waitForURL(/moves=F$/);
      await shoot(page, "phone");
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  ));

test("readers of German read German, and may change their mind", () =>
  visit(
    ENDGAME,
    async (page) => {
      assert.match(
        await text(page, "#verdict"),
        /Süd \+4 Bei bestem Spiel bekommt Süd noch 4 Bohnen mehr/,
      );
      assert.equal(await page.getAttribute("html", "lang"), "de");
      assert.match(
        await page.getAttribute('[data-house="5"]', "aria-label"),
        /Mulde F, 1 Bohne, hält unentschieden 24–24, Wert \+4, bester Zug/,
      );
      assert.match(await text(page, "#layer"), /1\.339\.702 Stellungen/);
      await shoot(page, "german");
      await page.selectOption("#language", "en");
      assert.match(await text(page, "h1"), /Oware endgames/);
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      assert.equal(await page.getAttribute("html", "lang"), "en");
    },
    { locale: "de-DE" },
  ));

test("all languages say the same things", { skip: process.env.BUNDLED && "they are bundled" }, () =>
  visit("", async (page) => {
    const keys = (file) =>
      page.evaluate(async (path) => {
        const walk = (value, at) =>
          value && typeof value === "object"
            ? Object.entries(value).flatMap(([key, each]) => walk(each, `${at}.${key}`))
            : [`${at}:${typeof value}`];
        return walk((await import(path)).default, "");
      }, file);
    for (const other of ["/de.js", "/fr.js"])
      assert.deepEqual(await keys(other), await keys("/en.js"));
  }));

test("light and dark can be read, and the choice stays", () =>
  visit(
    ENDGAME,
    async (page) => {
      /** The contrast of texts on what is behind them, as WCAG has it. */
      const worst = () =>
        page.evaluate(() => {
          const linear = (part) =>
            part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          const light = (color) => {
            const [red, green, blue] = color.match(/[\d.]+/g).map((part) => linear(part / 255));
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
              const { backgroundColor } = getComputedStyle(at);
              if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
            }
            return "rgb(255, 255, 255)";
          };
          const texts = [
            ...document.querySelectorAll(
              "p, td, th, h2, button, .figure, .badge:not(:empty):not(.open)",
            ),
          ].filter(
            (each) =>
              each.textContent.trim() &&
              !each.closest(".house") &&
              !each.disabled &&
              each.offsetParent,
          );
          return Math.min(
            ...texts.map((each) => {
              const [one, other] = [light(getComputedStyle(each).color), light(behind(each))].sort(
                (a, b) => b - a,
              );
              return (one + 0.05) / (other + 0.05);
            }),
          );
        });
      const ground = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
      const before = await ground();
      assert.ok((await worst()) >= 4.5, `dark: ${await worst()}`);
      await page.click("#theme");
      assert.notEqual(await ground(), before);
      assert.ok((await worst()) >= 4.5, `light: ${await worst()}`);
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      assert.notEqual(await ground(), before);
    },
    { colorScheme: "dark" },
  ));

test("nothing jumps when answers come", () =>
  visit(ENDGAME, async (page) => {
    const tops = () =>
      page.$$eval("#board, #moves-title, #line-title, #graph-title", (all) =>
        all.map((each) => Math.round(each.getBoundingClientRect().top + scrollY)),
      );
    const before = await tops();
    await page.click('[data-house="0"]');
    await page.waitForURL(/moves=A$/);
    await settled(page);
    assert.deepEqual(await tops(), before);
    assert.deepEqual(await houses(page), [0, 2, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]);
    assert.notEqual((await badge(page, 6))[0], "");
  }));
