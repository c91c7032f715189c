//! What a move does.

use std::fmt;

use arrayvec::ArrayVec;

use super::placement::Placement;

/// Legal moves of the placement that has most: two directions for each of 16 places.
pub const MOST: usize = 32;

/// The legal moves of a placement.
pub type Outcomes = ArrayVec<Outcome, MOST>;

/// Which way round a sowing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// In the order of the places.
    Clockwise,
    /// Against it.
    Anticlockwise,
}

/// What a move is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// By its house: `A`, `B` and so on.
    House(u8),
    /// By its shimo's number and its direction: `11+`.
    Shimo(u8, Direction),
    /// The turn is missed: `-`.
    Missed,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Label::House(house) => f.pad(char::from(b'A' + house).encode_utf8(&mut [0; 4])),
            Label::Shimo(shimo, Direction::Clockwise) => f.pad(&format!("{shimo}+")),
            Label::Shimo(shimo, Direction::Anticlockwise) => f.pad(&format!("{shimo}-")),
            Label::Missed => f.pad("-"),
        }
    }
}

/// A legal move and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What it is called.
    pub label: Label,
    /// Seeds that the mover gets.
    pub mover: u8,
    /// Seeds that the opponent gets.
    pub opponent: u8,
    /// Whether the same player moves again.
    pub again: bool,
    /// The placement after it, from the view of the next player to move.
    pub next: Placement,
}

impl Outcome {
    /// Returns whether seeds have left the board.
    pub fn leaves_layer(&self) -> bool {
        self.mover > 0 || self.opponent > 0
    }

    /// Returns what the move changes of the score.
    pub fn gain(&self) -> Gain {
        Gain { seeds: self.mover as i8 - self.opponent as i8, again: self.again }
    }

    /// Returns the value of the move for the mover if the placement after it is worth `next` to the
    /// player who moves there.
    pub fn worth(&self, next: i8) -> i8 {
        self.gain().worth(next)
    }

    /// Returns the bounds of what the move brings, given those of the placement after it.
    pub fn bounds(&self, next: (i8, i8)) -> (i8, i8) {
        self.gain().bounds(next)
    }
}

/// What a move changes of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Seeds that the mover gets minus those that the opponent gets.
    pub seeds: i8,
    /// Whether the same player moves again.
    pub again: bool,
}

impl Gain {
    /// Returns the value of the move for the mover if the placement after it is worth `next` to the
    /// player who moves there.
    #[inline]
    pub fn worth(self, next: i8) -> i8 {
        if self.again { self.seeds + next } else { self.seeds - next }
    }

    /// Returns the bounds of what the move brings, given those of the placement after it.
    #[inline]
    pub fn bounds(self, (low, high): (i8, i8)) -> (i8, i8) {
        if self.again {
            (self.worth(low), self.worth(high))
        } else {
            (self.worth(high), self.worth(low))
        }
    }
}
