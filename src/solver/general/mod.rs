//! Layers of the games beside Oware, whose moves do not act on whole rows.
//!
//! A layer is solved in three steps:
//!
//! 1. `expand`: the moves of every placement. Those that leave the layer become a constant, the
//!    best they bring; the others are edges, and kept;
//! 2. `predecessors`: the edges turned round;
//! 3. `retrograde`: from the largest score down, backwards along the edges. Each placement is
//!    settled once, and each edge looked at once.
//!
//! Children's Bao has no cycles at all; its layers need no edges, but one pass in the right order
//! (`ordered`).
//!
//! What is found does not depend on the number of threads. [`crate::solver::oracle`] holds the slow
//! and obvious solver that this one equals in every test.

mod expand;
mod ordered;
mod predecessors;
mod retrograde;
mod work;

use std::sync::atomic::AtomicBool;

pub use work::Below;

use crate::error::Result;
use crate::game::mancala::{Circling, Layers, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved};

/// Every placement of a layer, given all layers below that occur.
///
/// # Errors
/// [`Error::Interrupted`](crate::error::Error::Interrupted) as soon as `stop` is set.
pub fn solve(layer: GeneralLayer, below: &Below, stop: &AtomicBool) -> Result<GeneralSolved> {
    match layer.sheet().circling {
        Circling::Never => ordered::solve(layer, below, stop),
        Circling::EvenSplit | Circling::Drawn => {
            let expanded = expand::expand(layer, below, stop)?;
            retrograde::solve(layer, expanded, stop)
        }
    }
}

/// Returns the bytes of memory that solving a layer takes, lower layers not counted.
pub fn memory(layer: GeneralLayer) -> u64 {
    let planes = layer.sheet().planes() as u64;
    let each = match layer.sheet().circling {
        Circling::Never => 1,
        // Bounds and constants, what is left to count, stamps; edges both ways, and where those of
        // a placement begin.
        Circling::EvenSplit | Circling::Drawn => 2 * planes + 2 + 4 + 8 * edges(layer.sheet()),
    };
    layer.positions().saturating_mul(each)
}

/// Edges of a placement, about: a little more than has been counted in layers that were built.
fn edges(sheet: &Sheet) -> u64 {
    match sheet.layers {
        Layers::BySeeds => 3,
        Layers::Alone => 4,
    }
}
