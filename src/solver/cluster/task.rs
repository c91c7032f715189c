//! What ranks compute in a sweep, and the lists that they compute it by.

use super::cut::{Cut, Reach};
use super::homes::Homes;
use super::links::{Links, Spreads};
use crate::layer::blocks::{Blocks, Rectangle};
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::{Kernel, Limit};
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::limit;

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

/// What a sweep computes.
#[derive(Clone, Copy)]
pub struct JointSweep<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// Who has what.
    pub cut: &'a Cut,
    /// This rank.
    pub rank: usize,
    /// What it has, by block.
    pub shares: &'a [Rectangle],
    /// By pair.
    pub lists: &'a [PairLists],
    /// How lines are handled.
    pub kernel: Kernel,
    /// What captures are worth to each plane, or to both; nothing if they do not count.
    pub captures: &'a [&'a CapturePlane],
    /// For a core: the lower and the upper bounds that it lies between.
    pub bounds: Option<&'a [Blocks]>,
}

impl JointSweep<'_> {
    /// Whether it computes a core.
    pub fn is_of_core(&self) -> bool {
        self.bounds.is_some()
    }

    /// What captures are worth to a plane, if they count.
    pub fn captures_of(&self, plane: usize) -> Option<&'_ CapturePlane> {
        self.captures.get(plane).or(self.captures.last()).copied()
    }

    /// What a score of block `own` in a plane may be.
    pub fn limit(&self, plane: usize, own: usize) -> Limit {
        limit(self.plan, self.bounds.is_some(), plane, own)
    }
}
