//! Puzzles as JSON and as records.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error::Result;
use crate::game::record::{CaptureMark, Record, RecordedMove, Tag};
use crate::game::{Ply, Position, Rules, Seat, Stores};
use crate::verify::Outcome;

use super::difficulty::Features;
use super::mine::FoundPuzzle;

/// A puzzle, and how hard it is.
pub struct PuzzleEntry {
    pub found: FoundPuzzle,
    features: Features,
}

impl PuzzleEntry {
    /// Measures how hard a puzzle is.
    pub fn of(found: FoundPuzzle, rules: &'static Rules) -> Result<PuzzleEntry> {
        let features = Features::of(&found.puzzle, found.line.moves.len(), rules)?;
        Ok(PuzzleEntry { found, features })
    }

    /// Returns the puzzle as JSON: `stores` are what the player to move has captured, and the
    /// opponent, `scores` what each move brings, in seeds: those of the mover minus those of the
    /// opponent.
    pub fn document(&self) -> Value {
        let FoundPuzzle { kind, puzzle, line } = &self.found;
        let Stores { mover, opponent } = puzzle.stores;
        let scores = puzzle.moves.iter();
        let scores = scores.map(|it| (it.played.house.to_string(), it.interval.low));
        json!({
            "kind": kind,
            "board": puzzle.board,
            "seeds": puzzle.board.seeds(),
            "stores": [mover, opponent],
            "solution": puzzle.good.played.house,
            "outcome": puzzle.outcome,
            "scores": scores.collect::<BTreeMap<_, _>>(),
            "line": line.letters().collect::<Vec<char>>(),
            "difficulty": self.features.difficulty(),
            "features": self.features,
        })
    }

    /// Returns the puzzle as a record; South is to move.
    fn record(&self, number: usize, rules: &Rules) -> Record {
        let FoundPuzzle { kind, puzzle, line } = &self.found;
        let (board, stores) = (puzzle.board, Some(puzzle.stores));
        let start = Position { board, stores, seat: Seat::South };
        let result = if puzzle.outcome == Outcome::Win { "1-0" } else { "1/2-1/2" };
        let tags = [
            ("Event", format!("Puzzle {number}")),
            ("Variant", rules.id.to_owned()),
            ("FEN", start.to_string()),
            ("Kind", kind.name()),
            ("Difficulty", self.features.difficulty().to_string()),
            ("Result", result.to_owned()),
        ];
        let tags = tags.map(|(name, value)| Tag { name: name.to_owned(), value }).into();
        let plies = line.letters().map(|letter| Ply::from_letter(letter).expect("a house"));
        let moves = plies.map(RecordedMove::new).collect();
        Record { tags, start, preface: Vec::new(), moves, result: result.to_owned() }
    }
}

/// Returns puzzles as OGN, an empty line between two.
pub fn ogn(puzzles: &[PuzzleEntry], rules: &'static Rules) -> String {
    let records = (1..).zip(puzzles).map(|(number, entry)| {
        entry.record(number, rules).with_captures(rules, CaptureMark::Plus).to_string()
    });
    records.collect::<Vec<String>>().join("\n")
}
