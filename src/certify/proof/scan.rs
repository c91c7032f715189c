//! Two scans over a layer, each one ply deep, that judge it as a whole.
//!
//! A task is a few hundred of the opponent's rows of one block, all columns of them. It goes
//! through 64 columns at a time, the opponent's rows inside: then what it reads of the positions
//! themselves stays in a few cache lines a row, and what it reads of their children runs along a
//! few rows ([`super::halves`]).

use rayon::prelude::*;

use super::halves::{Child, Halves, Play};
use super::{Bounds, Failing, Next};
use crate::game::{Board, Rules, Score, Seeds};
use crate::layer::{Holds, Layer, Moment, UNSTAMPED, is_good_for_mover, row_at, turn};

/// Columns that are gone through together: their bounds share cache lines.
const TILE: usize = 64;

/// Opponent's rows of one task, at most.
const ROWS: usize = 256;

/// The moment of a position that is done: before all others.
const DONE: u16 = 0;

/// Moments that are not the least of anything yet: after all others.
const NEVER: u16 = u16::MAX;

/// A moment as a number, in the same order.
fn number(moment: Moment) -> u16 {
    first_of(moment.stamp) + u16::from(moment.turn)
}

/// The number before which all moments with earlier stamps are.
fn first_of(stamp: u8) -> u16 {
    const TURNS: u16 = Seeds::MAX.get() as u16 + 1;
    DONE + 1 + TURNS * u16::from(stamp)
}

/// The positions whose bounds are wrong; if there are none, those whose stamps are.
pub fn failing(next: &Next) -> Failing {
    let scan = Scan::new(next);
    let (by_bounds, moments) = scan.bounds();
    if by_bounds.count > 0 { by_bounds } else { scan.stamps(&moments) }
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

struct Scan<'a> {
    layer: Layer,
    below: &'a [Bounds],
    low: &'a [i8],
    high: &'a [i8],
    stamps: &'a [u8],
    holds: Holds,
    halves: Halves<'a>,
    /// By block.
    turns: Vec<u8>,
    /// By block: the largest claim of the mover that a cycle pays which is cut there.
    pays: Vec<i8>,
}

/// Some of the opponent's rows of a block.
#[derive(Clone, Copy)]
struct Task {
    block: usize,
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
    fn new(next: &'a Next) -> Scan<'a> {
        let layer = next.claims.layer;
        let blocks = 0..=layer.seeds().get();
        Scan {
            layer,
            below: next.below,
            low: &next.claims.bounds.low,
            high: next.claims.bounds.high(),
            stamps: &next.claims.stamps,
            holds: next.claims.holds,
            halves: Halves::new(next.rules, layer),
            turns: blocks.clone().map(|own| turn(layer.seeds(), own)).collect(),
            pays: blocks.map(|own| pays(next.rules, layer, own)).collect(),
        }
    }

    /// Raises each score to the most that a capture `brings`, given its child's layer, rank and how
    /// many seeds it takes, and in finished games to what the rows say.
    fn raise(&self, scores: &mut [i8], brings: impl Fn(&Bounds, usize, usize) -> i8 + Sync) {
        self.parts(scores).into_par_iter().for_each(|(task, scores)| {
            self.judge(task, |plays, row, rank| {
                let (mut most, mut over) = (i8::MIN, true);
                self.halves.each_child(plays, row, |child| {
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
    fn bounds(&self) -> (Failing, Vec<u16>) {
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
    fn stamps(&self, moments: &[u16]) -> Failing {
        let tasks = self.tasks().into_par_iter();
        let judged = tasks.map(|task| {
            self.judge(task, |plays, row, rank| self.settles(plays, task, row, rank, moments))
        });
        judged.reduce(Failing::default, Failing::join)
    }

    /// The layer in tasks, in the order of ranks.
    fn tasks(&self) -> Vec<Task> {
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
        self.halves.start(task.block) + task.first_row * task.columns
    }

    /// Asks of each position of a task, given its mover's plays, its opponent's row and its rank,
    /// whether it `is_right`.
    fn judge(
        &self,
        task: Task,
        mut is_right: impl FnMut(&[Play], usize, usize) -> bool,
    ) -> Failing {
        let mut failing = Failing::default();
        for tile in (0..task.columns).step_by(TILE) {
            for column in tile..task.columns.min(tile + TILE) {
                let plays: Vec<Play> = self.halves.plays(task.block, column).collect();
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
    fn moment(&self, plays: &[Play], task: Task, row: usize, rank: usize) -> Option<u16> {
        let (low, high) = (i16::from(self.low[rank]), i16::from(self.high[rank]));
        let (mut best_low, mut best_high) = (i16::MIN, i16::MIN);
        let mut earliest = NEVER;
        self.halves.each_child(plays, row, |child| {
            let (worth_low, worth_high, moment) = match child {
                Child::Quiet { rank, block } => {
                    let moment = Moment { stamp: self.stamps[rank], turn: self.turns[block] };
                    (-i16::from(self.high[rank]), -i16::from(self.low[rank]), number(moment))
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
            let rows = 2 * task.block as i16 - self.layer.seeds().get() as i16;
            (best_low, best_high, earliest) = (rows, rows, DONE);
        }
        let most = self.layer.seeds().get() as i16;
        let right =
            (best_low, best_high) == (low, high) && -most <= low && low <= high && high <= most;
        right.then_some(earliest)
    }

    /// Whether the claim against the mover is met in time, or may be kept for ever.
    #[inline(always)]
    fn settles(
        &self,
        plays: &[Play],
        task: Task,
        row: usize,
        rank: usize,
        moments: &[u16],
    ) -> bool {
        let (stamp, claim) = (self.stamps[rank], -self.high[rank]);
        if stamp == UNSTAMPED {
            return false;
        }
        let hold = self.holds.contains(stamp);
        let own = number(Moment { stamp, turn: self.turns[task.block] });
        let mut right = !hold || claim <= self.pays[self.layer.seeds().get() - task.block];
        self.halves.each_child(plays, row, |child| {
            let Child::Quiet { rank, block } = child else { return };
            let before = match hold {
                false => own,
                true if claim <= self.pays[block] => first_of(stamp + 1),
                true => first_of(stamp),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, AWARI};

    #[test]
    fn numbers_of_moments_are_in_their_order() {
        let all = (0..=u8::MAX).flat_map(|stamp| (0..=48).map(move |turn| Moment { stamp, turn }));
        assert!(all.clone().is_sorted() && all.map(number).is_sorted_by(|one, other| one < other));
        assert!(DONE < first_of(0) && number(Moment { stamp: u8::MAX, turn: 48 }) < NEVER);
        assert!(
            (1..=u8::MAX)
                .all(|stamp| number(Moment { stamp: stamp - 1, turn: 48 }) < first_of(stamp))
        );
    }

    #[test]
    fn cycles_pay_by_block() {
        let layer = Layer::of(&ABAPA, Seeds::new(5).unwrap());
        let found: Vec<i8> = (0..=5).map(|own| pays(&ABAPA, layer, own)).collect();
        assert_eq!(found, [5, -3, -1, 1, 3, 5]);
        assert!((0..=5).all(|own| pays(&AWARI, layer, own) == 0));
    }
}
