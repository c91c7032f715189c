//! The games of a match in pairs: each opening with both sides.

/// Counts pairs by what the first engine got of them: nothing, half a point, a point, one and a
/// half, both points.
///
/// An opening that favours a side brings each engine a point, which says nothing about strength.
/// Games counted one by one take that for luck; pairs do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Pairs(pub [u32; 5]);

impl Pairs {
    /// Counts the pairs both of whose games are there, given the results of games by their numbers,
    /// from 1 on and in any order. The first two numbers are a pair, and so on.
    pub fn of(results: impl IntoIterator<Item = (u64, f64)>) -> Pairs {
        let mut results: Vec<(u64, f64)> = results.into_iter().collect();
        results.sort_by_key(|&(number, _)| number);
        let mut pairs = Pairs::default();
        for two in results.chunk_by(|one, next| one.0.div_ceil(2) == next.0.div_ceil(2)) {
            if let [(_, one), (_, other)] = two {
                pairs.0[(2.0 * (one + other)) as usize] += 1;
            }
        }
        pairs
    }

    /// Returns how often each result of a pair came about, as points a game, with half a pair of
    /// each in addition to what was counted, so that no variance is zero.
    pub(super) fn shares(self) -> impl Iterator<Item = (f64, f64)> {
        (0..).map(|quarters| f64::from(quarters) / 4.0).zip(self.0.map(|n| f64::from(n) + 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pairs_are_counted_in_any_order() {
        let results = [(4, 0.5), (1, 1.0), (7, 1.0), (3, 0.0), (2, 1.0), (5, 0.0), (6, 1.0)];
        assert_eq!(Pairs::of(results).0, [0, 1, 1, 0, 1]);
        assert_eq!(Pairs::of([(2, 1.0), (3, 1.0)]), Pairs::default());
    }
}
