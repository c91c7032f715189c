// Everything that shows the game: as it stands, or ahead along best play.

import { at } from "./dom.js";
import { margin, showGraph } from "./graph.js";
import { showLayer } from "./layer.js";
import { showLine } from "./line.js";
import { marksOf, showMoves } from "./moves.js";
import { onBoard, parse, seated } from "./position.js";
import { collects, showRecord } from "./record.js";
import { showVerdict } from "./verdict.js";

/** The position of the game that is shown. */
export const standOf = (known) => known.analysis.positions[known.at];
/** The position on the board. */
export const shownOf = (known, ahead) => ahead?.positions[ahead.at] ?? standOf(known).start;
/** How the game has ended, if its last position is shown and it has. */
export const endOf = ({ analysis, at }) => at === analysis.moves.length && analysis.ending;

/** What is said of the position on the board. */
function said({ known, ahead }) {
  if (!ahead) return { ...known, position: standOf(known) };
  const { houses, stores, toMove } = parse(shownOf(known, ahead));
  const [mover, opponent] =
    toMove === "south" ? [stores.south, stores.north] : [stores.north, stores.south];
  const position = {
    board: seated(houses, toMove),
    seeds: onBoard({ houses }),
    stores: { mover, opponent },
    to_move: toMove,
  };
  const { answer = null, failure = null } = ahead;
  return { answer, failure, guess: null, position };
}

/** The moves of an answer, with what the engine makes of them where no table tells. */
function moved({ answer, guess }) {
  return guess && guess.moves?.length > 0 ? { ...answer, ...guess } : answer;
}

/** Shows everything. */
export function showAll(state, acts) {
  const { known, ahead, board, sheet, editing } = state;
  const position = parse(shownOf(known, ahead));
  const told = said(state);
  const ending = ahead ? null : endOf(known) || null;
  const endless = sheet?.endless ?? "own_side";
  const answer = moved(told);
  const canMove = answer && !ahead && !ending && !editing;
  board.show({
    ...position,
    marks: canMove ? marksOf(answer, position.toMove) : new Map(),
    editing,
    came: !ahead && standOf(known).repeats !== null,
    gathers: collects(ending, standOf(known), endless),
  });
  showVerdict(at("verdict"), {
    ...told,
    toMove: position.toMove,
    ending,
    endless,
    most: sheet?.layers.at(-1) ?? null,
    isAhead: Boolean(ahead),
  });
  showMoves(at("moves"), {
    answer,
    position: told.position,
    toMove: position.toMove,
    play: acts.play,
    over: Boolean(ending || ahead || editing),
  });
  showGame(state, acts, { told, ending, endless });
  showControls(state);
  showDetails(state, acts);
}

function showGame({ known, ahead, variations }, { goTo, vary }, { told, ending, endless }) {
  const { analysis } = known;
  const ends = told.answer ? margin({ ...told.answer, ...told.position }) : null;
  showRecord(at("game"), {
    analysis,
    at: known.at,
    ahead: ahead ? told.position : null,
    ending,
    endless,
    forecast: ends && ends.low === ends.high ? ends.low : null,
    known: Boolean(ends),
    goTo,
    variations,
    take: vary,
  });
  showGraph(at("graph"), { analysis, at: known.at, goTo });
}

function showControls({ known, ahead }) {
  for (const id of ["first", "undo"]) at(id).disabled = known.at === 0 && !ahead;
  for (const id of ["last", "redo"])
    at(id).disabled = known.at === known.analysis.moves.length || Boolean(ahead);
  if (document.activeElement !== at("position")) at("position").value = shownOf(known, ahead);
}

/** Shows what may come later: best play, and the layer. */
export function showDetails(state, { look, leave, goOn }) {
  const { known, ahead } = state;
  const { answer, failure } = said(state);
  const score = failure || !answer || !("low" in answer) ? null : answer;
  const line = { line: known.line, toMove: standOf(known).to_move, at: ahead?.at ?? 0 };
  showLine(at("line"), { ...line, guess: ahead ? null : known.guess, look, leave, goOn });
  showLayer(at("layer"), { figures: ahead ? null : known.figures, score });
}
