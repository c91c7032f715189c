// Records: what goes out is read by everybody, what others wrote comes in.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, open, paste, settled, text, visit } from "./browser.mjs";

before(open);
after(close);

const FEN = "1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";
const RECORD = `[South "Ann \\"A\\" \\\\ B"]
[North "Ben"]
[Event "Cup; {final}"]
[FEN "${FEN}"]

{A quiet start.} 1. D {hoping} f {of course} (1... f {no}) 2. C! a 3. E {oware: gives away 3 seeds} c *
`;

async function downloaded(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  return readFileSync(await download.path(), "utf8");
}

test("what was imported goes out with its comments and its tags, once", () =>
  visit("", async (page) => {
    await paste(page, RECORD);
    await page.waitForURL(/moves=DfCaEc/);
    await settled(page);
    await page.getByRole("button", { name: "Move 1: D" }).click();
    await page.waitForURL(/at=1/);
    await settled(page);
    assert.match(await text(page, "#game .state"), /“hoping”/);
    const record = await downloaded(page);
    assert.match(record, /\[South "Ann \\"A\\" \\\\ B"\]/);
    const flat = record.replace(/\s+/g, " ");
    assert.match(flat, /\{A quiet start\.\} 1\. D \{hoping\} \{oware: gives away 12 seeds, better was F\} 1\.\.\. f \{of course\}/);
    assert.doesNotMatch(flat, /gives away 3 seeds/, "the program's own remarks are made again");
    for (const line of record.split("\n")) assert.ok(line.length <= 80, line);
    // The program itself reads it, and it goes out again as it came in.
    const judged = await page.request.post(`${process.env.OWARE_URL}v1/verify`, {
      data: record,
      headers: { "content-type": "text/plain" },
    });
    const { games } = await judged.json();
    assert.equal(games.length, 1);
    assert.equal(games[0].tags.find(({ name }) => name === "South").value, 'Ann "A" \\ B');
    await paste(page, record);
    await settled(page);
    await page.waitForTimeout(300);
    assert.equal(await downloaded(page), record);
  }));

test("names and comments of an import are not those of another game", () =>
  visit("", async (page) => {
    await paste(page, RECORD);
    await page.waitForURL(/moves=DfCaEc/);
    await settled(page);
    await page.click("#begin");
    await page.keyboard.press("Enter");
    await page.waitForURL(/play=north2/);
    await settled(page);
    assert.doesNotMatch(await downloaded(page), /Ann|Ben|quiet|hoping/);
    await paste(page, RECORD);
    await page.waitForURL(/moves=DfCaEc/);
    await settled(page);
    await page.click("#first");
    await settled(page);
    await page.click('[data-house="5"]');
    await page.waitForURL(/moves=F$/);
    await settled(page);
    const other = await downloaded(page);
    assert.match(other, /quiet start/);
    assert.doesNotMatch(other.replace(/\([^)]*\)/g, ""), /hoping|of course/, "other moves, other comments");
  }));

test("PlayStrategy's positions and moves can be pasted", () =>
  visit("", async (page) => {
    await paste(page, "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1");
    await page.waitForURL(/board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S$/);
    await settled(page);
    await paste(page, "3,2S,1S,2S/1S,3,2S,3S 20 14 S 50");
    await page.waitForURL(/board=1-0-0-0-2-3-2-1-2-0-0-0-20-14-S$/);
    await settled(page);
    for (const moves of [
      "d1e2 b2c1 b1f2",
      '[Variant "Oware"]\n[FEN "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1"]\n\n1. d1e2 b2c1 2. b1f2 *\n',
    ]) {
      await paste(page, moves);
      await page.waitForURL(/moves=DeB/);
      await settled(page);
      assert.match(await text(page, "#game .chips"), /D.*e.*B/);
      await page.goto(`${process.env.OWARE_URL}?board=${FEN}`);
      await page.waitForSelector("html[data-ready]");
    }
    await page.click("#import");
    await page.fill("#record", "d1e2 b2c1");
    await page.click("#judge");
    await page.waitForURL(/moves=De/);
  }));
