// A line of best play, to step through without touching the game.

import { allow, h, renew } from "./dom.js";
import { texts } from "./texts.js";

/** Who moves first in a line makes its upper-case moves; South's are written so on the page. */
function shown(move, toMove) {
  if (toMove === "south") return move;
  return move === move.toUpperCase() ? move.toLowerCase() : move.toUpperCase();
}

/** Shows a line in `root`. `at` is the move that is looked at, 0 for none; `look` goes to another,
 * `leave` goes back, `goOn` plays the moves so far. Where there is no line but a `guess` of the
 * engine's, that is shown. */
export function showLine(root, { line, guess, toMove, at, look, leave, goOn }) {
  if (!line || line.line.length === 0) {
    const expected = guess?.line?.length > 0 ? texts.guessLine(guess.line.join(" ")) : null;
    const kind = expected ? "tone-guess" : "faint";
    renew(root, h("p", { class: kind }, expected ?? texts.noLine));
    return;
  }
  const moves = line.line.map((move) => shown(move, toMove));
  const round = line.cycle_after ?? moves.length;
  const chip = (move, index) => {
    const { captured } = line.steps[index];
    return h(
      "li",
      { class: index >= round ? "round" : "" },
      h(
        "button",
        {
          type: "button",
          "aria-current": at === index + 1 ? "true" : null,
          "aria-label": texts.step(index + 1, move),
          onclick: () => look(index + 1),
        },
        captured > 0 ? `${move}×${captured}` : move,
      ),
    );
  };
  const button = (text, act, over = false) => {
    const made = h("button", { type: "button", onclick: () => over || act() }, text);
    allow(made, !over);
    return made;
  };
  renew(
    root,
    h("ol", { class: "chips" }, moves.map(chip)),
    h(
      "p",
      { class: "faint" },
      at > 0 ? texts.lookingAt(at) : texts.lineEnds[line.line_end](line.cycle_after),
    ),
    h(
      "div",
      { class: "group" },
      button(`◀ ${texts.behind}`, () => (at === 1 ? leave() : look(at - 1)), at === 0),
      button(`${texts.ahead} ▶`, () => look(at + 1), at === moves.length),
      ...(at > 0 ? [button(texts.backToGame, leave), button(texts.goOn, goOn)] : []),
    ),
  );
}
