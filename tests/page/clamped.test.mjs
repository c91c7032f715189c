// Clamped tables: what the page says of scores that they do not tell apart.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, open, settled, text, visit } from "./browser.mjs";

before(open);
after(close);

const ENDGAME = "?board=1-1-3-1-1-1-2-0-0-0-0-2-16-20-S";

test("of a clamped table it is said how far it tells scores apart", () =>
  visit(ENDGAME, async (page) => {
    for (const [low, high, words] of [
      [6, 12, /^South wins .*South gets at least 6 seeds more\. .*apart only up to 6 seeds/],
      [-12, -6, /^North wins .*North gets at least 6 seeds more\. .*apart only up to 6 seeds/],
      [0, 12, /between 0 and \+12\. .*cycle.*apart only up to 6 seeds/],
    ]) {
      await page.route("**/v1/query*", async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        await route.fulfill({ response, json: { ...answer, low, high, exact: false, range: 6 } });
      });
      await page.reload();
      await page.waitForSelector("html[data-ready]");
      await settled(page);
      assert.match(await text(page, "#verdict"), words);
      if (low !== 0) assert.doesNotMatch(await text(page, "#verdict"), /cycle/);
      await page.unroute("**/v1/query*");
    }
  }));
