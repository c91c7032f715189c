//! What open claims go round in.
//!
//! The list of the last open claims says of each of the opponent's claims for which others it waits.
//! A claim that none waits for is not wanted, and neither is one for which only such claims wait.
//! What is left holds every circle, and what leads from one to another.

use std::sync::atomic::AtomicU64;

use bitvec::prelude::{BitVec, bitvec};

use super::open::load;
use crate::layer::line::LINE;

/// What marks the number of a claim in the list.
pub const MARK: u32 = 1 << 31;

/// Claims that wait for others, numbered without those that are met.
struct Graph<'a> {
    met: &'a [AtomicU64],
    /// By word of `met`: the open claims before it.
    before: Vec<u32>,
}

impl Graph<'_> {
    fn claims(&self) -> usize {
        *self.before.last().expect("one more than words") as usize
    }

    /// The place of a claim among the open ones.
    #[inline(always)]
    fn place(&self, number: u32) -> usize {
        let (word, bit) = (number as usize / LINE, number as usize % LINE);
        let below = !load(&self.met[word]) & ((1 << bit) - 1);
        self.before[word] as usize + below.count_ones() as usize
    }
}

/// Of the claims in a list those that are wanted, by number. Each comes marked, with those that it
/// waits for behind it; `met` says by number which are met, and are in no list any more.
pub fn wanted(list: &[&[u32]], met: &[AtomicU64]) -> BitVec {
    let mut before = vec![0];
    before.extend(met.iter().scan(0, |all, word| {
        *all += load(word).count_zeros();
        Some(*all)
    }));
    let graph = Graph { met, before };
    let (mut waiting, mut awaited) = (vec![&[][..]; graph.claims()], vec![0_u32; graph.claims()]);
    for piece in list {
        // A mark begins a chunk.
        for chunk in piece.chunk_by(|_, next| next & MARK == 0) {
            waiting[graph.place(chunk[0] ^ MARK)] = &chunk[1..];
            chunk[1..].iter().for_each(|&number| awaited[graph.place(number)] += 1);
        }
    }
    let mut unwanted: Vec<usize> = (0..graph.claims()).filter(|&at| awaited[at] == 0).collect();
    while let Some(at) = unwanted.pop() {
        for &number in waiting[at] {
            let place = graph.place(number);
            awaited[place] -= 1;
            if awaited[place] == 0 {
                unwanted.push(place);
            }
        }
    }
    let mut wanted = bitvec![0; met.len() * LINE];
    for chunk in list.iter().flat_map(|piece| piece.chunk_by(|_, next| next & MARK == 0)) {
        let number = chunk[0] ^ MARK;
        wanted.set(number as usize, awaited[graph.place(number)] > 0);
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// The largest set of open claims for each of which one of them waits.
    fn slowly(waiting: &[Vec<usize>], is_open: &[bool]) -> Vec<bool> {
        let mut wanted = is_open.to_vec();
        loop {
            let mut awaited = vec![false; wanted.len()];
            for (_, waiting) in waiting.iter().enumerate().filter(|(at, _)| wanted[*at]) {
                waiting.iter().for_each(|&other| awaited[other] = true);
            }
            let kept: Vec<bool> =
                wanted.iter().zip(awaited).map(|(&is, awaited)| is && awaited).collect();
            if kept == wanted {
                return kept;
            }
            wanted = kept;
        }
    }

    /// Claims that wait for others, most of them for few. Some are met, and none waits for those.
    fn random(claims: u64, dice: &mut Dice) -> (Vec<Vec<usize>>, Vec<bool>) {
        let is_open: Vec<bool> = (0..claims).map(|_| dice.below(4) > 0).collect();
        let density = 1 + dice.below(3);
        let waiting = is_open.iter().map(|&is| {
            let count = if is { dice.below(1 + density) } else { 0 };
            let others = (0..count).map(|_| dice.below(claims) as usize);
            others.filter(|&other| is_open[other]).collect()
        });
        let waiting: Vec<Vec<usize>> = waiting.collect();
        (waiting, is_open)
    }

    #[test]
    fn what_is_wanted_is_the_largest_set_of_claims_that_each_other_waits_for() {
        let (mut dice, mut some) = (Dice::new(5), 0);
        for claims in (1..200).chain([1_000, 3_000]) {
            let (waiting, is_open) = random(claims, &mut dice);
            let words = is_open.chunks(LINE).map(|open| {
                let is_met = |at: usize| open.get(at).is_none_or(|is| !is);
                AtomicU64::new((0..LINE).fold(0, |all, at| all | u64::from(is_met(at)) << at))
            });
            let met: Vec<AtomicU64> = words.collect();
            let open = (0..waiting.len()).filter(|&at| is_open[at]);
            let chunk = |at: usize| -> Vec<u32> {
                let others = waiting[at].iter().map(|&other| other as u32);
                std::iter::once(MARK | at as u32).chain(others).collect()
            };
            let chunks: Vec<Vec<u32>> = open.map(chunk).collect();
            // In as many pieces as come, none of which begins within a chunk.
            let pieces: Vec<Vec<u32>> = chunks.chunks(7).map(|chunks| chunks.concat()).collect();
            let pieces: Vec<&[u32]> = pieces.iter().map(Vec::as_slice).collect();
            let found: Vec<bool> =
                wanted(&pieces, &met).iter().by_vals().take(waiting.len()).collect();
            assert_eq!(found, slowly(&waiting, &is_open), "{claims} claims");
            some += usize::from(found.contains(&true) && found.contains(&false));
        }
        assert!(some > 100, "{some}");
    }
}
