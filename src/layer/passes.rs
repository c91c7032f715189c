//! Passes over whole planes, block by block: to copy them, to compare them, and to find where they
//! differ. Where their files are, a block is brought before it is looked at.

use rayon::prelude::*;

use crate::layer::blocks::{Blocks, Line, PART};
use crate::layer::residence::Course;

/// Stretches from one look at the bound of memory to the next, where scores are on disk.
const KEPT: usize = 16;

impl Blocks {
    /// Takes over all scores of blocks of the same shapes.
    pub fn copy_from(&mut self, other: &Blocks) {
        let courses =
            [Course::block_by_block(&[self], true), Course::block_by_block(&[other], false)];
        let _rounds = courses.each_ref().map(Course::begin);
        let spill = self.spill().or(other.spill());
        for block in 0..self.count() {
            courses.iter().for_each(Course::step_on);
            let parts = self.block_mut(block).par_chunks_mut(PART);
            parts.zip(other.block(block).par_chunks(PART)).for_each(|(copy, scores)| {
                copy.copy_from_slice(scores);
                spill.iter().for_each(|spill| spill.keep());
            });
        }
    }

    /// What stands at the same places of two of the same shapes, where it differs: the number of the
    /// place in rank order, and both scores.
    pub fn differences(&self, other: &Blocks) -> impl Iterator<Item = (u64, [i8; 2])> {
        let course = Course::block_by_block(&[self, other], false);
        let round = course.begin();
        let mut first = 0;
        let blocks = (0..self.count()).flat_map(move |block| {
            // As long as there are blocks.
            let _ = &round;
            course.step_on();
            self.stretches_of(block).zip(other.stretches_of(block))
        });
        blocks.enumerate().flat_map(move |(number, (one, another))| {
            if number.is_multiple_of(KEPT) {
                self.keep();
            }
            let places = first..first + one.len() as u64;
            first = places.end;
            let differ = one != another;
            let both = places.zip(one.iter().zip(another)).filter(move |_| differ);
            both.filter(|(_, (one, another))| one != another)
                .map(|(place, (&one, &another))| (place, [one, another]))
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
            let both = self.block(block).par_iter().zip(other.block(block)).enumerate();
            both.all(|(at, (one, other))| {
                if at.is_multiple_of(PART) {
                    self.keep();
                }
                one == other || differing(one, other) & shape.lanes(at / shape.rows()) == 0
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
