//! The levels and rounds of [`super::retrograde`] where memory does not suffice for edges: moves
//! are made anew in each round.
//!
//! A round goes through all placements whose bounds are not settled, makes their moves and looks at
//! what they lead to. What enters S or T is marked, and entered when the round is over, so that a
//! round sees what was there before it, as if it went backwards along edges. So bounds and stamps
//! are the same; a test compares them. That takes 6 bytes a position instead of some 30, and as
//! many times the time of making all moves as there are rounds.
//!
//! A checkpoint is what is known of each placement between two rounds: what leaving brings, what is
//! settled, whether there is a quiet move, and the stamp. What a round had marked when it was
//! interrupted is forgotten, and the round made anew.

use std::sync::atomic::{AtomicI8, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand::{Expanded, expand};
use super::retrograde::{OPEN, least_level, occurring, stamp, unsettled};
use super::work::{
    Below, Edges, Keeper, PIECE, Resumed, Snapshot, Way, unless_stopped, write_each,
};
use crate::error::Result;
use crate::game::mancala::{Outcomes, Placement};
use crate::layer::general::{GeneralLayer, GeneralSolved};

/// Marks of a placement: it has a quiet move, it enters S, it enters T.
const QUIET: u8 = 1;
const MOVER: u8 = 2;
const OPPONENT: u8 = 4;

/// The bounds of a layer, given the layers below.
pub fn solve(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<GeneralSolved> {
    match layer.sheet().planes() {
        1 => Rounds::<1>::begin::<4>(layer, below, keeper)?.solve::<4>(keeper),
        _ => Rounds::<2>::begin::<6>(layer, below, keeper)?.solve::<6>(keeper),
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

impl<const PLANES: usize> Cell<PLANES> {
    /// What a checkpoint has of it: `BYTES` are two for each plane, and two.
    fn to_bytes<const BYTES: usize>(&self) -> [u8; BYTES] {
        let marks = self.marks.load(Relaxed) & QUIET;
        let mut bytes = [0; BYTES];
        for plane in 0..PLANES {
            bytes[plane] = self.leaving[plane].cast_unsigned();
            bytes[PLANES + plane] = self.settled[plane].load(Relaxed).cast_unsigned();
        }
        bytes[2 * PLANES..].copy_from_slice(&[marks, self.stamp.load(Relaxed)]);
        bytes
    }

    fn from_bytes<const BYTES: usize>(bytes: &[u8; BYTES]) -> Self {
        Cell {
            leaving: std::array::from_fn(|plane| bytes[plane].cast_signed()),
            settled: std::array::from_fn(|plane| {
                AtomicI8::new(bytes[PLANES + plane].cast_signed())
            }),
            marks: AtomicU8::new(bytes[2 * PLANES]),
            stamp: AtomicU8::new(bytes[2 * PLANES + 1]),
        }
    }
}

struct Rounds<const PLANES: usize> {
    layer: GeneralLayer,
    cells: Vec<Cell<PLANES>>,
    /// The level and the round to go on with; none if nothing has been done.
    from: Option<(i8, usize)>,
}

impl<const PLANES: usize> Rounds<PLANES> {
    /// Goes on from a checkpoint, or makes all moves for the first time.
    fn begin<const BYTES: usize>(
        layer: GeneralLayer,
        below: &Below,
        keeper: &dyn Keeper,
    ) -> Result<Self> {
        let bytes = layer.positions() * BYTES as u64;
        if let Some(Resumed { stage: [level, round], bytes }) =
            keeper.resume(&layer, Way::Anew, bytes)
        {
            let (cells, _) = bytes.as_chunks::<BYTES>();
            let cells = cells.par_iter().map(Cell::from_bytes).collect();
            let from = Some((level as u8 as i8, round as usize));
            return Ok(Rounds { layer, cells, from });
        }
        Ok(Rounds::new(layer, expand(layer, below, Edges::MadeAnew, keeper)?))
    }

    /// Offers a checkpoint from which the solve goes on with a round.
    fn keep<const BYTES: usize>(&self, keeper: &dyn Keeper, level: i8, round: usize) {
        let bytes = (self.cells.len() * BYTES) as u64;
        if keeper.wants(&self.layer, bytes) {
            let write = |out: &mut dyn std::io::Write| {
                write_each(out, &self.cells, Cell::to_bytes::<BYTES>)
            };
            let stage = [u64::from(level.cast_unsigned()), round as u64];
            keeper.offer(&self.layer, &Snapshot { way: Way::Anew, stage, bytes, write: &write });
        }
    }

    fn new(layer: GeneralLayer, expanded: Expanded) -> Self {
        let Expanded { low, high, quiet, .. } = expanded;
        let planes = [&low, if PLANES == 1 { &low } else { &high }];
        let cell = |rank: usize| Cell {
            leaving: std::array::from_fn(|plane| planes[plane][rank]),
            settled: std::array::from_fn(|_| AtomicI8::new(OPEN)),
            marks: AtomicU8::new(if quiet[rank] > 0 { QUIET } else { 0 }),
            stamp: AtomicU8::new(0),
        };
        let cells = (0..low.len()).into_par_iter().map(cell).collect();
        Rounds { layer, cells, from: None }
    }

    fn solve<const BYTES: usize>(self, keeper: &dyn Keeper) -> Result<GeneralSolved> {
        let first = self.from.map_or(self.layer.most(), |(level, _)| level);
        let levels = least_level(&self.layer)..=first;
        let occurs = occurring(self.cells.par_iter().map(|cell| cell.leaving));
        for level in levels.rev().filter(|&level| occurs[(level as u8) as usize]) {
            let mut round = match self.from {
                Some((first, round)) if first == level => round,
                _ => 0,
            };
            loop {
                if let Err(stopped) = self.mark(level, round, keeper) {
                    self.keep::<BYTES>(keeper, level, round);
                    return Err(stopped);
                }
                if !self.enter(level, round) {
                    break;
                }
                round += 1;
                self.keep::<BYTES>(keeper, level, round);
            }
        }
        let Rounds { layer, cells, .. } = self;
        let unsure = unsettled(&layer);
        let bounds = |plane: usize| -> Vec<i8> {
            let bound = |cell: &Cell<PLANES>| match cell.settled[plane].load(Relaxed) {
                OPEN => unsure[plane],
                bound => bound,
            };
            cells.par_iter().map(bound).collect()
        };
        let (low, high) = (bounds(0), (PLANES == 2).then(|| bounds(1)));
        let stamps = Some(cells.par_iter().map(|cell| cell.stamp.load(Relaxed)).collect());
        Ok(GeneralSolved { layer, low, high, stamps })
    }

    /// Marks what enters S and T in a round.
    fn mark(&self, level: i8, round: usize, keeper: &dyn Keeper) -> Result<()> {
        let pieces = self.cells.par_chunks(PIECE).enumerate();
        pieces.try_for_each(|(number, cells)| {
            unless_stopped(keeper)?;
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
        let marks = cell.marks.load(Relaxed) & QUIET;
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
        let enter = |cell: &Cell<PLANES>| {
            let marks = cell.marks.load(Relaxed);
            if marks & MOVER > 0 {
                cell.low().store(level, Relaxed);
            }
            if marks & OPPONENT > 0 {
                cell.high().store(-level, Relaxed);
                cell.stamp.store(stamp(round), Relaxed);
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
