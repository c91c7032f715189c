//! All answers about a position, and their JSON.
//!
//! Commands, the HTTP API and the page give the same answers, which come from here. The
//! domain's types write themselves as the JSON objects of the contract with scripts; the documents
//! of this room put them together. The guide lists all fields.

mod asked;
pub(crate) mod doubt;
pub mod estimate;
mod games;
pub(crate) mod general;
pub(crate) mod lines;
pub(crate) mod need;
pub mod stats;
pub mod words;

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};

use crate::engine::protocol::Setup;
use crate::error::{Error, Result};
use crate::game::{HOUSES, House, Interval, Move, Position, Rules, Score, Stores, legal_moves};
use crate::probe::{Line, LineEnd, Prober, ScoredMove, ScoredMoves};
use crate::verify::Outcome;

use asked::AskedPosition;
pub use games::{AnySheet, Game, Requested};
pub(crate) use words::error_document;

/// Everything that the tables know of a position: the document of `oware query`.
#[derive(Clone, Debug, Serialize)]
pub struct PositionAnalysis {
    /// The sheet.
    #[serde(skip)]
    pub rules: &'static Rules,
    /// The position, and what it is worth.
    #[serde(flatten)]
    pub score: ScoreDocument,
    /// The legal moves, best first.
    pub moves: ScoredMoves,
    /// If the game is over, what the mover gets of the seeds left minus what the opponent gets.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub end: Option<Score>,
    /// The houses of the moves that are certified to bring all that can be secured.
    pub best: ArrayVec<House, HOUSES>,
    /// A line of best play.
    #[serde(flatten)]
    pub line: Line,
    /// After how many moves of the line the mover has got the score for good, if the line comes to
    /// its end.
    pub distance: Option<usize>,
    /// Why the scores are what they are, if that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

/// What the rules say of a position: the document of `oware moves`.
#[derive(Clone, Debug, Serialize)]
pub struct MovesDocument {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// The legal moves.
    pub moves: Vec<Move>,
    /// If there are none, what the mover's row holds more than the opponent's.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub end: Option<Score>,
}

/// The score of a position without its moves: the document of `oware query --scores-only`.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreDocument {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// What it is worth to the mover.
    #[serde(flatten)]
    pub interval: Interval,
    /// The largest score that the layer's table tells apart, if it does not tell all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<i8>,
    /// Who wins a game of 48 seeds, or of as many as the tables decide, if the seeds captured before
    /// are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why the winner is unknown, if the seeds captured before belong to no such game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided_because: Option<String>,
}

impl ScoreDocument {
    fn of(prober: &mut Prober, position: Position, interval: Interval) -> Result<ScoreDocument> {
        let (mut outcome, mut undecided_because) = (None, None);
        if let Some(stores) = position.stores {
            let (rules, game) = (prober.rules(), prober.game_of(&position)?);
            outcome = Some(Outcome::of(rules, game, &position.board, stores, interval));
            undecided_because = position.misfit(game).map(|total| doubt::misfit(total, game));
        }
        let range = prober.range(position.board.seeds())?.clamp_end();
        Ok(ScoreDocument { position, interval, range, outcome, undecided_because })
    }
}

impl Game for &'static Rules {
    type Position = Position;
    type Prober = Prober;
    type Moves = MovesDocument;
    type Score = ScoreDocument;
    type Analysis = PositionAnalysis;

    /// Reads a position, or one with moves from there on, as in `startpos moves FfB`.
    fn read(self, text: &str) -> Result<Position> {
        let has_moves = text.split_whitespace().any(|word| word.eq_ignore_ascii_case("moves"));
        if has_moves { text.parse::<Setup>()?.position(self) } else { text.parse() }
    }

    fn read_asked(self, asked: AskedPosition) -> Result<Position> {
        let position = self.read(&asked.board)?;
        let Some(Stores { mover, opponent }) = asked.stores else { return Ok(position) };
        if position.stores.is_some() {
            let what = "`stores` stand in the text of the board already".to_owned();
            return Err(Error::Notation { what });
        }
        let stored = format!("{}-{mover}-{opponent}-S", position.board).parse()?;
        Ok(Position { seat: position.seat, ..stored })
    }

    fn seeds(self, position: Position) -> usize {
        position.board.seeds().get()
    }

    fn path_to(self, position: Position, seeds: usize, asked: Requested) -> Option<String> {
        need::path(self, &position.board, seeds, !asked.scores_only)
    }

    fn moves(self, position: Position) -> MovesDocument {
        let moves: Vec<Move> = legal_moves(self, &position.board).iter().collect();
        let end = moves.is_empty().then(|| position.board.own_rows());
        MovesDocument { position, moves, end }
    }

    fn score(prober: &mut Prober, position: Position) -> Result<ScoreDocument> {
        let interval = prober.interval(&position.board)?;
        ScoreDocument::of(prober, position, interval)
    }

    fn analysis(
        prober: &mut Prober,
        position: Position,
        asked: Requested,
    ) -> Result<PositionAnalysis> {
        let (rules, moves) = (prober.rules(), prober.moves(&position.board)?);
        let interval = prober.interval_of(&position.board, &moves)?;
        let score = ScoreDocument::of(prober, position, interval)?;
        let collects = |scored: &&ScoredMove| scored.collects.is_some();
        let line = prober.line_from(&position.board, interval, asked.line)?;
        Ok(PositionAnalysis {
            rules,
            end: moves.is_empty().then_some(interval.low),
            best: moves.iter().filter(collects).map(|scored| scored.played.house).collect(),
            moves,
            distance: interval.value().and_then(|promise| line.collected_after(promise)),
            line,
            explanation: asked.explain.then(|| doubt::explanation(rules, score.range)),
            score,
        })
    }
}

#[derive(Serialize)]
struct Fields {
    line: Vec<char>,
    #[serde(flatten)]
    ends: LineEnd,
    until_capture: Option<usize>,
}

impl Serialize for Line {
    /// Writes `line`, the letters of the moves, `line_end`, `cycle_after` if the line cycles,
    /// and `until_capture`.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (ends, until_capture) = (self.ends, self.until_capture());
        Fields { line: self.letters().collect(), ends, until_capture }.serialize(serializer)
    }
}
