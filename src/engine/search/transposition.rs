//! The transposition table: what has been found out about positions, shared by all threads.
//!
//! A slot is two words. The second is what was found, the first is the key combined with it. So a
//! slot that two threads have written at once does not fit its key and is as good as empty, and no
//! lock is needed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::worth::Worth;
use crate::error::{Error, Result};
use crate::game::House;

/// What an entry says about the worth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is exactly this.
    Exact,
    /// It is at least this.
    AtLeast,
    /// It is at most this.
    AtMost,
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its worth, or a bound of it.
    pub worth: Worth,
    /// How `worth` is related to what the position is worth.
    pub bound: Bound,
    /// How many plies ahead the search looked.
    pub depth: u32,
    /// The best move, if one is known to be good.
    pub house: Option<House>,
}

/// The positions that a search remembers, by hash key. A new entry replaces whatever is in its
/// slot.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Box<[[AtomicU64; 2]]>,
}

/// Set in every entry, so that none is an empty slot.
const PRESENT: u64 = 1 << 40;

impl TranspositionTable {
    /// Makes an empty table of `megabytes` MB, at least one.
    ///
    /// # Errors
    /// [`Error::HashTable`] if there is no memory for it.
    pub fn new(megabytes: usize) -> Result<TranspositionTable> {
        let count = megabytes.max(1).saturating_mul((1 << 20) / size_of::<[AtomicU64; 2]>());
        let mut slots = Vec::new();
        let refused = |_| Error::HashTable { megabytes };
        slots.try_reserve_exact(count).map_err(refused)?;
        slots.resize_with(count, Default::default);
        Ok(TranspositionTable { slots: slots.into_boxed_slice() })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for [key, entry] in &self.slots {
            key.store(0, Ordering::Relaxed);
            entry.store(0, Ordering::Relaxed);
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let [held, entry] = self.slot(key);
        let entry = entry.load(Ordering::Relaxed);
        (entry & PRESENT != 0 && held.load(Ordering::Relaxed) ^ entry == key).then(|| unpack(entry))
    }

    /// Remembers an entry; what was in its slot is forgotten.
    pub(super) fn set(&self, key: u64, entry: Entry) {
        let [held, slot] = self.slot(key);
        let entry = pack(entry);
        held.store(key ^ entry, Ordering::Relaxed);
        slot.store(entry, Ordering::Relaxed);
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }
}

fn pack(entry: Entry) -> u64 {
    let house = entry.house.map_or(7, |house| house.index() as u64);
    let depth = u64::from(entry.depth.min(255));
    PRESENT | (entry.bound as u64) << 32 | house << 24 | depth << 16 | u64::from(entry.worth.bits())
}

fn unpack(bits: u64) -> Entry {
    Entry {
        worth: Worth::from_bits(bits as u16),
        bound: [Bound::Exact, Bound::AtLeast, Bound::AtMost][(bits >> 32 & 3) as usize % 3],
        depth: (bits >> 16) as u32 & 255,
        house: House::new((bits >> 24 & 7) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Score;

    #[test]
    fn entries_come_back() {
        let hash = TranspositionTable::new(1).unwrap();
        assert_eq!(hash.get(0), None);
        for (number, bound) in [Bound::Exact, Bound::AtLeast, Bound::AtMost].into_iter().enumerate()
        {
            let house = House::new(2 * number);
            let worth = Worth::result(Score::new(17 - 20 * number as i8));
            let entry = Entry {
                worth,
                bound,
                depth: 30 * number as u32,
                house: house.filter(|_| number < 2),
            };
            hash.set(12345 << (8 * number), entry);
            assert_eq!(hash.get(12345 << (8 * number)), Some(entry));
        }
        hash.clear();
        assert_eq!(hash.get(12345), None);
    }

    #[test]
    fn a_torn_slot_is_empty() {
        let hash = TranspositionTable::new(1).unwrap();
        let entry = Entry { worth: Worth::ZERO, bound: Bound::Exact, depth: 1, house: None };
        hash.set(7, entry);
        let [held, _] = hash.slot(7);
        let torn = held.load(Ordering::Relaxed);
        hash.set(7, Entry { depth: 2, ..entry });
        held.store(torn, Ordering::Relaxed);
        assert_eq!(hash.get(7), None);
    }
}
