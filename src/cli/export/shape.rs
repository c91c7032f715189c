//! A layer of any game as the formats see it: what it is, and its rows piece by piece.

use crate::error::Result;
use crate::game::{Board, ScoreRange, Seeds};

/// What a layer is.
pub struct Shape {
    /// Id of the sheet.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "Parquet alone says it"))]
    pub rules: &'static str,
    /// The name of its files, without what comes before and after.
    pub stem: String,
    /// Seeds of the layer.
    pub seeds: Seeds,
    /// How many rows there will be.
    pub positions: u64,
    /// The names of the columns of the board's places.
    pub places: Vec<String>,
    /// What there is in addition to the bounds, if anything: [`PLIES`] or [`STAMPS`].
    pub beside: Option<&'static str>,
    /// Which scores are kept apart.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "Parquet alone says it"))]
    pub range: ScoreRange,
}

/// Plies to the end, 255 where there is none: what every format has in addition to the bounds.
pub const PLIES: &str = "plies";

/// Stamps, of the other games: what arrays have in addition, and other formats leave out.
pub const STAMPS: &str = "stamps";

impl Shape {
    /// Returns whether there are plies.
    pub fn has_plies(&self) -> bool {
        self.beside == Some(PLIES)
    }

    /// The names of the columns behind the places, in formats that have all of them in one file.
    pub fn numbers(&self) -> Vec<&'static str> {
        ["low", "high"].into_iter().chain(self.beside.filter(|_| self.has_plies())).collect()
    }
}

/// Positions that follow each other, and what is known of them.
#[derive(Default)]
pub struct Rows {
    /// Rank of the first.
    pub first: u64,
    /// The seeds of all places, position by position.
    pub counts: Vec<u8>,
    pub low: Vec<i8>,
    pub high: Vec<i8>,
    /// What there is in addition.
    pub beside: Vec<u8>,
}

impl Rows {
    /// Returns the boards, of Oware.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let board = |&houses: &[u8; 12]| Board::new(houses).expect("a position of the layer");
        self.counts.as_chunks().0.iter().map(board)
    }
}

/// A source of all rows of a layer, in order of ranks.
pub type RowSource<'a> = &'a mut dyn FnMut(&mut dyn FnMut(&Rows) -> Result<()>) -> Result<()>;

/// What the numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Bytes.
    Byte,
    /// Signed bytes.
    SignedByte,
    /// Signed numbers of two bytes.
    Short,
}

impl ColumnKind {
    /// Returns the name that numpy and others have for it.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnKind::Byte => "uint8",
            ColumnKind::SignedByte => "int8",
            ColumnKind::Short => "int16",
        }
    }

    /// Returns the bytes of a number.
    #[cfg(any(test, feature = "parquet"))]
    pub const fn width(self) -> usize {
        match self {
            ColumnKind::Byte | ColumnKind::SignedByte => 1,
            ColumnKind::Short => 2,
        }
    }
}
