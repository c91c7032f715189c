//! A row of a dataset: a position, what the tables say of it, and where it comes from, as bytes.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::Result;
use crate::game::{Board, Interval, Seeds, Stores};
use crate::probe::{KnownPlies, Prober, ScoredMove};
use crate::verify::Outcome;

use crate::cli::export::ColumnKind;

/// Bytes of a row.
pub const BYTES: usize = 30;

/// A row.
pub type RowBytes = [u8; BYTES];

/// The score of a move that is not legal, and the outcome where nothing is known of captures.
const NONE: i8 = -128;
/// A score or an outcome that the tables do not know exactly.
const OPEN: i8 = -127;
/// Layers of a multiple of this many seeds are held out.
const HELD_OUT: usize = 7;

/// A field of a row: one number, or several of a kind.
pub struct Field {
    pub name: &'static str,
    /// The names of its numbers where each has a column, with spaces between; that of the field if there
    /// is one.
    columns: &'static str,
    pub kind: ColumnKind,
    pub meaning: &'static str,
}

impl Field {
    /// Returns the names of its numbers.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.columns.split(' ')
    }
}

const fn one(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Field {
    Field { name, columns: name, kind, meaning }
}

/// The fields, in the order of their bytes.
pub const FIELDS: [Field; 13] = [
    Field {
        name: "board",
        columns: "mover_a mover_b mover_c mover_d mover_e mover_f \
                  opponent_a opponent_b opponent_c opponent_d opponent_e opponent_f",
        kind: ColumnKind::Byte,
        meaning: "seeds in the houses of the player to move, A to F, then in those of the opponent, \
                  each from the left of their owner",
    },
    one("seeds", ColumnKind::Byte, "seeds on the board"),
    one(
        "value",
        ColumnKind::SignedByte,
        "seeds that the player to move will still get minus those that the opponent will, with best \
         play of both and fresh history; -127 where only bounds are proved",
    ),
    one("low", ColumnKind::SignedByte, "the proved lower bound of `value`"),
    one("high", ColumnKind::SignedByte, "the proved upper bound of `value`"),
    Field {
        name: "q",
        columns: "q0 q1 q2 q3 q4 q5",
        kind: ColumnKind::SignedByte,
        meaning: "for each house A to F: the seeds that its move captures minus the value of the \
                  position it leads to, with fresh history there; -128 where the move is not legal, \
                  -127 where only bounds are proved",
    },
    one(
        "best",
        ColumnKind::Byte,
        "the moves that are certified to secure `low`, a bit for each house, A the lowest: a move \
         with the greatest q may cycle instead, and is then not among them",
    ),
    one(
        "source",
        ColumnKind::Byte,
        "0: drawn from its layer; 1: from a game of engine against engine; 2: from a game of random \
         moves against an engine",
    ),
    one(
        "mover_captured",
        ColumnKind::SignedByte,
        "seeds that the player to move has captured; -1 where the row is from no game",
    ),
    one(
        "opponent_captured",
        ColumnKind::SignedByte,
        "seeds that the opponent has captured; -1 where the row is from no game",
    ),
    one(
        "outcome",
        ColumnKind::SignedByte,
        "who wins that game with best play from here: 1 the player to move, 0 neither, -1 the \
         opponent; -127 where bounds leave it open, -128 where the row is from no game",
    ),
    one(
        "plies",
        ColumnKind::Short,
        "moves of the line of best play until the game is over or repeats; that of the strategy, \
         not the shortest; -1 where it was not followed to its end",
    ),
    one("split", ColumnKind::Byte, "0 train, 1 validation, 2 test, 3 held_out"),
];

/// A position that a row is made of.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub board: Board,
    /// What was captured, if it comes from a game.
    pub stores: Option<Stores>,
    pub source: RowOrigin,
}

/// What kind of play a position comes from.
#[derive(Clone, Copy, Debug)]
pub enum RowOrigin {
    Layer,
    EngineGame,
    RandomGame,
}

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Split {
    Train,
    Validation,
    Test,
    HeldOut,
}

impl Split {
    pub const ALL: [Split; 4] = [Split::Train, Split::Validation, Split::Test, Split::HeldOut];

    /// Returns what a position is for: the same in every dataset.
    pub fn of(board: &Board) -> Split {
        let seeds = board.seeds().get();
        if seeds > 0 && seeds.is_multiple_of(HELD_OUT) {
            return Split::HeldOut;
        }
        match xxh3_64(&board.houses()) % 10 {
            0 => Split::Validation,
            1 => Split::Test,
            _ => Split::Train,
        }
    }

    /// Returns its name, with which its files begin.
    pub const fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
            Split::HeldOut => "held_out",
        }
    }
}

/// Makes rows, for a single thread.
pub struct Writer {
    prober: Prober,
    known: KnownPlies,
}

impl Writer {
    /// Makes rows of what a prober finds.
    pub fn new(prober: Prober) -> Writer {
        Writer { prober, known: KnownPlies::default() }
    }

    /// Makes the row of a position; with `plies` its line of best play is followed.
    pub fn row(&mut self, asked: &Subject, plies: bool) -> Result<(Split, RowBytes)> {
        let &Subject { board, stores, source } = asked;
        let moves = self.prober.moves(&board)?;
        let interval = self.prober.interval_of(&board, &moves)?;
        let split = Split::of(&board);
        let outcome = |stores| {
            outcome(Outcome::of(self.prober.rules(), Seeds::MAX, &board, stores, interval))
        };
        let outcome = stores.map_or(NONE, outcome);
        let plies = match plies {
            true => self.prober.plies(&board, interval, &mut self.known)?,
            false => None,
        };
        let plies = plies.and_then(|plies| i16::try_from(plies).ok()).unwrap_or(-1).to_le_bytes();
        let bytes = board.houses().into_iter().chain([board.seeds().get() as u8]);
        let bytes = bytes.chain(scores(interval, &moves).map(i8::cast_unsigned));
        let captured = stores.map_or([-1; 2], |stores| [stores.mover as i8, stores.opponent as i8]);
        let [mover, opponent] = captured.map(i8::cast_unsigned);
        let end = [best(&moves), source as u8, mover, opponent, outcome.cast_unsigned()];
        let bytes = bytes.chain(end).chain(plies).chain([split as u8]);
        let mut row = [0; BYTES];
        row.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        Ok((split, row))
    }
}

/// `value`, `low`, `high`, and `q`.
fn scores(interval: Interval, moves: &[ScoredMove]) -> impl Iterator<Item = i8> {
    let value = |interval: Interval| interval.value().map_or(OPEN, |score| score.get());
    let mut q = [NONE; 6];
    for scored in moves {
        q[scored.played.house.index()] = value(scored.interval);
    }
    [value(interval), interval.low.get(), interval.high.get()].into_iter().chain(q)
}

/// The houses of the moves that secure the lower bound, as bits.
fn best(moves: &[ScoredMove]) -> u8 {
    let secures = moves.iter().filter(|scored| scored.collects.is_some());
    secures.fold(0, |bits, scored| bits | 1 << scored.played.house.index())
}

fn outcome(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
        Outcome::Undecided => OPEN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_fill_a_row() {
        let bytes = |field: &Field| field.columns().count() * field.kind.width();
        assert_eq!(FIELDS.iter().map(bytes).sum::<usize>(), BYTES);
    }

    /// What was test once stays test. The values are those of another implementation of XXH3, the
    /// Python package `xxhash`.
    #[test]
    fn a_position_stays_in_its_split() {
        for (houses, expected) in [
            ([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0], Split::HeldOut),
            ([0; 12], Split::Validation),
            ([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], Split::Validation),
            ([3; 12], Split::Validation),
            ([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], Split::Test),
            ([0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0], Split::Test),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], Split::Train),
            ([4; 12], Split::Train),
        ] {
            assert_eq!(Split::of(&Board::new(houses).unwrap()), expected, "{houses:?}");
        }
    }
}
