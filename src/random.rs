//! Numbers at random, the same ones again for the same seed.

/// The generator SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall as `seed` has it.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The upper half of a product is even to within end / 2^64.
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }

    /// The item with the greatest key; of several, any.
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
        (0..3000).for_each(|_| counts[dice.greatest(0..5, |&item| item / 2 == 1).unwrap()] += 1);
        assert!(
            counts[2] > 1400 && counts[3] > 1400 && counts[2] + counts[3] == 3000,
            "{counts:?}"
        );
        assert_eq!(dice.greatest([0; 0], |&item| item), None);
    }
}
