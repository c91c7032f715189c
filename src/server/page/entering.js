// Positions and games that the reader brings: set up, written, or read from a record.

import * as api from "./api.js";
import { go, refresh, trouble } from "./asking.js";
import { tell } from "./busy.js";
import { at } from "./dom.js";
import { isRecord } from "./importer.js";
import * as others from "./others.js";
import { parse } from "./position.js";
import { isSlip } from "./record.js";
import { board, forgetRecord, game, importer, page, setup, shown, variations } from "./state.js";
import { explain, texts } from "./texts.js";

/** Shows a position that is being set up at once, and what it is worth when that is known. */
export function put(start) {
  board.show({ ...parse(start), marks: new Map(), editing: true, came: false });
  forgetRecord();
  return go({ start, moves: [], at: 0, play: null });
}

/** Begins or ends setting up. */
export async function edit(open) {
  if (!page.known.analysis) return;
  at("edit").setAttribute("aria-pressed", String(open));
  if (!open) {
    if (!setup.isOpen) return;
    setup.close();
    await refresh();
    return;
  }
  setup.open(shown());
  forgetRecord();
  await go({ start: shown(), moves: [], at: 0, play: null }, { push: "always" });
}

/** Shows a position as somebody wrote it. */
export async function enter(text) {
  try {
    const { positions } = await api.game(game.rules, text, "");
    const { start } = positions[0];
    if (setup.isOpen) setup.follow(start);
    forgetRecord();
    await go({ start, moves: [], at: 0, play: null }, { push: true });
  } catch (failure) {
    if (failure.canPass) trouble(failure);
    else at("position-error").textContent = explain(failure);
  }
}

/** Shows a game that was read, from its first slip on. */
export async function take(rules, record, comments = new Map()) {
  const { positions, moves, illegal, tags: said, variations: asides } = record;
  await edit(false);
  const slips = moves.flatMap((move, ply) => (isSlip(move) ? [ply + 1] : []));
  at("rules").value = rules;
  const recorded = moves.map(({ move }) => move);
  Object.assign(page, { tags: said ?? [], comments, recorded, scores: null });
  const game = { rules, start: positions[0].start, moves: recorded, play: null };
  variations.clear();
  for (const { at: ply, moves: others } of asides)
    variations.keep({ ...game, moves: [...recorded.slice(0, ply), ...others], at: ply });
  await go({ ...game, at: slips[0] ?? moves.length }, { push: true });
  const text = [
    texts.imported(moves.length, slips.length),
    illegal ? texts.importedIllegal(illegal) : null,
  ]
    .filter(Boolean)
    .join(" ");
  tell(text);
  if (illegal) at("position-error").textContent = texts.importedIllegal(illegal);
}

/** A position or a game of Oware that came as a text. */
export function receive(text) {
  if (others.isOpen()) return;
  if (isRecord(text)) importer.open(text);
  else enter(text);
}
