//! Decoded tiles, shared by threads and bounded in memory.
//!
//! A tile that is asked for again costs a look-up. The cache is cut into *shards*, each with a lock
//! of its own that is held for a look-up or to keep a copy, never while a tile is read or decoded;
//! so threads hardly ever wait for each other. Two threads that miss the same tile both decode it,
//! and the later one's is dropped.
//!
//! A hand goes round, as in a clock, to find what has to go: it passes what has been used since it
//! came by last, and takes the first that has not.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::pool::locked;

/// Bytes that the smallest cache holds: tiles for a few probes, and some to come back to.
const LEAST: usize = 1 << 18;

/// Tiles that a thread has at hand at most: 4 MB of handles.
const MOST_RECENT: usize = 1 << 17;

/// How many shards a large cache has.
const SHARDS: usize = 64;

/// Which tile, or frame of another game, of which open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub table: u64,
    pub tile: usize,
}

/// Returns the number of a table that has just been opened: no other has it.
pub(super) fn next_table() -> u64 {
    static OPENED: AtomicU64 = AtomicU64::new(0);
    OPENED.fetch_add(1, Ordering::Relaxed)
}

/// A cache of decoded tiles, bounded in memory, that threads share.
pub struct Cache {
    shards: Box<[Mutex<Shard>]>,
    /// Bytes in each.
    room: usize,
}

#[derive(Default)]
struct Shard {
    /// Keys are not chosen by an attacker; with the hash of the standard library a look-up takes
    /// some 15 ns more.
    places: FxHashMap<Key, usize>,
    kept: Vec<Kept>,
    hand: usize,
    bytes: usize,
}

struct Kept {
    key: Key,
    used: bool,
    bytes: Arc<[u8]>,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let room = self.shards.len() * self.room;
        f.debug_struct("Cache").field("room", &room).finish_non_exhaustive()
    }
}

impl Default for Cache {
    /// Makes a small cache, for one thread.
    fn default() -> Cache {
        Cache::of(1, LEAST)
    }
}

impl Cache {
    /// Makes a cache that holds at most `bytes` bytes of decoded tiles, or a few tiles if that is
    /// too little, and none before they are asked for. A tile that has to go stays in memory as
    /// long as a thread has it at hand: at most an eighth as much for each thread, a quarter with
    /// tables of two planes.
    pub fn new(bytes: u64) -> Cache {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let shards = (bytes / LEAST).clamp(1, SHARDS);
        Cache::of(shards, (bytes / shards).max(LEAST))
    }

    fn of(shards: usize, room: usize) -> Cache {
        Cache { shards: (0..shards).map(|_| Mutex::default()).collect(), room }
    }

    /// Returns how many tiles a thread may have at hand, a power of two: few of those that are here.
    fn recent(&self) -> usize {
        let tiles = (self.shards.len() * self.room / LEAST * 16).clamp(16, MOST_RECENT);
        1 << tiles.ilog2()
    }

    fn shard(&self, key: Key) -> MutexGuard<'_, Shard> {
        // The hash is best in its lowest 26 bits, of which the map takes the lower ones.
        let shard = (FxBuildHasher.hash_one(key) >> 20) as usize % self.shards.len();
        locked(&self.shards[shard])
    }

    /// Returns a tile, if it is here.
    pub(super) fn get(&self, key: Key) -> Option<Arc<[u8]>> {
        let shard = &mut *self.shard(key);
        let kept = &mut shard.kept[*shard.places.get(&key)?];
        kept.used = true;
        Some(kept.bytes.clone())
    }

    /// Keeps a copy of a decoded tile.
    pub(super) fn put(&self, key: Key, bytes: &[u8]) {
        let shard = &mut *self.shard(key);
        if shard.places.contains_key(&key) {
            return;
        }
        while shard.bytes + bytes.len() > self.room && !shard.kept.is_empty() {
            shard.go_on();
        }
        shard.bytes += bytes.len();
        shard.places.insert(key, shard.kept.len());
        shard.kept.push(Kept { key, used: false, bytes: bytes.into() });
    }
}

/// The tiles that one thread has looked at lately, at hand without a lock: of those that share a
/// slot the last one.
#[derive(Default)]
pub(super) struct Recent {
    slots: Vec<Option<(Key, Arc<[u8]>)>>,
}

impl Recent {
    /// Returns a tile, from the cache if it is not at hand.
    #[inline]
    pub fn get(&mut self, key: Key, cache: &Cache) -> Option<&[u8]> {
        if self.slots.is_empty() {
            self.slots.resize(cache.recent(), None);
        }
        // Tiles that follow each other have slots that do, so that few lines of the processor's
        // cache hold them all.
        let slot = (FxBuildHasher.hash_one(key.table) as usize).wrapping_add(key.tile);
        let last = self.slots.len() - 1;
        let slot = &mut self.slots[slot & last];
        if slot.as_ref().is_none_or(|(held, _)| *held != key) {
            *slot = Some((key, cache.get(key)?));
        }
        slot.as_ref().map(|(_, bytes)| &**bytes)
    }
}

impl Shard {
    /// Passes one tile, or lets it go: then the last one takes its place.
    fn go_on(&mut self) {
        let at = self.hand % self.kept.len();
        self.hand = at + 1;
        if std::mem::take(&mut self.kept[at].used) {
            return;
        }
        let Kept { key, bytes, .. } = self.kept.swap_remove(at);
        self.places.remove(&key);
        if let Some(moved) = self.kept.get(at) {
            self.places.insert(moved.key, at);
        }
        self.bytes -= bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tile: usize) -> Key {
        Key { table: 0, tile }
    }

    fn first(cache: &Cache, tile: usize) -> Option<u8> {
        cache.get(key(tile)).map(|bytes| bytes[0])
    }

    #[test]
    fn what_is_used_stays_and_the_rest_goes_in_turn() {
        let cache = Cache::of(1, 3);
        for tile in 0..3 {
            cache.put(key(tile), &[tile as u8]);
            assert_eq!(first(&cache, tile), Some(tile as u8));
        }
        // All have been used: the hand goes round once and takes the first.
        cache.put(key(3), &[3]);
        assert_eq!(first(&cache, 0), None);
        // 2 is used again, 1 is not.
        first(&cache, 2);
        cache.put(key(4), &[4]);
        assert_eq!([1, 2, 3, 4].map(|tile| first(&cache, tile)), [None, Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn a_tile_that_is_here_already_is_left_alone() {
        let cache = Cache::default();
        cache.put(key(0), &[5]);
        cache.put(key(0), &[6]);
        assert_eq!(first(&cache, 0), Some(5));
    }

    #[test]
    fn what_is_at_hand_is_what_is_kept() {
        let (cache, mut recent) = (Cache::of(1, LEAST), Recent::default());
        for tile in 0..500 {
            assert_eq!(recent.get(key(tile), &cache), None);
            cache.put(key(tile), &[tile as u8; 1000]);
            for earlier in [tile, tile / 2, 0] {
                let known = cache.get(key(earlier));
                let found = recent.get(key(earlier), &cache);
                assert!(found.is_none_or(|found| found == [earlier as u8; 1000]));
                assert!(known.is_none() || found.is_some());
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        for bytes in [0, 1 << 20, 1 << 22] {
            let cache = Cache::new(bytes);
            for tile in 0..3000 {
                cache.put(key(tile), &vec![0; 1000 + tile]);
                let shard = |shard: &Mutex<Shard>| {
                    let shard = shard.lock().unwrap();
                    let kept: usize = shard.kept.iter().map(|kept| kept.bytes.len()).sum();
                    assert_eq!((kept, shard.places.len()), (shard.bytes, shard.kept.len()));
                    kept
                };
                let kept: usize = cache.shards.iter().map(shard).sum();
                assert!(kept <= (bytes as usize).max(LEAST), "{bytes}: {kept} bytes");
            }
            assert_eq!(first(&cache, 2999), Some(0));
        }
    }
}
