//! Which captures a tile of positions makes, and where they lead.
//!
//! Captures of one passage that take as many seeds from the opponent's row, or of which as many
//! hits harvest in the mover's own, lead from a row of the mover into one row of one block of a
//! lower layer, whatever stands in the other. So of each tile there is a short list: a block,
//! windows, and whose captures they are.

use std::ops::Range;

use crate::game::rules::Harvest;
use crate::layer::plane::Plane;
use crate::solver::kernel::{PassageChildren, Pull};
use crate::solver::plan::{LayerPlan, Transit};
use crate::solver::windows::Windows;

/// Captures of this many seeds in one block, into a solved layer.
pub struct Catching<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// Where captures lead.
    pub solved: &'a Plane,
    /// Which of its blocks are looked at.
    pub held: &'a Range<usize>,
    /// The block.
    pub own: usize,
    /// Seeds.
    pub captured: usize,
}

/// Captures of a tile that share a passage.
pub struct Caught<'a> {
    /// The block of the children.
    block: usize,
    windows: &'a Windows,
    pulls: &'a [Pull],
}

/// The blocks of all children.
pub fn children(tiles: &[Vec<Caught>]) -> Option<Range<usize>> {
    let blocks = || tiles.iter().flatten().map(|caught| caught.block);
    Some(blocks().min()?..blocks().max()? + 1)
}

/// The block of the children of captures of this many seeds that a transit makes, if it makes any.
pub fn child(
    plan: &LayerPlan,
    opponent: usize,
    transit: &Transit,
    captured: usize,
) -> Option<usize> {
    let makes_any = match plan.rules.harvest {
        Harvest::LastHouses => {
            transit.captures.get(captured).is_some_and(|windows| !windows.is_empty())
        }
        Harvest::Opposite => !transit.captures.is_empty(),
    };
    makes_any.then(|| landing(plan, opponent, transit, captured))
}

/// The same block, where it makes some: seeds are captured from the opponent's row, or from the
/// mover's own.
fn landing(plan: &LayerPlan, opponent: usize, transit: &Transit, captured: usize) -> usize {
    match plan.rules.harvest {
        Harvest::LastHouses => opponent + transit.crossed - captured,
        Harvest::Opposite => opponent + transit.crossed,
    }
}

impl<'a> Catching<'a> {
    /// The captures of a tile, whatever they are made against.
    pub fn of_tile(&self, tile: usize) -> Vec<Caught<'a>> {
        let (block, captured) = (&self.plan.blocks[self.own], self.captured);
        let opponent = self.plan.opponent(self.own);
        let caught = |transit: &'a Transit, kind: usize, pulls: &'a [Pull]| {
            let windows = transit.captures.get(kind).filter(|windows| !windows.is_empty())?;
            let block = landing(self.plan, opponent, transit, captured);
            self.held.contains(&block).then_some(Caught { block, windows, pulls })
        };
        match self.plan.rules.harvest {
            Harvest::LastHouses => {
                let groups = block.groups(tile);
                groups.filter_map(|(transit, pulls)| caught(transit, captured, pulls)).collect()
            }
            Harvest::Opposite => {
                let catches = block.catches(tile, captured);
                catches.filter_map(|(transit, hits, pulls)| caught(transit, hits, pulls)).collect()
            }
        }
    }

    /// The children in the solved layer, if a panel of lanes has any.
    pub fn source<'s>(
        &'s self,
        caught: &'s Caught<'a>,
        panel: usize,
    ) -> Option<PassageChildren<'s>> {
        let windows = caught.windows.of_line(panel);
        if windows.is_empty() {
            return None;
        }
        let blocks = self.solved.blocks();
        let quiet = PassageChildren::of(blocks, caught.block, windows, caught.pulls);
        Some(PassageChildren { captured: self.captured as i8, ..quiet })
    }
}
