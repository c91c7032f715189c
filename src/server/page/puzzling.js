// The panel of a puzzle: what is asked, how hard it is, and what may be done.

import { h, renew } from "./dom.js";
import { solvedDays } from "./puzzles.js";
import { texts } from "./texts.js";

const LEVELS = [1, 2, 3, 4, 5];

/** Which puzzle it is. */
function heading({ number, day, difficulty }) {
  const date = new Date().toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const name = day === null ? texts.puzzle.number(number + 1) : texts.puzzle.daily(date);
  return `${name} · ${texts.puzzle.difficulty(difficulty)}`;
}

/** How many days were solved, if this is the puzzle of today. */
function days({ day }) {
  const solved = solvedDays();
  if (day === null || solved.length === 0) return null;
  return h("span", { class: "reason" }, texts.puzzle.solved(solved.includes(day), solved.length));
}

/** Chooses how hard the next puzzle is. */
function choice({ choose, chosen }) {
  const options = [["", texts.puzzle.any], ...LEVELS.map((each) => [each, texts.puzzle.difficulty(each)])];
  const option = ([value, text]) => h("option", { value, selected: value === (chosen ?? "") }, text);
  return h(
    "select",
    {
      "aria-label": texts.puzzle.which,
      onchange: ({ target }) => choose(target.value === "" ? null : Number(target.value)),
    },
    options.map(option),
  );
}

let chosen = null;

/** Shows a puzzle in `root`. */
export function showPuzzle(root, { puzzle, acts }) {
  const { isTold, isRight, outcome, reply } = puzzle;
  const button = (text, act) => h("button", { type: "button", onclick: act }, text);
  const next = (difficulty) => acts.nextPuzzle((chosen = difficulty));
  renew(
    root,
    h("span", { class: `figure${isRight ? " tone-good" : ""}` }, texts.puzzle.task[outcome]),
    h("span", { class: "words" }, heading(puzzle)),
    h("span", { class: "reason" }, reply()),
    days(puzzle),
    h(
      "div",
      { class: "group" },
      isTold
        ? button(texts.puzzle.walk, acts.walkPuzzle)
        : button(texts.tellAnswer, acts.tellPuzzle),
      button(texts.puzzle.next, () => next(chosen)),
      choice({ choose: next, chosen }),
      button(texts.puzzle.end, acts.endPuzzle),
    ),
  );
}
