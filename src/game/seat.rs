//! The two players by name, and moves as they are written.
//!
//! A board knows the mover and the opponent. Records and engines call the players South and North,
//! and a position that recurs in a game is a board *and* who is to move.

use std::fmt;

use crate::game::board::House;

/// A player's place at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Seat {
    /// Written in capitals, and first in the engines' form of a position.
    South,
    /// Written in lower case.
    North,
}

impl Seat {
    /// Both players, South first.
    pub const BOTH: [Seat; 2] = [Seat::South, Seat::North];

    /// Returns the player on the other side of the board.
    pub const fn other(self) -> Seat {
        match self {
            Seat::South => Seat::North,
            Seat::North => Seat::South,
        }
    }

    /// Returns the letter of `house` if this player owns it: `A`..`F` or `a`..`f`.
    pub const fn letter(self, house: House) -> char {
        match self {
            Seat::South => house.letter(),
            Seat::North => house.opponent_letter(),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Seat::South => "South",
            Seat::North => "North",
        })
    }
}

/// A move as it is written: who moves, and which house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// Who moves.
    pub seat: Seat,
    /// The house that is emptied, counted from its owner's left.
    pub house: House,
}

impl Ply {
    /// Returns the move that a letter stands for, `A`..`F` or `a`..`f`; `None` for any other.
    pub fn from_letter(letter: char) -> Option<Ply> {
        let (seat, first) = match letter {
            'A'..='F' => (Seat::South, 'A'),
            'a'..='f' => (Seat::North, 'a'),
            _ => return None,
        };
        Some(Ply { seat, house: House::new(letter as usize - first as usize)? })
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seat.letter(self.house).fmt(f)
    }
}
