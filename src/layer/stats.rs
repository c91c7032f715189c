//! What papers publish of a layer: how many positions are won, drawn and lost, and by how much.
//!
//! Counted over the positions that a table holds. Where bounds differ, a win is a position whose
//! lower bound is above 0, a loss a position whose upper bound is below, a draw a position whose
//! bounds are both 0; the rest is undecided and in none of the three.
//!
//! Where scores are clamped, sums and counts are those of clamped scores, and a position at an end of
//! the range is not exact.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Mutex;

use crate::game::{ScoreRange, Seeds};
use crate::layer::blocks::Blocks;
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use crate::parallel;
use crate::pool::locked;

/// Positions that are counted at a time: their upper bounds have a sum of 32 bits.
const PART: usize = 1 << 15;

/// The figures of a layer: its positions, wins, draws, losses and scores.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LayerStats {
    /// Seeds on the board.
    pub seeds: Seeds,
    /// Positions in the layer's table.
    pub positions: u64,
    /// The largest score, if scores are clamped.
    pub range: Option<i8>,
    /// Positions whose score is known.
    pub exact: u64,
    /// Positions that the mover wins.
    pub wins: u64,
    /// Positions worth nothing to either player.
    pub draws: u64,
    /// Positions that the mover loses.
    pub losses: u64,
    /// Sum of the lower bounds.
    pub low_sum: i64,
    /// Sum of the upper bounds.
    pub high_sum: i64,
    /// How far the bounds of a position are apart at most.
    pub widest: u8,
    /// How many positions have which lower bound.
    pub histogram: BTreeMap<i8, u64>,
    /// Length of the table's file; 0 for a layer that has none.
    pub bytes: u64,
}

impl LayerStats {
    /// Returns the figures of a layer in memory.
    pub fn of_solved(solved: &Solved) -> LayerStats {
        let high = solved.high.as_ref().map(Plane::blocks);
        LayerStats::of_blocks(solved.layer().range(), solved.low.blocks(), high)
    }

    /// Returns the figures of what is here of a layer: lower bounds, and upper ones where they differ.
    pub fn of_blocks(range: ScoreRange, low: &Blocks, high: Option<&Blocks>) -> LayerStats {
        let piece = |(block, panel)| {
            let scores = low.panel(block, panel);
            low.enforce_bound();
            let Some(high) = high else { return LayerStats::of_exact(range, &scores) };
            LayerStats::of_part(range, &scores, &high.panel(block, panel))
        };
        let mut all = LayerStats::counted(range, BTreeMap::new());
        for block in 0..low.count() {
            // The next one is on its way while this one is looked at.
            if block + 1 < low.count() {
                iter::once(low).chain(high).for_each(|plane| plane.fetch_block(block + 1));
            }
            let panels = low.shape(block).rectangle().panels;
            all.join_all(panels, |panel| piece((block, panel)));
        }
        all
    }

    /// Returns the figures of a layer whose scores have a range, with these bounds of all positions.
    pub fn of_bounds(range: ScoreRange, low: &[i8], high: &[i8]) -> LayerStats {
        let parts = low.chunks(PART).zip(high.chunks(PART));
        let mut all = LayerStats::counted(range, BTreeMap::new());
        all.join_all(parts, |(low, high)| LayerStats::of_part(range, low, high));
        all
    }

    /// The figures of some positions with these bounds.
    fn of_part(range: ScoreRange, low: &[i8], high: &[i8]) -> LayerStats {
        let mut stats = LayerStats::counted(range, histogram(low));
        for (low, high) in low.chunks(PART).zip(high.chunks(PART)) {
            stats.exact += count(low, high, |low, high| low == high && range.tells(low));
            stats.draws += count(low, high, |low, high| low | high == 0);
            stats.losses += count(low, high, |_, high| high < 0);
            stats.high_sum += i64::from(high.iter().map(|&high| i32::from(high)).sum::<i32>());
            let widths = low.iter().zip(high).map(|(low, high)| high.abs_diff(*low));
            stats.widest = widths.fold(stats.widest, u8::max);
        }
        stats
    }

    /// The figures of some positions with these scores, which are both of their bounds.
    fn of_exact(range: ScoreRange, scores: &[i8]) -> LayerStats {
        let histogram = histogram(scores);
        let told = histogram.iter().filter(|(score, _)| range.tells(**score));
        let exact = told.map(|(_, count)| count).sum();
        let stats = LayerStats::counted(range, histogram);
        let (draws, losses, high_sum) = (stats.with_low(0), stats.below(), stats.low_sum);
        LayerStats { exact, draws, losses, high_sum, ..stats }
    }

    /// Returns the figures of the positions of both; of files, those that the first counts.
    pub fn joined(&self, other: &LayerStats) -> LayerStats {
        let mut all = self.clone();
        all.join(other);
        all
    }

    /// Adds those of some tasks, which are done in parallel.
    fn join_all<T: Send>(
        &mut self,
        tasks: impl IntoIterator<Item = T>,
        of: impl Fn(T) -> LayerStats + Sync,
    ) {
        let all = Mutex::new(self);
        parallel::each_of(tasks, |task| {
            let found = of(task);
            locked(&all).join(&found);
        });
    }

    /// Adds the figures of other positions.
    fn join(&mut self, other: &LayerStats) {
        self.positions += other.positions;
        self.exact += other.exact;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.low_sum += other.low_sum;
        self.high_sum += other.high_sum;
        self.widest = self.widest.max(other.widest);
        for (&low, count) in &other.histogram {
            *self.histogram.entry(low).or_default() += count;
        }
    }

    /// Returns the figures that a table holds, as numbers: exact, draws, losses, sum of upper
    /// bounds, widest, and how many positions have which lower bound, from the least possible on.
    pub fn to_numbers(&self) -> Vec<u64> {
        let most = self.seeds.get() as i8;
        let counts = (-most..=most).map(|low| self.with_low(low));
        let others =
            [self.exact, self.draws, self.losses, self.high_sum as u64, self.widest.into()];
        others.into_iter().chain(counts).collect()
    }

    /// Returns how many numbers the figures of a layer of this many seeds are.
    pub(crate) fn count_of_numbers(seeds: usize) -> usize {
        5 + 2 * seeds + 1
    }

    /// Reads the figures of this many positions of a layer of any game from their numbers, the
    /// inverse of [`LayerStats::to_numbers`]; returns `None` for numbers that no layer has.
    pub(crate) fn of_numbers(
        range: ScoreRange,
        positions: u64,
        numbers: &[u64],
    ) -> Option<LayerStats> {
        let seeds = range.seeds();
        let (&[exact, draws, losses, high_sum, widest], counts) = numbers.split_first_chunk()?;
        let most = seeds.get() as i8;
        let sum = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count))?;
        if sum != positions || counts.len() != 2 * seeds.get() + 1 {
            return None;
        }
        let histogram: BTreeMap<i8, u64> =
            (-most..=most).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect();
        let (high_sum, widest) = (high_sum as i64, u8::try_from(widest).ok()?);
        let counted = LayerStats::counted(range, histogram);
        let stats = LayerStats { exact, draws, losses, high_sum, widest, ..counted };
        Some(stats).filter(LayerStats::is_possible)
    }

    /// Returns what follows from how often each lower bound comes; the rest is 0.
    fn counted(range: ScoreRange, histogram: BTreeMap<i8, u64>) -> LayerStats {
        LayerStats {
            seeds: range.seeds(),
            positions: histogram.values().sum(),
            range: range.clamp_end(),
            exact: 0,
            wins: histogram.range(1..).map(|(_, count)| count).sum(),
            draws: 0,
            losses: 0,
            low_sum: histogram.iter().map(|(&low, &count)| i64::from(low) * count as i64).sum(),
            high_sum: 0,
            widest: 0,
            histogram,
            bytes: 0,
        }
    }

    /// How many positions have this lower bound.
    fn with_low(&self, low: i8) -> u64 {
        self.histogram.get(&low).copied().unwrap_or(0)
    }

    /// How many have a lower bound below 0.
    fn below(&self) -> u64 {
        self.histogram.range(..0).map(|(_, count)| count).sum()
    }

    /// Returns whether some layer could have these figures, as far as they depend on each other.
    fn is_possible(&self) -> bool {
        let fits_range =
            self.histogram.keys().all(|low| low.abs() <= self.range.unwrap_or(i8::MAX));
        let open = self.positions.checked_sub(self.exact);
        // At an end of the range bounds agree, and the score is not known.
        let at_ends: u64 =
            self.range.iter().map(|&end| self.with_low(-end) + self.with_low(end)).sum();
        let spread =
            self.high_sum.checked_sub(self.low_sum).and_then(|spread| u64::try_from(spread).ok());
        let fits = |(open, spread): (u64, u64)| {
            open <= spread.saturating_add(at_ends)
                && spread <= open.saturating_mul(self.widest.into())
        };
        fits_range
            && self.draws <= self.with_low(0)
            && self.losses <= self.below()
            && usize::from(self.widest) <= 2 * self.seeds.get()
            && open.zip(spread).is_some_and(fits)
    }
}

/// Counts the positions with bounds of which something is true.
fn count(low: &[i8], high: &[i8], is: impl Fn(i8, i8) -> bool) -> u64 {
    low.iter().zip(high).map(|(&low, &high)| u32::from(is(low, high))).sum::<u32>().into()
}

/// How often each number comes.
fn histogram(numbers: &[i8]) -> BTreeMap<i8, u64> {
    // Neighbours are often equal: counts in several places do not wait for each other.
    let mut counts = [[0; 256]; 4];
    let (fours, rest) = numbers.as_chunks::<4>();
    for four in fours {
        for (counts, &number) in counts.iter_mut().zip(four) {
            counts[usize::from(number as u8)] += 1;
        }
    }
    rest.iter().for_each(|&number| counts[0][usize::from(number as u8)] += 1);
    let count = |at: usize| counts.iter().map(|counts: &[u32; 256]| u64::from(counts[at])).sum();
    let all = (0..256).map(|at| (at as u8 as i8, count(at)));
    all.filter(|&(_, count)| count > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::{Domain, Layer, Plane};

    /// A single seed: six positions with it in the mover's row, six with it in the opponent's.
    fn solved() -> Solved {
        let layer = Layer::new(Seeds::new(1).unwrap(), Domain::All);
        let fill = |scores: [i8; 12]| Plane::of_scores(layer, scores);
        let low = fill([-1, -1, -1, 0, 0, 1, 1, 1, 1, 0, -1, -1]);
        let high = fill([-1, 0, 1, 0, 1, 1, 1, 1, 1, 0, -1, -1]);
        Solved { low, high: Some(high), exceptions: None, attained: None, knots: None }
    }

    #[test]
    fn figures_are_defined_by_both_bounds() {
        let stats = LayerStats::of_solved(&solved());
        assert_eq!((stats.positions, stats.exact), (12, 9));
        assert_eq!((stats.wins, stats.draws, stats.losses), (4, 2, 3));
        assert_eq!((stats.low_sum, stats.high_sum, stats.widest), (-1, 3, 2));
        assert_eq!(stats.histogram, BTreeMap::from([(-1, 5), (0, 3), (1, 4)]));
    }

    #[test]
    fn one_plane_counts_as_two_equal_ones() {
        let solved = solved();
        for plane in [&solved.low, solved.high()] {
            let scores: Vec<i8> = plane.scores().collect();
            let two = LayerStats::of_bounds(solved.layer().range(), &scores, &scores);
            let low = Plane::of_scores(solved.layer(), scores);
            let one = Solved { low, high: None, exceptions: None, attained: None, knots: None };
            assert_eq!(LayerStats::of_solved(&one), two);
        }
    }

    #[test]
    fn figures_of_parts_are_those_of_the_whole() {
        let (low, high) = ([-1, -1, 0, 1, 1, -1], [-1, 1, 0, 1, 1, 0]);
        let of = |range: std::ops::Range<usize>| {
            LayerStats::of_bounds(solved().layer().range(), &low[range.clone()], &high[range])
        };
        for cut in 0..=6 {
            assert_eq!(of(0..cut).joined(&of(cut..6)), of(0..6));
        }
    }

    #[test]
    fn numbers_of_a_table_come_back() {
        let (stats, layer) = (LayerStats::of_solved(&solved()), solved().layer());
        let numbers = stats.to_numbers();
        let read =
            |numbers: &[u64]| LayerStats::of_numbers(layer.range(), layer.positions(), numbers);
        assert_eq!(numbers.len(), LayerStats::count_of_numbers(1));
        assert_eq!(read(&numbers), Some(stats));
        assert_eq!(read(&numbers[1..]), None);
        let wrong = [
            (0, 13),
            (0, 12),
            (1, 4),
            (2, 6),
            (3, -2i64 as u64),
            (3, 6),
            (4, 0),
            (4, 3),
            (4, 256),
            (5, 4),
            (6, u64::MAX),
        ];
        for (at, wrong) in wrong {
            let mut numbers = numbers.clone();
            numbers[at] = wrong;
            assert_eq!(read(&numbers), None, "number {at}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serializes_as_users_know_it() {
        let text = serde_json::to_string(&LayerStats::of_solved(&solved())).unwrap();
        let expected = [
            r#"{"seeds":1,"positions":12,"range":null,"exact":9,"wins":4,"draws":2,"losses":3,"#,
            r#""low_sum":-1,"high_sum":3,"widest":2,"histogram":{"-1":5,"0":3,"1":4},"bytes":0}"#,
        ];
        assert_eq!(text, expected.concat());
    }
}
