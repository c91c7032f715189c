//! One pass in an order in which every placement comes after those that its moves lead to.
//!
//! In children's Bao a quiet move stays within the mover's row and carries seeds to the right, so
//! the row comes earlier in lexicographic order afterwards. Let x be the rows of k seeds and y those
//! of n − k, and let V(x, y) be what the placement is worth whose mover has x. Then V(x, y) rests on
//! V(y, x') with x' before x, and V(y, x) on V(x, y') with y' before y:
//!
//! ```text
//! for x, first to last:
//!     V(x, y) for all y        rests on V(y, x'), of an earlier x
//!     V(y, x) for all y        rests on V(x, y'), which is complete
//! ```
//!
//! Each line is done for all y at once, by all threads. Where both rows have as many seeds, V(x, y)
//! with y before x is there already.

use std::sync::atomic::{AtomicBool, AtomicI8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand;
use super::work::{Below, unless_stopped};
use crate::error::Result;
use crate::game::mancala::Placement;
use crate::layer::general::{GeneralLayer, GeneralSolved, ways};

/// Rows that one task goes through.
const TASK: usize = 512;

/// Every placement of a layer of a game that never goes round.
pub fn solve(layer: GeneralLayer, below: &Below, stop: &AtomicBool) -> Result<GeneralSolved> {
    let mut lower = vec![None; layer.seeds()];
    for (&seeds, solved) in below.range(..layer.seeds()) {
        lower[seeds] = Some(solved);
    }
    let scores: Vec<AtomicI8> = (0..layer.positions()).map(|_| AtomicI8::new(0)).collect();
    let pass = Pass { layer, lower, scores: &scores };
    for fewer in 0..=layer.seeds() / 2 {
        pass.pair(fewer, stop)?;
    }
    let low = scores.into_iter().map(AtomicI8::into_inner).collect();
    Ok(GeneralSolved { layer, low, high: None, stamps: None })
}

struct Pass<'a> {
    layer: GeneralLayer,
    lower: Vec<Option<&'a GeneralSolved>>,
    scores: &'a [AtomicI8],
}

impl Pass<'_> {
    /// All placements in which one row has so many seeds and the other the rest.
    fn pair(&self, fewer: usize, stop: &AtomicBool) -> Result<()> {
        let more = self.layer.seeds() - fewer;
        let (xs, ys) = (rows(self.layer.sheet().half, fewer), rows(self.layer.sheet().half, more));
        for (number, x) in xs.iter().enumerate() {
            unless_stopped(stop)?;
            let is_middle = fewer == more;
            let first = if is_middle { number } else { 0 };
            self.each(&ys[first..], |y| self.settle(x, y));
            self.each(&ys[first + usize::from(is_middle)..], |y| self.settle(y, x));
        }
        Ok(())
    }

    fn each(&self, rows: &[Vec<u8>], settle: impl Fn(&[u8]) + Sync) {
        rows.par_chunks(TASK).for_each(|part| part.iter().for_each(|row| settle(row)));
    }

    /// The score of one placement.
    fn settle(&self, mover: &[u8], opponent: &[u8]) {
        let placement = Placement::new(&[mover, opponent].concat());
        let sheet = self.layer.sheet();
        let worth = |outcome: &_| -> i8 {
            let outcome: &crate::game::mancala::Outcome = outcome;
            if outcome.leaves_layer() {
                return expand::leaving(sheet, &self.lower, outcome).0;
            }
            outcome.worth(self.scores[self.layer.rank(&outcome.next) as usize].load(Relaxed))
        };
        let best = sheet.outcomes(&placement).iter().map(worth).max();
        let score = best.unwrap_or_else(|| sheet.game.final_score(&placement));
        self.scores[self.layer.rank(&placement) as usize].store(score, Relaxed);
    }
}

/// All rows of so many seeds, in lexicographic order.
fn rows(places: usize, seeds: usize) -> Vec<Vec<u8>> {
    let mut row = vec![0; places];
    row[places - 1] = seeds as u8;
    let mut found = Vec::with_capacity(ways(places, seeds) as usize);
    loop {
        found.push(row.clone());
        let Some(place) = row.iter().rposition(|&count| count > 0).filter(|&place| place > 0)
        else {
            return found;
        };
        let count = std::mem::take(&mut row[place]);
        row[place - 1] += 1;
        row[places - 1] = count - 1;
    }
}
