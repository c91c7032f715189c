//! A pair of blocks, turn after turn.
//!
//! Invariant: at a turn all that is asked for is answered before any of it is written, and what is
//! written asks for later turns of the pair alone.

use super::agenda::Agenda;
use super::family::Family;
use super::ground::Ground;
use super::visit::{Asked, Changed, Slot};
use crate::error::Result;

/// The turns of a pair.
pub struct PairTurns {
    agenda: Agenda,
    /// What has changed at this turn.
    now: Vec<Changed>,
}

impl PairTurns {
    /// This many of them, at which nothing is asked.
    pub fn new(turns: usize) -> PairTurns {
        PairTurns { agenda: Agenda::new(turns), now: Vec::new() }
    }

    /// Asks for a position at a turn.
    pub fn push(&mut self, turn: u32, slot: Slot, asked: Asked) {
        self.agenda.push(turn, slot, asked);
    }

    /// Goes through them. Returns what has changed.
    ///
    /// # Errors
    /// Those of the ground.
    pub fn go_through(
        &mut self,
        family: &Family,
        ground: &mut impl Ground,
    ) -> Result<Vec<Changed>> {
        let (mut changed, mut next) = (Vec::new(), 0);
        while let Some(turn) = self.agenda.first_from(next) {
            ground.turn_comes()?;
            self.turn_comes(turn, family, ground);
            changed.extend_from_slice(&self.now);
            next = turn + 1;
        }
        Ok(changed)
    }

    /// Computes all positions that are asked for at a turn.
    fn turn_comes(&mut self, turn: u32, family: &Family, ground: &mut impl Ground) {
        let PairTurns { agenda, now } = self;
        now.clear();
        while let Some((slot, asked)) = agenda.pop(turn) {
            let old = ground.score(slot);
            if !ground.is_ready(slot, asked) {
                continue;
            }
            if let Some(new) = family.answer(slot, asked, old, ground).filter(|&new| new != old) {
                now.push((slot, old, new));
            }
        }
        // Of several, one that was computed from all moves is what a better one alone would be.
        now.sort_unstable_by_key(|&(slot, _, new)| (slot, std::cmp::Reverse(new)));
        now.dedup_by_key(|(slot, ..)| *slot);
        for &(slot, old, new) in &*now {
            ground.write(slot, new);
            family.home_parents(slot, (old, new), |visit| {
                if !ground.takes(&visit) {
                    agenda.push(visit.turn, visit.parent, Asked::Child { old, new });
                }
            });
        }
    }
}
