//! Layers of the games beside Oware, whose moves do not act on whole rows.
//!
//! A layer is solved in three steps:
//!
//! 1. `expand`: the moves of every placement. Those that leave the layer become a constant, the
//!    best they bring; the others are edges, and kept;
//! 2. `predecessors`: the edges turned round, band by band;
//! 3. `retrograde`: from the largest score down, backwards along the edges. Each placement is
//!    settled once, and each edge looked at once.
//!
//! Where memory does not suffice for edges, `anew` finds the same in many passes, each of which
//! makes all moves again. Children's Bao has no cycles at all; its layers need no edges, but one
//! pass in the right order (`ordered`). In Bao la Kujifunza, where nothing leaves the board, few
//! placements are open for long, and moves are always made anew (`alone`).
//!
//! What is found does not depend on the number of threads. [`crate::solver::oracle`] holds the slow
//! and obvious solver that this one equals in every test.

mod alone;
mod anew;
mod expand;
mod ordered;
mod predecessors;
mod retrograde;
mod work;

pub use work::{Below, Edges, Keeper, Resumed, Snapshot, Way};

use crate::error::Result;
use crate::game::mancala::{Circling, Layers, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved, ways};

/// Every placement of a layer, given all layers below that occur.
///
/// All ways offer checkpoints to the keeper and go on from its. Where edges are kept the moves are
/// made again before that, and turned round: some 58 % of the processor time of a solve, by a profile
/// of Nam Nam with 16 and Bao with laps and 12 seeds.
///
/// # Errors
/// [`Error::Interrupted`](crate::error::Error::Interrupted) soon after the keeper wants a stop.
pub fn solve(
    layer: GeneralLayer,
    below: &Below,
    edges: Edges,
    keeper: &dyn Keeper,
) -> Result<GeneralSolved> {
    match way(layer.sheet(), edges) {
        Way::Ordered => ordered::solve(layer, below, keeper),
        Way::Kept => retrograde::solve(layer, expand::expand(layer, below, edges, keeper)?, keeper),
        Way::Anew => anew::solve(layer, below, keeper),
        Way::Alone => alone::solve(layer, keeper),
    }
}

/// How a layer is solved.
fn way(sheet: &Sheet, edges: Edges) -> Way {
    match (sheet.layers, sheet.circling) {
        (Layers::BySeeds, Circling::Never) => Way::Ordered,
        (Layers::BySeeds, Circling::EvenSplit | Circling::Drawn) => match edges {
            Edges::Kept => Way::Kept,
            Edges::MadeAnew => Way::Anew,
        },
        (Layers::Alone, _) => Way::Alone,
    }
}

/// Returns whether it makes a difference if moves are kept.
pub fn has_edges(sheet: &Sheet) -> bool {
    way(sheet, Edges::Kept) == Way::Kept
}

/// Returns the bytes of memory that solving a layer takes, lower layers not counted.
pub fn memory(layer: GeneralLayer, edges: Edges) -> u64 {
    let planes = layer.sheet().planes() as u64;
    let each = match way(layer.sheet(), edges) {
        Way::Ordered => {
            // A byte a position, and what the largest list of rows says of each of them.
            return layer.positions().saturating_add(
                ways(layer.sheet().half, layer.seeds()).saturating_mul(ordered::ROW_BYTES),
            );
        }
        Way::Alone => alone::BYTES,
        // What leaving brings, moves that stay, and a checkpoint if there is one to go on from; where
        // the edges into a placement begin, and into a band; edges both ways.
        Way::Kept => 2 * planes + 2 + 4 + 2 + (8 * EDGES_OF_TEN).div_ceil(10),
        // Bounds, constants, marks and stamps, and then the bounds and stamps that are found.
        Way::Anew => 3 * planes + 3,
    };
    layer.positions().saturating_mul(each)
}

/// Returns what is to become of the moves of a layer if so many bytes of memory are there for it:
/// edges are kept if there is room for them, and their numbers have 32 bits.
pub fn edges_within(layer: GeneralLayer, allowed: u64) -> Edges {
    let count = layer.positions().saturating_mul(EDGES_OF_TEN) / 10;
    let is_counted = !has_edges(layer.sheet()) || count <= u32::MAX.into();
    if is_counted && memory(layer, Edges::Kept) <= allowed { Edges::Kept } else { Edges::MadeAnew }
}

/// Edges of ten placements, about: a little more than has been counted in layers that were built.
/// `nam-nam` has 24 with 8 and 21 with 20 seeds, `bao-laps` 15 with 15.
const EDGES_OF_TEN: u64 = 26;
