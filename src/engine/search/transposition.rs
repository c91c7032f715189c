//! The transposition table: what has been found out about positions, shared by all threads.
//!
//! A slot is two words. The second is what was found, the first is the key combined with it. So a
//! slot that two threads have written at once does not fit its key and is as good as empty, and no
//! lock is needed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::worth::Worth;
use crate::error::{Error, Result};
use crate::game::House;
use crate::simd::{ask_for_large_pages, fetch};

/// What an entry says about the worth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryBound {
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
    pub bound: EntryBound,
    /// How many plies ahead the search looked.
    pub depth: u32,
    /// The best move, if one is known to be good.
    pub house: Option<House>,
}

impl Entry {
    /// Returns whether nothing more need be known between `alpha` and `beta`.
    pub fn settles(&self, alpha: Worth, beta: Worth) -> bool {
        match self.bound {
            EntryBound::Exact => true,
            EntryBound::AtLeast => self.worth >= beta,
            EntryBound::AtMost => self.worth <= alpha,
        }
    }
}

/// The positions that a search remembers, by hash key, four of them in a line of the processor's
/// cache. A new entry replaces the one in its line that is worth least: of an earlier search, or
/// searched less deep.
#[derive(Debug)]
pub struct TranspositionTable {
    lines: Box<[CacheLine]>,
    /// The number of the present search, as far as eight bits go.
    search: AtomicU64,
}

/// Adjacent slots.
#[derive(Debug, Default)]
#[repr(align(64))]
struct CacheLine([[AtomicU64; 2]; 4]);

/// Set in every entry, so that none is an empty slot.
const PRESENT: u64 = 1 << 40;
/// Where the number of the search stands.
const SEARCH: u32 = 48;
/// Plies that a search's being the present one is worth.
const PRESENT_SEARCH: u32 = 256;
/// Lines that are looked at to see how full the table is.
const LOOKED_AT: usize = 250;

impl TranspositionTable {
    /// Makes an empty table of `megabytes` MB, at least one.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no memory for it.
    pub fn new(megabytes: usize) -> Result<TranspositionTable> {
        let count = megabytes.max(1).saturating_mul((1 << 20) / size_of::<CacheLine>());
        let mut lines = Vec::new();
        let refused =
            format!("not enough memory for a hash table of {megabytes} MB; choose a smaller one");
        lines.try_reserve_exact(count).map_err(|_| Error::Usage(refused))?;
        // With small pages a look-up has to find its page first, at 0.81 to 0.85 of the positions a second.
        ask_for_large_pages(lines.spare_capacity_mut());
        lines.resize_with(count, Default::default);
        Ok(TranspositionTable { lines: lines.into_boxed_slice(), search: AtomicU64::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for [key, entry] in self.lines.iter().flat_map(|line| &line.0) {
            key.store(0, Ordering::Relaxed);
            entry.store(0, Ordering::Relaxed);
        }
    }

    /// Begins another search: entries of earlier ones are replaced first.
    pub(super) fn begin_search(&self) {
        self.search.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how many thousandths of the table the present search has filled, by a sample.
    pub(super) fn full(&self) -> u32 {
        let looked_at = &self.lines[..LOOKED_AT.min(self.lines.len())];
        let slots = looked_at.iter().flat_map(|line| &line.0);
        let search = self.search();
        let used = slots.filter(|[_, entry]| {
            let entry = entry.load(Ordering::Relaxed);
            entry & PRESENT != 0 && entry >> SEARCH == search
        });
        (used.count() * 1000 / (4 * looked_at.len())) as u32
    }

    fn search(&self) -> u64 {
        self.search.load(Ordering::Relaxed) & 0xff
    }

    /// Has the processor bring a position's line into its caches.
    pub(super) fn fetch(&self, key: u64) {
        fetch(self.line(key));
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.line(key).0.iter().find_map(|[held, entry]| {
            let entry = entry.load(Ordering::Relaxed);
            let fits = entry & PRESENT != 0 && held.load(Ordering::Relaxed) ^ entry == key;
            fits.then(|| unpack(entry))
        })
    }

    /// Remembers an entry; what is worth least in its line is forgotten.
    pub(super) fn set(&self, key: u64, entry: Entry) {
        let search = self.search();
        let [held, slot] = self
            .line(key)
            .0
            .iter()
            .min_by_key(|[held, slot]| {
                let old = slot.load(Ordering::Relaxed);
                match old {
                    old if held.load(Ordering::Relaxed) ^ old == key || old & PRESENT == 0 => 0,
                    old if old >> SEARCH == search => 1 + PRESENT_SEARCH + unpack(old).depth,
                    old => 1 + unpack(old).depth,
                }
            })
            .expect("four slots");
        let entry = pack(entry) | search << SEARCH;
        held.store(key ^ entry, Ordering::Relaxed);
        slot.store(entry, Ordering::Relaxed);
    }

    fn line(&self, key: u64) -> &CacheLine {
        &self.lines[((u128::from(key) * self.lines.len() as u128) >> 64) as usize]
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
        bound: [EntryBound::Exact, EntryBound::AtLeast, EntryBound::AtMost]
            [(bits >> 32 & 3) as usize % 3],
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
        for (number, bound) in
            [EntryBound::Exact, EntryBound::AtLeast, EntryBound::AtMost].into_iter().enumerate()
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

    /// Five entries for four slots: the one of an earlier search goes first, then the shallow ones.
    #[test]
    fn what_is_worth_least_is_forgotten() {
        let hash = TranspositionTable::new(1).unwrap();
        let entry =
            |depth| Entry { worth: Worth::ZERO, bound: EntryBound::Exact, depth, house: None };
        hash.set(0, entry(30));
        hash.begin_search();
        for key in 1..=4 {
            hash.set(key, entry(key as u32));
        }
        assert_eq!(
            [0, 1, 2, 3, 4].map(|key| hash.get(key).is_some()),
            [false, true, true, true, true]
        );
        hash.set(5, entry(1));
        assert_eq!([1, 2, 5].map(|key| hash.get(key).is_some()), [false, true, true]);
        assert_eq!(hash.full(), 4);
    }

    #[test]
    fn a_torn_slot_is_empty() {
        let hash = TranspositionTable::new(1).unwrap();
        let entry = Entry { worth: Worth::ZERO, bound: EntryBound::Exact, depth: 1, house: None };
        hash.set(7, entry);
        let [held, _] = &hash.line(7).0[0];
        let torn = held.load(Ordering::Relaxed);
        hash.set(7, Entry { depth: 2, ..entry });
        held.store(torn, Ordering::Relaxed);
        assert_eq!(hash.get(7), None);
    }
}
