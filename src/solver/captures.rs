//! The best score that each position reaches by capturing.
//!
//! A capture leaves the layer, so its worth is a constant while the layer is swept. It is entered
//! here once, one lower layer after the other, so that no two of them need be in memory together.
//!
//! The constants are kept *negated*, as [`crate::solver::rows`] wants them, and laid out the other
//! way round than a plane: rows are the mover's, columns the opponent's, so that one row of the
//! mover, which is what a kernel works on, is one stretch of memory.

use rayon::prelude::*;

use crate::game::board::{Board, HOUSES, House, Side};
use crate::game::moves::{Move, final_score, harvest, legal_moves, sow};
use crate::game::rules::{GrandSlam, Harvest, Rules};
use crate::layer::index::{Domain, Layer, row_at, rows};
use crate::layer::plane::{Blocks, LINE, Marks, PANEL, Plane};
use crate::solver::plan::{LayerPlan, OUTSIDE, RowMove, Taken};

/// No capture: more than any negated score, so that every child is better.
pub const NONE: i8 = i8::MAX;

/// What captures (and finished games) are worth in one layer, negated.
#[derive(Clone)]
pub struct CapturePlane {
    seeds: usize,
    blocks: Blocks,
    /// Row of the mover and move: the captures where the opponent has no seeds.
    against_empty_row: Vec<(usize, Move)>,
}

impl CapturePlane {
    /// The constants that need no lower layer: finished games, and harvests that take everything
    /// because nothing else is legal.
    pub fn new(plan: &LayerPlan) -> CapturePlane {
        let seeds = plan.layer.seeds().get();
        let blocks = Blocks::new((0..=seeds).map(|own| (rows(own), rows(seeds - own))), NONE);
        let against_empty_row = captures_against_empty_row(plan.rules, seeds);
        let mut plane = CapturePlane { seeds, blocks, against_empty_row };
        plane.enter_finished(plan.rules);
        if plan.rules.grand_slam == GrandSlam::IllegalUnlessForced {
            plane.enter_forced_slams(plan);
        }
        plane
    }

    /// The constants: a row for each row of the mover, a column for each lane.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Bytes of memory the constants of a layer take.
    pub fn memory(layer: Layer) -> u64 {
        Plane::memory(Layer::new(layer.seeds(), Domain::All))
    }

    /// Only a player without seeds, or one who faces a row without seeds, can be without a move.
    fn enter_finished(&mut self, rules: &Rules) {
        let seeds = self.seeds;
        for own in [0, seeds] {
            self.each_row(own, |row, panel, constants| {
                let mover = row_at(own, row);
                let lanes = panel * PANEL..rows(seeds - own).min((panel + 1) * PANEL);
                for (lane, constant) in lanes.zip(constants) {
                    let board = Board { mover, opponent: row_at(seeds - own, lane) };
                    final_score(rules, &board)
                        .into_iter()
                        .for_each(|score| lower(constant, -score.get()));
                }
            });
        }
    }

    fn enter_forced_slams(&mut self, plan: &LayerPlan) {
        let (rules, seeds) = (plan.rules, self.seeds);
        for own in 1..seeds {
            self.each_row(own, |row, panel, constants| {
                // A sowing that stays at home leaves the opponent the own seeds: no slam is forced.
                if plan.blocks[own].transits(row).any(|(_, transit)| transit.crossed == 0) {
                    return;
                }
                for (found, transit) in plan.blocks[own].transits(row) {
                    for &lane in transit
                        .captures
                        .starving
                        .iter()
                        .filter(|&&lane| lane as usize / PANEL == panel)
                    {
                        let board = Board {
                            mover: row_at(own, row),
                            opponent: row_at(seeds - own, lane as usize),
                        };
                        if let Some(score) = forced_slam(rules, &board, found) {
                            lower(&mut constants[lane as usize % PANEL], -score);
                        }
                    }
                }
            });
        }
    }

    /// Enters all captures that lead into `solved`: for the mover they are worth the seeds captured
    /// less what the opponent gets there.
    pub fn enter_layer(&mut self, plan: &LayerPlan, solved: &Plane) {
        let captured = self.seeds - solved.seeds().get();
        for own in 1..self.seeds {
            self.each_row(own, |row, panel, constants| {
                enter_row(plan, solved, (own, row), captured, panel, constants);
            });
        }
        self.enter_against_empty_row(solved, captured);
    }

    /// Against a row without seeds the duty to feed applies; these few captures go one by one.
    fn enter_against_empty_row(&mut self, solved: &Plane, captured: usize) {
        let (own, captures) = (self.seeds, std::mem::take(&mut self.against_empty_row));
        for (row, found) in captures.iter().filter(|(_, found)| found.captured as usize == captured)
        {
            let child = solved.score(&found.next).expect("a capture leads into the lower layer");
            self.enter(own, *row, 0, child.after_capture(found.captured).get());
        }
        self.against_empty_row = captures;
    }

    /// The positions that `plane` says are worth just what they reach by capturing, or in a finished
    /// game what the rows say.
    pub fn attained(&self, plan: &LayerPlan, plane: &Plane) -> Marks {
        let mut marks = Marks::none(plan.layer);
        for own in 0..=self.seeds {
            let lanes =
                plan.blocks[own].lane_rows.iter().enumerate().filter(|(_, row)| **row != OUTSIDE);
            let lanes: Vec<usize> = lanes.map(|(lane, _)| lane).collect();
            let (words, rows) = marks.block_mut(own);
            let parts = rows.par_chunks_mut(words * LINE).zip(lanes.par_chunks(LINE)).enumerate();
            parts.for_each(|(part, (marks, lanes))| {
                self.attained_in(plane, own, (part * LINE, lanes), marks, words)
            });
        }
        marks
    }

    /// The same for a few rows of block `own`: the first one's number, and the lane of each.
    fn attained_in(
        &self,
        plane: &Plane,
        own: usize,
        (first, lanes): (usize, &[usize]),
        marks: &mut [u64],
        words: usize,
    ) {
        let (negated, shape) = (self.blocks.from_block(own), self.blocks.shape(own));
        let (scores, plane) = (plane.blocks().from_block(own), plane.blocks().shape(own));
        for word in 0..words {
            let columns = word * LINE..shape.rows().min((word + 1) * LINE);
            for (at, &lane) in lanes.iter().enumerate() {
                let scores = &scores[plane.place(first + at, columns.start)..][..columns.len()];
                let down = negated[shape.place(columns.start, lane)..]
                    .iter()
                    .step_by(shape.width(lane / PANEL));
                let same =
                    scores.iter().zip(down).map(|(score, negated)| u64::from(*score == -negated));
                marks[at * words + word] =
                    same.zip(0..).fold(0, |bits, (same, column)| bits | same << column);
            }
        }
    }

    /// Gives each row of each panel of a block to `enter`, with the numbers of both.
    fn each_row(&mut self, own: usize, enter: impl Fn(usize, usize, &mut [i8]) + Sync) {
        let shape = self.blocks.shape(own);
        let panels = self.blocks.block_mut(own).par_chunks_mut(shape.rows() * PANEL).enumerate();
        panels.for_each(|(panel, constants)| {
            let rows =
                constants.par_chunks_exact_mut(shape.width(panel)).enumerate().with_min_len(16);
            rows.for_each(|(row, constants)| enter(row, panel, constants));
        });
    }

    fn enter(&mut self, own: usize, row: usize, lane: usize, score: i8) {
        let at = self.blocks.shape(own).place(row, lane);
        lower(&mut self.blocks.block_mut(own)[at], -score);
    }
}

fn lower(best: &mut i8, negated: i8) {
    *best = negated.min(*best);
}

fn captures_against_empty_row(rules: &Rules, own: usize) -> Vec<(usize, Move)> {
    let captures = |row| {
        let board = Board { mover: row_at(own, row), opponent: Side::EMPTY };
        // Twos and threes need a second lap.
        let laps = House::ALL.into_iter().filter_map(|house| sow(rules, board.mover, house));
        if !laps.into_iter().any(|sowing| sowing.crossing.seeds as usize > HOUSES) {
            return Vec::new();
        }
        let moves = legal_moves(rules, &board);
        moves
            .iter()
            .filter(|found| found.captured > 0)
            .map(|found| (row, found))
            .collect::<Vec<_>>()
    };
    (0..rows(own)).into_par_iter().flat_map_iter(captures).collect()
}

/// The score of a harvest of everything, if no other move is legal. The opponent has nothing left
/// to play with, so the game ends there.
fn forced_slam(rules: &Rules, board: &Board, sown: &RowMove) -> Option<i8> {
    let slam = legal_moves(rules, board).iter().find(|legal| legal.house == sown.house)?;
    Some(slam.captured as i8 - slam.next.own_rows().get())
}

/// All captures of `captured` seeds by row `row` of block `own` in one panel of lanes.
fn enter_row(
    plan: &LayerPlan,
    solved: &Plane,
    (own, row): (usize, usize),
    captured: usize,
    panel: usize,
    constants: &mut [i8],
) {
    let opponent = plan.opponent(own);
    for (found, transit) in plan.blocks[own].transits(row) {
        let mut enter = |block: usize, child_row: usize, taken: &[Taken]| {
            let (children, shape) =
                (solved.blocks().from_block(block), solved.blocks().shape(block));
            for taken in taken {
                let child = children[shape.place(child_row, taken.column as usize)];
                lower(&mut constants[taken.lane as usize % PANEL], child - captured as i8);
            }
        };
        let captures = &transit.captures;
        match plan.rules.harvest {
            Harvest::LastHouses => {
                let taken =
                    captures.by_seeds.get(captured).map_or(&[][..], |taken| taken.of_panel(panel));
                if !taken.is_empty() {
                    enter(opponent + transit.crossed - captured, found.row as usize, taken);
                }
            }
            Harvest::Opposite => {
                for (hits, taken) in captures.by_hits.iter().enumerate() {
                    let taken = taken.of_panel(panel);
                    if taken.is_empty() {
                        continue;
                    }
                    if let Some(child_row) =
                        opposite_row(plan, row_at(own, row), found.house, hits, captured)
                    {
                        enter(opponent + transit.crossed, child_row, taken);
                    }
                }
            }
        }
    }
}

/// The mover's row after sowing `house` and harvesting opposite to `hits` hit houses, as a row of
/// the child's block, if that harvest is `captured` seeds.
fn opposite_row(
    plan: &LayerPlan,
    own: Side,
    house: House,
    hits: usize,
    captured: usize,
) -> Option<usize> {
    let sowing = sow(plan.rules, own, house)?;
    let harvested = harvest(plan.rules, sowing, Side::EMPTY, hits);
    let row = plan.layer.domain().row_rank(harvested.own)?;
    (harvested.captured as usize == captured).then_some(row)
}
