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

use std::sync::atomic::{AtomicI8, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand::{Expanded, NOTHING};
use super::predecessors::Predecessors;
use super::work::{Keeper, PIECE, unless_stopped};
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
        1 => Search::<1>::new(layer, expanded).solve(keeper),
        _ => Search::<2>::new(layer, expanded).solve(keeper),
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
}

impl<const PLANES: usize> Search<PLANES> {
    fn new(layer: GeneralLayer, expanded: Expanded) -> Self {
        let Expanded { low, high, quiet, edges } = expanded;
        let circling = layer.sheet().circling;
        let needs = |from: u32, to: u32| matters(circling, low[from as usize], low[to as usize]);
        let predecessors = Predecessors::of(&quiet, edges, needs);
        let planes = [&low, if PLANES == 1 { &low } else { &high }];
        let cell =
            |rank: usize| Cell::new(std::array::from_fn(|plane| planes[plane][rank]), quiet[rank]);
        let cells = (0..low.len()).into_par_iter().map(cell).collect();
        Search { layer, predecessors, cells }
    }

    fn solve(self, keeper: &dyn Keeper) -> Result<GeneralSolved> {
        self.run(keeper)?;
        let Search { layer, predecessors, cells } = self;
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
    fn run(&self, keeper: &dyn Keeper) -> Result<()> {
        let (least, most) = (least_level(&self.layer), self.layer.most());
        let occurs = occurring(self.cells.par_iter().map(|cell| cell.leaving));
        for level in (least..=most).rev().filter(|&level| occurs[(level as u8) as usize]) {
            unless_stopped(keeper)?;
            let mut entered = self.begin(level);
            let mut round = 0;
            while !entered.is_empty() {
                round += 1;
                unless_stopped(keeper)?;
                entered = self.step(&entered, level, round);
            }
        }
        Ok(())
    }

    /// What leaving the layer adds at a level.
    fn begin(&self, level: i8) -> Entered {
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
            let before = part.iter().flat_map(|&rank| self.predecessors.of_rank(rank)).copied();
            let mover = before.filter(|&rank| self.enter_mover(rank, level)).collect();
            Entered { mover, opponent: Vec::new() }
        };
        let opponent = |part: &[u32]| {
            let before = part.iter().flat_map(|&rank| self.predecessors.of_rank(rank)).copied();
            let opponent = before.filter(|&rank| self.count_down(rank, level, round)).collect();
            Entered { mover: Vec::new(), opponent }
        };
        let into_mover = entered.opponent.par_chunks(TASK).map(mover);
        let into_opponent = entered.mover.par_chunks(TASK).map(opponent);
        into_mover.chain(into_opponent).reduce(Entered::default, Entered::join)
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
