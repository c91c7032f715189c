//! Contexts that are alike, so that what is known of one says something of another.
//!
//! A sample shows few positions of most contexts, and none of many. Contexts of one *family* expect
//! much the same: those with the same side, flags and step whose two references have the same middle
//! and are as far apart. So each context is dealt to its class as if it had come a few times more
//! often, with the letters of its family; one that never came goes by its family alone.

use super::counts::{Costs, LetterCounts};
use super::model::STEPS;
use crate::simd::lanes::Instructions;

/// References that are further apart than this are all the same.
const APART: usize = 4;

/// As how many positions of a context its family counts. (Layer 17 of `awari` at level 3 with 64
/// classes and 768 tiles, bits a position: 1.545 with none, 1.538 with 4, 1.524 with 10; with fewer
/// deals 1.525 with 24 and 1.534 with 60. Of 256 tiles, 1.558 with 8 and 1.553 with 24.)
const WEIGHT: u64 = 24;

/// What each class costs the families of contexts.
pub struct Kin {
    signs: usize,
    /// By family and class, in 64ths of a bit; empty for families that never came.
    costs: Vec<Vec<u32>>,
}

impl Kin {
    /// No context is like another.
    pub fn none() -> Kin {
        Kin { signs: 1, costs: Vec::new() }
    }

    /// Sums up what contexts cost that came, under the classes with these costs.
    pub fn new(counts: &LetterCounts, costs: &Costs, signs: usize) -> Kin {
        let mut kin = Kin { signs, costs: Vec::new() };
        let mut letters: Vec<Vec<u32>> = Vec::new();
        for at in 0..counts.len() {
            let family = kin.family(counts.context(at));
            if letters.len() <= family {
                letters.resize(family + 1, Vec::new());
            }
            let sums = &mut letters[family];
            sums.resize(signs, 0);
            for &(letter, count) in counts.letters(at) {
                sums[usize::from(letter)] += count;
            }
        }
        Instructions::best().run(
            #[inline(always)]
            || {
                for sums in &letters {
                    kin.costs.push(of_family(sums, costs));
                }
            },
        );
        kin
    }

    /// The number of the family of a context. References that have no letter are like no other.
    fn family(&self, context: usize) -> usize {
        let (step, rest) = (context % STEPS, context / STEPS);
        let (above, rest) = (rest % self.signs, rest / self.signs);
        let (left, kind) = (rest % self.signs, rest / self.signs);
        let apart = left.abs_diff(above).min(APART);
        let middle = match left.max(above) + 2 >= self.signs {
            true => self.signs + left.min(above),
            false => left.midpoint(above),
        };
        ((kind * 2 * self.signs + middle) * (APART + 1) + apart) * STEPS + step
    }

    /// What each class costs the family of a context; empty if that never came.
    pub fn costs(&self, context: usize) -> &[u32] {
        self.costs.get(self.family(context)).map_or(&[], |costs| costs)
    }
}

/// What this many letters cost in each class, as if there were [`WEIGHT`] of them.
#[inline(always)]
fn of_family(sums: &[u32], costs: &Costs) -> Vec<u32> {
    let total = sums.iter().map(|&sum| u64::from(sum)).sum::<u64>();
    if total == 0 {
        return Vec::new();
    }
    let mut all = vec![0u64; costs.classes];
    for (letter, &sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
        for (all, &cost) in all.iter_mut().zip(costs.of_sign(letter)) {
            *all += u64::from(sum) * u64::from(cost);
        }
    }
    all.into_iter().map(|all| (all * WEIGHT / total) as u32).collect()
}
