//! A pair of blocks, turn after turn: which positions are asked for at which.
//!
//! Invariant: at a turn all that is asked for is answered before any of it is written, and what is
//! written asks for later turns of the pair alone.

use super::family::Family;
use super::ground::Ground;
use super::visit::{Asked, Changed, Slot};
use crate::error::Result;

/// The turns of a pair.
pub struct PairTurns {
    /// By turn: the last entry.
    heads: Vec<u32>,
    /// A bit for each turn that has had one since it was last asked in vain.
    busy: Vec<u64>,
    /// Each position asked for, with the entry before of the same turn.
    entries: Vec<(Slot, Asked, u32)>,
}

/// No entry.
const END: u32 = u32::MAX;

impl PairTurns {
    /// This many of them, at which nothing is asked.
    pub fn new(turns: usize) -> PairTurns {
        let busy = vec![0; turns.div_ceil(64)];
        PairTurns { heads: vec![END; turns], busy, entries: Vec::new() }
    }

    /// Asks for a position at a turn.
    pub fn push(&mut self, turn: u32, slot: Slot, asked: Asked) {
        let head = std::mem::replace(&mut self.heads[turn as usize], self.entries.len() as u32);
        self.entries.push((slot, asked, head));
        self.busy[turn as usize / 64] |= 1 << (turn % 64);
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
        let (mut changed, mut now, mut next) = (Vec::new(), Vec::new(), 0);
        while let Some(turn) = self.first_from(next) {
            ground.turn_comes()?;
            self.turn_comes(turn, family, ground, &mut now);
            changed.append(&mut now);
            next = turn + 1;
        }
        Ok(changed)
    }

    /// Computes all positions that are asked for at a turn, and adds those that change.
    fn turn_comes(
        &mut self,
        turn: u32,
        family: &Family,
        ground: &mut impl Ground,
        now: &mut Vec<Changed>,
    ) {
        while let Some((slot, asked)) = self.pop(turn) {
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
                    self.push(visit.turn, visit.parent, Asked::Child { old, new });
                }
            });
        }
    }

    /// Takes a position of a turn.
    fn pop(&mut self, turn: u32) -> Option<(Slot, Asked)> {
        let Some(&(slot, asked, next)) = self.entries.get(self.heads[turn as usize] as usize)
        else {
            self.busy[turn as usize / 64] &= !(1 << (turn % 64));
            return None;
        };
        self.heads[turn as usize] = next;
        Some((slot, asked))
    }

    /// The first turn from this one on at which a position is asked for. Where there is none, the
    /// list starts over.
    fn first_from(&mut self, turn: u32) -> Option<u32> {
        let mut word = turn as usize / 64;
        let mut bits = self.busy.get(word).map_or(0, |bits| bits & u64::MAX << (turn % 64));
        while bits == 0 {
            word += 1;
            let Some(&next) = self.busy.get(word) else {
                self.entries.clear();
                return None;
            };
            bits = next;
        }
        Some(word as u32 * 64 + bits.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(column: u32) -> Slot {
        Slot { plane: 0, block: 0, row: 0, column }
    }

    fn columns(turns: &mut PairTurns, turn: u32) -> Vec<u32> {
        std::iter::from_fn(|| turns.pop(turn)).map(|(slot, _)| slot.column).collect()
    }

    #[test]
    fn positions_come_at_their_turns() {
        let mut turns = PairTurns::new(300);
        for (turn, column) in [(5, 1), (299, 2), (64, 3), (5, 4)] {
            turns.push(turn, slot(column), Asked::Better(0));
        }
        assert_eq!(turns.first_from(0), Some(5));
        assert_eq!(columns(&mut turns, 5), [4, 1]);
        assert_eq!((turns.first_from(6), turns.first_from(65)), (Some(64), Some(299)));
        turns.push(70, slot(7), Asked::Anew(1));
        assert_eq!(columns(&mut turns, 64), [3]);
        assert_eq!(turns.first_from(65), Some(70));
        assert_eq!((columns(&mut turns, 70), columns(&mut turns, 299)), (vec![7], vec![2]));
        assert_eq!(turns.first_from(0), None);
        assert!(turns.entries.is_empty() && turns.heads.iter().all(|&head| head == END));
        turns.push(5, slot(8), Asked::Better(0));
        assert_eq!((turns.first_from(0), columns(&mut turns, 5)), (Some(5), vec![8]));
    }
}
