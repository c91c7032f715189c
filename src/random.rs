//! Random numbers, the same ones again for the same seed.
//!
//! The algorithm is fixed, SplitMix64 (Steele, Lea and Flood, 2014), so a sample that somebody
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

#[cfg(test)]
mod tests {
    use super::*;

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
