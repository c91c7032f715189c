//! Passes over whole planes, block by block: to copy them, to compare them, and to find where they
//! differ. Where their files are, a block is brought before it is looked at.

use crate::layer::blocks::{Blocks, PANEL, PART};
use crate::layer::index::Cell;
use crate::layer::line::Line;
use crate::layer::residence::Course;
use crate::parallel;
use crate::timeline;

/// Stretches from one look at the bound of memory to the next, where scores are on disk.
const KEPT: usize = 16;

impl Blocks {
    /// Takes over all scores of blocks of the same shapes, as far as the others have room for them.
    pub fn copy_from(&mut self, other: &Blocks) {
        let courses =
            [Course::block_by_block(&[self], true), Course::block_by_block(&[other], false)];
        let _rounds = courses.each_ref().map(Course::begin);
        let spill = self.spill().or(other.spill());
        for block in 0..self.count() {
            courses.iter().for_each(Course::step_on);
            let (parts, others) = (self.block_mut(block).pieces(PART), other.block(block));
            if others.count() == 0 {
                // The other one has no room for this block.
                continue;
            }
            let _region = timeline::region("copies");
            parallel::each_of(parts.into_iter().enumerate(), |(number, copy)| {
                timeline::task();
                let first = number * PART;
                let last = first + copy.as_lines().count();
                copy.copy_from(others.range(first..last));
                spill.iter().for_each(|spill| spill.enforce_bound());
            });
        }
    }

    /// What stands at the same places of two of the same shapes, where it differs: the place and both
    /// scores, in rank order.
    pub fn differences(&self, other: &Blocks) -> impl Iterator<Item = (Cell, [i8; 2])> {
        let course = Course::block_by_block(&[self, other], false);
        let round = course.begin();
        let lines = (0..self.count()).flat_map(move |block| {
            // As long as there are blocks.
            let _ = &round;
            course.step_on();
            let (one, other) = (self.block(block), other.block(block));
            let lines = self.in_rank_order(block);
            lines.map(move |(at, columns)| (block, at, columns, one.line(at), other.line(at)))
        });
        lines.enumerate().flat_map(move |(number, (own, at, columns, one, other))| {
            if number.is_multiple_of(KEPT) {
                self.enforce_bound();
            }
            let shape = self.shape(own);
            let lanes = if one == other { 0..0 } else { 0..columns };
            lanes.filter(move |&lane| one.0[lane] != other.0[lane]).map(move |lane| {
                let (row, column) = (at % shape.rows, at / shape.rows * PANEL + lane);
                let (row, column) = (shape.first_row + row, shape.first_panel * PANEL + column);
                (Cell { own, row, column }, [one.0[lane], other.0[lane]])
            })
        })
    }
}

impl PartialEq for Blocks {
    /// Scores only; what stands in spare columns does not count.
    fn eq(&self, other: &Blocks) -> bool {
        if self.count() != other.count() {
            return false;
        }
        let course = Course::block_by_block(&[self, other], false);
        let _round = course.begin();
        let same = |block: usize| {
            course.step_on();
            let shape = self.shape(block);
            let (one, other) = (self.block(block), other.block(block));
            let is_same = |at: usize| {
                let (one, other) = (one.line(at), other.line(at));
                let panel = shape.first_panel + at / shape.rows;
                one == other || differing(&one, &other) & shape.lanes(panel) == 0
            };
            parallel::all(one.count().div_ceil(PART), &|part| {
                self.enforce_bound();
                (part * PART..one.count().min((part + 1) * PART)).all(is_same)
            })
        };
        (0..self.count()).all(same)
    }
}

/// The lanes in which two lines differ.
fn differing(one: &Line, other: &Line) -> u64 {
    let lanes = one.0.iter().zip(&other.0).enumerate();
    lanes.fold(0, |lanes, (lane, (one, other))| lanes | u64::from(one != other) << lane)
}
