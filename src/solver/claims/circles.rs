//! What open claims go round in.
//!
//! The list of the last open claims says of each of the opponent's claims for which others it waits.
//! A claim that none waits for is not wanted, and neither is one for which only such claims wait.
//! What is left holds every circle, and what leads from one to another.
//!
//! A pass notes which claims are waited for, and takes all others out of the list. The next one does the
//! same with what is left, until nothing leaves. Each rank has the claims that it has numbered in its
//! list, and tells other ranks for which of theirs these wait.

use std::sync::atomic::{AtomicU64, Ordering};

use super::numbers::Numbers;
use super::open::load;
use super::search::Company;
use crate::error::Result;
use crate::layer::line::LINE;
use crate::parallel;
use crate::timeline::{self, task};

/// What marks the number of a claim in the list.
pub const MARK: u32 = 1 << 31;

/// Of the claims in a list those that are wanted, a bit for each number of this rank. Each comes marked,
/// with those that it waits for behind it; those that are not wanted are taken out.
///
/// # Errors
/// Those of the company.
pub fn wanted(
    list: &mut [&mut [u32]],
    numbers: &Numbers,
    company: &dyn Company,
) -> Result<Vec<u64>> {
    let _region = timeline::region("circles");
    loop {
        let awaited = Awaited { numbers, bits: numbers.own().map(|_| AtomicU64::new(0)).collect() };
        let elsewhere = parallel::map_of(list.iter(), |piece| {
            task();
            awaited.note(piece)
        });
        let mut told = company.lists();
        for number in elsewhere.into_iter().flatten() {
            told[numbers.owner(number)].push(u64::from(number));
        }
        for number in company.trade(told)?.into_iter().flatten() {
            awaited.add(numbers.here(number as u32).expect("a number of this rank"));
        }
        let left = parallel::map_of(list.iter_mut(), |piece| {
            task();
            awaited.leave(piece)
        });
        if company.sums(&[left.iter().sum()])? == [0] {
            return Ok(awaited.bits.into_iter().map(AtomicU64::into_inner).collect());
        }
    }
}

/// Which claims of this rank are waited for.
struct Awaited<'a> {
    numbers: &'a Numbers,
    bits: Vec<AtomicU64>,
}

impl Awaited<'_> {
    /// Adds what the claims of a piece wait for. Returns the numbers of other ranks among that.
    fn note(&self, piece: &[u32]) -> Vec<u32> {
        let mut elsewhere = Vec::new();
        for &number in piece.iter().filter(|&number| number & MARK == 0) {
            match self.numbers.here(number) {
                Some(place) => self.add(place),
                None => elsewhere.push(number),
            }
        }
        elsewhere
    }

    #[inline(always)]
    fn add(&self, place: usize) {
        let (word, bit) = (&self.bits[place / LINE], 1 << (place % LINE));
        if load(word) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn has(&self, number: u32) -> bool {
        let place = self.numbers.here(number).expect("a number of this rank");
        load(&self.bits[place / LINE]) >> (place % LINE) & 1 == 1
    }

    /// Takes claims out of a piece that none waits for. Returns how many entries leave.
    fn leave(&self, piece: &mut &mut [u32]) -> u64 {
        let (mut kept, mut stays) = (0, false);
        for at in 0..piece.len() {
            let entry = piece[at];
            if entry & MARK != 0 {
                stays = self.has(entry ^ MARK);
            }
            piece[kept] = entry;
            kept += usize::from(stays);
        }
        let left = piece.len() - kept;
        *piece = &mut std::mem::take(piece)[..kept];
        left as u64
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::random::Dice;
    use crate::solver::cluster::{Purpose, Team};
    use crate::solver::tests::threads::on_ranks;

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

    /// The pieces of a list of the open claims in a range, none of which begins within a chunk.
    fn pieces(waiting: &[Vec<usize>], is_open: &[bool], range: Range<usize>) -> Vec<Vec<u32>> {
        let chunk = |at: usize| -> Vec<u32> {
            let others = waiting[at].iter().map(|&other| other as u32);
            std::iter::once(MARK | at as u32).chain(others).collect()
        };
        let open = range.filter(|&at| is_open.get(at).is_some_and(|&is| is));
        let chunks: Vec<Vec<u32>> = open.map(chunk).collect();
        chunks.chunks(7).map(|chunks| chunks.concat()).collect()
    }

    /// Ranks that are threads.
    struct ThreadRanks<'t>(&'t Team<'t>);

    impl Company for ThreadRanks<'_> {
        fn place(&self) -> (usize, usize) {
            (self.0.rank(), self.0.ranks())
        }

        fn sums(&self, numbers: &[u64]) -> Result<Vec<u64>> {
            self.0.sums(numbers)
        }

        fn trade(&self, lists: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>> {
            self.0.session(|talk| talk.trade(lists, Purpose::Claims))
        }

        fn offer(&self) -> Result<()> {
            unreachable!("circles are looked for in one go")
        }
    }

    /// What some ranks find, each of which has so many words of numbers.
    fn found(words: &[usize], waiting: &[Vec<usize>], is_open: &[bool]) -> Vec<bool> {
        let find = |team: &Team, own: &usize| {
            let ranks = &ThreadRanks(team);
            let numbers = &Numbers::of(ranks, *own).unwrap();
            let Range { start, end } = numbers.own();
            let mut pieces = pieces(waiting, is_open, start * LINE..end * LINE);
            let mut pieces: Vec<&mut [u32]> = pieces.iter_mut().map(Vec::as_mut_slice).collect();
            wanted(&mut pieces, numbers, ranks).unwrap()
        };
        let words = on_ranks(words, find).concat();
        (0..waiting.len()).map(|at| words[at / LINE] >> (at % LINE) & 1 == 1).collect()
    }

    #[test]
    fn what_is_wanted_is_the_largest_set_of_claims_that_each_other_waits_for() {
        let (mut dice, mut some) = (Dice::new(5), 0);
        for claims in (1..200).chain([1_000, 3_000]) {
            let (waiting, is_open) = random(claims, &mut dice);
            let (expected, words) = (slowly(&waiting, &is_open), is_open.len().div_ceil(LINE));
            assert_eq!(found(&[words], &waiting, &is_open), expected, "{claims} claims");
            // One rank of three has no claims.
            let some_words = dice.below(words as u64 + 1) as usize;
            let three = [some_words, 0, words - some_words];
            assert_eq!(
                found(&three, &waiting, &is_open),
                expected,
                "{claims} claims of three ranks"
            );
            some += usize::from(expected.contains(&true) && expected.contains(&false));
        }
        assert!(some > 100, "{some}");
    }
}
