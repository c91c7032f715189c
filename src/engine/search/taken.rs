//! Which moves threads are looking at, so that they share the work.
//!
//! Threads that search the same position do the same things at the same time unless they know of
//! each other. So each marks the move that it looks at, and leaves a move that another one has
//! marked for later; when it comes back to it the transposition table has the answer, or most of
//! it. That is Kerrigan's simplification of ABDADA (Weill, 1996). Nothing is right or wrong by it: a
//! mark that is lost, because another one takes its slot, costs work that is done twice.
//!
//! Two threads visit 1.87 times as many positions a second as one, and reach depth 22 in the middle game
//! 1.56 times as fast (150 positions, no other load; geometric mean). Moves are marked where the rest of
//! the search is 4 plies deep or more: a mark is a write to memory that another thread reads. From
//! depth 2 on it is 1.81 and 1.48 times, from 3 on 1.81 and 1.54, from 6 on 1.91 and 1.56, from 8 on 1.92
//! and 1.56. Without marks 1.98 and 1.25; the other thread one ply ahead, with marks from depth 4 on,
//! 1.82 and 1.48. At 5 ms a move two threads score 53.1 % of 2,000 games against one (50.9 to 55.3 %,
//! tables to 12 seeds). Tried on a busy machine, nothing gained: to give up a position that another
//! thread has settled meanwhile, one history of cutoffs for all threads.

use std::iter::Enumerate;
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;

use super::order::Sorted;
use crate::game::{HOUSES, House, Move};

/// More than threads mark at a time: each has one for every ply.
const SLOTS: usize = 1 << 14;

/// The moves that are being looked at.
#[derive(Debug)]
pub struct Taken {
    slots: Box<[AtomicU64]>,
}

impl Taken {
    /// Nothing is being looked at.
    pub fn new() -> Taken {
        Taken { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn mark(&self, key: u64, house: House) -> LookMark<'_> {
        let (slot, bits) = self.slot(key, house);
        slot.store(bits, Ordering::Relaxed);
        LookMark { slot, bits }
    }

    /// Returns where a move in the position with a hash key is marked, and by what.
    fn slot(&self, key: u64, house: House) -> (&AtomicU64, u64) {
        let bits = key.rotate_left(5 + house.index() as u32) | 1;
        (&self.slots[(bits >> 40) as usize % SLOTS], bits)
    }
}

/// Says that a move is looked at, as long as it lives.
pub struct LookMark<'t> {
    slot: &'t AtomicU64,
    bits: u64,
}

impl Drop for LookMark<'_> {
    fn drop(&mut self) {
        // Another mark may stand there by now.
        let _ = self.slot.compare_exchange(self.bits, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// A move whose turn it is.
pub struct Turn<'t> {
    /// Its place in order.
    pub place: usize,
    /// The move.
    pub played: Move,
    /// Tells other threads, if there are any.
    pub _mark: Option<LookMark<'t>>,
}

/// The moves of a position in turn: in order, but those that other threads look at come last. The
/// first does not wait.
pub struct MoveTurns<'t> {
    key: u64,
    sorted: Enumerate<Sorted>,
    later: ArrayVec<(usize, Move), HOUSES>,
    taken: Option<&'t Taken>,
}

impl<'t> MoveTurns<'t> {
    /// The moves of the position with this hash key; without marks if this thread is alone.
    pub fn new(key: u64, sorted: Sorted, taken: Option<&'t Taken>) -> MoveTurns<'t> {
        MoveTurns { key, sorted: sorted.enumerate(), later: ArrayVec::new(), taken }
    }

    fn waits(&self, place: usize, played: &Move) -> bool {
        let is_taken = |(slot, bits): (&AtomicU64, u64)| slot.load(Ordering::Relaxed) == bits;
        place > 0 && self.taken.is_some_and(|taken| is_taken(taken.slot(self.key, played.house)))
    }
}

impl<'t> Iterator for MoveTurns<'t> {
    type Item = Turn<'t>;

    fn next(&mut self) -> Option<Turn<'t>> {
        let (place, played) = loop {
            match self.sorted.next() {
                Some((place, played)) if self.waits(place, &played) => {
                    self.later.push((place, played));
                }
                Some(turn) => break turn,
                None => break self.later.pop_at(0)?,
            }
        };
        let _mark = self.taken.map(|taken| taken.mark(self.key, played.house));
        Some(Turn { place, played, _mark })
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::Order;
    use super::*;
    use crate::game::{ABAPA, Position, legal_moves};

    const KEY: u64 = 0x9e37_79b9_7f4a_7c15;

    #[test]
    fn what_others_look_at_comes_last() {
        let taken = Taken::new();
        let sorted = || {
            let moves = legal_moves(&ABAPA, &Position::INITIAL.board);
            Order::new(1).sort(&moves, 0, House::new(3))
        };
        let houses = |taken| -> Vec<usize> {
            MoveTurns::new(KEY, sorted(), taken).map(|turn| turn.played.house.index()).collect()
        };
        assert_eq!(houses(None), [3, 0, 1, 2, 4, 5]);
        assert_eq!(houses(Some(&taken)), [3, 0, 1, 2, 4, 5]);
        let marks = [3, 0, 2].map(|at| taken.mark(KEY, House::ALL[at]));
        assert_eq!(houses(Some(&taken)), [3, 1, 4, 5, 0, 2]);
        drop(marks);
        assert_eq!(houses(Some(&taken)), [3, 0, 1, 2, 4, 5]);
    }
}
