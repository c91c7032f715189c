//! From the largest score down, backwards.
//!
//! Let S(v) be the placements in which the mover secures v, and T(v) those in which the *opponent*
//! does. A placement is in S(v) if a move that leaves the layer brings v, or a quiet move leads into
//! T(v). It is in T(v) if no move that leaves brings the mover more than −v, and all quiet moves
//! lead into S(v). Both are least solutions, for v greater than what going round brings, and they
//! grow as v falls. So levels are gone through from the largest v down; at each, what leaving the
//! layer brings adds the first placements, and from there on rounds go backwards along the edges.
//! A placement counts down its quiet moves as they come to lead into S, so that each edge is looked
//! at once in all levels together.
//!
//! The level at which a placement enters S is its lower bound, that at which it enters T its upper
//! one, with the sign changed. Where going round is worth 0, levels end at 1, both bounds are one
//! number, and what has entered neither is worth 0. Where it draws the game, levels go down to
//! 1 − n, and what has not entered has the bound −n or n.
//!
//! # Stamps
//!
//! The stamp of a claim is half the round in which the placement entered T, counted from 1 in each
//! level: a tight reply leads to a placement of the same level that is in S because a move leaves
//! the layer, or because one leads to a claim that settled two rounds earlier. So the conditions of
//! [`crate::layer::Strategy`] hold. Claims that nothing need be done about have 0.
//!
//! # Checkpoints
//!
//! A checkpoint is the bounds and stamps of all levels that are done. What the level at hand has
//! found is left out, so that there can be one at any time between two rounds. Whoever goes on from
//! it makes the moves again and counts those that do not lead into S yet.

use std::sync::atomic::{AtomicI8, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand::{Expanded, NOTHING};
use super::predecessors::{Bundle, Predecessors};
use super::work::{Keeper, PIECE, Resumed, Snapshot, Way, unless_stopped, write_each};
use crate::error::Result;
use crate::game::mancala::Circling;
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};

/// Says of a bound that it is not settled.
pub const OPEN: i8 = i8::MIN;

/// Placements of a round that one task goes through.
const TASK: usize = 1 << 10;

/// The bounds of a layer, given its moves.
pub fn solve(
    layer: GeneralLayer,
    expanded: Expanded,
    keeper: &dyn Keeper,
) -> Result<GeneralSolved> {
    match layer.sheet().planes() {
        1 => Search::<1>::begin::<2>(layer, expanded, keeper)?.solve::<2>(keeper),
        _ => Search::<2>::begin::<3>(layer, expanded, keeper)?.solve::<3>(keeper),
    }
}

/// What is known of a placement, side by side: whoever looks at one of these looks at others.
/// `PLANES` is 1 if one number is both bounds.
struct Cell<const PLANES: usize> {
    /// What leaving the layer brings, at least and at most.
    leaving: [i8; PLANES],
    /// Lower and upper bound.
    settled: [AtomicI8; PLANES],
    /// Quiet moves that do not lead into S yet.
    left: AtomicU8,
    stamp: AtomicU8,
}

impl<const PLANES: usize> Cell<PLANES> {
    fn new(leaving: [i8; PLANES], left: u8) -> Self {
        let settled = leaving.map(|_| AtomicI8::new(OPEN));
        Cell { leaving, settled, left: AtomicU8::new(left), stamp: AtomicU8::new(0) }
    }

    fn low(&self) -> &AtomicI8 {
        &self.settled[0]
    }

    fn high(&self) -> &AtomicI8 {
        &self.settled[PLANES - 1]
    }

    fn leaving_high(&self) -> i8 {
        self.leaving[PLANES - 1]
    }

    /// What a checkpoint has of it: a byte for each plane and the stamp, unless the level at hand
    /// has found them.
    fn to_bytes<const BYTES: usize>(&self, level: i8) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let settled = self.settled.each_ref().map(|bound| bound.load(Relaxed));
        let is_new = [settled[0] == level, settled[PLANES - 1] == -level];
        for plane in 0..PLANES {
            let is_new = if PLANES == 1 { is_new[0] || is_new[1] } else { is_new[plane] };
            bytes[plane] = if is_new { OPEN } else { settled[plane] }.cast_unsigned();
        }
        if !is_new[1] {
            bytes[PLANES] = self.stamp.load(Relaxed);
        }
        bytes
    }

    /// Takes what a checkpoint has of it.
    fn take(&mut self, bytes: &[u8]) {
        let settled = bytes[..PLANES].iter().map(|byte| AtomicI8::new(byte.cast_signed()));
        self.settled.iter_mut().zip(settled).for_each(|(bound, settled)| *bound = settled);
        self.stamp = AtomicU8::new(bytes[PLANES]);
    }
}

/// Whether an edge between two placements can matter, given what leaving the layer brings there:
/// one by which the first may come to be in T, or one into T at a level at which leaving does not
/// bring as much. That is so of 7 edges in 10 of Nam Nam with 20 seeds, and of 9 in 10 of Bao with
/// laps.
fn matters(circling: Circling, from: i8, to: i8) -> bool {
    match circling {
        Circling::EvenSplit | Circling::Never => from < 0 || i32::from(to) < -i32::from(from),
        Circling::Drawn => true,
    }
}

struct Search<const PLANES: usize> {
    layer: GeneralLayer,
    predecessors: Predecessors,
    cells: Vec<Cell<PLANES>>,
    /// The level to begin with.
    first: i8,
}

impl<const PLANES: usize> Search<PLANES> {
    /// Turns the edges round, and goes on from a checkpoint if there is one.
    fn begin<const BYTES: usize>(
        layer: GeneralLayer,
        expanded: Expanded,
        keeper: &dyn Keeper,
    ) -> Result<Self> {
        let Expanded { low, high, mut quiet, edges } = expanded;
        let kept = keeper.resume(&layer, Way::Kept, layer.positions() * BYTES as u64);
        if let Some(Resumed { bytes, .. }) = &kept {
            let is_in_mover =
                |rank: usize| bytes[BYTES * rank].cast_signed() >= least_level(&layer);
            leave_out(&mut quiet, &edges, is_in_mover);
        }
        let circling = layer.sheet().circling;
        let needs = |from: usize, to: usize| matters(circling, low[from], low[to]);
        let predecessors = Predecessors::of(low.len(), &edges, needs, keeper)?;
        drop(edges);
        let planes = [&low, if PLANES == 1 { &low } else { &high }];
        let cell =
            |rank: usize| Cell::new(std::array::from_fn(|plane| planes[plane][rank]), quiet[rank]);
        let mut cells: Vec<_> = (0..low.len()).into_par_iter().map(cell).collect();
        let mut first = layer.most();
        if let Some(Resumed { stage: [level, _], bytes }) = kept {
            let bytes = bytes.par_chunks_exact(BYTES);
            cells.par_iter_mut().zip(bytes).for_each(|(cell, bytes)| cell.take(bytes));
            first = level as u8 as i8;
        }
        Ok(Search { layer, predecessors, cells, first })
    }

    /// Offers a checkpoint from which the solve goes on with a level.
    fn keep<const BYTES: usize>(&self, keeper: &dyn Keeper, level: i8) {
        let bytes = (self.cells.len() * BYTES) as u64;
        if keeper.wants(&self.layer, bytes) {
            let write = |out: &mut dyn std::io::Write| {
                write_each(out, &self.cells, |cell| cell.to_bytes::<BYTES>(level))
            };
            let stage = [u64::from(level.cast_unsigned()), 0];
            keeper.offer(&self.layer, &Snapshot { way: Way::Kept, stage, bytes, write: &write });
        }
    }

    fn solve<const BYTES: usize>(self, keeper: &dyn Keeper) -> Result<GeneralSolved> {
        self.run::<BYTES>(keeper)?;
        let Search { layer, predecessors, cells, .. } = self;
        drop(predecessors);
        let unsure = unsettled(&layer);
        let bounds = |plane: usize| -> Vec<i8> {
            let bound = |cell: &Cell<PLANES>| match cell.settled[plane].load(Relaxed) {
                OPEN => unsure[plane],
                bound => bound,
            };
            cells.par_iter().map(bound).collect()
        };
        let stamps = cells.par_iter().map(|cell| cell.stamp.load(Relaxed)).collect();
        let (low, high) = (bounds(0), (PLANES == 2).then(|| bounds(1)));
        Ok(GeneralSolved { layer, low, high, stamps: Some(stamps) })
    }
}

/// Takes the moves that lead into S from the quiet moves of each placement.
fn leave_out(quiet: &mut [u8], edges: &[Bundle], is_in_mover: impl Fn(usize) -> bool + Sync) {
    quiet.par_chunks_mut(PIECE).zip(edges).for_each(|(quiet, edges)| {
        let left_out = edges.edges().filter(|&(_, to)| is_in_mover(to));
        left_out.for_each(|(from, _)| quiet[from] -= 1);
    });
}

/// What has entered S, and what has entered T.
#[derive(Default)]
struct Entered {
    mover: Vec<u32>,
    opponent: Vec<u32>,
}

impl Entered {
    fn is_empty(&self) -> bool {
        self.mover.is_empty() && self.opponent.is_empty()
    }

    fn join(mut self, mut other: Entered) -> Entered {
        self.mover.append(&mut other.mover);
        self.opponent.append(&mut other.opponent);
        self
    }
}

impl<const PLANES: usize> Search<PLANES> {
    fn run<const BYTES: usize>(&self, keeper: &dyn Keeper) -> Result<()> {
        let levels = least_level(&self.layer)..=self.first;
        let occurs = occurring(self.cells.par_iter().map(|cell| cell.leaving));
        for level in levels.rev().filter(|&level| occurs[(level as u8) as usize]) {
            if let Err(stopped) = self.level(level, keeper) {
                self.keep::<BYTES>(keeper, level);
                return Err(stopped);
            }
            self.keep::<BYTES>(keeper, level - 1);
        }
        Ok(())
    }

    /// All that enters at a level.
    fn level(&self, level: i8, keeper: &dyn Keeper) -> Result<()> {
        unless_stopped(keeper)?;
        let mut entered = self.enter_leaving(level);
        let mut round = 0;
        while !entered.is_empty() {
            round += 1;
            unless_stopped(keeper)?;
            entered = self.step(&entered, level, round);
        }
        Ok(())
    }

    /// What leaving the layer adds at a level.
    fn enter_leaving(&self, level: i8) -> Entered {
        let part = |(first, cells): (usize, &[Cell<PLANES>])| {
            let mut entered = Entered::default();
            for (rank, cell) in (first * PIECE..).zip(cells) {
                if cell.leaving[0] >= level && cell.low().load(Relaxed) == OPEN {
                    cell.low().store(level, Relaxed);
                    entered.mover.push(rank as u32);
                }
                if cell.leaving_high() <= -level
                    && cell.high().load(Relaxed) == OPEN
                    && cell.left.load(Relaxed) == 0
                {
                    self.enter_opponent(cell, level, 0);
                    entered.opponent.push(rank as u32);
                }
            }
            entered
        };
        let parts = self.cells.par_chunks(PIECE).enumerate();
        parts.map(part).reduce(Entered::default, Entered::join)
    }

    /// One round: what has a move into T enters S, what has only moves into S enters T.
    fn step(&self, entered: &Entered, level: i8, round: usize) -> Entered {
        let mover = |part: &[u32]| {
            let mut mover = self.before(part, Cell::low);
            mover.retain(|&rank| self.enter_mover(rank, level));
            Entered { mover, opponent: Vec::new() }
        };
        let opponent = |part: &[u32]| {
            let mut opponent = self.before(part, Cell::high);
            opponent.retain(|&rank| self.count_down(rank, level, round));
            Entered { mover: Vec::new(), opponent }
        };
        let into_mover = entered.opponent.par_chunks(TASK).map(mover);
        let into_opponent = entered.mover.par_chunks(TASK).map(opponent);
        into_mover.chain(into_opponent).reduce(Entered::default, Entered::join)
    }

    /// What has a move to one of these and a bound that is not settled.
    ///
    /// All of this is far apart in memory. So each step is taken for all before the next one, and
    /// without a branch, so that the processor waits for many of them at once, and finds them in its
    /// cache when they are changed.
    fn before(&self, part: &[u32], bound: impl Fn(&Cell<PLANES>) -> &AtomicI8) -> Vec<u32> {
        let lists: Vec<&[u32]> = part.iter().map(|&rank| self.predecessors.of_rank(rank)).collect();
        let mut before = lists.concat();
        let mut open = 0;
        for at in 0..before.len() {
            let rank = before[at];
            before[open] = rank;
            open += usize::from(bound(&self.cells[rank as usize]).load(Relaxed) == OPEN);
        }
        before.truncate(open);
        before
    }

    fn enter_mover(&self, rank: u32, level: i8) -> bool {
        let low = self.cells[rank as usize].low();
        // Most have entered before, and looking is cheaper than trying.
        low.load(Relaxed) == OPEN && low.compare_exchange(OPEN, level, Relaxed, Relaxed).is_ok()
    }

    /// One quiet move more leads into S.
    fn count_down(&self, rank: u32, level: i8, round: usize) -> bool {
        let cell = &self.cells[rank as usize];
        // Who is settled never looks at the count again.
        let enters = cell.high().load(Relaxed) == OPEN
            && cell.left.fetch_sub(1, Relaxed) == 1
            && cell.leaving_high() <= -level;
        if enters {
            self.enter_opponent(cell, level, round);
        }
        enters
    }

    fn enter_opponent(&self, cell: &Cell<PLANES>, level: i8, round: usize) {
        cell.high().store(-level, Relaxed);
        cell.stamp.store(stamp(round), Relaxed);
    }
}

/// The last level.
pub fn least_level(layer: &GeneralLayer) -> i8 {
    match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => 1,
        Circling::Drawn => 1 - layer.most(),
    }
}

/// Which levels leaving the layer begins, read as a byte without a sign, given what it brings at
/// least and at most.
pub fn occurring<const PLANES: usize>(
    leaving: impl IndexedParallelIterator<Item = [i8; PLANES]>,
) -> [bool; 256] {
    let none = || [false; 256];
    let enter = |mut found: [bool; 256], leaving: [i8; PLANES]| {
        found[(leaving[0] as u8) as usize] = true;
        found[(leaving[PLANES - 1].wrapping_neg() as u8) as usize] = true;
        found
    };
    let join = |mut one: [bool; 256], other: [bool; 256]| {
        one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
        one
    };
    leaving.with_min_len(PIECE).fold(none, enter).reduce(none, join)
}

/// The bounds of what no level settles.
pub fn unsettled(layer: &GeneralLayer) -> [i8; 2] {
    match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => [0, 0],
        Circling::Drawn => [-layer.most(), layer.most()],
    }
}

/// The stamp of what enters T in a round.
pub fn stamp(round: usize) -> u8 {
    (1 + round.div_ceil(2)).min(usize::from(NEVER)) as u8
}

const _: () = assert!(NOTHING == OPEN, "neither is a score");
