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
//! [`crate::certify::general`] hold. Claims that nothing need be done about have 0.
//!
//! # Checkpoints
//!
//! A checkpoint is the bounds and stamps of all levels that are done. What the level at hand has
//! found is left out, so that there can be one at any time between two rounds. A solve that
//! continues from it makes the moves again and counts those that do not lead into S yet.

use rayon::prelude::*;

use super::bundles::Bundles;
use super::cell::{Cell, open};
use super::expand::expand;
use super::predecessors::Predecessors;
use super::work::{Below, Keeper, PIECE, Resumed, Way, offer_each, unless_stopped};
use crate::error::Result;
use crate::game::mancala::Circling;
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};
use crate::parallel;

/// Placements of a round that one task goes through.
const TASK: usize = 512;

/// The bounds of a layer, given the layers below.
pub fn solve(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<GeneralSolved> {
    match layer.sheet().planes() {
        1 => Retrograde::<1>::begin(layer, below, keeper)?.solve(keeper),
        _ => Retrograde::<2>::begin(layer, below, keeper)?.solve(keeper),
    }
}

/// Whether an edge between two placements can matter, given what leaving the layer brings there:
/// one by which the first may come to be in T, or one into T at a level at which leaving does not
/// bring as much. That is so of 7 edges in 10 of Nam Nam with 20 seeds, and of 9 in 10 of Bao with
/// laps.
fn matters(circling: Circling, from: i8, to: i8) -> bool {
    match circling {
        Circling::EvenSplit | Circling::Never => (from < 0) | (to < -from),
        Circling::Drawn => true,
    }
}

struct Retrograde<const PLANES: usize> {
    layer: GeneralLayer,
    predecessors: Predecessors,
    cells: Vec<Cell<PLANES>>,
    /// The level to begin with.
    first: i8,
}

impl<const PLANES: usize> Retrograde<PLANES> {
    /// Makes the moves, turns them round, and goes on from a checkpoint if there is one.
    fn begin(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<Self> {
        let each = Cell::<PLANES>::BYTES;
        let edges = Bundles::new(layer.positions() as usize);
        let mut cells = expand(layer, below, Some(&edges), keeper)?;
        let kept = keeper.resume(&layer, Way::Kept, layer.positions() * each as u64);
        if let Some(Resumed { bytes, .. }) = &kept {
            // Moves that lead into S are no longer among those to count.
            let least = least_level(&layer);
            edges.for_each(|from, to| {
                if bytes[each * to].cast_signed() >= least {
                    cells[from].count_down();
                }
            });
        }
        let circling = layer.sheet().circling;
        let leaving = |rank: usize| cells[rank].low().leaving();
        let needs = |from: usize, to: usize| matters(circling, leaving(from), leaving(to));
        let predecessors = Predecessors::of(edges, needs, keeper)?;
        let mut first = layer.most();
        if let Some(Resumed { stage: [level, _], bytes }) = kept {
            let bytes = bytes.chunks_exact(each);
            cells.iter_mut().zip(bytes).for_each(|(cell, bytes)| cell.take(bytes));
            first = level as u8 as i8;
        }
        Ok(Retrograde { layer, predecessors, cells, first })
    }

    /// Offers a checkpoint from which the solve goes on with a level.
    fn save(&self, keeper: &dyn Keeper, level: i8) {
        let stage = [u64::from(level.cast_unsigned()), 0];
        let cells = (&self.cells[..], Cell::<PLANES>::BYTES);
        let add = |cell: &Cell<PLANES>, bytes: &mut Vec<u8>| cell.add_settled(level, bytes);
        offer_each(keeper, &self.layer, Way::Kept, stage, cells, add);
    }

    fn solve(self, keeper: &dyn Keeper) -> Result<GeneralSolved> {
        let levels = least_level(&self.layer)..=self.first;
        let occurs = occurring(&self.cells);
        for level in levels.rev().filter(|&level| occurs[(level as u8) as usize]) {
            if let Err(stopped) = self.level(level, keeper) {
                self.save(keeper, level);
                return Err(stopped);
            }
            self.save(keeper, level - 1);
        }
        let Retrograde { layer, predecessors, cells, .. } = self;
        drop(predecessors);
        Ok(solved(layer, &cells))
    }
}

/// What has been found of a layer.
pub fn solved<const PLANES: usize>(layer: GeneralLayer, cells: &[Cell<PLANES>]) -> GeneralSolved {
    // What no level settles.
    let [low, high] = match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => [0, 0],
        Circling::Drawn => [-layer.most(), layer.most()],
    };
    let all = |of: fn(&Cell<PLANES>) -> Option<i8>, otherwise| {
        let score = |rank: usize| of(&cells[rank]).unwrap_or(otherwise);
        parallel::filled(cells.len(), PIECE, 0, score)
    };
    let lows = all(|cell| cell.low().settled(), low);
    let highs = (PLANES == 2).then(|| all(|cell| cell.high().settled(), high));
    let stamps = Some(parallel::filled(cells.len(), PIECE, 0, |rank| cells[rank].stamp()));
    GeneralSolved { layer, low: lows, high: highs, stamps }
}

/// What has entered S, and what has entered T.
#[derive(Default)]
struct Entered {
    mover: Vec<u32>,
    opponent: Vec<u32>,
}

/// What a round is to do: for some placements that have entered T, or S.
enum Task<'a> {
    IntoMover(&'a [u32]),
    IntoOpponent(&'a [u32]),
}

impl Entered {
    fn is_empty(&self) -> bool {
        self.mover.is_empty() && self.opponent.is_empty()
    }

    /// What follows from it.
    fn tasks(&self) -> impl Iterator<Item = Task<'_>> {
        let into_mover = self.opponent.chunks(TASK).map(Task::IntoMover);
        into_mover.chain(self.mover.chunks(TASK).map(Task::IntoOpponent))
    }
}

impl<const PLANES: usize> Retrograde<PLANES> {
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

    /// What leaving the layer adds at a level. Where it brings more, that has entered at the level of
    /// what it brings.
    fn enter_leaving(&self, level: i8) -> Vec<Entered> {
        let (wins, loses) = (open(level), open(-level));
        let add = |mut entered: Entered, (piece, cells): (usize, &[Cell<PLANES>])| {
            for (rank, cell) in (piece * PIECE..).zip(cells) {
                if cell.low().byte() == wins {
                    cell.low().settle(level);
                    entered.mover.push(rank as u32);
                }
                if cell.high().byte() == loses && cell.is_exhausted() {
                    cell.enter_opponent(level, stamp(0));
                    entered.opponent.push(rank as u32);
                }
            }
            entered
        };
        let found = self.cells.par_chunks(PIECE).enumerate().fold(Entered::default, add);
        found.filter(|entered| !entered.is_empty()).collect()
    }

    /// One round: what has a move into T enters S, what has only moves into S enters T.
    fn step(&self, entered: &[Entered], level: i8, round: usize) -> Vec<Entered> {
        let tasks: Vec<Task> = entered.iter().flat_map(Entered::tasks).collect();
        let begin = || (Entered::default(), Vec::new());
        let add = |(mut entered, mut before): (Entered, Vec<u32>), task: &Task| {
            match task {
                Task::IntoMover(part) => {
                    self.before(part, &mut before, |cell| cell.low().is_open());
                    let entering = before.iter().filter(|&&rank| self.enter_mover(rank, level));
                    entered.mover.extend(entering);
                }
                Task::IntoOpponent(part) => {
                    self.before(part, &mut before, |cell| cell.high().is_open());
                    let stamp = stamp(round);
                    let entering = before.iter().filter(|&&rank| self.count(rank, level, stamp));
                    entered.opponent.extend(entering);
                }
            }
            (entered, before)
        };
        let found = tasks.par_iter().fold(begin, add).map(|(entered, _)| entered);
        found.filter(|entered| !entered.is_empty()).collect()
    }

    /// What has a move to one of these and a bound that is open.
    ///
    /// All of this is far apart in memory. So each step is taken for all before the next one, and
    /// without a branch, so that the processor waits for many of them at once, and finds them in its
    /// cache when they are changed.
    fn before(&self, part: &[u32], before: &mut Vec<u32>, is_open: impl Fn(&Cell<PLANES>) -> bool) {
        let mut lists: [&[u32]; TASK] = [&[]; TASK];
        let lists = &mut lists[..part.len()];
        let mut count = 0;
        for (list, &rank) in lists.iter_mut().zip(part) {
            *list = self.predecessors.of_rank(rank);
            count += list.len();
        }
        before.resize(count, 0);
        let mut open = 0;
        for list in lists {
            for &rank in *list {
                before[open] = rank;
                open += usize::from(is_open(&self.cells[rank as usize]));
            }
        }
        before.truncate(open);
    }

    fn enter_mover(&self, rank: u32, level: i8) -> bool {
        self.cells[rank as usize].low().settle_first(level)
    }

    /// One quiet move more leads into S.
    fn count(&self, rank: u32, level: i8, stamp: u8) -> bool {
        let cell = &self.cells[rank as usize];
        // Who is settled never looks at the count again.
        let enters = cell.high().is_open() && cell.count_down() && cell.high().leaving() <= -level;
        if enters {
            cell.enter_opponent(level, stamp);
        }
        enters
    }
}

/// The last level.
pub fn least_level(layer: &GeneralLayer) -> i8 {
    match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => 1,
        Circling::Drawn => 1 - layer.most(),
    }
}

/// Which levels leaving the layer begins, read as a byte without a sign: what it brings where that is
/// not settled yet.
pub fn occurring<const PLANES: usize>(cells: &[Cell<PLANES>]) -> [bool; 256] {
    let of_piece = |cells: &[Cell<PLANES>]| {
        let mut found = [false; 256];
        for cell in cells {
            let (low, high) = (cell.low(), cell.high());
            found[low.leaving() as u8 as usize] |= low.is_open();
            found[-high.leaving() as u8 as usize] |= high.is_open();
        }
        found
    };
    let join = |mut one: [bool; 256], other: [bool; 256]| {
        one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
        one
    };
    parallel::map_of(cells.chunks(PIECE), of_piece).into_iter().fold([false; 256], join)
}

/// The stamp of what enters T in a round.
pub fn stamp(round: usize) -> u8 {
    (1 + round.div_ceil(2)).min(usize::from(NEVER)) as u8
}
