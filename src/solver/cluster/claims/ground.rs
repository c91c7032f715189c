//! What a rank knows of a layer while claims are closed: its tiles, their moves, and where it finds what
//! stands with others.

use std::ops::Range;

use rayon::prelude::*;

use super::moves::{Step, TileMoves};
use crate::error::{Error, Result};
use crate::solver::claims::open::{Strip, TileOf};
use crate::solver::cluster::crossing::BY_LANE;
use crate::solver::cluster::cut::{Area, Cut, Reach, Role, strips};
use crate::solver::cluster::links::{Ghosts, Links, Spreads, inside, lanes};
use crate::solver::cluster::part::Part;
use crate::solver::cluster::shares::{Rectangle, Shares};
use crate::solver::cluster::transport::{Purpose, Team};
use crate::solver::kernel::{Children, Kernel, Tile, Window};
use crate::solver::plan::{LayerPlan, OUTSIDE, Transit};

/// A rank's place.
pub struct Ground<'a> {
    pub rank: usize,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    pub kernel: Kernel,
    /// By pair: where children of the rank's positions are that others have.
    lists: Vec<Links>,
}

/// The other ranks, and what the leader is asked now and then: whether to end.
#[derive(Clone, Copy)]
pub struct Others<'a> {
    pub team: &'a Team<'a>,
    pub interrupted: &'a dyn Fn() -> bool,
}

impl Others<'_> {
    /// Ends on all ranks if the leader is asked for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`] then, and those of [`Team`].
    pub fn go_on(&self) -> Result<()> {
        let ends = self.team.leads() && (self.interrupted)();
        match self.team.hear(&[u8::from(ends)], Purpose::Control)?[..] {
            [0] => Ok(()),
            _ => Err(Error::Interrupted),
        }
    }

    /// Gets what they have of some planes and a pair needs.
    ///
    /// # Errors
    /// As [`Others::go_on`].
    pub fn exchange(&self, ground: &Ground, small: usize, planes: &[&[Part]]) -> Result<Ghosts> {
        self.go_on()?;
        let (links, mut ghosts) = (ground.links(small), Ghosts::default());
        self.team.session(&mut |talk| {
            ghosts = links.exchange(talk, planes, ground.kernel, Purpose::Claims)?;
            Ok(())
        })?;
        Ok(ghosts)
    }
}

impl<'a> Ground<'a> {
    pub fn new(
        rank: usize,
        plan: &'a LayerPlan<'a>,
        cut: &'a Cut,
        shares: &'a Shares,
        kernel: Kernel,
        spreads: &mut Spreads,
    ) -> Ground<'a> {
        let pairs = 0..=plan.layer.seeds().get() / 2;
        let links = |small| Links::new(plan, cut, small, rank, Reach::Held, spreads);
        Ground { rank, plan, cut, shares, kernel, lists: pairs.map(links).collect() }
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.lists.len()
    }

    /// Whether a block is the larger or the smaller one of its pair; block n/2 is the smaller.
    pub fn role(&self, own: usize) -> Role {
        if own > self.plan.opponent(own) { Role::Lead } else { Role::Follow }
    }

    /// The pair of a block.
    pub fn pair(&self, own: usize) -> usize {
        own.min(self.plan.opponent(own))
    }

    /// The lists of a pair.
    pub fn links(&self, small: usize) -> &Links {
        &self.lists[small]
    }

    /// The lists of a block's pair.
    pub fn links_of(&self, own: usize) -> &Links {
        self.links(self.pair(own))
    }

    /// The tiles of a block that the rank has.
    pub fn area(&self, own: usize) -> Area {
        self.cut.held(self.pair(own), self.rank, self.role(own))
    }

    /// The rank's rectangle of a block.
    pub fn share(&self, own: usize) -> &Rectangle {
        self.shares.of_rank(self.rank, own)
    }

    /// Whether any of a row of a block is here.
    pub fn has_row(&self, own: usize, row: usize) -> bool {
        let share = self.share(own);
        !share.panels.is_empty() && share.rows.contains(&row)
    }

    /// The panels of the smaller half-board that the rank has of a pair.
    pub fn interval(&self, small: usize) -> Range<usize> {
        self.cut.interval(small, self.rank)
    }

    /// The tiles of some of these panels, in the order in which they are looked at.
    pub fn tiles(
        &self,
        small: usize,
        panels: Range<usize>,
    ) -> impl Iterator<Item = TileOf> + use<> {
        let large = self.plan.opponent(small);
        (0..strips(large)).flat_map(move |strip| {
            let leads = if small == large { 0..0 } else { panels.clone() };
            let leads = leads.map(move |panel| (large, strip, panel));
            let follows = panels.clone().map(move |columns| (small, columns, strip));
            leads.chain(follows).map(|(own, columns, panel)| TileOf { own, columns, panel })
        })
    }

    /// The rows of a block that the lanes of a panel stand for; [`OUTSIDE`] for those it has not.
    pub fn rows_of(&self, own: usize, panel: usize) -> &'a [u32] {
        self.plan.rows_of(own, panel)
    }

    /// What a plane has in a tile, a line for each column; 0 where there is no position.
    pub fn columns(&self, parts: &[Part], TileOf { own, columns, panel }: TileOf) -> Tile {
        let (part, mut tile) = (&parts[own], Tile::of(0));
        part.keep();
        let lines = part.panel(columns);
        for (line, &row) in tile.0.iter_mut().zip(self.rows_of(own, panel)) {
            if row != OUTSIDE {
                *line = lines[row as usize - part.rows.start];
            }
        }
        self.kernel.transpose(&mut tile);
        tile
    }

    /// By block: the moves of the tiles here, panel after panel.
    pub fn moves(&self) -> Vec<Vec<TileMoves<'a>>> {
        let links = |own| (self.links_of(own), self.role(own));
        let of_tile = |own| move |tile| TileMoves::new(self.plan, links(own), own, tile);
        let of_block = |own| self.area(own).tiles.into_par_iter().map(of_tile(own)).collect();
        (0..self.plan.blocks.len()).map(of_block).collect()
    }

    /// Looks at the children of a strip by a move: those that are here, and those that others have.
    #[inline(always)]
    pub fn each_place<T>(
        &self,
        (Strip { own, panel, .. }, step): (Strip, &Step),
        (here, there): (&[T], &[Vec<T>]),
        mut look: impl FnMut(Children<T>),
    ) {
        let row = step.found.row as usize;
        if self.has_row(step.block(), row) {
            let share = self.share(step.block());
            let (rows, first, row) = (share.rows.len(), share.panels.start, row - share.rows.start);
            let windows = self.here(step.transit, step.block(), panel);
            look(Children { lines: here, rows, first, row, windows });
        }
        let (links, Some((link, row))) = (self.links_of(own), step.there()) else { return };
        if let Some(window) = self.there((links, link), (step.transit, step.block()), panel) {
            let windows = std::slice::from_ref(&window);
            let (lines, rows) = (&there[link][..], links.links[link].height());
            look(Children { lines, rows, first: 0, row, windows });
        }
    }

    /// Where children of a line of lanes are that are here.
    fn here<'w>(&self, transit: &'w Transit, block: usize, line: usize) -> &'w [Window] {
        inside(transit.quiet.of_line(line), &self.share(block).panels)
    }

    /// Where those are that others have, among the lines of a link: by lane.
    fn there(
        &self,
        (links, link): (&Links, usize),
        (transit, block): (&Transit, usize),
        line: usize,
    ) -> Option<Window> {
        let known = match self.cut.by_columns(block) {
            true => lanes(self.here(transit, block, line)),
            false => 0,
        };
        let lanes = lanes(transit.quiet.of_line(line)) & !known;
        let panel = links.links[link].slot(line).filter(|_| lanes != 0)?;
        Some(Window { picks: BY_LANE, lanes, panel })
    }
}
