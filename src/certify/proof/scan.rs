//! Scans over a layer, one ply deep.
//!
//! A task is a few hundred of the opponent's rows of one block, all columns of them. It goes
//! through 64 columns at a time, the opponent's rows inside: then what it reads of the positions
//! themselves stays in a few cache lines a row, and what it reads of their children runs along a
//! few rows ([`super::half_boards`]).

use std::ops::Range;

use super::claims::Bounds;
use super::half_boards::{Child, HalfBoards, Sowings};
use super::next::{Failing, Next};
use crate::game::{Board, Rules, Score};
use crate::layer::{Layer, Rank, is_good_for_mover, row_at};
use crate::parallel;

/// Columns that are gone through together: their bounds share cache lines.
const TILE: usize = 64;

/// Opponent's rows of one task, at most.
pub const ROWS: usize = 256;

/// Raises bounds to the values of captures, or the end of the game.
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
    /// What moves do to half-boards.
    pub half_boards: HalfBoards<'a>,
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
    /// Columns of the block.
    pub columns: usize,
}

impl Task {
    /// The rows.
    pub fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.rows
    }
}

impl<'a> Scan<'a> {
    /// A scan of the claims about the next layer.
    pub fn new(next: &'a Next) -> Scan<'a> {
        let layer = next.claims.layer;
        Scan {
            layer,
            below: next.below,
            low: &next.claims.bounds.low,
            high: next.claims.bounds.high(),
            half_boards: HalfBoards::new(next.rules, layer),
            pays: (0..=layer.seeds().get()).map(|own| pays(next.rules, layer, own)).collect(),
        }
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> usize {
        self.layer.seeds().get()
    }

    /// Raises each score to the most that a capture `brings`, given its child's layer, rank and how
    /// many seeds it takes, and in finished games to what the rows say.
    fn raise(&self, scores: &mut [i8], brings: impl Fn(&Bounds, usize, usize) -> i8 + Sync) {
        parallel::each_of(self.parts(scores), |(task, scores)| {
            self.judge(task, |plays, row, rank| {
                let mut most = i8::MIN;
                let mut over = true;
                self.half_boards.each_move(plays, row, |_, child| {
                    over = false;
                    if let Child::Capture { rank, captured } = child {
                        let below = &self.below[self.seeds() - captured];
                        most = most.max(brings(below, rank, captured));
                    }
                });
                if over {
                    most = 2 * task.block as i8 - self.seeds() as i8;
                }
                let score = &mut scores[rank - self.first(task)];
                *score = self.layer.range().clamp(most).max(*score);
                true
            });
        });
    }

    /// The layer's tasks, each with its part of what stands by rank.
    fn parts<'p, T>(&self, mut rest: &'p mut [T]) -> Vec<(Task, &'p mut [T])> {
        let part = |task: Task| {
            let part = rest.split_off_mut(..task.rows * task.columns);
            (task, part.expect("all positions of the layer"))
        };
        self.tasks().into_iter().map(part).collect()
    }

    /// The layer in tasks, in the order of ranks.
    pub fn tasks(&self) -> Vec<Task> {
        let of_block = |block| {
            let (rows, columns) = self.layer.block_shape(block);
            (0..rows).step_by(ROWS).map(move |first_row| {
                let rows = ROWS.min(rows - first_row);
                Task { block, first_row, rows, columns }
            })
        };
        (0..=self.seeds()).flat_map(of_block).collect()
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
        mut is_right: impl FnMut(&[Sowings], usize, usize) -> bool,
    ) -> Failing {
        let mut failing = Failing::default();
        for tile in (0..task.columns).step_by(TILE) {
            for column in tile..task.columns.min(tile + TILE) {
                let plays: Vec<Sowings> = self.half_boards.plays(task.block, column).collect();
                for row in 0..task.rows {
                    let rank = self.first(task) + row * task.columns + column;
                    if !is_right(&plays, task.first_row + row, rank) {
                        failing.note(Rank(rank as u64));
                    }
                }
            }
        }
        failing
    }

    /// What a finished game is worth to the mover in a block.
    pub fn final_score(&self, block: usize) -> i16 {
        self.clamp(2 * block as i16 - self.seeds() as i16)
    }

    /// The score of the layer that is closest to a number.
    #[inline(always)]
    pub fn clamp(&self, score: i16) -> i16 {
        let end = i16::from(self.layer.range().end());
        score.clamp(-end, end)
    }

    /// Whether the bounds of a position are what its moves bring at best.
    #[inline(always)]
    pub fn are_bounds(&self, rank: usize, best: (i16, i16)) -> bool {
        let (low, high) = (i16::from(self.low[rank]), i16::from(self.high[rank]));
        let most = i16::from(self.layer.range().end());
        best == (low, high) && -most <= low && low <= high && high <= most
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
