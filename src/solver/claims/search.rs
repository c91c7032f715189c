//! What the passes over a layer look at, 64 positions at a time: of each block a [`BlockShare`], which
//! is all of it in one process. What others have is found through [`Elsewhere`], and comes through
//! a [`Company`].

use std::ops::Range;

use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::Cell;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::Lines;
use crate::layer::solved::Marks;
use crate::solver::kernel::{Kernel, LineTile, Met, Window};
use crate::solver::observer::Observer;
use crate::solver::plan::{LayerPlan, OUTSIDE, Transit};

use super::open::{Asking, TightMoves, TileOf};

/// What the passes work with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How lines are handled.
    pub kernel: Kernel,
    /// Where memory comes from.
    pub arena: &'a Arena,
    /// Where it comes from for what is met, which is looked up here and there, if not from the same
    /// piece.
    pub near: Option<&'a Arena>,
    /// Who may ask for an end.
    pub observer: &'a dyn Observer,
    /// Which claims ask for something.
    pub asking: Asking,
    /// By which moves they are met.
    pub play: TightMoves,
    /// How many entries the list of the last open claims may have while sweeps still find something.
    pub entries: u64,
    /// How many threads work on it.
    pub threads: usize,
}

/// What the passes work on.
pub struct ClaimSearch<'a> {
    pub plan: &'a LayerPlan<'a>,
    pub means: Means<'a>,
    /// Whether both bounds are one plane. Then a move that keeps the mover's claim is the same as a
    /// tight reply.
    pub is_exact: bool,
    /// By block: what is here.
    pub shares: Vec<BlockShare<'a>>,
    /// Where the rest is.
    pub elsewhere: Option<&'a dyn Elsewhere>,
}

/// What is here of a block: all of it, or some of its panels or rows.
pub struct BlockShare<'a> {
    /// The panels of columns.
    pub panels: Range<usize>,
    /// The rows.
    pub rows: Range<usize>,
    /// Lower bounds and upper ones: panel after panel, row after row.
    pub bounds: [Lines<'a>; 2],
    /// Where a capture, or the end of the game, brings what the mover claims, in the same order: a word
    /// for each line.
    pub done: &'a [u64],
}

/// Lines that others have sent: link by link.
pub type Sent<T> = Vec<Vec<T>>;

/// All who have parts of the layer. They do the same at the same time. What others have of the children
/// of a position comes over *links*, pair by pair of blocks. A process that has the whole layer has no
/// others to talk to.
pub trait Company {
    /// The number of this rank, from 0 on, and how many there are.
    fn place(&self) -> (usize, usize) {
        (0, 1)
    }

    /// Lists for all ranks, which begin empty.
    fn lists(&self) -> Vec<Vec<u64>> {
        vec![Vec::new(); self.place().1]
    }

    /// Offers the observer the scores, from which a solve goes on that is interrupted, and ends if it asks
    /// for that.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) then, and whatever the network fails with.
    fn offer(&self) -> Result<()>;

    /// Adds up numbers of all ranks.
    ///
    /// # Errors
    /// Whatever the network fails with.
    fn sums(&self, numbers: &[u64]) -> Result<Vec<u64>> {
        Ok(numbers.to_vec())
    }

    /// Gives each rank its list, and gets those of all others for this one, by rank.
    ///
    /// # Errors
    /// Whatever the network fails with.
    fn trade(&self, lists: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>> {
        Ok(lists)
    }

    /// The numbers of all ranks, in order of ranks.
    ///
    /// # Errors
    /// As [`Company::trade`].
    fn gather(&self, numbers: Vec<u64>) -> Result<Vec<u64>> {
        let (_, ranks) = self.place();
        Ok(self.trade(vec![numbers; ranks])?.concat())
    }

    /// Gets what others have of the bounds that a pair leads to: of the lower ones, and of the upper
    /// ones where they differ.
    ///
    /// # Errors
    /// As [`Company::offer`].
    fn bounds(&self, small: usize) -> Result<Vec<Sent<Line>>> {
        let _ = small;
        Ok(Vec::new())
    }

    /// Gets what others have of the claims met that a pair leads to, given the own ones by block.
    ///
    /// # Errors
    /// Whatever the network fails with.
    fn met(&self, small: usize, met: &[&[Met]]) -> Result<Sent<Met>> {
        let _ = (small, met);
        Ok(Sent::new())
    }
}

/// A process that has the whole layer.
pub struct Alone<'a> {
    /// What it offers.
    pub offer: &'a dyn Fn() -> Result<()>,
}

impl Company for Alone<'_> {
    fn offer(&self) -> Result<()> {
        (self.offer)()
    }
}

/// Where that is which others have.
pub trait Elsewhere: Sync {
    /// Where children in a row are that others have, by moves of a block with which this many seeds
    /// cross: the link, and the row there.
    fn there(&self, own: usize, crossed: usize, row: u32) -> Option<(usize, u32)>;

    /// How many rows a link of a block has, and where the children of a line of lanes are among its
    /// lines.
    fn window(&self, at: TileOf, link: usize, transit: &Transit) -> Option<(usize, Window)>;

    /// The rank that has a position.
    fn owner(&self, at: Cell) -> usize;
}

impl BlockShare<'_> {
    /// The line of a row in a panel.
    #[inline(always)]
    pub fn line(&self, row: usize, panel: usize) -> usize {
        (panel - self.panels.start) * self.rows.len() + row - self.rows.start
    }
}

impl<'a> ClaimSearch<'a> {
    /// What the bounds of a layer hold of it, which are one plane where they agree, and where the rest
    /// is.
    pub fn new(
        plan: &'a LayerPlan<'a>,
        means: Means<'a>,
        [low, high]: [&'a Blocks; 2],
        done: &'a Marks,
        elsewhere: Option<&'a dyn Elsewhere>,
    ) -> ClaimSearch<'a> {
        let share = |own: usize| {
            let Rectangle { panels, rows } = low.shape(own).rectangle();
            let bounds = [low, high].map(|plane| plane.block(own));
            BlockShare { panels, rows, bounds, done: done.words(own) }
        };
        let is_exact = std::ptr::eq(low, high);
        let shares = (0..plan.blocks.len()).map(share).collect();
        ClaimSearch { plan, means, is_exact, shares, elsewhere }
    }

    /// Keeps to the bound of memory, and ends if the observer asks for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) then.
    pub fn go_on(&self) -> Result<()> {
        self.means.arena.enforce_bound();
        self.means.observer.go_on()
    }

    /// The lines that the lanes of a tile are of, lane by lane; `None` where there is none.
    pub fn lines(&self, tile: TileOf) -> impl Iterator<Item = Option<usize>> {
        let share = &self.shares[tile.own];
        let rows = self.plan.rows_of(tile.own, tile.panel).iter();
        rows.map(move |&row| (row != OUTSIDE).then(|| share.line(row as usize, tile.columns)))
    }

    /// The bounds of the mover's claims or the opponent's in a tile, a line for each column; 0 where
    /// there is no position.
    pub fn columns(&self, claim: usize, at: TileOf) -> LineTile {
        let (bounds, mut tile) = (self.shares[at.own].bounds[claim], LineTile::of(0));
        for (line, at) in tile.0.iter_mut().zip(self.lines(at)) {
            if let Some(at) = at {
                *line = bounds.line(at);
            }
        }
        self.means.kernel.transpose(&mut tile);
        tile
    }

    /// Both bounds of a position that is here.
    pub fn bounds(&self, Cell { own, row, column }: Cell) -> [i8; 2] {
        let share = &self.shares[own];
        share.bounds.map(|lines| lines.score(share.line(row, column / LINE), column % LINE))
    }

    /// Whether a position is here.
    pub fn has(&self, Cell { own, row, column }: Cell) -> bool {
        let BlockShare { panels, rows, .. } = &self.shares[own];
        rows.contains(&row) && panels.contains(&(column / LINE))
    }

    /// What is known of the line of each lane of a tile; the default where there is none.
    pub fn by_lane<T: Copy + Default>(&self, at: TileOf, known: impl Fn(usize) -> T) -> [T; LINE] {
        let mut all = [T::default(); LINE];
        for (lane, line) in all.iter_mut().zip(self.lines(at)) {
            *lane = line.map_or_else(T::default, &known);
        }
        all
    }
}
