//! Gathering contexts in classes.
//!
//! Of the contexts that come most often as many as there are to be classes are picked one after the
//! other, always the one that those before describe worst; then each goes to the class that
//! describes it best, the classes are fitted again, and so on a few times. Who has classes from an
//! earlier round begins with those. At last all contexts are dealt out, with a look at their
//! [kin](super::kin).
//!
//! All arithmetic is in whole numbers, so that the same counts give the same classes on any machine.

use super::counts::{Costs, LetterCounts, costs, logarithm};
use super::kin::Kin;
use super::model::{Class, Model};
use super::streams::STREAMS;
use crate::parallel;
use crate::simd::lanes::Instructions;

/// How often frequent contexts are dealt out to classes before all are.
const DEALS: usize = 2;

/// Contexts by which classes are found, at most: the most frequent ones.
const FREQUENT: usize = 2048;

/// Below this many 64ths of a bit a position, the ranks of a class go into the stream of this
/// number.
const LIMITS: [u64; STREAMS - 1] = [19, 51, 96, 147];

/// A context changes its class only if that saves this many 64ths of a bit: it has to be written.
const WORTH_A_CHANGE: u32 = 6 * 64;

/// Gathers contexts in as many classes, to begin with in those of `before`. Kin are looked at unless
/// `is_whole` says that there are no positions but those counted.
pub fn classify(before: &Model, counts: &LetterCounts, classes: usize, is_whole: bool) -> Model {
    let signs = before.signs();
    let frequent = counts.most_frequent(FREQUENT);
    let mut sums = match before.classes.len() {
        1 => pick(&frequent, classes, signs),
        some => frequent.sums(|_, context| before.contexts[context], some, signs),
    };
    for _ in 0..DEALS {
        let dealt = deal_out(&frequent, &Costs::new(&sums, signs), None);
        sums = frequent.sums(|at, _| dealt[at], sums.len(), signs);
    }
    let costs = Costs::new(&sums, signs);
    let kin = if is_whole { Kin::none() } else { Kin::new(counts, &costs, signs) };
    let dealt = deal_out(counts, &costs, Some(&kin));
    let sums = counts.sums(|at, _| dealt[at], sums.len(), signs);
    let contexts = complete(counts, &dealt, &kin, before.contexts.len());
    let classes = sums.iter().map(|sums| class_of(sums)).collect();
    Model { values: before.values.clone(), contexts, classes }
}

/// The classes of all contexts. What never came goes by its kin, or with what stands before it.
fn complete(counts: &LetterCounts, dealt: &[u8], kin: &Kin, contexts: usize) -> Vec<u8> {
    let mut classes = vec![0; contexts];
    Instructions::best().run(
        #[inline(always)]
        || {
            let (mut came, mut before) = (0, 0);
            for (context, class) in classes.iter_mut().enumerate() {
                if came < counts.len() && counts.context(came) == context {
                    before = dealt[came];
                    came += 1;
                } else if let Some(best) = cheapest(kin.costs(context)) {
                    before = best as u8;
                }
                *class = before;
            }
        },
    );
    classes
}

/// The best class of each context. With kin that is final, so it stays with the class of the one
/// before if another is hardly better.
fn deal_out(counts: &LetterCounts, costs: &Costs, kin: Option<&Kin>) -> Vec<u8> {
    const PART: usize = 1 << 10;
    let mut dealt = vec![0; counts.len()];
    let deal_some = |(part, dealt): (usize, &mut [u8])| {
        Instructions::best().run(
            #[inline(always)]
            || {
                let (mut all, mut before) = (vec![0; costs.classes], None);
                for (at, dealt) in (part * PART..).zip(dealt.iter_mut()) {
                    costs.of(counts.letters(at), &mut all);
                    let of_kin = kin.map_or(&[][..], |kin| kin.costs(counts.context(at)));
                    all.iter_mut().zip(of_kin).for_each(|(all, cost)| *all += cost);
                    let best = cheapest(&all).unwrap_or(0);
                    *dealt = match before.filter(|_| kin.is_some()) {
                        Some(before) if all[before] <= all[best] + WORTH_A_CHANGE => before as u8,
                        _ => best as u8,
                    };
                    before = Some(usize::from(*dealt));
                }
            },
        );
    };
    parallel::each_of(dealt.chunks_mut(PART).enumerate(), deal_some);
    dealt
}

/// The first of the classes that cost least.
#[inline(always)]
fn cheapest(costs: &[u32]) -> Option<usize> {
    let least = costs.iter().copied().min()?;
    costs.iter().position(|&cost| cost == least)
}

/// Contexts that are one task.
const PIECE: usize = 1 << 12;

/// Picks contexts to begin with: the most frequent one, then always the one that costs most more
/// than it would with a class of its own.
fn pick(counts: &LetterCounts, classes: usize, signs: usize) -> Vec<Vec<u64>> {
    let alone = |at: usize| {
        let mut sums = vec![0; signs];
        counts
            .letters(at)
            .iter()
            .for_each(|&(letter, count)| sums[usize::from(letter)] += u64::from(count));
        sums
    };
    let price = |costs: &[u32], at: usize| -> u64 {
        let letters = counts.letters(at).iter();
        letters
            .map(|&(letter, count)| u64::from(count) * u64::from(costs[usize::from(letter)]))
            .sum()
    };
    let total =
        |at: usize| counts.letters(at).iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
    let Some(mut next) = (0..counts.len()).max_by_key(|&at| (total(at), std::cmp::Reverse(at)))
    else {
        return vec![vec![0; signs]];
    };
    let least = parallel::filled(counts.len(), PIECE, 0, |at| least(counts.letters(at), signs));
    let (mut picked, mut paid) = (Vec::new(), vec![u64::MAX; counts.len()]);
    while picked.len() < classes.min(counts.len()) {
        picked.push(alone(next));
        let costs = costs(&picked[picked.len() - 1]);
        let pieces = (0..).step_by(PIECE).zip(paid.chunks_mut(PIECE));
        let dearest = parallel::map_of(pieces, |(first, paid)| {
            let all = (first..).zip(paid).map(|(at, paid)| {
                *paid = price(&costs, at).min(*paid);
                (paid.saturating_sub(least[at]), std::cmp::Reverse(at))
            });
            all.max()
        });
        next = dearest.into_iter().max().flatten().expect("there are contexts").1.0;
    }
    picked
}

/// What the letters of a context cost in a class of its own.
fn least(letters: &[(u8, u32)], signs: usize) -> u64 {
    let total: u64 = letters.iter().map(|&(_, count)| u64::from(count)).sum();
    let whole = logarithm(16 * total + signs as u64);
    let cost = |count: u64| count * u64::from(whole - logarithm(16 * count + 1));
    letters.iter().map(|&(_, count)| cost(count.into())).sum()
}

/// The class that describes these counts of signs best.
fn class_of(sums: &[u64]) -> Class {
    let letters = sums.len() - 2;
    let mut ranked: Vec<u8> = (0..letters as u8).collect();
    ranked.sort_by_key(|&letter| std::cmp::Reverse(sums[usize::from(letter)]));
    let total: u64 = sums.iter().sum::<u64>().max(1);
    let paid: u64 = sums.iter().zip(costs(sums)).map(|(sum, cost)| sum * u64::from(cost)).sum();
    let stream = LIMITS.iter().filter(|&&limit| paid / total >= limit).count();
    Class { stream: stream as u8, letters: ranked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_its_own_costs_least() {
        for letters in [vec![(3, 1)], vec![(0, 7), (4, 9)], vec![(1, 1000), (2, 1), (5, 40)]] {
            let mut sums = vec![0; 6];
            let at = |&(letter, count): &(u8, u32)| (usize::from(letter), u64::from(count));
            letters.iter().map(at).for_each(|(letter, count)| sums[letter] = count);
            let costs = costs(&sums);
            let price = letters.iter().map(at).map(|(at, count)| count * u64::from(costs[at]));
            assert_eq!(least(&letters, sums.len()), price.sum::<u64>());
        }
    }
}
