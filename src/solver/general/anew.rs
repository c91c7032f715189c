//! The levels and rounds of [`super::retrograde`] where memory does not suffice for edges: moves
//! are computed again in each round.
//!
//! A round goes through all placements whose bounds are not settled, makes their moves and looks at
//! what they lead to. What enters S or T is marked, and entered when the round is over, so that a
//! round sees what was there before it, as if it went backwards along edges. So bounds and stamps
//! are the same; a test compares them. That takes a byte more than a cell, and as many times the
//! time of making all moves as there are rounds.
//!
//! A checkpoint is the cells between two rounds. What a round had marked when it was interrupted is
//! forgotten, and the round repeated.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::cell::Cell;
use super::expand::expand;
use super::retrograde::{least_level, occurring, solved, stamp};
use super::work::{Below, Keeper, PIECE, Resumed, Way, offer_each, unless_stopped};
use crate::error::Result;
use crate::game::mancala::{Outcomes, Placement};
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::parallel;

/// Marks of a placement: it enters S, it enters T.
const MOVER: u8 = 1;
const OPPONENT: u8 = 2;

/// The bounds of a layer, given the layers below.
pub fn solve(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<GeneralSolved> {
    match layer.sheet().planes() {
        1 => Rounds::<1>::begin(layer, below, keeper)?.solve(keeper),
        _ => Rounds::<2>::begin(layer, below, keeper)?.solve(keeper),
    }
}

struct Rounds<const PLANES: usize> {
    layer: GeneralLayer,
    cells: Vec<Cell<PLANES>>,
    /// What the round at hand has found, by rank.
    marks: Vec<AtomicU8>,
    /// The level and the round to go on with; none if nothing has been done.
    from: Option<(i8, usize)>,
}

impl<const PLANES: usize> Rounds<PLANES> {
    /// Goes on from a checkpoint, or makes all moves for the first time.
    fn begin(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<Self> {
        let each = Cell::<PLANES>::BYTES;
        let bytes = layer.positions() * each as u64;
        let (cells, from) = match keeper.resume(&layer, Way::Anew, bytes) {
            Some(Resumed { stage: [level, round], bytes }) => {
                let cells = bytes.chunks_exact(each).map(Cell::from_bytes).collect();
                (cells, Some((level as u8 as i8, round as usize)))
            }
            None => (expand(layer, below, None, keeper)?, None),
        };
        let marks = (0..cells.len()).map(|_| AtomicU8::new(0)).collect();
        Ok(Rounds { layer, cells, marks, from })
    }

    /// Offers a checkpoint from which the solve goes on with a round.
    fn save(&self, keeper: &dyn Keeper, level: i8, round: usize) {
        let stage = [u64::from(level.cast_unsigned()), round as u64];
        let cells = (&self.cells[..], Cell::<PLANES>::BYTES);
        offer_each(keeper, &self.layer, Way::Anew, stage, cells, Cell::add_as_it_is);
    }

    fn solve(self, keeper: &dyn Keeper) -> Result<GeneralSolved> {
        let first = self.from.map_or(self.layer.most(), |(level, _)| level);
        let levels = least_level(&self.layer)..=first;
        let occurs = occurring(&self.cells);
        for level in levels.rev() {
            let mut round = match self.from {
                Some((first, round)) if first == level => round,
                _ if occurs[(level as u8) as usize] => 0,
                _ => continue,
            };
            loop {
                if let Err(stopped) = self.mark(level, round, keeper) {
                    self.save(keeper, level, round);
                    return Err(stopped);
                }
                if !self.enter(level, round) {
                    break;
                }
                round += 1;
                self.save(keeper, level, round);
            }
        }
        let Rounds { layer, cells, marks, .. } = self;
        drop(marks);
        Ok(solved(layer, &cells))
    }

    /// Marks what enters S and T in a round.
    fn mark(&self, level: i8, round: usize, keeper: &dyn Keeper) -> Result<()> {
        let pieces = self.cells.chunks(PIECE).zip(self.marks.chunks(PIECE)).enumerate();
        parallel::try_each_of(pieces, |(number, (cells, marks))| {
            unless_stopped(keeper)?;
            let mut outcomes = Outcomes::new();
            let placements = self.layer.placements((number * PIECE) as u64, cells.len());
            for ((cell, mark), placement) in cells.iter().zip(marks).zip(placements) {
                if cell.low().is_open() || cell.high().is_open() {
                    mark.store(self.look(cell, &placement, (level, round), &mut outcomes), Relaxed);
                }
            }
            Ok(())
        })
    }

    /// The marks of a placement.
    fn look(
        &self,
        cell: &Cell<PLANES>,
        placement: &Placement,
        (level, round): (i8, usize),
        outcomes: &mut Outcomes,
    ) -> u8 {
        let has_quiet = cell.may_have_quiet();
        if round > 0 && !has_quiet {
            return 0;
        }
        outcomes.clear();
        if has_quiet {
            self.layer.sheet().game.add_outcomes(placement, outcomes);
        }
        let quiet = || {
            let quiet = outcomes.iter().filter(|outcome| !outcome.leaves_layer());
            quiet.map(|outcome| &self.cells[self.layer.rank(&outcome.next) as usize])
        };
        let is_in_mover = |next: &Cell<PLANES>| next.low().settled() >= Some(level);
        let is_in_opponent =
            |next: &Cell<PLANES>| next.high().settled().is_some_and(|high| high <= -level);
        let mut marks = 0;
        if cell.low().is_open() {
            let is_mover = match round {
                0 => cell.low().leaving() >= level,
                _ => quiet().any(is_in_opponent),
            };
            marks |= if is_mover { MOVER } else { 0 };
        }
        if cell.high().is_open() && cell.high().leaving() <= -level && quiet().all(is_in_mover) {
            marks |= OPPONENT;
        }
        marks
    }

    /// Lets enter what is marked. Returns whether there was anything.
    fn enter(&self, level: i8, round: usize) -> bool {
        let enter = |(cell, mark): (&Cell<PLANES>, &AtomicU8)| {
            let marks = mark.load(Relaxed);
            if marks == 0 {
                return false;
            }
            if marks & MOVER > 0 {
                cell.low().settle(level);
            }
            if marks & OPPONENT > 0 {
                cell.enter_opponent(level, stamp(round));
            }
            mark.store(0, Relaxed);
            true
        };
        let pieces = self.cells.chunks(PIECE).zip(self.marks.chunks(PIECE));
        let entered = parallel::map_of(pieces, |(cells, marks)| {
            cells.iter().zip(marks).filter(|&marked| enter(marked)).count()
        });
        entered.iter().any(|&count| count > 0)
    }
}
