//! Layers of the other games, whose moves do not act on whole rows.
//!
//! A layer is solved in three steps:
//!
//! 1. `expand`: the moves of every placement. Those that leave the layer become a constant, the
//!    best they bring; the others are edges, and kept (`bundles`);
//! 2. `predecessors`: the edges turned round, band by band;
//! 3. `retrograde`: from the largest score down, backwards along the edges. Each placement is
//!    settled once, and each edge looked at once.
//!
//! What is known of a placement on the way takes two or three bytes (`cell`), and with its edges 11
//! to 14 (`forecast`). Where memory does not suffice for edges, `anew` finds the same in many
//! passes, each of which makes all moves again. Children's Bao has no cycles at all; its layers
//! need no edges, but one pass in the right order (`ordered`). In Bao la Kujifunza, where nothing
//! leaves the board, few placements are open for long, and moves are always computed again
//! (`alone`).
//!
//! What is found does not depend on the number of threads. `tests/solver/oracle` holds the slow
//! and obvious solver that this one equals in every test.

mod alone;
mod anew;
mod bundles;
mod cell;
mod expand;
mod forecast;
mod ordered;
mod predecessors;
mod resumed;
mod retrograde;
mod work;

pub use work::{Below, Edges, Keeper, Resumed, Snapshot, Way};

use crate::error::Result;
use crate::game::mancala::{Circling, Layers, Sheet};
use crate::layer::compositions::ways;
use crate::layer::general::{GeneralLayer, GeneralSolved};

/// Every placement of a layer, given all layers below that occur.
///
/// All ways offer checkpoints to the keeper and go on from its. Where edges are kept the moves are
/// made again before that, and turned round: by profiles of one thread 78 % of the processor time of
/// a solve of Nam Nam with 20 seeds, and 61 % of Bao with laps and 13.
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
        Way::Kept => retrograde::solve(layer, below, keeper),
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
    let positions = layer.positions();
    let each = match way(layer.sheet(), edges) {
        Way::Ordered => {
            // A byte a position, and what the largest list of rows says of each of them.
            return positions.saturating_add(
                ways(layer.sheet().half, layer.seeds()).saturating_mul(ordered::ROW_BYTES),
            );
        }
        Way::Alone => alone::BYTES,
        Way::Kept => return forecast::kept(&layer),
        // The cells and marks, and then the bounds and stamps that are cut out of them.
        Way::Anew => 2 * (planes + 1),
    };
    positions.saturating_mul(each)
}

/// Returns what is to become of the moves of a layer if this many bytes of memory are there for it:
/// edges are kept if there is room for them, and placements have numbers of 32 bits.
pub fn edges_within(layer: GeneralLayer, allowed: u64) -> Edges {
    let is_counted = !has_edges(layer.sheet()) || layer.positions() <= u32::MAX.into();
    if is_counted && memory(layer, Edges::Kept) <= allowed { Edges::Kept } else { Edges::MadeAnew }
}
