//! Answers of batches as text, written by hand.
//!
//! It is the text that [`serde_json`] writes of the same documents, to the byte. There every word
//! is looked through for what has to be escaped, and copied by itself, and fields that come from an
//! object within go through a map: with that a batch of positions with every move takes a sixth
//! longer.

use std::fmt::Display;
use std::io::Write;

use crate::game::{Board, Interval, Position};
use crate::probe::{LineEnd, ScoredMove};
use crate::verify::Outcome;

use super::lines::add_line;
use super::{PositionAnalysis, ScoreDocument};

/// The numbers that a board and scores are made of are −48 to 48.
const LARGEST: i16 = 48;

/// A number and a comma, and how long that is.
type Text = ([u8; 4], u8);

/// The texts of −48 to 48.
static TEXTS: [Text; 2 * LARGEST as usize + 1] = {
    let mut texts = [([0; 4], 0); 2 * LARGEST as usize + 1];
    let mut at = 0;
    while at < texts.len() {
        texts[at] = text(at as i16 - LARGEST);
        at += 1;
    }
    texts
};

const fn text(number: i16) -> Text {
    let (mut bytes, mut length) = ([b','; 4], 0);
    if number < 0 {
        bytes[length] = b'-';
        length += 1;
    }
    let digits = number.unsigned_abs() as u8;
    if digits >= 10 {
        bytes[length] = b'0' + digits / 10;
        length += 1;
    }
    bytes[length] = b'0' + digits % 10;
    bytes[length + 1] = b',';
    (bytes, length as u8 + 2)
}

impl PositionAnalysis {
    /// Appends the document to others, on a line of its own.
    pub fn add_line(&self, lines: &mut Vec<u8>) {
        add_worth(&self.position, self.interval, self.outcome, lines);
        lines.extend_from_slice(b",\"moves\":[");
        for scored in &self.moves {
            add_move(scored, lines);
        }
        close(lines, b"]");
        if let Some(end) = self.end {
            lines.extend_from_slice(b",\"final\":");
            add_number(end.get().into(), lines);
            lines.pop();
        }
        lines.extend_from_slice(b",\"best\":[");
        self.best.iter().for_each(|&house| add_letter(house.letter(), lines));
        close(lines, b"]");
        self.add_line_of_play(lines);
        if let Some(explanation) = self.explanation {
            lines.extend_from_slice(b",\"explanation\":");
            add_line(&explanation, lines);
            lines.pop();
        }
        lines.extend_from_slice(b"}\n");
    }

    fn add_line_of_play(&self, lines: &mut Vec<u8>) {
        lines.extend_from_slice(b",\"line\":[");
        self.line.letters().for_each(|letter| add_letter(letter, lines));
        close(lines, b"]");
        match self.line.ends {
            LineEnd::GameOver => lines.extend_from_slice(b",\"line_end\":\"game_over\""),
            LineEnd::Limit => lines.extend_from_slice(b",\"line_end\":\"limit\""),
            LineEnd::Cycle { after } => {
                lines.extend_from_slice(b",\"line_end\":\"cycle\",\"cycle_after\":");
                add_any(after, lines);
            }
        }
        lines.extend_from_slice(b",\"until_capture\":");
        match self.line.until_capture() {
            Some(moves) => add_any(moves, lines),
            None => lines.extend_from_slice(b"null"),
        }
    }
}

impl ScoreDocument {
    /// Appends the document to others, on a line of its own.
    pub fn add_line(&self, lines: &mut Vec<u8>) {
        add_worth(&self.position, self.interval, self.outcome, lines);
        lines.extend_from_slice(b"}\n");
    }
}

/// Opens the object of a position with what it is worth.
fn add_worth(
    position: &Position,
    interval: Interval,
    outcome: Option<Outcome>,
    lines: &mut Vec<u8>,
) {
    lines.extend_from_slice(b"{");
    add_board(&position.board, lines);
    lines.extend_from_slice(b"\"seeds\":");
    add_number(position.board.seeds().get() as i16, lines);
    if let Some(stores) = position.stores {
        lines.extend_from_slice(b"\"stores\":{\"mover\":");
        add_number(stores.mover.into(), lines);
        lines.extend_from_slice(b"\"opponent\":");
        add_number(stores.opponent.into(), lines);
        close(lines, b"},");
    }
    add_interval(interval, lines);
    if let Some(outcome) = outcome {
        lines.extend_from_slice(b",\"outcome\":");
        add_line(&outcome, lines);
        lines.pop();
    }
}

/// Appends a move, and a comma.
fn add_move(scored: &ScoredMove, lines: &mut Vec<u8>) {
    lines.extend_from_slice(b"{\"house\":");
    add_letter(scored.played.house.letter(), lines);
    lines.extend_from_slice(b"\"captured\":");
    add_number(scored.played.captured.into(), lines);
    add_board(&scored.played.next, lines);
    add_interval(scored.interval, lines);
    match scored.certified {
        true => lines.extend_from_slice(b",\"certified\":true},"),
        false => lines.extend_from_slice(b",\"certified\":false},"),
    }
}

fn add_board(board: &Board, lines: &mut Vec<u8>) {
    lines.extend_from_slice(b"\"board\":[");
    board.houses().iter().for_each(|&count| add_number(count.into(), lines));
    close(lines, b"],");
}

/// Appends the fields of the score object.
fn add_interval(interval: Interval, lines: &mut Vec<u8>) {
    lines.extend_from_slice(b"\"low\":");
    add_number(interval.low.get().into(), lines);
    lines.extend_from_slice(b"\"high\":");
    add_number(interval.high.get().into(), lines);
    match interval.value() {
        Some(score) => {
            lines.extend_from_slice(b"\"exact\":true,\"value\":");
            add_number(score.get().into(), lines);
            lines.pop();
        }
        None => lines.extend_from_slice(b"\"exact\":false,\"value\":null"),
    }
}

/// Appends a letter, and a comma.
fn add_letter(letter: char, lines: &mut Vec<u8>) {
    lines.extend_from_slice(&[b'"', letter as u8, b'"', b',']);
}

/// Appends a number, and a comma.
fn add_number(number: i16, lines: &mut Vec<u8>) {
    match usize::try_from(number + LARGEST).ok().and_then(|at| TEXTS.get(at)) {
        Some((bytes, length)) => {
            // Four bytes at once are less work than as many as there are.
            let end = lines.len() + usize::from(*length);
            lines.extend_from_slice(bytes);
            lines.truncate(end);
        }
        None => {
            add_any(number, lines);
            lines.push(b',');
        }
    }
}

/// Appends any number.
fn add_any(number: impl Display, lines: &mut Vec<u8>) {
    write!(lines, "{number}").expect("memory takes everything");
}

/// Puts an end in the place of the last comma, if there is one.
fn close(lines: &mut Vec<u8>, end: &[u8]) {
    if lines.last() == Some(&b',') {
        lines.pop();
    }
    lines.extend_from_slice(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{SHEETS, Seeds, Stores};
    use crate::json::lines::line;
    use crate::layer::{Domain, Layer, Rank};
    use crate::probe::{Prober, Tables};
    use crate::solver::{InMemory, Kernel, Solver, Unobserved};
    use crate::table::{WriteOptions, write};

    /// Compares what is written by hand of a position with what serde writes.
    fn compare(prober: &mut Prober, position: Position) {
        let mut lines = Vec::new();
        for limit in [0, 5, 20] {
            let analysis = PositionAnalysis::of(prober, position, limit).unwrap();
            for analysis in [analysis.clone(), analysis.explained()] {
                lines.clear();
                analysis.add_line(&mut lines);
                assert_eq!(str::from_utf8(&lines), Ok(line(&analysis).as_str()));
            }
        }
        let score = ScoreDocument::of(prober, position).unwrap();
        lines.clear();
        score.add_line(&mut lines);
        assert_eq!(str::from_utf8(&lines), Ok(line(&score).as_str()));
    }

    #[test]
    fn lines_are_those_of_serde() {
        for rules in SHEETS {
            let (mut solver, mut layers) =
                (Solver::new(rules, Kernel::best()), InMemory::default());
            let dir = tempfile::tempdir().unwrap();
            for seeds in Seeds::new(7).unwrap().up_to() {
                let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
                write(dir.path(), rules, &solved, WriteOptions::default()).unwrap();
                layers.push(solved);
            }
            let tables = Tables::open(dir.path()).unwrap();
            compare_all(&mut Prober::new(&tables, rules));
        }
    }

    fn compare_all(prober: &mut Prober) {
        for seeds in Seeds::new(7).unwrap().up_to() {
            let layer = Layer::new(seeds, Domain::All);
            for rank in (0..layer.positions()).step_by(1 + seeds.get() * 3) {
                let position = Position::from(layer.position(Rank(rank)).unwrap());
                compare(prober, position);
                let gone = (48 - seeds.get()) as u8;
                for mover in [0, gone / 2, 23, gone] {
                    let stores = Some(Stores { mover, opponent: gone - mover });
                    compare(prober, Position { stores, ..position });
                }
            }
        }
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        for number in -1000..1000 {
            let mut lines = Vec::new();
            add_number(number, &mut lines);
            assert_eq!(str::from_utf8(&lines), Ok(format!("{number},").as_str()));
        }
    }
}
