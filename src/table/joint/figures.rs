//! The figures of a layer that several ranks have.

use crate::game::{Interval, ScoreRange};
use crate::layer::{LayerStats, Rank};
use crate::solver::cluster::{SettledSpread, SpreadLayer};

/// Which of the [numbers](LayerStats::to_numbers) is a maximum; all others are sums.
const WIDEST: usize = 4;

/// The figures of one rank's positions, as numbers.
pub fn of_part(layer: &SpreadLayer) -> Vec<u64> {
    let (range, bounds) = (layer.layer().range(), &layer.bounds);
    LayerStats::of_blocks(range, &bounds[0], bounds.get(1)).to_numbers()
}

/// The figures of a layer, given those of its bounds, when what was open is settled.
pub fn settled(range: ScoreRange, mut all: Vec<u64>, settled: &SettledSpread) -> Vec<u64> {
    let of = |intervals: &[(Rank, Interval)]| {
        let bounds = intervals.iter().map(|(_, Interval { low, high })| (low.get(), high.get()));
        let (low, high): (Vec<i8>, Vec<i8>) = bounds.unzip();
        LayerStats::of_bounds(range, &low, &high).to_numbers()
    };
    let (before, after) = (of(&settled.bounds), of(&settled.settlement.intervals));
    for (at, all) in all.iter_mut().enumerate() {
        // All other positions have no width.
        *all = match at {
            WIDEST => after[at],
            _ => all.wrapping_sub(before[at]).wrapping_add(after[at]),
        };
    }
    all
}

/// Adds the figures of other positions.
pub fn add(all: &mut [u64], more: &[u64]) {
    for (at, (all, &more)) in all.iter_mut().zip(more).enumerate() {
        // One of them has a sign.
        *all = if at == WIDEST { more.max(*all) } else { all.wrapping_add(more) };
    }
}
