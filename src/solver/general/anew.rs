//! The levels and rounds of [`super::retrograde`] where memory does not suffice for edges: moves
//! are made anew in each round.
//!
//! A round goes through all placements whose bounds are not settled, makes their moves and looks at
//! what they lead to. What enters S or T is marked, and entered when the round is over, so that a
//! round sees what was there before it, as if it went backwards along edges. So bounds and stamps
//! are the same; a test compares them. That takes 6 bytes a position instead of some 30, and as
//! many times the time of making all moves as there are rounds.

use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand::Expanded;
use super::retrograde::{
    OPEN, least_level, occurring, stamp_of_mover, stamp_of_opponent, unsettled,
};
use super::work::{PIECE, unless_stopped};
use crate::error::Result;
use crate::game::mancala::{Layers, Outcomes, Placement};
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};

/// Marks of a placement: it has a quiet move, it enters S, it enters T.
const QUIET: u8 = 1;
const MOVER: u8 = 2;
const OPPONENT: u8 = 4;

/// The bounds of a layer, given what leaving it brings.
pub fn solve(layer: GeneralLayer, expanded: Expanded, stop: &AtomicBool) -> Result<GeneralSolved> {
    match layer.sheet().planes() {
        1 => Rounds::<1>::new(layer, expanded).solve(stop),
        _ => Rounds::<2>::new(layer, expanded).solve(stop),
    }
}

struct Cell<const PLANES: usize> {
    leaving: [i8; PLANES],
    settled: [AtomicI8; PLANES],
    marks: AtomicU8,
    stamp: AtomicU8,
}

impl<const PLANES: usize> Cell<PLANES> {
    fn low(&self) -> &AtomicI8 {
        &self.settled[0]
    }

    fn high(&self) -> &AtomicI8 {
        &self.settled[PLANES - 1]
    }

    fn is_open(&self) -> bool {
        self.low().load(Relaxed) == OPEN || self.high().load(Relaxed) == OPEN
    }

    fn is_in_mover(&self, level: i8) -> bool {
        self.low().load(Relaxed) >= level.max(OPEN + 1)
    }

    fn is_in_opponent(&self, level: i8) -> bool {
        let high = self.high().load(Relaxed);
        high != OPEN && high <= -level
    }
}

struct Rounds<const PLANES: usize> {
    layer: GeneralLayer,
    cells: Vec<Cell<PLANES>>,
}

impl<const PLANES: usize> Rounds<PLANES> {
    fn new(layer: GeneralLayer, expanded: Expanded) -> Self {
        let Expanded { low, high, quiet, .. } = expanded;
        let planes = [&low, if PLANES == 1 { &low } else { &high }];
        let cell = |rank: usize| Cell {
            leaving: std::array::from_fn(|plane| planes[plane][rank]),
            settled: std::array::from_fn(|_| AtomicI8::new(OPEN)),
            marks: AtomicU8::new(if quiet[rank] > 0 { QUIET } else { 0 }),
            stamp: AtomicU8::new(0),
        };
        Rounds { layer, cells: (0..low.len()).into_par_iter().map(cell).collect() }
    }

    fn solve(self, stop: &AtomicBool) -> Result<GeneralSolved> {
        let levels = least_level(&self.layer)..=self.layer.most();
        let occurs = occurring(self.cells.par_iter().map(|cell| cell.leaving));
        for level in levels.rev().filter(|&level| occurs[(level as u8) as usize]) {
            let mut round = 0;
            self.mark(level, round, stop)?;
            while self.enter(level, round) {
                round += 1;
                self.mark(level, round, stop)?;
            }
        }
        let Rounds { layer, cells } = self;
        let unsure = unsettled(&layer);
        let bounds = |plane: usize| -> Vec<i8> {
            let bound = |cell: &Cell<PLANES>| match cell.settled[plane].load(Relaxed) {
                OPEN => unsure[plane],
                bound => bound,
            };
            cells.par_iter().map(bound).collect()
        };
        let stamp = |cell: &Cell<PLANES>| match cell.low().load(Relaxed) {
            OPEN if layer.sheet().layers == Layers::Alone => NEVER,
            _ => cell.stamp.load(Relaxed),
        };
        let (low, high) = (bounds(0), (PLANES == 2).then(|| bounds(1)));
        let stamps = Some(cells.par_iter().map(stamp).collect());
        Ok(GeneralSolved { layer, low, high, stamps })
    }

    /// Marks what enters S and T in a round.
    fn mark(&self, level: i8, round: usize, stop: &AtomicBool) -> Result<()> {
        let pieces = self.cells.par_chunks(PIECE).enumerate();
        pieces.try_for_each(|(number, cells)| {
            unless_stopped(stop)?;
            let mut outcomes = Outcomes::new();
            let placements = self.layer.placements((number * PIECE) as u64, cells.len());
            for (cell, placement) in cells.iter().zip(placements) {
                if cell.is_open() {
                    self.look(cell, &placement, (level, round), &mut outcomes);
                }
            }
            Ok(())
        })
    }

    /// Marks a placement if it enters.
    fn look(
        &self,
        cell: &Cell<PLANES>,
        placement: &Placement,
        (level, round): (i8, usize),
        outcomes: &mut Outcomes,
    ) {
        let marks = cell.marks.load(Relaxed);
        if round > 0 && marks & QUIET == 0 {
            return;
        }
        outcomes.clear();
        if marks & QUIET > 0 {
            self.layer.sheet().game.add_outcomes(placement, outcomes);
        }
        let quiet = || {
            let quiet = outcomes.iter().filter(|outcome| !outcome.leaves_layer());
            quiet.map(|outcome| &self.cells[self.layer.rank(&outcome.next) as usize])
        };
        let mut found = marks;
        let is_mover = match round {
            0 => cell.leaving[0] >= level,
            _ => quiet().any(|next| next.is_in_opponent(level)),
        };
        if is_mover && cell.low().load(Relaxed) == OPEN {
            found |= MOVER;
        }
        if cell.high().load(Relaxed) == OPEN
            && cell.leaving[PLANES - 1] <= -level
            && quiet().all(|next| next.is_in_mover(level))
        {
            found |= OPPONENT;
        }
        cell.marks.store(found, Relaxed);
    }

    /// Lets enter what is marked. Returns whether there was anything.
    fn enter(&self, level: i8, round: usize) -> bool {
        let layers = self.layer.sheet().layers;
        let enter = |cell: &Cell<PLANES>| {
            let marks = cell.marks.load(Relaxed);
            if marks & MOVER > 0 {
                cell.low().store(level, Relaxed);
                if let Some(stamp) = stamp_of_mover(layers, round) {
                    cell.stamp.store(stamp, Relaxed);
                }
            }
            if marks & OPPONENT > 0 {
                cell.high().store(-level, Relaxed);
                cell.stamp.store(stamp_of_opponent(layers, round), Relaxed);
            }
            cell.marks.store(marks & QUIET, Relaxed);
            marks & !QUIET > 0
        };
        self.cells
            .par_chunks(PIECE)
            .map(|cells| cells.iter().filter(|cell| enter(cell)).count())
            .sum::<usize>()
            > 0
    }
}
