//! The figures of a layer that several ranks have.

use rayon::prelude::*;

use crate::game::{Interval, ScoreRange};
use crate::layer::{LINE, LayerStats, Rank};
use crate::solver::cluster::{Part, Settled, SpreadLayer};

/// Which of the [numbers](LayerStats::to_numbers) is a maximum; all others are sums.
const WIDEST: usize = 4;

/// The figures of one rank's positions, as numbers.
pub fn of_part(layer: &SpreadLayer) -> Vec<u64> {
    let (low, high) = (&layer.bounds[0], &layer.bounds[layer.bounds.len() - 1]);
    let panels = |part: &Part| part.panels.clone();
    let panels: Vec<(usize, usize)> = low
        .iter()
        .enumerate()
        .flat_map(|(block, part)| panels(part).map(move |panel| (block, panel)))
        .collect();
    let of_panel = |(block, panel): (usize, usize)| {
        let columns = layer.layer().block_shape(block).1 - panel * LINE;
        let scores = |part: &Part| {
            part.keep();
            let lines = part.panel(panel).iter();
            lines.flat_map(|line| line.0[..columns.min(LINE)].iter().copied()).collect::<Vec<i8>>()
        };
        let low = scores(&low[block]);
        let high = if layer.is_exact() { None } else { Some(scores(&high[block])) };
        let high = high.as_ref().unwrap_or(&low);
        LayerStats::of_bounds(layer.layer().range(), &low, high).to_numbers()
    };
    let none = || vec![0; LayerStats::count_of_numbers(layer.layer())];
    panels.into_par_iter().map(of_panel).reduce(none, |mut all, more| {
        add(&mut all, &more);
        all
    })
}

/// The figures of a layer, given those of its bounds, when what was open is settled.
pub fn settled(range: ScoreRange, mut all: Vec<u64>, settled: &Settled) -> Vec<u64> {
    let of = |intervals: &[(Rank, Interval)]| {
        let bounds = |bound: fn(&Interval) -> i8| -> Vec<i8> {
            intervals.iter().map(|(_, interval)| bound(interval)).collect()
        };
        let (low, high) =
            (bounds(|interval| interval.low.get()), bounds(|interval| interval.high.get()));
        LayerStats::of_bounds(range, &low, &high).to_numbers()
    };
    let (before, after) = (of(&settled.bounds), of(&settled.settlement.intervals));
    for (at, all) in all.iter_mut().enumerate() {
        // All other positions have no width.
        *all = if at == WIDEST {
            after[at]
        } else {
            all.wrapping_sub(before[at]).wrapping_add(after[at])
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
