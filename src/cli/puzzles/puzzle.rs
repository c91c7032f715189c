//! What makes a position a puzzle, and of which kinds it is.

use crate::error::Result;
use crate::game::{Board, House, Interval, Rules, Seeds, Stores, captures};
use crate::probe::{Line, Prober, ScoredMove, ScoredMoves};
use crate::verify::Outcome;
use clap::ValueEnum;
use serde::Serialize;

/// Moves that a line has at most; longer cycles are not worth reading.
const LONGEST: usize = 1000;

/// What a puzzle is about, the rarest first: so they are filled where a position is of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// The good move lets the opponent capture more in reply than it takes, and another move would
    /// not
    Sacrifice,
    /// A capture is possible, and the good move does not capture
    CaptureIsWrong,
    /// One move draws, all others lose
    OnlyDraw,
    /// One move wins, no other does
    OnlyWin,
    /// One move wins, and the win is one of the longest found in its layer
    LongestWin,
}

impl PuzzleKind {
    /// Returns its name, as options and JSON have it.
    pub fn name(self) -> String {
        self.to_possible_value().expect("none is hidden").get_name().to_owned()
    }
}

/// A position in which exactly one move keeps the result of the game, which is a win or a draw. All
/// of it is exact.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub board: Board,
    /// What both have captured: half of what is not on the board, an odd seed to the opponent.
    pub stores: Stores,
    pub outcome: Outcome,
    /// The one good move.
    pub good: ScoredMove,
    /// All moves, best first.
    pub moves: ScoredMoves,
}

impl Puzzle {
    /// Returns the puzzle of a position; `None` if it is none.
    pub fn of(prober: &mut Prober, board: Board) -> Result<Option<Puzzle>> {
        let rules = prober.rules();
        let moves = prober.moves(&board)?;
        let exact = |scored: &ScoredMove| scored.interval.value().is_some();
        if moves.len() < 2 || !moves.iter().all(exact) {
            return Ok(None);
        }
        let Some(value) = prober.interval_of(&board, &moves)?.value() else { return Ok(None) };
        let stores = Stores::even(&board);
        let result = |interval| Outcome::of(rules, Seeds::MAX, &board, stores, interval);
        let outcome = result(Interval::exact(value));
        // Outcomes are in the order of what players want.
        let mut good = moves.iter().filter(|scored| result(scored.interval) <= outcome);
        let (Some(&only), None) = (good.next(), good.next()) else { return Ok(None) };
        let is_proved = only.certified && only.interval.value() == Some(value);
        let is_puzzle = is_proved && matches!(outcome, Outcome::Win | Outcome::Draw);
        Ok(is_puzzle.then_some(Puzzle { board, stores, outcome, good: only, moves }))
    }

    /// Returns whether it is of a kind. Whether a win takes longest its layer says.
    pub fn is(&self, kind: PuzzleKind, rules: &Rules) -> bool {
        let captured = |scored: &ScoredMove| scored.played.captured;
        match kind {
            PuzzleKind::OnlyWin | PuzzleKind::LongestWin => self.outcome == Outcome::Win,
            PuzzleKind::OnlyDraw => self.outcome == Outcome::Draw,
            PuzzleKind::CaptureIsWrong => {
                captured(&self.good) == 0 && self.moves.iter().any(|other| captured(other) > 0)
            }
            PuzzleKind::Sacrifice => {
                let gives = |scored: &ScoredMove| gives_more_than_it_takes(rules, scored);
                gives(&self.good) && !self.moves.iter().all(gives)
            }
        }
    }

    /// Returns the seeds that the second-best move is behind, in score.
    pub fn margin(&self) -> i8 {
        let score = |scored: &ScoredMove| scored.interval.low.get();
        let others = self.moves.iter().filter(|other| other.played.house != self.good.played.house);
        score(&self.good) - others.map(score).max().expect("two moves at least")
    }

    /// Returns the moves of best play until a player has 25 seeds or the game ends; `None` if the
    /// line that the tables follow stops before, as it does where it comes back to a position that
    /// does not count as a repetition.
    pub fn solution(&self, prober: &mut Prober) -> Result<Option<Line>> {
        let mut line = prober.line(&self.board, LONGEST)?;
        let begins = line.moves.first().is_some_and(|&(house, _)| house == self.good.played.house);
        let promise = self.good.interval.low;
        if !begins || line.collected_after(promise).is_none() {
            return Ok(None);
        }
        line.moves.truncate(self.decided_after(&line));
        Ok(Some(line))
    }

    /// Returns the number of moves after which a player has 25 seeds, or of all.
    fn decided_after(&self, line: &Line) -> usize {
        let mut stores = self.stores;
        let decides = |&(_, captured): &(House, u8)| {
            stores = stores.after_capture(captured);
            stores.decide()
        };
        line.moves.iter().position(decides).map_or(line.moves.len(), |at| at + 1)
    }
}

/// Whether the opponent can capture more at once after a move than it takes.
fn gives_more_than_it_takes(rules: &Rules, scored: &ScoredMove) -> bool {
    let takes = scored.played.captured;
    captures(rules, &scored.played.next).iter().any(|reply| reply.captured > takes)
}
