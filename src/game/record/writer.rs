//! Writing a game as OGN.

use std::fmt;

use crate::game::play::Game;
use crate::game::rules::Rules;
use crate::game::seat::Seat;

use super::{Annotation, Record, RecordedMove};

/// Columns of a line of moves.
const WIDTH: usize = 80;

/// How a move shows what it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureMark {
    /// As Aualé writes it: `F+2`.
    Plus,
    /// As `oware query` writes it: `Fx2`.
    Cross,
}

impl CaptureMark {
    const fn sign(self) -> char {
        match self {
            CaptureMark::Plus => '+',
            CaptureMark::Cross => 'x',
        }
    }
}

/// A record whose moves are written with what they capture.
#[derive(Clone, Debug)]
pub struct WithCaptures {
    /// Of captures it says what the rules do, and nothing of none.
    record: Record,
    mark: CaptureMark,
}

impl Record {
    /// Returns the record without what its moves are said to capture.
    pub fn without_captures(&self) -> Record {
        let mut record = self.clone();
        record.moves.iter_mut().for_each(|played| played.captured = None);
        record
    }

    /// Returns the record for writing with captures, as far as the moves are legal by `rules`. What
    /// the end of the game brings does not count as captured.
    pub fn with_captures(&self, rules: &'static Rules, mark: CaptureMark) -> WithCaptures {
        let mut record = self.without_captures();
        let mut game = Game::new(rules, self.start);
        for played in &mut record.moves {
            let Ok(made) = game.play(played.ply) else { break };
            played.captured = Some(made.captured).filter(|&count| count > 0);
        }
        WithCaptures { record, mark }
    }
}

impl fmt::Display for WithCaptures {
    /// Writes OGN as the record itself does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_record(f, &self.record, self.mark)
    }
}

impl fmt::Display for Record {
    /// Writes OGN: the tags, an empty line if there are any, moves and comments in lines of at most
    /// 80 characters, as far as words allow, and the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_record(f, self, CaptureMark::Plus)
    }
}

fn write_record(f: &mut fmt::Formatter<'_>, record: &Record, mark: CaptureMark) -> fmt::Result {
    record.tags.iter().try_for_each(|tag| writeln!(f, "{tag}"))?;
    if !record.tags.is_empty() {
        writeln!(f)?;
    }
    let mut column = 0;
    for piece in pieces(record, mark) {
        let length = piece.chars().count();
        let before = match column {
            0 => "",
            _ if column + 1 + length > WIDTH => "\n",
            _ => " ",
        };
        column = if before == " " { column + 1 + length } else { length };
        write!(f, "{before}{piece}")?;
    }
    writeln!(f)
}

/// Returns what line breaks do not divide: moves, each with its number, what it captures and a glyph
/// such as `!?`; words of comments and variations; and the result.
fn pieces(record: &Record, mark: CaptureMark) -> Vec<String> {
    let mut pieces = Vec::new();
    add_annotations(&mut pieces, &record.preface);
    let mut number = 1;
    let mut needs_number = true;
    for (place, played) in record.moves.iter().enumerate() {
        let ply = played.ply;
        if ply.seat == Seat::South && place > 0 {
            number += 1;
        }
        let (glyph, others) = part_glyph(played);
        let captured = played.captured.map(|count| format!("{}{count}", mark.sign()));
        let text = format!("{ply}{}{glyph}", captured.unwrap_or_default());
        pieces.push(match ply.seat {
            Seat::South => format!("{number}. {text}"),
            Seat::North if needs_number => format!("{number}... {text}"),
            Seat::North => text,
        });
        add_annotations(&mut pieces, others);
        // Only a move right after South's needs none.
        needs_number = ply.seat == Seat::North || !others.is_empty();
    }
    pieces.push(record.result.clone());
    pieces
}

/// Parts the glyph that is written right behind a move, `!` or the like, from the other annotations.
fn part_glyph(played: &RecordedMove) -> (&str, &[Annotation]) {
    match played.annotations.split_first() {
        Some((Annotation::Glyph(glyph), others)) if !glyph.starts_with('$') => (glyph, others),
        _ => ("", &played.annotations),
    }
}

fn add_annotations(pieces: &mut Vec<String>, annotations: &[Annotation]) {
    for annotation in annotations {
        pieces.extend(annotation.to_string().split(' ').map(str::to_owned));
    }
}
