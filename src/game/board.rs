//! The board: two rows of six houses, seen by the player to move.
//!
//! ```text
//!         f  e  d  c  b  a      opponent
//!         A  B  C  D  E  F      mover, sows to the right, then a, b, c, ...
//! ```
//!
//! Seeds travel in the order `A B C D E F a b c d e f` and then `A` again. Each row is kept as
//! its owner sees it, left to right, so turning the board round is exchanging the two rows.

use std::fmt;

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

use crate::game::score::Score;

/// The number of houses in a row: six.
pub const HOUSES: usize = 6;

/// A house of one row, counted 0..=5 from its owner's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(u8);

impl House {
    /// The six houses, left to right.
    pub const ALL: [House; HOUSES] = [House(0), House(1), House(2), House(3), House(4), House(5)];

    /// Returns house number `index`, or `None` beyond 5.
    pub const fn new(index: usize) -> Option<House> {
        if index < HOUSES { Some(House(index as u8)) } else { None }
    }

    /// Returns the number of the house: 0 for the leftmost, 5 for the rightmost.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the house that faces this one, counted from the *other* player's left.
    pub const fn opposite(self) -> House {
        House(5 - self.0)
    }

    /// Returns the letter of the house if the mover owns it, `A`..`F`.
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }

    /// Returns the letter of the house if the opponent owns it, `a`..`f`.
    pub const fn opponent_letter(self) -> char {
        (b'a' + self.0) as char
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

#[cfg(feature = "serde")]
impl Serialize for House {
    /// Writes the mover's letter.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

/// A number of seeds, 0..=48: what the game has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Seeds(u8);

impl Seeds {
    /// No seed.
    pub const ZERO: Seeds = Seeds(0);
    /// All seeds of the game: four in each of twelve houses.
    pub const MAX: Seeds = Seeds(48);

    /// Returns `count` seeds, or `None` for more than 48.
    pub const fn new(count: usize) -> Option<Seeds> {
        if count <= 48 { Some(Seeds(count as u8)) } else { None }
    }

    /// Returns the number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Returns `self` − 1, `self` − 2, ... down to 0.
    pub fn below(self) -> impl DoubleEndedIterator<Item = Seeds> {
        (0..self.0).rev().map(Seeds)
    }

    /// Returns 0, 1, ... up to and including `self`.
    pub fn up_to(self) -> impl DoubleEndedIterator<Item = Seeds> {
        (0..=self.0).map(Seeds)
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A row: the seeds of six houses, left to right as the owner sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(pub [u8; HOUSES]);

impl Side {
    /// A row without seeds.
    pub const EMPTY: Side = Side([0; HOUSES]);

    /// Returns the number of seeds in the row.
    pub fn seeds(self) -> usize {
        self.0.iter().map(|&count| count as usize).sum()
    }

    /// Returns the row as a word, a byte for each house, the leftmost one the lowest.
    pub(crate) fn word(self) -> u64 {
        let [a, b, c, d, e, f] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
    }

    /// Returns the row that [`Side::word`] makes a word of.
    pub(crate) fn from_word(word: u64) -> Side {
        let [a, b, c, d, e, f, ..] = word.to_le_bytes();
        Side([a, b, c, d, e, f])
    }

    /// Returns whether no house holds a seed.
    pub fn is_empty(self) -> bool {
        self.word() == 0
    }

    /// Returns whether some house holds no seed.
    pub fn has_empty_house(self) -> bool {
        self.0.contains(&0)
    }
}

impl std::ops::Index<House> for Side {
    type Output = u8;
    fn index(&self, house: House) -> &u8 {
        &self.0[house.index()]
    }
}

impl std::ops::IndexMut<House> for Side {
    fn index_mut(&mut self, house: House) -> &mut u8 {
        &mut self.0[house.index()]
    }
}

/// Both rows, the mover's first, with at most 48 seeds.
///
/// As JSON it is the twelve numbers `A B C D E F a b c d e f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The row of the player to move.
    pub mover: Side,
    /// The other player's row.
    pub opponent: Side,
}

impl Board {
    /// The position a game starts from: four seeds in every house.
    pub const INITIAL: Board = Board { mover: Side([4; HOUSES]), opponent: Side([4; HOUSES]) };

    /// Returns the board with these twelve houses, `A B C D E F a b c d e f`; `None` with more than
    /// 48 seeds.
    pub fn new(houses: [u8; 12]) -> Option<Board> {
        let total: usize = houses.iter().map(|&count| count as usize).sum();
        Seeds::new(total)?;
        let row = |from: usize| Side(std::array::from_fn(|i| houses[from + i]));
        Some(Board { mover: row(0), opponent: row(HOUSES) })
    }

    /// Returns the twelve houses, `A B C D E F a b c d e f`.
    pub fn houses(self) -> [u8; 12] {
        std::array::from_fn(
            |i| if i < HOUSES { self.mover.0[i] } else { self.opponent.0[i - HOUSES] },
        )
    }

    /// Returns the number of seeds on the board.
    pub fn seeds(self) -> Seeds {
        Seeds::new(self.mover.seeds() + self.opponent.seeds())
            .expect("a board holds at most 48 seeds")
    }

    /// Returns the board as the other player sees it.
    pub fn turned(self) -> Board {
        Board { mover: self.opponent, opponent: self.mover }
    }

    /// Returns what the mover's row holds more than the opponent's: the score if each player keeps
    /// their own row.
    pub fn own_rows(self) -> Score {
        Score::new(self.mover.seeds() as i8 - self.opponent.seeds() as i8)
    }
}

impl fmt::Display for Board {
    /// Writes `4 4 4 4 4 4  4 4 4 4 4 4`, mover first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |side: Side| side.0.map(|count| count.to_string()).join(" ");
        write!(f, "{}  {}", text(self.mover), text(self.opponent))
    }
}

#[cfg(feature = "serde")]
impl Serialize for Board {
    /// Writes the twelve houses as numbers, `A B C D E F a b c d e f`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.houses().serialize(serializer)
    }
}
