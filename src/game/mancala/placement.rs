//! Positions of the other games: how many seeds each place holds, and which places are the
//! mover's.

use std::fmt;

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// Places of the largest board: 4 × 8.
pub const PLACES: usize = 32;

/// How many seeds each place holds, the mover's places first, then the opponent's, and whose the
/// places are.
///
/// Both halves of the board have as many places. Each player's are numbered as that player sees
/// them, in the order of the sheet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    places: [u8; PLACES],
    half: u8,
    /// Bit by place: whether the mover owns it.
    owners: u32,
}

impl Placement {
    /// Returns a placement in which each player owns a half of the board.
    ///
    /// # Panics
    /// If the places are odd in number, or more than [`PLACES`].
    pub fn new(counts: &[u8]) -> Placement {
        assert!(counts.len() <= PLACES && counts.len().is_multiple_of(2), "two halves");
        let mut places = [0; PLACES];
        places[..counts.len()].copy_from_slice(counts);
        let half = counts.len() / 2;
        Placement { places, half: half as u8, owners: own_half(half) }
    }

    /// Returns the placement with other owners: a bit for each place that is the mover's.
    pub fn with_owners(self, owners: u32) -> Placement {
        Placement { owners, ..self }
    }

    /// Returns the seeds of the first sixteen places, a byte for each, the first one lowest.
    pub fn first_sixteen(&self) -> u128 {
        u128::from_le_bytes(*self.places.first_chunk().expect("there are more places"))
    }

    /// Returns the placement with other seeds in the first sixteen places, as in
    /// [`Placement::first_sixteen`].
    pub fn with_first_sixteen(mut self, houses: u128) -> Placement {
        *self.places.first_chunk_mut().expect("there are more places") = houses.to_le_bytes();
        self
    }

    /// Returns the seeds of the mover's half and of the opponent's, a byte for each place, the first
    /// one lowest.
    pub fn halves(&self) -> [u128; 2] {
        let half = self.half();
        let from = |place: usize| {
            u128::from_le_bytes(*self.places[place..].first_chunk().expect("a half has 16 at most"))
        };
        [from(0) & u128::MAX >> (u128::BITS as usize - 8 * half), from(half)]
    }

    /// Returns the placement with other seeds, as in [`Placement::halves`].
    pub fn with_halves(self, [mover, opponent]: [u128; 2]) -> Placement {
        let bits = 8 * u32::from(self.half);
        let low = mover | opponent.checked_shl(bits).unwrap_or(0);
        let high = opponent.checked_shr(u128::BITS - bits).unwrap_or(0);
        let mut places = [0; PLACES];
        places[..PLACES / 2].copy_from_slice(&low.to_le_bytes());
        places[PLACES / 2..].copy_from_slice(&high.to_le_bytes());
        Placement { places, ..self }
    }

    /// Returns the places of a half of the board.
    pub fn half(&self) -> usize {
        usize::from(self.half)
    }

    /// Returns the seeds of all places, the mover's first.
    pub fn counts(&self) -> &[u8] {
        &self.places[..2 * self.half()]
    }

    /// Returns the seeds of all places, to change.
    pub fn counts_mut(&mut self) -> &mut [u8] {
        let places = 2 * self.half();
        &mut self.places[..places]
    }

    /// Returns the mover's half.
    pub fn mover(&self) -> &[u8] {
        &self.places[..self.half()]
    }

    /// Returns the opponent's half.
    pub fn opponent(&self) -> &[u8] {
        &self.counts()[self.half()..]
    }

    /// Returns how many seeds there are.
    pub fn seeds(&self) -> usize {
        // Places that the board does not have are empty; a sum of this many bytes is no loop.
        sum(&self.places)
    }

    /// Returns the mover's places, a bit for each.
    pub fn owners(&self) -> u32 {
        self.owners
    }

    /// Returns whether the mover owns a place.
    pub fn is_own(&self, place: usize) -> bool {
        self.owners >> place & 1 == 1
    }

    /// Returns the placement as the other player sees it.
    pub fn turned(&self) -> Placement {
        let half = self.half();
        let mut places = [0; PLACES];
        places[..half].copy_from_slice(self.opponent());
        places[half..2 * half].copy_from_slice(self.mover());
        Placement { places, half: self.half, owners: turned_owners(self.owners, half) }
    }
}

/// Returns the seeds of a place of some that have a byte each, the first one lowest.
#[inline]
pub(super) fn count(places: u128, at: usize) -> usize {
    usize::from((places >> (8 * at)) as u8)
}

/// Returns what a sowing of fewer seeds than houses adds to a ring, a byte for each house, by the house
/// of origin and by how many they are: a seed in each of the next ones, and `taken` fewer for each in
/// that of origin.
pub(super) const fn sown<const RING: usize>(taken: u128) -> [[u128; RING]; RING] {
    let mut sown = [[0u128; RING]; RING];
    let mut from = 0;
    while from < RING {
        let mut hand = 1;
        while hand < RING {
            let next = 1 << (8 * ((from + hand) % RING));
            sown[from][hand] =
                sown[from][hand - 1].wrapping_add(next).wrapping_sub(taken << (8 * from));
            hand += 1;
        }
        from += 1;
    }
    sown
}

/// Returns the seeds of some places.
pub fn sum(places: &[u8]) -> usize {
    places.iter().map(|&count| usize::from(count)).sum()
}

/// Returns the owners if each player owns a half of this many places.
pub fn own_half(half: usize) -> u32 {
    (1 << half) - 1
}

/// Returns what the owners of one player are to the other.
pub fn turned_owners(owners: u32, half: usize) -> u32 {
    let theirs = !owners;
    (theirs >> half & own_half(half)) | (theirs & own_half(half)) << half
}

impl fmt::Display for Placement {
    /// Writes the numbers, with two spaces between the halves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, count) in self.counts().iter().enumerate() {
            let space = match place {
                0 => "",
                _ if place == self.half() => "  ",
                _ => " ",
            };
            write!(f, "{space}{count}")?;
        }
        if self.owners != own_half(self.half()) {
            write!(f, "  {}", owners_text(self.owners, self.half()))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

#[cfg(feature = "serde")]
impl Serialize for Placement {
    /// Writes the numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.counts())
    }
}

/// Returns owners as text: `mmmmmmoooooo`.
pub fn owners_text(owners: u32, half: usize) -> String {
    (0..2 * half).map(|place| if owners >> place & 1 == 1 { 'm' } else { 'o' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_places_in_order() {
        for half in [1, 4, 6, 15, 16] {
            let counts: Vec<u8> = (1..=2 * half as u8).collect();
            let placement = Placement::new(&counts);
            let [mover, opponent] = placement.halves();
            assert_eq!(&mover.to_le_bytes()[..half], placement.mover());
            assert_eq!(&opponent.to_le_bytes()[..half], placement.opponent());
            assert_eq!(placement.with_halves([opponent, mover]), placement.turned());
        }
    }

    #[test]
    fn turning_twice_changes_nothing() {
        let placement = Placement::new(&[1, 2, 3, 4, 5, 6, 7, 8]).with_owners(0b0110_1101);
        assert_eq!(placement.turned().counts(), [5, 6, 7, 8, 1, 2, 3, 4]);
        assert_eq!(placement.turned().owners(), 0b0010_1001);
        assert_eq!(placement.turned().turned(), placement);
        assert_eq!(turned_owners(own_half(4), 4), own_half(4));
        assert_eq!(placement.to_string(), "1 2 3 4  5 6 7 8  mommommo");
    }
}
