//! What open claims go round in.
//!
//! The list of the last open claims says of each of the opponent's claims for which others it waits.
//! A claim that none waits for is not wanted, and neither is one for which only such claims wait.
//! What is left holds every circle, and what leads from one to another.
//!
//! Each rank has the claims that it has numbered, and counts how many wait for them; of those that leave
//! it tells the ranks that have what they wait for, until none leaves on any rank.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::numbers::Numbers;
use super::open::load;
use super::search::Company;
use crate::error::Result;
use crate::layer::line::LINE;
use crate::simd::set_lanes;
use crate::timeline::{self, task};

/// What marks the number of a claim in the list.
pub const MARK: u32 = 1 << 31;

/// Bytes that a claim takes of memory while circles are looked for.
pub const IN_GRAPH: u64 = (size_of::<AtomicU64>() + size_of::<AtomicU32>()) as u64;

/// Claims that leave the graph together, before another thread may take the next ones.
const TASK: usize = 1 << 10;

/// Claims of this rank that wait for others, numbered without those that are met.
struct WaitingGraph<'a> {
    list: &'a [&'a [u32]],
    numbers: &'a Numbers,
    /// By word of the own numbers, the claims that are met.
    met: &'a [AtomicU64],
    /// By word of `met`: the open claims before it, and last of all how many there are.
    before: Vec<u32>,
    /// By claim: the piece of the list, and where in it stands what it waits for. Numbers that no claim has
    /// are left at 0, where a mark is: they wait for nothing.
    waiting: Vec<AtomicU64>,
    /// By claim: how many claims of the graph wait for it.
    awaited: Vec<AtomicU32>,
}

impl<'a> WaitingGraph<'a> {
    fn new(list: &'a [&'a [u32]], met: &'a [AtomicU64], numbers: &'a Numbers) -> WaitingGraph<'a> {
        let met = &met[numbers.own()];
        let mut before = vec![0];
        before.extend(met.iter().scan(0, |all, word| {
            *all += load(word).count_zeros();
            Some(*all)
        }));
        let claims = before[met.len()] as usize;
        let mut graph =
            WaitingGraph { list, numbers, met, before, waiting: Vec::new(), awaited: Vec::new() };
        graph.waiting.resize_with(claims, AtomicU64::default);
        graph.awaited.resize_with(claims, AtomicU32::default);
        graph
    }

    /// The place of a claim among the open ones here.
    #[inline(always)]
    fn place(&self, number: u32) -> Option<usize> {
        let number = self.numbers.here(number)?;
        let (word, bit) = (number / LINE, number % LINE);
        let below = !load(&self.met[word]) & ((1 << bit) - 1);
        Some(self.before[word] as usize + below.count_ones() as usize)
    }

    /// Notes what a piece of the list says. Returns the numbers of other ranks for which its claims wait.
    fn note(&self, piece: usize) -> Vec<u32> {
        let mut elsewhere = Vec::new();
        for (at, &number) in (1..).zip(self.list[piece]) {
            match self.place(number & !MARK) {
                Some(claim) if number & MARK != 0 => {
                    let place = (piece as u64) << 32 | at;
                    self.waiting[claim].store(place, Ordering::Relaxed);
                }
                Some(claim) => self.awaits(claim),
                None => elsewhere.push(number),
            }
        }
        elsewhere
    }

    /// One more claim waits for this one.
    fn awaits(&self, claim: usize) {
        self.awaited[claim].fetch_add(1, Ordering::Relaxed);
    }

    /// One claim fewer waits for this one. Returns whether none does any more.
    fn awaits_no_more(&self, claim: usize) -> bool {
        self.awaited[claim].fetch_sub(1, Ordering::Relaxed) == 1
    }

    fn is_awaited(&self, claim: usize) -> bool {
        self.awaited[claim].load(Ordering::Relaxed) > 0
    }

    /// Takes out claims that none waits for, and those for which then none waits any more: each is
    /// found by the thread that takes out the last one that waits for it. Returns the numbers of other
    /// ranks for which they waited.
    fn leave(&self, unwanted: &[usize]) -> Vec<u32> {
        let (mut unwanted, mut elsewhere) = (unwanted.to_vec(), Vec::new());
        while let Some(claim) = unwanted.pop() {
            let place = load(&self.waiting[claim]);
            let waits = &self.list[(place >> 32) as usize][place as u32 as usize..];
            for &number in waits.iter().take_while(|&number| number & MARK == 0) {
                match self.place(number) {
                    Some(claim) if self.awaits_no_more(claim) => unwanted.push(claim),
                    Some(_) => {}
                    None => elsewhere.push(number),
                }
            }
        }
        elsewhere
    }

    /// Tells other ranks these numbers, and returns the claims here that they tell of.
    fn tell(&self, company: &dyn Company, told: Vec<Vec<u32>>) -> Result<Vec<usize>> {
        let mut lists = self.numbers.lists();
        for number in told.into_iter().flatten() {
            lists[self.numbers.owner(number)].push(u64::from(number));
        }
        let heard = company.trade(lists)?.into_iter().flatten();
        Ok(heard.map(|number| self.place(number as u32).expect("a number of this rank")).collect())
    }

    /// Of the own numbers of a word those whose claims are awaited.
    fn word(&self, word: usize) -> u64 {
        let claims = self.before[word] as usize..;
        let open = set_lanes(!load(&self.met[word])).zip(claims);
        open.fold(0, |all, (bit, claim)| all | u64::from(self.is_awaited(claim)) << bit)
    }
}

/// Of the claims in a list those that are wanted, a bit for each number of this rank. Each comes marked,
/// with those that it waits for behind it; `met` says by number which are met, and are in no list any
/// more.
///
/// # Errors
/// Those of the company.
pub fn wanted(
    list: &[&[u32]],
    met: &[AtomicU64],
    numbers: &Numbers,
    company: &dyn Company,
) -> Result<Vec<u64>> {
    let _region = timeline::region("circles");
    let graph = WaitingGraph::new(list, met, numbers);
    let pieces = (0..list.len()).into_par_iter().inspect(|_| task());
    let told = pieces.map(|piece| graph.note(piece)).collect();
    graph.tell(company, told)?.into_iter().for_each(|claim| graph.awaits(claim));
    let claims = (0..graph.awaited.len()).into_par_iter();
    let mut unwanted: Vec<usize> = claims.filter(|&claim| !graph.is_awaited(claim)).collect();
    loop {
        let tasks = unwanted.par_chunks(TASK).inspect(|_| task());
        let told: Vec<Vec<u32>> = tasks.map(|unwanted| graph.leave(unwanted)).collect();
        if company.sums(&[told.iter().map(Vec::len).sum::<usize>() as u64])? == [0] {
            break;
        }
        unwanted = graph.tell(company, told)?;
        unwanted.retain(|&claim| graph.awaits_no_more(claim));
    }
    Ok((0..graph.met.len()).into_par_iter().map(|word| graph.word(word)).collect())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::thread;

    use super::*;
    use crate::random::Dice;
    use crate::solver::cluster::{Purpose, Team, Threads};

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

    fn bits(met: impl Iterator<Item = bool>) -> u64 {
        met.zip(0..).fold(0, |all, (is, at)| all | u64::from(is) << at)
    }

    /// Ranks that are threads.
    struct ThreadRanks<'t>(Team<'t>);

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
        let find = |end: Threads, own: usize| {
            let ranks = &ThreadRanks(Team::new(&end));
            let numbers = &Numbers::of(ranks, own).unwrap();
            let is_met = |at: usize| is_open.get(at).is_none_or(|is| !is);
            let met =
                (0..numbers.words()).map(|word| bits((0..LINE).map(|at| is_met(word * LINE + at))));
            let met: Vec<AtomicU64> = met.map(AtomicU64::new).collect();
            let Range { start, end } = numbers.own();
            let pieces = pieces(waiting, is_open, start * LINE..end * LINE);
            let pieces: Vec<&[u32]> = pieces.iter().map(Vec::as_slice).collect();
            wanted(&pieces, &met, numbers, ranks).unwrap()
        };
        let words: Vec<u64> = thread::scope(|scope| {
            let ends = Threads::new(words.len()).into_iter().zip(words);
            let ranks: Vec<_> =
                ends.map(|(end, &own)| scope.spawn(move || find(end, own))).collect();
            ranks.into_iter().flat_map(|rank| rank.join().unwrap()).collect()
        });
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
