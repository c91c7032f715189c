//! Decoded blocks, shared by threads and bounded in memory.
//!
//! A block that is asked for again costs a look-up. The cache is cut into *shards*, each with a lock
//! of its own that is held for a look-up or an exchange of buffers, never while a block is read or
//! decoded; so threads hardly ever wait for each other. Two threads that miss the same block both
//! decode it, and the later one's is dropped.
//!
//! A hand goes round, as in a clock, to find what has to go: it passes what has been used since it
//! came by last, and takes the first that has not. A block that comes in is exchanged for the buffer
//! of the one that goes, so a full cache allocates nothing.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::BLOCK_POSITIONS;
use super::block::Part;

/// Blocks in the smallest cache: six moves, each with all its planes, and some to come back to.
const FEW: usize = 24;

/// How many shards a large cache has.
const SHARDS: usize = 64;

/// Which block of which open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub table: u64,
    pub part: Part,
    pub block: usize,
}

/// A quick hash of a [`Key`], which nobody chooses to do harm: with the one of the standard library
/// a look-up takes some 15 ns more.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, part: usize) {
        self.write_u64(part as u64);
    }

    fn write_isize(&mut self, part: isize) {
        self.write_u64(part as u64);
    }
}

/// Decoded blocks, see the module.
pub struct Cache {
    shards: Box<[Mutex<Shard>]>,
    /// Blocks in each.
    room: usize,
}

#[derive(Default)]
struct Shard {
    places: HashMap<Key, usize, BuildHasherDefault<Mix>>,
    kept: Vec<Kept>,
    hand: usize,
}

struct Kept {
    key: Key,
    used: bool,
    bytes: Vec<u8>,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = self.shards.len() * self.room;
        f.debug_struct("Cache").field("blocks", &blocks).finish_non_exhaustive()
    }
}

impl Default for Cache {
    /// A small one, for one thread.
    fn default() -> Cache {
        Cache::of(1, FEW)
    }
}

impl Cache {
    /// One that holds about `bytes` bytes of decoded blocks at most, and none before they are asked
    /// for.
    pub fn new(bytes: u64) -> Cache {
        let blocks = usize::try_from(bytes / u64::from(BLOCK_POSITIONS)).unwrap_or(usize::MAX);
        let shards = (blocks / FEW).clamp(1, SHARDS);
        Cache::of(shards, (blocks / shards).max(FEW))
    }

    fn of(shards: usize, room: usize) -> Cache {
        Cache { shards: (0..shards).map(|_| Mutex::default()).collect(), room }
    }

    fn shard(&self, key: Key) -> MutexGuard<'_, Shard> {
        let mut mix = Mix::default();
        key.hash(&mut mix);
        // The map looks at other bits of the same hash.
        let shard = (mix.finish() >> 40) as usize % self.shards.len();
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Byte `within` of a block, if it is here.
    pub(super) fn byte(&self, key: Key, within: usize) -> Option<u8> {
        let shard = &mut *self.shard(key);
        let kept = &mut shard.kept[*shard.places.get(&key)?];
        kept.used = true;
        Some(kept.bytes[within])
    }

    /// Takes a decoded block and leaves some other buffer in its place.
    pub(super) fn put(&self, key: Key, bytes: &mut Vec<u8>) {
        let shard = &mut *self.shard(key);
        if shard.places.contains_key(&key) {
            return;
        }
        let at = match shard.kept.len() < self.room {
            true => {
                shard.kept.push(Kept { key, used: false, bytes: Vec::new() });
                shard.kept.len() - 1
            }
            false => shard.make_room(),
        };
        let kept = &mut shard.kept[at];
        kept.key = key;
        std::mem::swap(&mut kept.bytes, bytes);
        shard.places.insert(key, at);
    }
}

impl Shard {
    /// The place of a block that has to go.
    fn make_room(&mut self) -> usize {
        loop {
            let at = self.hand;
            self.hand = (at + 1) % self.kept.len();
            if !std::mem::take(&mut self.kept[at].used) {
                self.places.remove(&self.kept[at].key);
                return at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(block: usize) -> Key {
        Key { table: 0, part: Part::Low, block }
    }

    #[test]
    fn what_is_used_stays_and_the_rest_goes_in_turn() {
        let cache = Cache::of(1, 3);
        let mut buffer = Vec::new();
        for block in 0..3 {
            buffer.push(block as u8);
            cache.put(key(block), &mut buffer);
            assert_eq!(cache.byte(key(block), 0), Some(block as u8));
        }
        // All have been used: the hand goes round once and takes the first.
        buffer = vec![3];
        cache.put(key(3), &mut buffer);
        assert_eq!((cache.byte(key(0), 0), &buffer), (None, &vec![0]));
        // 2 is used again, 1 is not.
        cache.byte(key(2), 0);
        cache.put(key(4), &mut vec![4]);
        assert_eq!([1, 2, 3, 4].map(|block| cache.byte(key(block), 0)), [None, Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn a_block_that_is_here_already_is_left_alone() {
        let cache = Cache::default();
        cache.put(key(0), &mut vec![5]);
        let mut buffer = vec![6];
        cache.put(key(0), &mut buffer);
        assert_eq!((cache.byte(key(0), 0), buffer), (Some(5), vec![6]));
    }

    #[test]
    fn memory_is_bounded() {
        for bytes in [0, 1 << 20, 1 << 24, 1 << 30] {
            let cache = Cache::new(bytes);
            let blocks = cache.shards.len() * cache.room;
            assert!(blocks * BLOCK_POSITIONS as usize <= (bytes as usize).max(1 << 20), "{bytes}: {blocks} blocks");
        }
    }
}
