//! What a position is worth: scores, and intervals that are proved to hold one.

use std::fmt;

#[cfg(feature = "serde")]
use serde::ser::SerializeStruct;
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// A difference of seeds under perfect play: what one player still gets minus what the other does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Score(i8);

impl Score {
    /// Nothing between the players.
    pub const ZERO: Score = Score(0);

    /// Returns the score of `difference` seeds, at most 48 either way.
    pub const fn new(difference: i8) -> Score {
        debug_assert!(difference >= -48 && difference <= 48);
        Score(difference)
    }

    /// Returns the difference in seeds.
    pub const fn get(self) -> i8 {
        self.0
    }

    /// Returns the score of a move that captures `captured` seeds and leads to a position with this
    /// score.
    pub const fn after_capture(self, captured: u8) -> Score {
        Score(captured as i8 - self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A score known to lie between two bounds, both included. Under a sheet with an even split the
/// bounds are equal, but for those of a clamped score at an end of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The mover gets at least this.
    pub low: Score,
    /// The mover gets at most this.
    pub high: Score,
}

impl Interval {
    /// Returns the interval of a score that is known.
    pub const fn exact(score: Score) -> Interval {
        Interval { low: score, high: score }
    }

    /// Returns the score, if the bounds agree.
    pub fn value(self) -> Option<Score> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns the interval of a move that captures `captured` seeds and leads to a position with
    /// this interval.
    pub const fn after_capture(self, captured: u8) -> Interval {
        Interval { low: self.high.after_capture(captured), high: self.low.after_capture(captured) }
    }
}

impl fmt::Display for Interval {
    /// Writes `+3`, or `0..+3` where the bounds differ.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed =
            |score: Score| if score == Score::ZERO { "0".to_owned() } else { format!("{score:+}") };
        match self.value() {
            Some(score) => f.pad(&signed(score)),
            None => f.pad(&format!("{}..{}", signed(self.low), signed(self.high))),
        }
    }
}

#[cfg(feature = "serde")]
impl Serialize for Interval {
    /// Writes the score object: `low`, `high`, `exact`, and `value`, which is null if not exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value();
        let mut object = serializer.serialize_struct("Interval", 4)?;
        object.serialize_field("low", &self.low)?;
        object.serialize_field("high", &self.high)?;
        object.serialize_field("exact", &value.is_some())?;
        object.serialize_field("value", &value)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_as_people_write_them() {
        let shown =
            |low, high| Interval { low: Score::new(low), high: Score::new(high) }.to_string();
        assert_eq!([shown(3, 3), shown(0, 0), shown(-2, -2)], ["+3", "0", "-2"]);
        assert_eq!([shown(0, 2), shown(-4, -2), shown(-2, 0)], ["0..+2", "-4..-2", "-2..0"]);
    }
}
