//! One rank at work on one layer, and how it gets lower layers. A [`Seat`] is the rank's place at
//! the layer, not a player's side of the board.
//!
//! Only the leader has lower layers. It sends them block by block, and all ranks enter the
//! captures into a block before the next one comes, so that no other rank ever holds more than
//! one.

use std::ops::Range;

use super::cut::Cut;
use super::links::Spreads;
use super::shares::Shares;
use super::task::PairLists;
use super::transport::{Purpose, Team};
use crate::error::Result;
use crate::game::{ScoreRange, Seeds};
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::Kernel;
use crate::solver::lower::each_part;
use crate::solver::observer::{Bound, Layers, Lower, Observer};
use crate::solver::plan::LayerPlan;

/// What the leader says of a lower layer with full scores; else the seeds of the games that it decides.
const FULL: u8 = u8::MAX;

/// A rank's place at a layer.
pub struct Seat<'a> {
    pub team: &'a Team<'a>,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    /// Where parts are.
    pub arena: &'a Arena,
    pub lists: &'a [PairLists],
    pub spreads: &'a mut Spreads,
    pub rank: usize,
    pub kernel: Kernel,
    /// Whether strategies are kept.
    pub strategies: bool,
    /// Changed scores are few, on all ranks together, if they are fewer than one in this many.
    pub tail: u64,
    /// Solved layers, which only the leader has.
    pub lower: Option<&'a dyn Layers>,
    /// The leader's; others have one that asks for nothing.
    pub observer: &'a dyn Observer,
    /// Sweeps of this layer so far.
    pub sweep: usize,
    /// The one after which planes without bounds were as they are now.
    pub settled: usize,
}

impl Seat<'_> {
    /// Ends on all ranks if the observer asks for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) then, and those of [`Team`].
    pub fn go_on(&self) -> Result<()> {
        self.team.go_on(self.observer.interrupted())
    }

    /// Enters the captures into a layer, which the leader has, for each of some bounds of the positions
    /// that they lead to.
    ///
    /// # Errors
    /// What the lower layer fails with, and those of [`Team`].
    pub fn enter(&self, into: Seeds, bounds: &[Bound], all: &mut [CapturePlane]) -> Result<()> {
        let (plan, layers) = (self.plan, self.lower);
        let lower = layers.map(|layers| layers.lower(into)).transpose()?;
        let lower = lower.as_ref();
        lower.map_or(Ok(()), |lower| lower.layer().make_sure_it_serves(plan.layer))?;
        let differ = bounds.len() > 1 && lower.is_some_and(|lower| !lower.is_exact());
        let game = lower.and_then(|lower| lower.layer().range().game());
        let said = [u8::from(differ), game.map_or(FULL, |game| game.get() as u8)];
        let [differ, game] = self.team.hear(&said, Purpose::Control)?[..] else {
            unreachable!("two bytes");
        };
        let range = ScoreRange::deciding(plan.rules, into, Seeds::new(game.into()));
        let lower = (Layer::of(plan.rules, into).with_range(range), lower);
        if differ == 0 {
            return self.each_block(lower, Bound::Low, &mut |plane, held| {
                all.iter_mut().for_each(|captures| captures.enter(plan, plane, held));
            });
        }
        bounds.iter().zip(all).try_for_each(|(&bound, captures)| {
            self.each_block(lower, bound, &mut |plane, held| captures.enter(plan, plane, held))
        })
    }

    /// Calls `enter` with each block of a lower layer and a plane that has it; the leader tells the
    /// others.
    fn each_block(
        &self,
        (layer, lower): (Layer, Option<&Lower>),
        bound: Bound,
        enter: &mut dyn FnMut(&Plane, &Range<usize>),
    ) -> Result<()> {
        let (mut all, arena) = (0..layer.seeds().get() + 1, &Arena::passing());
        if let Some(lower) = lower {
            return each_part(lower, bound, (&all, 0, arena), &mut |part| {
                part.held().try_for_each(|block| {
                    self.tell_block(part.blocks(), block)?;
                    enter(part, &(block..block + 1));
                    Ok(())
                })
            });
        }
        all.try_for_each(|block| {
            let mut excerpt = Plane::excerpt(arena, layer, block..block + 1)?;
            let bytes = excerpt.blocks_mut().bytes_mut();
            bytes.copy_from_slice(&self.team.session(|talk| talk.receive(0, bytes.len()))?);
            enter(&excerpt, &excerpt.held());
            Ok(())
        })
    }

    /// Tells the others a block of a lower layer: one after the other, to hold one copy at a time.
    fn tell_block(&self, blocks: &Blocks, block: usize) -> Result<()> {
        let lines = blocks.block(block);
        self.team.others().try_for_each(|rank| {
            self.team.session(|talk| talk.send(rank, lines.bytes().to_vec(), Purpose::Lower))
        })
    }
}
