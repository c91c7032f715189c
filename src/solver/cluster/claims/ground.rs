//! What a rank has of a layer while claims are closed, and where it finds what stands with others.

use crate::layer::blocks::Rectangle;
use crate::layer::index::Cell;
use crate::solver::claims::Elsewhere;
use crate::solver::claims::open::TileOf;
use crate::solver::cluster::cut::{Cut, Role};
use crate::solver::cluster::links::Links;
use crate::solver::cluster::shares::Shares;
use crate::solver::kernel::{Kernel, Window};
use crate::solver::plan::{LayerPlan, Transit};

/// A rank's place.
pub struct RankGround<'a> {
    pub rank: usize,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    pub kernel: Kernel,
    /// By pair: where children of the rank's positions are that others have.
    pub lists: Vec<Links>,
}

impl<'a> RankGround<'a> {
    /// The rank's rectangle of a block.
    pub fn share(&self, own: usize) -> &'a Rectangle {
        &self.shares.of_rank(self.rank)[own]
    }

    /// Whether a block is the larger or the smaller one of its pair; block n/2 is the smaller.
    fn role(&self, own: usize) -> Role {
        if own > self.plan.opponent(own) { Role::Lead } else { Role::Follow }
    }

    /// The lists of a block's pair.
    fn links_of(&self, own: usize) -> &Links {
        &self.lists[self.plan.pair(own)]
    }
}

impl Elsewhere for RankGround<'_> {
    fn there(&self, own: usize, crossed: usize, row: u32) -> Option<(usize, u32)> {
        let links = self.links_of(own);
        let link = links.find(self.role(own), crossed)?;
        Some((link, links.links[link].place(row)? as u32))
    }

    fn window(&self, at: TileOf, link: usize, transit: &Transit) -> Option<(usize, Window)> {
        let (link, block) =
            (&self.links_of(at.own).links[link], self.plan.opponent(at.own) + transit.crossed);
        let here = self.cut.by_columns(block).then_some(&self.share(block).panels);
        Some((link.height(), link.window(at.panel, transit.quiet.of_line(at.panel), here)?))
    }

    fn owner(&self, Cell { own, row, column }: Cell) -> usize {
        self.shares.owner(own, row, column)
    }
}
