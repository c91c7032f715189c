//! Two scans over a layer, each one ply deep, that judge it as a whole.
//!
//! A task is a few hundred of the opponent's rows of one block, all columns of them. It goes
//! through 64 columns at a time, the opponent's rows inside: then what it reads of the positions
//! themselves stays in a few cache lines a row, and what it reads of their children runs along a
//! few rows ([`super::half_boards`]).

use rayon::prelude::*;

use super::claims::Bounds;
use super::half_boards::{Child, HalfBoards, Play};
use super::next::{Failing, Next};
use crate::game::{Board, Rules, Score};
use crate::layer::{
    Holds, Layer, UNSTAMPED, is_good_for_mover, row_at, row_rank, rows, turn_in_pair,
};

/// Columns that are gone through together: their bounds share cache lines.
const TILE: usize = 64;

/// Opponent's rows of one task, at most.
const ROWS: usize = 256;

/// The moment of a position that is done: before all others.
const DONE: u32 = 0;

/// Moments that are not the least of anything yet: after all others.
const NEVER: u32 = u32::MAX;

/// Moments of a layer as numbers, in the same order. Only stamps that occur have any, so that all
/// fit.
struct Moments {
    seeds: usize,
    /// By pair: the turns before it.
    before: Vec<u32>,
    /// Turns of a sweep.
    turns: u32,
    /// By stamp: how many lesser ones occur.
    lesser: [u32; 256],
}

impl Moments {
    fn new(layer: Layer, stamps: &[u8]) -> Moments {
        let seeds = layer.seeds().get();
        let mut occur = [false; 256];
        for &stamp in stamps {
            occur[usize::from(stamp)] = true;
        }
        let mut count = 0;
        let lesser = occur.map(|occurs| {
            count += u32::from(occurs);
            count - u32::from(occurs)
        });
        let mut before = vec![0];
        for pair in 0..=seeds / 2 {
            let each = if 2 * pair == seeds { 4 } else { 2 };
            before.push(before[pair] + each * rows(seeds - pair) as u32);
        }
        let turns = before[seeds / 2 + 1];
        let most = u64::from(turns) * u64::from(count) + 1;
        assert!(most < u64::from(NEVER), "the moments of {count} stamps have numbers");
        Moments { seeds, before, turns, lesser }
    }

    /// The moment of a position of block `own`, given the numbers of its mover's and opponent's
    /// row.
    #[inline(always)]
    fn number(&self, stamp: u8, own: usize, (mover, opponent): (u32, u32)) -> u32 {
        let pair = own.min(self.seeds - own);
        self.first_of(stamp) + self.before[pair] + turn_in_pair(self.seeds, own, mover, opponent)
    }

    /// The number before which all moments with earlier stamps are.
    fn first_of(&self, stamp: u8) -> u32 {
        DONE + 1 + self.turns * self.lesser[usize::from(stamp)]
    }

    /// The number from which on all moments with later stamps are; the stamp occurs.
    fn first_after(&self, stamp: u8) -> u32 {
        self.first_of(stamp) + self.turns
    }
}

/// Raises bounds to what captures bring, or the end of the game.
pub fn complete(next: &Next, bounds: &mut Bounds) {
    let scan = Scan::new(next);
    let gain = |below: &[i8], rank: usize, captured: usize| captured as i8 - below[rank];
    // Where one number says both bounds, both are the lower one.
    scan.raise(&mut bounds.low, |below, rank, captured| gain(below.high(), rank, captured));
    if let Some(high) = &mut bounds.high {
        scan.raise(high, |below, rank, captured| gain(&below.low, rank, captured));
    }
}

/// A layer, and what is asked of it again and again.
pub struct Scan<'a> {
    /// The layer.
    pub layer: Layer,
    /// The bounds of the layers below.
    pub below: &'a [Bounds],
    /// Lower bounds.
    pub low: &'a [i8],
    /// Upper bounds.
    pub high: &'a [i8],
    stamps: &'a [u8],
    holds: Holds,
    /// What moves do to half-boards.
    pub half_boards: HalfBoards<'a>,
    moments: Moments,
    /// By block: the number of each opponent's row among all with as many seeds.
    lanes: Vec<Vec<u32>>,
    /// By block: the largest claim of the mover that a cycle pays which is cut there.
    pub pays: Vec<i8>,
}

/// Some of the opponent's rows of a block.
#[derive(Clone, Copy)]
pub struct Task {
    /// The block.
    pub block: usize,
    first_row: usize,
    rows: usize,
    columns: usize,
}

impl Task {
    fn positions(&self) -> usize {
        self.rows * self.columns
    }
}

impl<'a> Scan<'a> {
    /// A scan of the claims about the next layer.
    pub fn new(next: &'a Next) -> Scan<'a> {
        let layer = next.claims.layer;
        let blocks = 0..=layer.seeds().get();
        Scan {
            layer,
            below: next.below,
            low: &next.claims.bounds.low,
            high: next.claims.bounds.high(),
            stamps: &next.claims.stamps,
            holds: next.claims.holds,
            half_boards: HalfBoards::new(next.rules, layer),
            moments: Moments::new(layer, &next.claims.stamps),
            lanes: blocks.clone().map(|own| lanes(layer, own)).collect(),
            pays: blocks.map(|own| pays(next.rules, layer, own)).collect(),
        }
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> usize {
        self.layer.seeds().get()
    }

    /// Raises each score to the most that a capture `brings`, given its child's layer, rank and how
    /// many seeds it takes, and in finished games to what the rows say.
    fn raise(&self, scores: &mut [i8], brings: impl Fn(&Bounds, usize, usize) -> i8 + Sync) {
        self.parts(scores).into_par_iter().for_each(|(task, scores)| {
            self.judge(task, |plays, row, rank| {
                let mut most = i8::MIN;
                let mut over = true;
                self.half_boards.each_child(plays, row, |child| {
                    over = false;
                    if let Child::Capture { rank, captured } = child {
                        most = most.max(brings(
                            &self.below[self.layer.seeds().get() - captured],
                            rank,
                            captured,
                        ));
                    }
                });
                if over {
                    most = 2 * task.block as i8 - self.layer.seeds().get() as i8;
                }
                let score = &mut scores[rank - self.first(task)];
                *score = most.max(*score);
                true
            });
        });
    }

    /// The layer's tasks, each with its part of what stands by rank.
    fn parts<'p, T>(&self, mut rest: &'p mut [T]) -> Vec<(Task, &'p mut [T])> {
        let mut parts = Vec::new();
        for task in self.tasks() {
            let (part, behind) = rest.split_at_mut(task.positions());
            rest = behind;
            parts.push((task, part));
        }
        parts
    }

    /// Condition 1, and the moment of the mover's claim in each position.
    pub fn bounds(&self) -> (Failing, Vec<u32>) {
        let mut moments = vec![DONE; self.low.len()];
        let judged = self.parts(&mut moments).into_par_iter().map(|(task, moments)| {
            self.judge(task, |plays, row, rank| {
                let moment = self.moment(plays, task, row, rank);
                moments[rank - self.first(task)] = moment.unwrap_or(NEVER);
                moment.is_some()
            })
        });
        let failing = judged.reduce(Failing::default, Failing::join);
        (failing, moments)
    }

    /// Conditions 3 and 4.
    pub fn stamps(&self, moments: &[u32]) -> Failing {
        let tasks = self.tasks().into_par_iter();
        let judged = tasks.map(|task| {
            self.judge(task, |plays, row, rank| self.settles(plays, task, row, rank, moments))
        });
        judged.reduce(Failing::default, Failing::join)
    }

    /// The layer in tasks, in the order of ranks.
    pub fn tasks(&self) -> Vec<Task> {
        let of_block = |block| {
            let (rows, columns) = self.layer.block_shape(block);
            let task = move |first_row| Task {
                block,
                first_row,
                rows: ROWS.min(rows - first_row),
                columns,
            };
            (0..rows).step_by(ROWS).map(task)
        };
        (0..=self.layer.seeds().get()).flat_map(of_block).collect()
    }

    /// The rank of a task's first position.
    fn first(&self, task: Task) -> usize {
        self.half_boards.start(task.block) + task.first_row * task.columns
    }

    /// Asks of each position of a task, given its mover's plays, its opponent's row and its rank,
    /// whether it `is_right`.
    pub fn judge(
        &self,
        task: Task,
        mut is_right: impl FnMut(&[Play], usize, usize) -> bool,
    ) -> Failing {
        let mut failing = Failing::default();
        for tile in (0..task.columns).step_by(TILE) {
            for column in tile..task.columns.min(tile + TILE) {
                let plays: Vec<Play> = self.half_boards.plays(task.block, column).collect();
                for row in 0..task.rows {
                    let rank = self.first(task) + row * task.columns + column;
                    if !is_right(&plays, task.first_row + row, rank) {
                        failing.note(rank as u64);
                    }
                }
            }
        }
        failing
    }

    /// The moment of the mover's claim; `None` if the bounds are not what the moves bring.
    #[inline(always)]
    fn moment(&self, plays: &[Play], task: Task, row: usize, rank: usize) -> Option<u32> {
        let low = i16::from(self.low[rank]);
        let (mut best_low, mut best_high) = (i16::MIN, i16::MIN);
        let mut earliest = NEVER;
        self.half_boards.each_child(plays, row, |child| {
            let (worth_low, worth_high, moment) = match child {
                Child::Quiet { rank, block, ranks } => {
                    let moment = self.moments.number(self.stamps[rank], block, ranks);
                    (-i16::from(self.high[rank]), -i16::from(self.low[rank]), moment)
                }
                Child::Capture { rank, captured } => {
                    let below = &self.below[self.layer.seeds().get() - captured];
                    let gain = captured as i16;
                    (gain - i16::from(below.high()[rank]), gain - i16::from(below.low[rank]), DONE)
                }
            };
            best_low = best_low.max(worth_low);
            best_high = best_high.max(worth_high);
            if worth_low == low {
                earliest = earliest.min(moment);
            }
        });
        if best_low == i16::MIN {
            let rows = self.final_score(task.block);
            (best_low, best_high, earliest) = (rows, rows, DONE);
        }
        self.are_bounds(rank, (best_low, best_high)).then_some(earliest)
    }

    /// What a finished game is worth to the mover in a block.
    pub fn final_score(&self, block: usize) -> i16 {
        2 * block as i16 - self.layer.seeds().get() as i16
    }

    /// Whether the bounds of a position are what its moves bring at best.
    #[inline(always)]
    pub fn are_bounds(&self, rank: usize, best: (i16, i16)) -> bool {
        let (low, high) = (i16::from(self.low[rank]), i16::from(self.high[rank]));
        let most = self.layer.seeds().get() as i16;
        best == (low, high) && -most <= low && low <= high && high <= most
    }

    /// Whether the claim against the mover is met in time, or may be kept for ever.
    #[inline(always)]
    fn settles(
        &self,
        plays: &[Play],
        task: Task,
        row: usize,
        rank: usize,
        moments: &[u32],
    ) -> bool {
        let stamp = self.stamps[rank];
        let claim = -self.high[rank];
        if stamp == UNSTAMPED {
            return false;
        }
        let hold = self.holds.contains(stamp);
        let column = (rank - self.first(task)) % task.columns;
        let own =
            self.moments.number(stamp, task.block, (column as u32, self.lanes[task.block][row]));
        let mut right = !hold || claim <= self.pays[self.layer.seeds().get() - task.block];
        self.half_boards.each_child(plays, row, |child| {
            let Child::Quiet { rank, block, .. } = child else { return };
            let before = if !hold {
                own
            } else if claim <= self.pays[block] {
                self.moments.first_after(stamp)
            } else {
                self.moments.first_of(stamp)
            };
            right &= self.low[rank] != claim || moments[rank] < before;
        });
        right
    }
}

/// The largest claim of the mover that a cycle pays which is cut in block `own`. Whether a position
/// is good depends on the seeds in its rows alone.
fn pays(rules: &Rules, layer: Layer, own: usize) -> i8 {
    let seeds = layer.seeds().get();
    let board = Board { mover: row_at(own, 0), opponent: row_at(seeds - own, 0) };
    let most = seeds as i8;
    let good =
        (-most..=most).rev().find(|&claim| is_good_for_mover(rules, &board, Score::new(claim)));
    good.unwrap_or(i8::MIN)
}

/// The number of each opponent's row of a block among all with as many seeds.
fn lanes(layer: Layer, own: usize) -> Vec<u32> {
    let opponent = layer.seeds().get() - own;
    let rank = |row| row_rank(layer.domain().row_at(opponent, row)) as u32;
    (0..layer.domain().rows(opponent)).map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Seeds;
    use crate::game::rules::{ABAPA, AWARI};
    use crate::layer::index::Rank;
    use crate::layer::strategy::Moment;

    #[test]
    fn numbers_of_moments_are_in_their_order() {
        let layer = Layer::of(&ABAPA, Seeds::new(4).unwrap());
        let stamps = [3, 7, 9, u8::MAX];
        let moments = Moments::new(layer, &stamps);
        let boards: Vec<Board> =
            (0..layer.positions()).map(|rank| layer.position(Rank(rank)).unwrap()).collect();
        let number = |stamp, board: &Board| {
            let ranks = (row_rank(board.mover) as u32, row_rank(board.opponent) as u32);
            moments.number(stamp, board.mover.seeds(), ranks)
        };
        let of =
            |&stamp: &u8| boards.iter().map(move |board| (Moment::new(stamp, board), stamp, board));
        let mut all: Vec<_> = stamps.iter().flat_map(of).collect();
        all.sort_by_key(|&(moment, ..)| moment);
        for pair in all.windows(2) {
            let [one, other] =
                [&pair[0], &pair[1]].map(|&(moment, stamp, board)| (moment, number(stamp, board)));
            assert_eq!(one.0.cmp(&other.0), one.1.cmp(&other.1));
        }
        assert!(DONE < number(3, &boards[0]) && number(u8::MAX, all[all.len() - 1].2) < NEVER);
        assert!(
            moments.first_after(3) == moments.first_of(7)
                && moments.first_of(0) == moments.first_of(3)
        );
        let first = |stamp| boards.iter().map(|board| number(stamp, board)).min().unwrap();
        assert!(stamps.iter().all(|&stamp| moments.first_of(stamp) <= first(stamp)));
    }

    #[test]
    fn cycles_pay_by_block() {
        let layer = Layer::of(&ABAPA, Seeds::new(5).unwrap());
        let found: Vec<i8> = (0..=5).map(|own| pays(&ABAPA, layer, own)).collect();
        assert_eq!(found, [5, -3, -1, 1, 3, 5]);
        assert!((0..=5).all(|own| pays(&AWARI, layer, own) == 0));
    }
}
