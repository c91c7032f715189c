//! Which claims default moves alone leave open: where exceptions may be needed.
//!
//! A claim is *met* if nothing need be done about it, if a capture or the end of the game brings it,
//! or if all that follows it is met: of the mover's claim that is the opponent's in the child which
//! the default move leads to, of the opponent's the mover's after each tight quiet reply. All others
//! are *open*. From what is met nobody comes to what is open, neither by default moves nor by
//! replies; so no cycle passes both, and where a claim is met there need be no exception.
//!
//! # How it is done
//!
//! Sweeps look at 64 positions at a time (`sweeps.rs`). When few claims are left open, they are
//! listed and looked at one by one (`listed.rs`). Threads may change the order in which claims are
//! found to be met; what is met in the end does not depend on it.

use std::sync::atomic::AtomicU64;

use super::claims::{OpenBlock, padded, shared, taken};
use super::listed;
use super::moves::{Moves, TileMoves};
use super::search::Search;
use super::sweeps::{Looks, Sweeps};
use crate::error::Result;
use crate::game::rules::Endless;
use crate::layer::arena::Memory;
use crate::layer::blocks::LINE;
use crate::layer::index::{Layer, rows};
use crate::layer::plane::Plane;
use crate::solver::kernel::Met;

/// Bytes that finding the exceptions of a layer takes, beside what is solved.
pub fn memory(layer: Layer, endless: Endless) -> u64 {
    let seeds = layer.seeds().get();
    let panels = |own: usize| rows(seeds - own).div_ceil(LINE);
    let strips = |own: usize| padded(rows(own)) * panels(own);
    // Of six houses five hold seeds, in the half-boards of layers that are large.
    let tight = |own: usize| 5 * words(endless) * size_of::<u64>() * rows(own) * panels(own);
    let moves = |own: usize| tight(own) + TileMoves::BYTES * rows(own);
    let lines = Plane::memory(layer) as usize / LINE;
    let met = (lines * size_of::<Met>()) as u64;
    let strips: usize = (0..=seeds).map(strips).sum();
    let moves: usize = (0..=seeds).map(moves).sum();
    let claims = (strips * size_of::<[u64; 2]>()) as u64;
    claims + met + moves as u64 + listed::memory(layer, endless, lines)
}

/// Words of a move in a strip. Under an even split at most one of two claims needs anything, so one
/// word says of each lane what it asks.
pub fn words(endless: Endless) -> usize {
    match endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) | Endless::Drawn => 2,
    }
}

/// Memory for the claims of a layer: for what is open, and for what is known of moves and met.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(search: &Search) -> Result<[Memory; 2]> {
    let strips: usize = search.blocks().map(|own| OpenBlock::strips(search, own)).sum();
    let open = search.means.arena.take(strips * size_of::<[u64; 2]>(), 0)?;
    let words = words(search.plan.rules.endless);
    let moves: usize = search.blocks().map(|own| Moves::count(search, own)).sum();
    let lines: usize = search.blocks().map(|own| lines(search, own)).sum();
    let looks = moves * words * size_of::<AtomicU64>() + lines * size_of::<Met>();
    Ok([open, search.means.arena.take(looks, 0)?])
}

/// Finds the open claims of a layer, in memory made for them.
///
/// # Errors
/// As [`room`], and [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for
/// it.
pub fn find<'a>(search: &'a Search<'a>, room: &'a mut [Memory; 2]) -> Result<Sweeps<'a>> {
    find_listing(search, room, listed::most(search.layer, search.plan.rules.endless))
}

/// The same, where so many entries are listed at most.
fn find_listing<'a>(
    search: &'a Search<'a>,
    room: &'a mut [Memory; 2],
    most: u64,
) -> Result<Sweeps<'a>> {
    let [mut open, mut numbers] = room.each_mut().map(shared::<AtomicU64>);
    let blocks = search.blocks().map(|own| OpenBlock::new(search, own, &mut open)).collect();
    let words = words(search.plan.rules.endless);
    let looks = search.blocks().map(|own| Looks {
        rows: search.low.blocks().shape(own).rows(),
        tight: taken(&mut numbers, Moves::count(search, own) * words),
        met: taken(&mut numbers, 2 * lines(search, own)).as_chunks().0,
        moves: Moves::new(search, own),
    });
    let looks = looks.collect();
    let sweeps = Sweeps::new(search, words, blocks, looks);
    sweeps.begin()?;
    loop {
        let swept = sweeps.sweep()?;
        if !swept.has_changed || listed::finish(&sweeps, swept.open, most)? {
            return Ok(sweeps);
        }
    }
}

/// How many lines a block has.
fn lines(search: &Search, own: usize) -> usize {
    let shape = search.low.blocks().shape(own);
    shape.rows() * shape.panels()
}

#[cfg(test)]
mod tests {
    use super::super::claims::load;
    use super::*;
    use crate::game::board::Seeds;
    use crate::game::rules::{ABAPA, AWARI, Rules};
    use crate::layer::arena::Arena;
    use crate::solver::exceptions::Means;
    use crate::solver::plan::Plans;
    use crate::solver::{InMemory, Kernel, Solver, Unobserved};

    /// What is open in a layer if so many entries are listed at most.
    fn open(rules: &'static Rules, seeds: usize, most: u64) -> Vec<[u64; 2]> {
        let mut solver = Solver::new(rules, Kernel::best());
        let mut layers = InMemory::default();
        for seeds in 0..=seeds {
            let seeds = Seeds::new(seeds).unwrap();
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
        }
        let solved = layers.layers().last().unwrap();
        let (mut plans, arena) = (Plans::new(rules), Arena::default());
        let plan = plans.layer(solved.layer().seeds());
        let means = Means { kernel: Kernel::best(), arena: &arena, observer: &Unobserved };
        let search = Search::of(&plan, means, solved).unwrap();
        let mut room = room(&search).unwrap();
        let claims = find_listing(&search, &mut room, most).unwrap();
        let blocks = claims.blocks.iter();
        blocks.flat_map(|block| block.open).map(|open| open.each_ref().map(load)).collect()
    }

    #[test]
    fn a_list_finds_what_sweeps_find() {
        for rules in [&AWARI, &ABAPA] {
            let [never, late, at_once] = [0, 3_000, u64::MAX].map(|most| open(rules, 11, most));
            assert!(never.iter().flatten().any(|&lanes| lanes != 0), "{}", rules.id);
            assert_eq!(never, late, "{}", rules.id);
            assert_eq!(never, at_once, "{}", rules.id);
        }
    }
}
