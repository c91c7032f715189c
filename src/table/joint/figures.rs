//! The figures of a layer that several ranks have.

use rayon::prelude::*;

use crate::layer::{LINE, LayerStats};
use crate::solver::cluster::{Part, SpreadLayer};

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
    let seeds = layer.layer().seeds();
    let of_panel = |(block, panel): (usize, usize)| {
        let columns = layer.layer().block_shape(block).1 - panel * LINE;
        let scores = |part: &Part| {
            part.keep();
            let lines = part.panel(panel).iter();
            lines.flat_map(|line| line.0[..columns.min(LINE)].iter().copied()).collect::<Vec<i8>>()
        };
        let low = scores(&low[block]);
        let high = if layer.is_exact() { None } else { Some(scores(&high[block])) };
        LayerStats::of_bounds(seeds, &low, high.as_ref().unwrap_or(&low)).to_numbers()
    };
    let none = || vec![0; LayerStats::count_of_numbers(layer.layer())];
    panels.into_par_iter().map(of_panel).reduce(none, |mut all, more| {
        add(&mut all, &more);
        all
    })
}

/// Adds the figures of other positions.
pub fn add(all: &mut [u64], more: &[u64]) {
    for (at, (all, &more)) in all.iter_mut().zip(more).enumerate() {
        // One of them has a sign.
        *all = if at == WIDEST { more.max(*all) } else { all.wrapping_add(more) };
    }
}
