// What the page does when things go wrong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, houses, open, settled, text, visit } from "./browser.mjs";

before(open);
after(close);

/** What browsers write on their console of each answer that is a failure. */
const FAILED = ["Failed to load resource"];

test("a position that is none is reported where it was typed, and the board stays", () =>
  visit(
    "?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S",
    async (page) => {
      await page.fill("#position", "1 2 3");
      await page.press("#position", "Enter");
      await page.waitForFunction(() =>
        document.querySelector("#position-error").textContent.includes("3 numbers instead of 12"),
      );
      assert.deepEqual(await houses(page), [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
    },
    { expected: FAILED },
  ));

test("where there is no table there are rules", () =>
  visit("?board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", async (page) => {
    assert.match(
      await text(page, "#verdict"),
      /No table for 48 seeds: here they go up to 12/,
    );
    await page.click('[data-house="5"]');
    await page.waitForURL(/moves=F$/);
    await settled(page);
    assert.deepEqual(await houses(page), [4, 4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4]);
    assert.match(await text(page, "#graph"), /begins where the tables do/);
  }));

test("an address that makes no sense is reported", async () => {
  for (const [path, part] of [
    ["?board=x", "not a position"],
    ["?rules=chess", "unknown rules"],
    ["?board=0-0-1-0-1-0-0-0-0-0-0-1-0-0-S&moves=A", "not legal"],
  ]) {
    await visit(
      path,
      async (page) => {
        assert.ok((await text(page, "#trouble")).includes(part), path);
        assert.notEqual(
          (await houses(page)).reduce((sum, count) => sum + count),
          0,
          "there is a board all the same",
        );
      },
      { expected: FAILED },
    );
  }
});

test("a server that is silent is reported, and forgiven when it speaks", () =>
  visit(
    "",
    async (page) => {
      await page.route("**/v1/**", (route) => route.abort());
      await page.selectOption("#rules", "abapa-even");
      await page.waitForSelector("#trouble:not([hidden])");
      assert.match(await text(page, "#trouble"), /There is no answer/);
      await page.unroute("**/v1/**");
      await page.selectOption("#rules", "abapa");
      await page.waitForSelector("#trouble", { state: "hidden" });
    },
    { expected: FAILED },
  ));

test("a record that cannot be read is reported in the dialog", () =>
  visit(
    "",
    async (page) => {
      await page.click("#import");
      for (const [record, part] of [
        ["", "no game"],
        ['[FEN "nonsense"]\n\n1. A *', "not a position"],
      ]) {
        await page.fill("#record", record);
        await page.click("#judge");
        await page.waitForFunction(
          (wanted) => document.querySelector("#import-error").textContent.includes(wanted),
          part,
        );
      }
      await page.keyboard.press("Escape");
      assert.equal(await page.isVisible("#importer"), false);
    },
    { expected: FAILED },
  ));
