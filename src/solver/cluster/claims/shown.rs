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

/// The open claims here, each with every child that it waits for: two words a child.
pub fn words(sweeps: &Sweeps) -> Vec<u64> {
    let layer = sweeps.search.layer;
    let of_part = |part: &Part| {
        let mut words = Vec::new();
        for tile in part.tiles() {
            sweeps.each_child(tile, |claim, here, child| {
                let who = if claim == OPPONENT { OPPONENTS } else { 0 };
                let [here, child] = [here, child].map(|cell| layer.rank_at(cell).0);
                words.extend([who | here, child]);
            });
        }
        words
    };
    let words: Vec<Vec<u64>> = sweeps.parts.par_iter().map(of_part).collect();
    words.concat()
}

/// The open claims of all ranks.
#[derive(Default)]
pub struct Open {
    /// The positions with an open claim of the opponent, smallest index first, and by their places
    /// which of these claims have been met.
    opponents: Vec<u64>,
    met: Vec<AtomicU64>,
    /// By place: how many claims each one still waits for.
    counts: Vec<u32>,
    /// What the claims wait for, in their order.
    waiting: Vec<Waiting>,
    /// By place: its first one in the list of those by whom it is awaited, as numbers of the list above.
    starts: Vec<u32>,
    awaited_by: Vec<u32>,
    /// Each position with an open claim of the mover and the child by the default move, smallest index
    /// first.
    defaults: Vec<[u64; 2]>,
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

impl Open {
    /// What was [shown](words).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there are not numbers enough for all claims.
    pub fn of(words: &[u64]) -> Result<Open> {
        // A claim and what it waits for are two entries of a list at most.
        if words.len() / 2 >= MARK as usize {
            return Err(Error::OutOfMemory { bytes: size_of_val(words) as u64 });
        }
        let mut defaults = words.as_chunks::<2>().0.to_vec();
        defaults.par_sort_unstable();
        let replies = defaults.split_off(defaults.partition_point(|[who, _]| who & OPPONENTS == 0));
        let mut opponents: Vec<u64> = replies.iter().map(|[who, _]| who ^ OPPONENTS).collect();
        opponents.dedup();
        let follow = |&[who, reply]: &[u64; 2]| {
            let place = |index: u64| opponents.binary_search(&index).ok().map(|at| at as u32);
            let default = defaults.binary_search_by_key(&reply, |[here, _]| *here).ok()?;
            let awaited = place(defaults[default][1])?;
            let claim = place(who ^ OPPONENTS)?;
            Some(Waiting { claim, awaited, reply })
        };
        let waiting: Vec<Waiting> = replies.par_iter().filter_map(follow).collect();
        let (count, mut counts) = (opponents.len(), vec![0; opponents.len()]);
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
        let met = opponents.chunks(LINE).map(|_| AtomicU64::new(0)).collect();
        let met_otherwise = HashSet::new();
        let mut open =
            Open { opponents, met, counts, waiting, starts, awaited_by, defaults, met_otherwise };
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

    fn place(&self, index: u64) -> Option<usize> {
        self.opponents.binary_search(&index).ok()
    }

    /// Whether the claims of a position are open: the mover's, and the opponent's.
    pub fn is_open(&self, index: u64) -> [bool; 2] {
        let is_open = |index| self.place(index).is_some_and(|place| !self.is_met(place));
        let default = self.defaults.binary_search_by_key(&index, |[here, _]| *here);
        let waits = default.is_ok_and(|at| is_open(self.defaults[at][1]));
        [waits && !self.met_otherwise.contains(&index), is_open(index)]
    }

    /// Meets claims of some positions, and all that follows by default moves.
    pub fn meet(&mut self, met: impl Iterator<Item = (u64, usize)>) {
        let mut movers = HashSet::new();
        for (index, claim) in met {
            if claim == MOVER {
                movers.insert(index);
            } else if let Some(place) = self.place(index) {
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
        let open = (0..self.opponents.len()).filter(|&place| !self.is_met(place));
        match scope {
            Scope::Everything => open.map(|place| self.opponents[place]).collect(),
            Scope::Circles => {
                let wanted = self.wanted();
                let is_wanted = |&place: &usize| wanted[place / LINE] >> (place % LINE) & 1 == 1;
                open.filter(is_wanted).map(|place| self.opponents[place]).collect()
            }
        }
    }

    /// By place of the opponent's claims, a bit for each, whether they are wanted.
    fn wanted(&self) -> Vec<u64> {
        let mut list = Vec::with_capacity(self.opponents.len() + self.waiting.len());
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
