//! What open claims go round in.
//!
//! The list of the last open claims says of each of the opponent's claims for which others it waits.
//! A claim that none waits for is not wanted, and neither is one for which only such claims wait.
//! What is left holds every circle, and what leads from one to another.

use std::sync::atomic::AtomicU64;

use bitvec::prelude::{BitVec, bitvec};

use super::listed::MARK;
use super::open::load;
use crate::layer::blocks::LINE;

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
