// The page: everything that the reader may press, and its beginning.

import * as address from "./address.js";
import { begin, go, opening, refresh, retry } from "./asking.js";
import { at } from "./dom.js";
import { edit, enter, put, receive, take } from "./entering.js";
import { openHelp } from "./help.js";
import { Keys } from "./keys.js";
import { copy, download, ogn, onDrop } from "./ogn.js";
import { back, forth, goOn, goTo, leave, look, play, playLetter } from "./playing.js";
import { number, parse } from "./position.js";
import { showSheets } from "./sheets.js";
import {
  acts,
  board,
  game,
  importer,
  page,
  say,
  setup,
  show,
  shown,
  sowing,
  variations,
} from "./state.js";
import { choose, preferred, remember, texts } from "./texts.js";
import { follow as followTheme } from "./theme.js";

/** A click on a house or store: a seed more, a move, or an end to waiting. */
function press(place, event) {
  if (typeof place === "number") board.focus(place);
  if (setup.isOpen) setup.click(place, event);
  else if (page.busy) sowing.rush();
  else if (typeof place === "number") play(place);
}

function type(place, event) {
  if (setup.isOpen) setup.type(place, event);
}

/** What a key does, if it does anything. */
function keyAct(name) {
  if (/^[a-f]$/.test(name)) {
    if (setup.isOpen) return null;
    return () => {
      if (!page.known.analysis) return null;
      const house = number(name, parse(shown()).toMove);
      board.focus(house);
      return play(house);
    };
  }
  const named = {
    z: back,
    ArrowLeft: back,
    y: forth,
    ArrowRight: forth,
    Home: () => go({ at: 0 }),
    End: () => go({ at: game.moves.length }),
    s: () => edit(!setup.isOpen),
    x: flip,
    "?": openHelp,
  };
  return named[name];
}

function flip() {
  at("flip").setAttribute("aria-pressed", String(board.flip()));
}

async function copyLink() {
  const link = address.link(variations.of(game));
  say((await copy(link)) ? texts.copied : link);
}

function save() {
  const { analysis } = page.known;
  const text = ogn({ ...game, analysis, tags: page.tags, variations: variations.of(game) });
  download("game.ogn", text);
}

/** Everything that the reader may press. */
function listen() {
  const press = (id, act) => at(id).addEventListener("click", act);
  press("first", () => go({ at: 0 }));
  press("undo", back);
  press("redo", forth);
  press("last", () => go({ at: game.moves.length }));
  press("edit", () => edit(!setup.isOpen));
  press("flip", flip);
  press("import", () => importer.open());
  press("copy", copyLink);
  press("download", save);
  press("open-help", openHelp);
  press("retry", retry);
  for (const id of ["versus", "strength"]) at(id).addEventListener("change", () => refresh());
  at("rules").addEventListener("change", ({ target }) =>
    go({ rules: target.value }, { push: true }),
  );
  at("language").addEventListener("change", ({ target }) => speak(target.value));
  at("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(at("position").value);
  });
  const settled = async () => {
    while (page.busy) await page.busy;
  };
  new Keys(keyAct, { ready: settled, hurry: () => page.busy && sowing.rush() });
  onDrop(receive);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    receive(event.clipboardData.getData("text"));
  });
  addEventListener("popstate", () => {
    const { rules, start, moves, at: ply } = address.read();
    Object.assign(game, { rules, start, moves, at: ply });
    game.start ??= opening();
    at("rules").value = game.rules;
    go({});
  });
  addEventListener("resize", () => page.known.analysis && show());
}

function speak(language) {
  remember(language);
  choose(language);
  showSheets(page.sheets, game.rules);
  if (page.known.analysis) show();
  if (setup.isOpen) setup.show();
}

Object.assign(acts, {
  ...{ press, type, play: playLetter, goTo, look, leave, goOn, put, edit, take },
  vary: (variation) => go(variations.swap(game, variation), { push: true }),
});
followTheme(at("theme"));
choose(preferred());
at("language").value = preferred();
listen();
begin();
