//! Sweeps until nothing changes: dense ones first, then only what can still change. Which fixpoint
//! that is, what endless play is worth decides.
//!
//! The first sweeps change much, and to compute everything is the fastest way. Once a sweep changes
//! fewer than one position in [`TAIL`], the next one notes what it changes, and from there on a
//! `Tail` goes from change to change. A sweep of either kind changes the same positions, so nothing
//! but time depends on where the tail begins, and a solve can go on from the end of any sweep, with
//! a dense one.

pub mod drawn;
pub mod even_split;
mod holder;
pub mod repetition;

pub use holder::Holder;

use std::io;

use crate::error::Result;
use crate::game::Endless;
use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::parallel;
use holder::{unbounded, with_strategy};

/// The tail begins when fewer than one in this many positions changed: what comes after that costs
/// it as much as a dense sweep.
pub const TAIL: u64 = 60;

/// One thread goes through the changes of a pair, but all do a dense sweep: with more than this many the
/// tail begins later.
pub const TAIL_THREADS: u64 = 2;

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

/// Solves the layer of a holder.
///
/// # Errors
/// Those of a [`Holder`].
pub fn solve<H: Holder>(holder: &mut H) -> Result<H::Solved> {
    let kept = holder.resume()?;
    match holder.plan().rules.endless {
        Endless::EvenSplit => {
            let solved = even_split::scores(holder, kept)?;
            with_strategy(holder, solved, 1)
        }
        Endless::Drawn => {
            let solved = drawn::bounds(holder, kept)?;
            with_strategy(holder, solved, 2)
        }
        Endless::OwnSide(_) => repetition::solve(holder, kept),
    }
}

/// Takes a checkpoint whose scores are possible.
///
/// # Errors
/// What is wrong with any other.
pub fn believe(is_possible: bool) -> io::Result<()> {
    let wrong = || io::Error::other("it holds scores that the layer cannot have");
    is_possible.then_some(()).ok_or_else(wrong)
}

/// Whether scores that are here of the plane of a checkpoint that was read last are such as the
/// layer has, and none, if they are upper bounds, is less than the lower bound of its position.
pub fn last_is_possible(layer: Layer, planes: &[&Blocks]) -> bool {
    let (blocks, before) = planes.split_last().expect("one has been read");
    let (end, unbounded) = (layer.range().end(), unbounded(layer));
    // Bounds of which nothing is proved are wider than any score.
    let is_score =
        |&score: &i8| (-end..=end).contains(&score) || [unbounded, -unbounded].contains(&score);
    let is_possible = |(block, panel)| {
        blocks.enforce_bound();
        let scores = blocks.panel(block, panel);
        let is_above = |lower: &Blocks| {
            lower.panel(block, panel).iter().zip(&*scores).all(|(low, high)| low <= high)
        };
        scores.iter().all(is_score) && before.first().is_none_or(|lower| is_above(lower))
    };
    let panels = (0..blocks.count()).flat_map(|block| {
        let panels = blocks.shape(block).rectangle().panels;
        panels.map(move |panel| (block, panel))
    });
    let panels: Vec<_> = panels.collect();
    parallel::all(panels.len(), &|number| is_possible(panels[number]))
}
