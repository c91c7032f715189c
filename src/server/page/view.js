// Everything that shows the game: as it stands, or ahead along best play.

import { allow, at, h, renew } from "./dom.js";
import { margin, showGraph } from "./graph.js";
import { showLayer } from "./layer.js";
import { showLine } from "./line.js";
import { marksOf, showMoves } from "./moves.js";
import { number, onBoard, parse, seated } from "./position.js";
import { showPuzzle } from "./puzzling.js";
import { collects, showRecord } from "./record.js";
import { showReview } from "./reviewing.js";
import { texts } from "./texts.js";
import { isGrandSlam, lastMove, mustFeed } from "./trace.js";
import { showVerdict } from "./verdict.js";

/** The position of the game that is shown. */
export const standOf = (known) => known.analysis.positions[known.at];
/** The position on the board. */
export const shownOf = (known, ahead) => ahead?.positions[ahead.at] ?? standOf(known).start;
/** How the game has ended, if its last position is shown and it has. */
export const endOf = ({ analysis, at }) => at === analysis.moves.length && analysis.ending;

/** What is said of the position on the board. */
function said({ known, ahead, sheet }) {
  const endless = sheet?.endless;
  if (!ahead) return { ...known, position: { ...standOf(known), endless } };
  const { houses, stores, toMove } = parse(shownOf(known, ahead));
  const [mover, opponent] =
    toMove === "south" ? [stores.south, stores.north] : [stores.north, stores.south];
  const position = {
    board: seated(houses, toMove),
    seeds: onBoard({ houses }),
    stores: { mover, opponent },
    to_move: toMove,
    endless,
  };
  const { answer = null, failure = null } = ahead;
  return { answer, failure, guess: null, position };
}

/** The moves of an answer, with what the engine makes of them where no table tells. */
function moved({ answer, guess }) {
  return guess && guess.moves?.length > 0 ? { ...answer, ...guess } : answer;
}

/** An answer without what it says of the worth of moves: only what may be played. */
function quieted(told) {
  const bare = ({ house, captured, board }) => ({ house, captured, board });
  const sorted = told.answer?.moves.map(bare).sort((a, b) => (a.house < b.house ? -1 : 1));
  const answer = told.answer && { seeds: told.answer.seeds, moves: sorted, best: [] };
  return { ...told, answer, failure: null, guess: null };
}

/** What a rule did to the last move, or does to the next one. */
function notes({ known, sheet, ahead }, last, position) {
  if (ahead) return [];
  const other = (seat) => texts[seat === "south" ? "north" : "south"];
  const slam = last && isGrandSlam(last, sheet) ? texts.slam(other(last.toMove)) : null;
  const duty =
    !endOf(known) && mustFeed(position, sheet)
      ? texts.mustFeed(texts[position.toMove], other(position.toMove))
      : null;
  return [slam, duty].filter(Boolean);
}

/** What the houses of the board are marked with. */
function marks(answer, position, told, hint) {
  const found = marksOf(answer, position.toMove, told.position);
  const hinted = hint && found.get(number(hint, position.toMove));
  if (hinted) hinted.best = hinted.isHint = true;
  return found;
}

/** Shows everything. */
export function showAll(state, acts) {
  const { known, ahead, board, sheet, editing, quiet, hint, review, puzzle, thinks } = state;
  const position = parse(shownOf(known, ahead));
  const told = quiet ? quieted(said(state)) : said(state);
  const ending = ahead ? null : endOf(known) || null;
  const endless = sheet?.endless ?? "own_side";
  const answer = moved(told);
  const canMove = answer && !ahead && !ending && !editing;
  const last = ahead ? null : lastMove(known, sheet);
  const { toMove } = position;
  board.show({
    ...position,
    marks: canMove ? marks(answer, position, told, hint) : new Map(),
    editing,
    came: !ahead && standOf(known).repeats !== null,
    gathers: collects(ending, standOf(known), endless),
    last,
  });
  const most = sheet?.layers.at(-1) ?? null;
  const stand = { ...told, toMove, ending, endless, most, quiet, thinks, isAhead: Boolean(ahead) };
  const played = last && { ...known.analysis.moves[known.at - 1], seat: last.toMove };
  if (review) showReview(at("verdict"), { ...stand, review, acts });
  else if (puzzle && !editing) showPuzzle(at("verdict"), { puzzle, acts });
  else
    showVerdict(at("verdict"), {
      ...{ ...stand, played, notes: notes(state, last, position), play: state.game.play },
      acts,
    });
  const over = Boolean(ending || ahead || editing || thinks);
  showMoves(at("moves"), { answer, position: told.position, toMove, play: acts.play, over });
  showGame(state, acts, { told, ending, endless });
  showControls(state);
  showDetails(state, acts);
}

/** In place of what is worth nothing to those who play. */
const hidden = () => h("p", { class: "faint" }, texts.hidden);

function showGame(state, { goTo, vary, review }, { told, ending, endless }) {
  const { known, ahead, variations, quiet } = state;
  const { analysis } = known;
  const ends = told.answer && !quiet ? margin({ ...told.answer, ...told.position }) : null;
  showRecord(at("game"), {
    analysis,
    at: known.at,
    ahead: ahead ? told.position : null,
    ending,
    endless,
    forecast: ends && ends.low === ends.high ? ends.low : null,
    known: Boolean(ends),
    quiet,
    review,
    comment: ahead ? null : state.comment,
    goTo,
    variations,
    take: vary,
  });
  if (quiet) renew(at("graph"), hidden());
  else showGraph(at("graph"), { analysis, at: known.at, goTo });
}

function showControls({ known, ahead, quiet, game, editing, review }) {
  const isLast = known.at === known.analysis.moves.length;
  for (const id of ["first", "undo"]) allow(at(id), known.at > 0 || ahead || editing);
  for (const id of ["last", "redo"]) allow(at(id), editing || !(isLast || ahead));
  allow(at("hint"), quiet && !endOf(known) && !ahead && !review);
  at("scores").setAttribute("aria-pressed", String(!quiet));
  at("versus").value = game.play?.engine ?? "";
  if (game.play) at("strength").value = game.play.level;
  if (document.activeElement !== at("position")) at("position").value = shownOf(known, ahead);
}

/** Shows what may come later: best play, and the layer. */
export function showDetails(state, { look, leave, goOn }) {
  const { known, ahead, quiet } = state;
  if (quiet) {
    for (const id of ["line", "layer"]) renew(at(id), hidden());
    return;
  }
  const { answer, failure } = said(state);
  const score = failure || !answer || !("low" in answer) ? null : answer;
  const line = { line: known.line, toMove: standOf(known).to_move, at: ahead?.at ?? 0 };
  showLine(at("line"), { ...line, guess: ahead ? null : known.guess, look, leave, goOn });
  showLayer(at("layer"), { figures: ahead ? null : known.figures, score });
}
