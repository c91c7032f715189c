//! What memory a layer takes whose moves are kept, before any of them is made.
//!
//! How many moves stay in a layer is counted in a sample of it. Two moments count: when the last
//! moves have been made, and when a level begins that many placements enter at once. A test holds the
//! forecast against what a build took.

use super::bundles::{BAND, GROUPS};
use super::work::PIECE;
use crate::game::mancala::{Circling, Outcomes};
use crate::layer::general::GeneralLayer;
use crate::random::Dice;

/// Placements of the sample.
const SAMPLE: u64 = 1024;

/// Bytes of a number of a placement, or of an edge.
const NUMBER: f64 = 4.0;

/// Bytes that say where the edges into a placement begin.
const START: f64 = 2.1;

/// How many levels' shares of a layer enter at one level, where most do.
const SHARES: f64 = 2.2;

/// What layers took at most that were built, by what the sum of their parts says: `bao-laps` with 14,
/// 17 and 18 seeds 1.03, 1.14 and 1.08, others less.
const MOST: f64 = 1.15;

/// Bytes that threads, and what the allocator keeps, take in addition.
const BESIDE: f64 = 96.0 * (1 << 20) as f64;

/// Bytes of memory that a layer takes whose moves are kept.
pub fn kept(layer: &GeneralLayer) -> u64 {
    let (positions, edges) = (layer.positions() as f64, NUMBER * quiet_moves(layer));
    let cells = 1.0 + layer.sheet().planes() as f64;
    let ends = NUMBER * (positions / PIECE as f64).ceil() * (positions / BAND as f64).ceil();
    let making = positions * (cells + edges * (1.0 + 1.0 / GROUPS as f64)) + ends;
    // How many edges matter, see `retrograde`.
    let needed = match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => 0.9,
        Circling::Drawn => 1.0,
    };
    let levels = layer.seeds() as f64 / layer.sheet().step as f64;
    let entering = (SHARES / levels).min(1.0);
    let searching = positions * (cells + START + needed * edges + NUMBER * entering);
    (MOST * making.max(searching) + BESIDE) as u64
}

/// The moves of a placement that stay in the layer, about.
fn quiet_moves(layer: &GeneralLayer) -> f64 {
    let (mut dice, mut outcomes) = (Dice::new(1), Outcomes::new());
    let mut quiet = || {
        outcomes.clear();
        let placement = layer.placement(dice.below(layer.positions()));
        layer.sheet().game.add_outcomes(&placement, &mut outcomes);
        outcomes.iter().filter(|outcome| !outcome.leaves_layer()).count()
    };
    (0..SAMPLE).map(|_| quiet()).sum::<usize>() as f64 / SAMPLE as f64
}
