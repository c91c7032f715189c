//! Seeds of a result, which may be halves.

use std::fmt::{Display, Formatter};

#[cfg(feature = "serde")]
use serde::ser::{Serialize, Serializer};

/// A number of half seeds: what players have where a repetition halves an odd number of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HalfSeeds(u16);

impl HalfSeeds {
    /// Returns a number of whole seeds.
    pub const fn whole(seeds: u8) -> HalfSeeds {
        HalfSeeds(seeds as u16 * 2)
    }

    /// Returns whether there is no half seed among them.
    pub(super) const fn is_whole(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// Returns what a player has of `shared` seeds who is this many ahead.
    pub(super) fn of_share(shared: u8, ahead: i8) -> HalfSeeds {
        HalfSeeds(u16::from(shared).saturating_add_signed(ahead.into()))
    }

    /// Reads seeds as results name them: `24`, `24.5` or `24½`.
    pub(super) fn read(text: &str) -> Option<HalfSeeds> {
        let halved = text.strip_suffix(".5").or_else(|| text.strip_suffix('½'));
        let unsigned = Some(halved.unwrap_or(text)).filter(|text| !text.starts_with('+'));
        let HalfSeeds(whole) = HalfSeeds::whole(unsigned?.parse().ok()?);
        Some(HalfSeeds(whole + u16::from(halved.is_some())))
    }
}

impl Display for HalfSeeds {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.is_whole() { "" } else { ".5" })
    }
}

#[cfg(feature = "serde")]
impl Serialize for HalfSeeds {
    /// Writes a number, with `.5` if it is not whole.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_whole() {
            true => serializer.serialize_u16(self.0 / 2),
            false => serializer.serialize_f32(f32::from(self.0) / 2.0),
        }
    }
}
