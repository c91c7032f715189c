//! What ranks compute in a sweep, and the lists that they compute it by.

use super::cut::{Cut, Reach};
use super::homes::Homes;
use super::links::{Links, Spreads};
use crate::layer::blocks::Rectangle;
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::Sweep;

/// What a rank knows of a pair once and for all sweeps.
#[derive(Debug)]
pub struct PairLists {
    /// Crossing moves.
    pub links: Links,
    /// Home moves.
    pub homes: Homes,
}

impl PairLists {
    /// Those of all pairs of a layer.
    pub fn all(plan: &LayerPlan, cut: &Cut, rank: usize, spreads: &mut Spreads) -> Vec<PairLists> {
        let mut lists = |small| PairLists {
            links: Links::new(plan, cut, small, rank, Reach::Computed, spreads),
            homes: Homes::new(plan, cut, small, rank),
        };
        (0..=plan.layer.seeds().get() / 2).map(&mut lists).collect()
    }

    /// Bytes of others' scores that the pair takes.
    pub fn ghosts(&self, planes: usize) -> u64 {
        self.links.memory(planes)
    }
}

/// What a rank computes in a sweep.
pub struct JointSweep<'a> {
    /// What all of them compute, of which this one has its part.
    pub sweep: Sweep<'a>,
    /// Who has what.
    pub cut: &'a Cut,
    /// This rank.
    pub rank: usize,
    /// What it has, by block.
    pub shares: &'a [Rectangle],
    /// By pair.
    pub lists: &'a [PairLists],
}
