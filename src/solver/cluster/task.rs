//! What ranks compute in a sweep, and the lists that they compute it by.

use super::beside::{Beside, Strays};
use super::cut::{Cut, Reach};
use super::homes::Homes;
use super::links::{Links, Spreads};
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::layer::blocks::{Blocks, Rectangle};
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

impl JointSweep<'_> {
    /// Who stands where in block n/2, if that is both blocks of a pair.
    pub fn beside(&self, small: usize) -> Option<Beside<'_>> {
        let beside = Beside::of(self.sweep.plan, self.cut, self.rank);
        beside.filter(|beside| beside.half == small)
    }

    /// Gets what stands beside the own panels of planes, and of bounds if there are limits.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn strays(
        &self,
        talk: &Talk,
        small: usize,
        planes: &[Blocks],
        purpose: Purpose,
    ) -> Result<Strays> {
        let Some(beside) = self.beside(small) else { return Ok(Strays::default()) };
        let fetch = |plane| beside.fetch(talk, plane, purpose);
        let planes = planes.iter().map(fetch).collect::<Result<_>>()?;
        let bounds = self.sweep.bounds.into_iter().flatten();
        Ok(Strays { planes, bounds: bounds.map(fetch).collect::<Result<_>>()? })
    }
}
