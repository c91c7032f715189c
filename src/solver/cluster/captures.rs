//! What captures are worth, each rank for what it computes: areas of
//! [`crate::solver::capture_area`], which lower layers are entered into block by block.
//!
//! A lower layer comes from the leader, one block of it at a time, and is forgotten. So no rank but
//! the leader ever holds more of a lower layer than a block.

use std::collections::BTreeMap;

use super::cut::{Area, Cut, ROLES, Role, rows_of_lanes};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::Rectangle;
use crate::layer::index::rows;
use crate::layer::line::LINE;
use crate::solver::captures::{CapturePlane, KnownLines};
use crate::solver::kernel::Kernel;
use crate::solver::plan::LayerPlan;

/// The constants of a rank that need no lower layer.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for them.
pub fn constants(
    arena: &Arena,
    plan: &LayerPlan,
    cut: &Cut,
    rank: usize,
    kernel: Kernel,
) -> Result<CapturePlane> {
    let place = |small: usize, role: Role| {
        let Area { own, tiles, lines } = cut.area(small, rank, role);
        let end = rows(own).min(tiles.end * LINE);
        let against = rows_of_lanes(plan, own, lines);
        let panels = against.start / LINE..against.end.div_ceil(LINE);
        let panels = if against.is_empty() { 0..0 } else { panels };
        let rows = (tiles.start * LINE).min(end)..end;
        (area(plan, small, role), (Rectangle { panels, rows }, plan.layer.block_shape(own).0))
    };
    let pairs = 0..=plan.layer.seeds().get() / 2;
    let places = pairs.flat_map(|small| ROLES.map(|role| place(small, role)));
    let places: BTreeMap<usize, (Rectangle, usize)> = places.collect();
    CapturePlane::of_areas(plan, kernel, arena, places.into_values())
}

/// The number of a rank's area in a role of a pair.
pub fn area(plan: &LayerPlan, small: usize, role: Role) -> usize {
    let seeds = plan.layer.seeds().get();
    match role {
        Role::Follow => small,
        Role::Lead if 2 * small == seeds => seeds + 1,
        Role::Lead => seeds - small,
    }
}

/// Where a rank knows what captures are worth, each position of the layer on one rank; and whether the
/// scores are on the ranks of other columns of block n/2.
pub fn known(plan: &LayerPlan, cut: &Cut, rank: usize) -> Vec<(KnownLines, bool)> {
    let seeds = plan.layer.seeds().get();
    let mut all = Vec::new();
    for small in 0..=seeds / 2 {
        for role in ROLES {
            let Area { own, tiles, lines } = cut.area(small, rank, role);
            let is_beside = 2 * small == seeds && role == Role::Lead;
            // Where half-boards of the rank meet in block n/2, one role has them all.
            let first = if is_beside { cut.interval(small, rank).end } else { tiles.start };
            let (panels, rows) = (first..tiles.end, rows_of_lanes(plan, own, lines.clone()));
            if !panels.is_empty() && !rows.is_empty() {
                let area = area(plan, small, role);
                all.push((KnownLines { area, own, panels, lanes: lines }, is_beside));
            }
        }
    }
    all
}
