//! Puzzles as JSON and as records.

use std::collections::BTreeMap;

use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::record::{CaptureMark, Record, RecordedMove, Tag};
use oware_db::game::{Board, House, Ply, Position, Rules, Seat, Seeds, Stores};
use oware_db::verify::Outcome;

use super::difficulty::Features;
use super::mine::FoundPuzzle;
use super::puzzle::PuzzleKind;

/// A puzzle.
#[derive(Serialize)]
pub struct PuzzleEntry {
    pub kind: PuzzleKind,
    board: Board,
    seeds: Seeds,
    /// What the player to move has captured, and the opponent.
    stores: [u8; 2],
    solution: House,
    outcome: Outcome,
    /// What each move brings, in seeds: those of the mover minus those of the opponent.
    scores: BTreeMap<String, i8>,
    line: Vec<char>,
    difficulty: usize,
    features: Features,
}

impl PuzzleEntry {
    /// Describes a puzzle, and measures how hard it is.
    pub fn of(found: &FoundPuzzle, rules: &'static Rules) -> Result<PuzzleEntry> {
        let FoundPuzzle { kind, puzzle, line } = found;
        let Stores { mover, opponent } = puzzle.stores;
        let features = Features::of(puzzle, line.moves.len(), rules)?;
        let score = puzzle
            .moves
            .iter()
            .map(|scored| (scored.played.house.to_string(), scored.interval.low.get()));
        Ok(PuzzleEntry {
            kind: *kind,
            board: puzzle.board,
            seeds: puzzle.board.seeds(),
            stores: [mover, opponent],
            solution: puzzle.good.played.house,
            outcome: puzzle.outcome,
            scores: score.collect(),
            line: line.letters().collect(),
            difficulty: features.difficulty(),
            features,
        })
    }

    /// Returns the puzzle as a record; South is to move.
    fn record(&self, number: usize, rules: &Rules) -> Record {
        let [mover, opponent] = self.stores;
        let stores = Some(Stores { mover, opponent });
        let start = Position { board: self.board, stores, seat: Seat::South };
        let result = if self.outcome == Outcome::Win { "1-0" } else { "1/2-1/2" };
        let tags = [
            ("Event", format!("Puzzle {number}")),
            ("Variant", rules.id.to_owned()),
            ("FEN", start.to_string()),
            ("Kind", self.kind.name()),
            ("Difficulty", self.difficulty.to_string()),
            ("Result", result.to_owned()),
        ];
        let tags = tags.map(|(name, value)| Tag { name: name.to_owned(), value }).into();
        let plies = self.line.iter().map(|&letter| Ply::from_letter(letter).expect("a house"));
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
