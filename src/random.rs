//! Random numbers, the same ones again for the same seed.
//!
//! The algorithm is fixed, SplitMix64 (Steele, Lea and Flood, 2014), so a sample that a user
//! names by its seed is the same in every release and on every machine.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Creates the generator whose numbers `seed` determines.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Returns any number of 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The upper half of a product is even to within end / 2^64.
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }

    /// Returns the item with the greatest key; of several, any with the same chance. `None` if
    /// there is no item.
    pub fn greatest<T, K: Ord>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut key: impl FnMut(&T) -> K,
    ) -> Option<T> {
        let (mut best, mut equals) = (None, 0);
        for item in items {
            let found = key(&item);
            let order =
                best.as_ref().map_or(std::cmp::Ordering::Greater, |(best, _)| found.cmp(best));
            equals = match order {
                std::cmp::Ordering::Less => continue,
                std::cmp::Ordering::Equal => equals + 1,
                std::cmp::Ordering::Greater => 1,
            };
            if self.below(equals) == 0 {
                best = Some((found, item));
            }
        }
        best.map(|(_, item)| item)
    }
}

/// A shuffle of the numbers below `size` that a key determines and that takes no memory: a Feistel
/// network over the least power of 4, from 4 on, that is no less, walked until it comes back below
/// `size` (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). Like that of [`Dice`]
/// its algorithm is fixed.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    size: u64,
    /// Bits of each half of a number.
    half: u32,
    keys: [u64; Permutation::ROUNDS],
}

impl Permutation {
    const ROUNDS: usize = 6;

    /// Creates the shuffle of the numbers 0 to `size` − 1 that `key` determines.
    pub fn new(size: u64, key: u64) -> Permutation {
        let bits = u64::BITS - size.saturating_sub(1).leading_zeros();
        let mut dice = Dice::new(key);
        let keys = std::array::from_fn(|_| dice.number());
        Permutation { size, half: bits.div_ceil(2).max(1), keys }
    }

    /// Returns how many numbers are shuffled.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the number that stands at place `at`.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn at(&self, at: u64) -> u64 {
        assert!(at < self.size, "place {at} of {}", self.size);
        let mut found = self.crossed(at);
        while found >= self.size {
            found = self.crossed(found);
        }
        found
    }

    /// Shuffles the numbers of this many bits.
    fn crossed(&self, number: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (Dice::new(right ^ key).number() & mask));
        }
        (left << self.half) | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_has_every_number_once() {
        for size in (1..200).chain([255, 256, 257, 4095, 4096, 4097, 65_537]) {
            for key in 0..3 {
                let shuffle = Permutation::new(size, key);
                let mut found: Vec<u64> = (0..size).map(|at| shuffle.at(at)).collect();
                found.sort_unstable();
                assert!(found.into_iter().eq(0..size), "{size}, key {key}");
            }
        }
    }

    /// Any beginning of a shuffle is a fair sample, and two keys have nothing in common.
    #[test]
    fn a_beginning_of_a_shuffle_is_spread_evenly() {
        let size = 1_000_003;
        let (one, other) = (Permutation::new(size, 1), Permutation::new(size, 2));
        let (mut bins, mut parity, mut same) = ([0_i32; 10], 0_i32, 0);
        for at in 0..20_000 {
            bins[(one.at(at) * 10 / size) as usize] += 1;
            parity += (one.at(at) % 2) as i32;
            same += u32::from(one.at(at) == other.at(at));
        }
        // Five standard deviations.
        assert!(bins.iter().all(|&count| (count - 2000).abs() < 212), "{bins:?}");
        assert!((parity - 10_000).abs() < 354 && same < 5, "{parity} {same}");
    }

    #[test]
    fn the_published_numbers() {
        let mut dice = Dice::new(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| dice.number()), expected);
    }

    #[test]
    fn any_of_the_greatest() {
        let mut dice = Dice::new(1);
        let mut counts = [0; 5];
        for _ in 0..3000 {
            counts[dice.greatest(0..5, |&item| item / 2 == 1).unwrap()] += 1;
        }
        assert!(
            counts[2] > 1400 && counts[3] > 1400 && counts[2] + counts[3] == 3000,
            "{counts:?}"
        );
        assert_eq!(dice.greatest([0; 0], |&item| item), None);
    }
}
