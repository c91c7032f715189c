//! Sweeps until nothing changes: dense ones first, then only what can still change.
//!
//! The first sweeps change much, and to compute everything is the fastest way. Once a sweep changes
//! fewer than one position in [`TAIL`], the next one notes what it changes, and from there on a
//! `Tail` goes from change to change. A sweep of either kind changes the same positions, so nothing
//! but time depends on where the tail begins, and a solve can go on from the end of any sweep, with
//! a dense one.

pub mod drawn;
pub mod even_split;
mod holder;
mod program;
pub mod repetition;

pub use holder::Holder;
pub use program::solve;

use std::io;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::solver::checkpoint::{Checkpoint, ShownPlane};
use crate::solver::kernel::{Change, Kernel, Log};
use crate::solver::observer::{Event, Observer};
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::{Aside, Sweep};
use crate::solver::tail::Tail;

/// Beyond every score: nothing is forced so far.
const UNBOUNDED: i8 = 100;

/// The bound of which nothing is proved in a layer.
pub fn unbounded(layer: Layer) -> i8 {
    if layer.range().is_full() { UNBOUNDED } else { layer.range().end() }
}

/// The tail begins when fewer than one in this many positions changed: what comes after that costs
/// it as much as a dense sweep.
pub const TAIL: u64 = 60;

/// One thread goes through the changes of a pair, but all do a dense sweep: with more than this many the
/// tail begins later.
const TAIL_THREADS: u64 = 2;

/// Where scores are on disk, to look at one takes a hundred times as long as to sweep over it.
pub const TAIL_ON_DISK: u64 = 100 * TAIL;

/// In large layers the tail begins later, when fewer positions than this changed: it holds the
/// changes of a sweep, and visits to all who have a move to one.
const TAIL_CHANGES: u64 = 1 << 21;

/// Bytes that the tail holds for each position that changed in the sweep before it began: in the
/// next one a third of them change, with two crossing moves to each.
const TAIL_BYTES: u64 = 40;

/// The tail begins when fewer of this many scores changed than this: one in `tail`, or less.
pub fn few_changes(scores: u64, tail: u64) -> u64 {
    (scores / tail).min(TAIL_CHANGES)
}

/// Bytes that the tail of a layer takes, of this many scores in all, which begins when fewer than
/// one in `tail` changed.
pub fn tail_memory(scores: u64, tail: u64) -> u64 {
    TAIL_BYTES * few_changes(scores, tail)
}

/// Whether scores of a checkpoint are such as the layer has, and none, if they are upper bounds, is
/// less than the lower bound of its position.
fn are_possible(layer: Layer, scores: &[i8], lower: Option<&[i8]>) -> bool {
    let (end, unbounded) = (layer.range().end(), unbounded(layer));
    // Bounds of which nothing is proved are wider than any score.
    let is_score =
        |&score: &i8| (-end..=end).contains(&score) || [unbounded, -unbounded].contains(&score);
    scores.iter().all(is_score)
        && lower.is_none_or(|lower| lower.iter().zip(scores).all(|(lower, upper)| lower <= upper))
}

/// Takes a checkpoint whose scores are possible.
///
/// # Errors
/// What is wrong with any other.
pub fn believe(is_possible: bool) -> io::Result<()> {
    match is_possible {
        true => Ok(()),
        false => Err(io::Error::other("it holds scores that the layer cannot have")),
    }
}

/// Looks at what is here of the plane that was read last.
pub fn last_is_possible(layer: Layer, planes: &[&Blocks]) -> bool {
    let (blocks, before) = planes.split_last().expect("one has been read");
    let is_possible = |(block, panel)| {
        let lower = before.first().map(|lower| lower.panel(block, panel));
        blocks.enforce_bound();
        are_possible(layer, &blocks.panel(block, panel), lower.as_deref())
    };
    let panels = (0..blocks.count()).flat_map(|block| {
        let panels = blocks.shape(block).rectangle().panels;
        panels.map(move |panel| (block, panel))
    });
    panels.par_bridge().all(is_possible)
}

/// What the fixpoints of a layer share.
pub struct Settling<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// Whom to tell.
    pub observer: &'a dyn Observer,
    /// Where planes come from.
    pub arena: &'a Arena,
    /// The tail begins when fewer than one in this many positions changed; at the usual time for
    /// where scores are if left out.
    pub tail: Option<u64>,
    /// How many threads may work.
    pub threads: usize,
    /// Sweeps of this layer so far.
    pub sweep: usize,
    /// The one after which planes without bounds were as they are now.
    pub settled: usize,
}

impl Settling<'_> {
    /// What the observer has kept of this layer. Counting goes on where it was then.
    pub fn resume(&mut self) -> Option<Vec<Plane>> {
        let (layer, arena, mut planes) = (self.plan.layer, self.arena, Vec::new());
        let kept = self.observer.resume(layer.seeds(), &mut |mut input| {
            planes.push(Plane::read_from(arena, layer, &mut input)?);
            let read: Vec<&Blocks> = planes.iter().map(Plane::blocks).collect();
            believe(last_is_possible(layer, &read))
        })?;
        self.sweep = kept.sweep;
        Some(planes)
    }

    /// Offers planes that are settled, and asks about interruption.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it.
    pub fn offer(&self, low: &Plane, high: Option<&Plane>) -> Result<()> {
        let checkpoint = Checkpoint { low, high, sweep: self.settled };
        self.observer.offer(&checkpoint.map(|plane: &Plane| plane as &dyn ShownPlane));
        self.observer.go_on()
    }

    /// Sweeps until nothing changes. After each sweep but the last, planes are offered to the
    /// observer, unless they are those of a core, which a solve that goes on makes again.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it.
    pub fn settle(&mut self, sweep: &Sweep, planes: &mut [Plane]) -> Result<()> {
        // On a thread of the pool: to be woken from outside takes long.
        rayon::scope(|_| self.settle_here(sweep, planes))
    }

    /// Offers planes if a sweep was ended in its middle, as the sweep that this is a part of. Scores only
    /// move towards the limit, in whatever order they are computed: a solve may go on from what a part
    /// of a sweep has found as from what all of it has.
    fn or_offer<T>(&mut self, swept: Result<T>, sweep: &Sweep, planes: &[Plane]) -> Result<T> {
        if matches!(swept, Err(Error::Interrupted)) && !sweep.is_of_core() {
            self.settled = self.sweep + 1;
            let _ = self.offer(&planes[0], planes.get(1));
        }
        swept
    }

    fn settle_here(&mut self, sweep: &Sweep, planes: &mut [Plane]) -> Result<()> {
        let scores = self.plan.layer.positions() * planes.len() as u64;
        let in_memory = TAIL * (self.threads as u64 / TAIL_THREADS).max(1);
        let usual = if sweep.arena.is_spilled() { TAIL_ON_DISK } else { in_memory };
        let few = few_changes(scores, self.tail.unwrap_or(usual));
        let mut changes = None;
        let mut aside = Aside::of(sweep, planes)?;
        loop {
            let mut log = Log { count: 0, changes };
            let swept = sweep.run(planes, &mut aside, &mut log);
            self.or_offer(swept, sweep, planes)?;
            if self.ended(log.count, sweep, planes)? {
                return Ok(());
            }
            if let Some(changes) = log.changes {
                drop(aside);
                return self.settle_tail(sweep, planes, changes);
            }
            changes = (log.count < few).then(Vec::new);
        }
    }

    fn settle_tail(
        &mut self,
        sweep: &Sweep,
        planes: &mut [Plane],
        changes: Vec<Change>,
    ) -> Result<()> {
        let mut tail = Tail::new(sweep, planes.len(), &changes);
        drop(changes);
        loop {
            let swept = tail.sweep(planes);
            let changed = self.or_offer(swept, sweep, planes)?;
            if self.ended(changed, sweep, planes)? {
                return Ok(());
            }
        }
    }

    /// Tells that a sweep has ended. Returns whether it was the last.
    fn ended(&mut self, changed: u64, swept: &Sweep, planes: &[Plane]) -> Result<bool> {
        if !swept.is_of_core() {
            self.settled = self.sweep + usize::from(changed > 0);
        }
        self.sweep += 1;
        let (seeds, sweep) = (self.plan.layer.seeds(), self.sweep);
        self.observer.notice(Event::Swept { seeds, sweep, changed });
        match changed {
            0 => Ok(true),
            _ if !swept.is_of_core() => self.offer(&planes[0], planes.get(1)).map(|()| false),
            _ => self.observer.go_on().map(|()| false),
        }
    }
}
