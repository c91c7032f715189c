//! What stays open on all ranks, as it is shown to the leader.
//!
//! Each open claim is shown with every child that it waits for by default moves or tight replies. So the
//! leader can do without the others what they would do: close default moves to the end, and again when
//! claims have been met, and find what goes round.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::layer::line::LINE;
use crate::solver::claims::circles::{MARK, wanted};
use crate::solver::claims::listed::Scope;
use crate::solver::claims::open::{MOVER, OPPONENT, add, load};
use crate::solver::claims::{Part, Sweeps};

/// What says that a claim is the opponent's, beside the index of its position.
const OPPONENTS: u64 = 1 << 63;

/// The open claims here, smallest first, each with every child that it waits for: two words a child.
pub fn words(sweeps: &Sweeps) -> Vec<u64> {
    let layer = sweeps.search.layer;
    let count = |part: &Part| {
        let mut count = 0;
        part.tiles().for_each(|tile| sweeps.each_child(tile, |_, _, _| count += 1));
        count
    };
    let counts: Vec<usize> = sweeps.parts.par_iter().map(count).collect();
    let mut words = vec![[0; 2]; counts.iter().sum()];
    let mut rest = &mut words[..];
    let pieces: Vec<&mut [[u64; 2]]> = counts
        .into_iter()
        .map(|count| rest.split_off_mut(..count).expect("as many as counted"))
        .collect();
    sweeps.parts.par_iter().zip(pieces).for_each(|(part, piece)| {
        let mut piece = piece.iter_mut();
        for tile in part.tiles() {
            sweeps.each_child(tile, |claim, here, child| {
                let who = if claim == OPPONENT { OPPONENTS } else { 0 };
                let [here, child] = [here, child].map(|cell| layer.rank_at(cell).0);
                *piece.next().expect("one of those counted") = [who | here, child];
            });
        }
    });
    words.par_sort_unstable();
    words.into_flattened()
}

/// Indices, smallest first, each of which has a place among them.
///
/// They are looked up by the million, and lie all over a layer; so there is a bucket for each few of
/// them, by their leading bits.
#[derive(Default)]
struct Places {
    indices: Vec<u64>,
    /// By bucket: the place of the first index in it or behind it. One more says where the last ends.
    starts: Vec<u32>,
    /// Bits of an index that do not choose its bucket.
    shift: u32,
}

impl Places {
    /// The places of indices, of which each comes once, smallest first.
    fn new(indices: Vec<u64>) -> Places {
        let end = indices.last().map_or(0, |last| last + 1);
        let shift = (end / (indices.len() as u64).max(1)).max(1).ilog2();
        let mut starts = Vec::with_capacity((end >> shift) as usize + 2);
        for (place, index) in (0..).zip(&indices) {
            starts.resize(starts.len().max((index >> shift) as usize + 1), place);
        }
        starts.push(indices.len() as u32);
        Places { indices, starts, shift }
    }

    fn of(&self, index: u64) -> Option<usize> {
        let bucket = (index >> self.shift) as usize;
        let (start, end) = (*self.starts.get(bucket)?, *self.starts.get(bucket + 1)?);
        let found = self.indices[start as usize..end as usize].binary_search(&index).ok()?;
        Some(start as usize + found)
    }
}

/// The open claims of all ranks.
#[derive(Default)]
pub struct Open {
    /// The positions with an open claim of the opponent, and by their places which of these claims
    /// have been met.
    opponents: Places,
    met: Vec<AtomicU64>,
    /// By place: how many claims each one still waits for.
    counts: Vec<u32>,
    /// What the claims wait for, in their order.
    waiting: Vec<Waiting>,
    /// By place: its first one in the list of those by whom it is awaited, as numbers of the list above.
    starts: Vec<u32>,
    awaited_by: Vec<u32>,
    /// The positions with an open claim of the mover, and by their places the place of the claim that
    /// it waits for, the opponent's on the child by the default move; [`NOWHERE`] if that is not open.
    movers: Places,
    defaults: Vec<u32>,
    /// Of these positions those whose claim has been met otherwise.
    met_otherwise: HashSet<u64>,
}

/// One claim of the opponent that another one waits for.
#[derive(Clone, Copy)]
struct Waiting {
    /// The place of the claim that waits.
    claim: u32,
    /// The place of the one that it waits for: the child's by the default move after the reply.
    awaited: u32,
    /// The position after the reply; [`NOTHING`] if that is waited for no more.
    reply: u64,
}

/// No position.
const NOTHING: u64 = u64::MAX;

/// No place.
const NOWHERE: u32 = u32::MAX;

impl Open {
    /// What was [shown](words).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there are not numbers enough for all claims.
    pub fn of(mut words: Vec<u64>) -> Result<Open> {
        // A claim and what it waits for are two entries of a list at most.
        if words.len() / 2 >= MARK as usize {
            return Err(Error::OutOfMemory { bytes: size_of_val(&words[..]) as u64 });
        }
        let shown = words.as_chunks_mut::<2>().0;
        // What each rank shows is sorted, which this sort makes use of.
        shown.sort();
        let (movers, replies) =
            shown.split_at(shown.partition_point(|[who, _]| who & OPPONENTS == 0));
        let mut opponents: Vec<u64> = replies.iter().map(|[who, _]| who ^ OPPONENTS).collect();
        opponents.dedup();
        let opponents = Places::new(opponents);
        let place = |index: u64| opponents.of(index).map(|place| place as u32);
        let awaited = |&[_, child]: &[u64; 2]| place(child).unwrap_or(NOWHERE);
        let defaults: Vec<u32> = movers.par_iter().map(awaited).collect();
        let movers = Places::new(movers.iter().map(|[here, _]| *here).collect());
        let follow = |&[who, reply]: &[u64; 2]| {
            let awaited = defaults[movers.of(reply)?];
            let claim = place(who ^ OPPONENTS)?;
            (awaited != NOWHERE).then_some(Waiting { claim, awaited, reply })
        };
        let waiting: Vec<Waiting> = replies.par_iter().filter_map(follow).collect();
        drop(words);
        let count = opponents.indices.len();
        let mut counts = vec![0; count];
        let mut starts = vec![0; count + 1];
        for one in &waiting {
            counts[one.claim as usize] += 1;
            starts[one.awaited as usize + 1] += 1;
        }
        (0..count).for_each(|place| starts[place + 1] += starts[place]);
        let (mut next, mut awaited_by) = (starts.clone(), vec![0; waiting.len()]);
        for (number, one) in (0..).zip(&waiting) {
            let next = &mut next[one.awaited as usize];
            awaited_by[*next as usize] = number;
            *next += 1;
        }
        let met = (0..count.div_ceil(LINE)).map(|_| AtomicU64::new(0)).collect();
        let met_otherwise = HashSet::new();
        let mut open = Open {
            opponents,
            met,
            counts,
            waiting,
            starts,
            awaited_by,
            movers,
            defaults,
            met_otherwise,
        };
        // They wait for nothing.
        for place in 0..count {
            if open.counts[place] == 0 {
                open.meet_at(place);
            }
        }
        Ok(open)
    }

    fn is_met(&self, place: usize) -> bool {
        load(&self.met[place / LINE]) >> (place % LINE) & 1 == 1
    }

    /// Whether the claims of a position are open: the mover's, and the opponent's.
    pub fn is_open(&self, index: u64) -> [bool; 2] {
        let is_open = |place: usize| !self.is_met(place);
        let default = self.movers.of(index).map(|place| self.defaults[place]);
        let waits = default.is_some_and(|place| place != NOWHERE && is_open(place as usize));
        [
            waits && !self.met_otherwise.contains(&index),
            self.opponents.of(index).is_some_and(is_open),
        ]
    }

    /// Meets claims of some positions, and all that follows by default moves.
    pub fn meet(&mut self, met: impl Iterator<Item = (u64, usize)>) {
        let mut movers = HashSet::new();
        for (index, claim) in met {
            if claim == MOVER {
                movers.insert(index);
            } else if let Some(place) = self.opponents.of(index) {
                self.meet_at(place);
            }
        }
        for number in 0..self.waiting.len() {
            if movers.contains(&self.waiting[number].reply) {
                let claims = self.waits_no_more(number);
                claims.into_iter().for_each(|place| self.meet_at(place));
            }
        }
        self.met_otherwise.extend(movers);
    }

    /// A claim does not wait any more for another. Returns its place if it waits for none.
    fn waits_no_more(&mut self, number: usize) -> Option<usize> {
        let Waiting { claim, reply, .. } = &mut self.waiting[number];
        let place = *claim as usize;
        if std::mem::replace(reply, NOTHING) == NOTHING {
            return None;
        }
        self.counts[place] -= 1;
        (self.counts[place] == 0).then_some(place)
    }

    /// Meets a claim of the opponent, and all that follows by default moves.
    fn meet_at(&mut self, place: usize) {
        let mut met = vec![place];
        while let Some(place) = met.pop() {
            if self.is_met(place) {
                continue;
            }
            add(&self.met[place / LINE], 1 << (place % LINE));
            for at in self.starts[place]..self.starts[place + 1] {
                let number = self.awaited_by[at as usize] as usize;
                met.extend(self.waits_no_more(number));
            }
        }
    }

    /// The positions whose opponent's claim is open, as far as they are looked for.
    pub fn opponents(&self, scope: Scope) -> Vec<u64> {
        let indices = &self.opponents.indices;
        let open = (0..indices.len()).filter(|&place| !self.is_met(place));
        match scope {
            Scope::Everything => open.map(|place| indices[place]).collect(),
            Scope::Circles => {
                let wanted = self.wanted();
                let is_wanted = |&place: &usize| wanted[place / LINE] >> (place % LINE) & 1 == 1;
                open.filter(is_wanted).map(|place| indices[place]).collect()
            }
        }
    }

    /// By place of the opponent's claims, a bit for each, whether they are wanted.
    fn wanted(&self) -> Vec<u64> {
        let mut list = Vec::with_capacity(self.opponents.indices.len() + self.waiting.len());
        for waits in self.waiting.chunk_by(|one, other| one.claim == other.claim) {
            if !self.is_met(waits[0].claim as usize) {
                list.push(MARK | waits[0].claim);
                let still = waits.iter().filter(|waiting| waiting.reply != NOTHING);
                list.extend(still.map(|waiting| waiting.awaited));
            }
        }
        wanted(&[&list], &self.met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn places_are_found_as_by_halving() {
        let mut dice = Dice::new(7);
        for count in [0, 1, 2, 60, 1000] {
            for below in [1, 2, 100, 5000, 1 << 62] {
                let mut indices: Vec<u64> = (0..count).map(|_| dice.below(below)).collect();
                // Some far from the others.
                indices.extend([0, below].iter().filter(|_| count == 60));
                indices.sort_unstable();
                indices.dedup();
                let near =
                    indices.iter().flat_map(|&index| [index.saturating_sub(1), index, index + 1]);
                let asked: Vec<u64> = near.chain([0, below, u64::MAX]).collect();
                let places = Places::new(indices.clone());
                for index in asked {
                    assert_eq!(places.of(index), indices.binary_search(&index).ok(), "{index}");
                }
            }
        }
    }
}
