//! Files far away, of which blocks are here.
//!
//! Whoever reads a block that is not here fails, and it is written down that the block is wanted. The
//! page fetches what is wanted and asks again; nothing waits, and nothing is read twice in another
//! way. What comes is proved as any file is.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_db::table::{InMemoryShelf, ReadAt, Shelf};

/// Bytes that are fetched together.
const BLOCK: u64 = 16 << 10;
/// Blocks that are kept at most, of all files together: 64 MB.
const MOST: usize = 4 << 10;

/// A file by its number, and a block of it.
type Key = (usize, u64);

/// What is here and far away.
#[derive(Debug, Default)]
pub struct Places {
    here: InMemoryShelf,
    far: Arc<Far>,
}

#[derive(Debug, Default)]
struct Far(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Number and length of each file.
    files: BTreeMap<String, (usize, u64)>,
    blocks: HashMap<Key, Arc<[u8]>>,
    /// In the order in which they came.
    age: VecDeque<Key>,
    wanted: Vec<Key>,
}

/// A part of a file that is wanted.
pub struct Wanted {
    /// The file.
    pub name: String,
    /// The bytes.
    pub bytes: Range<u64>,
}

impl Places {
    /// Returns the files that are here.
    pub fn here(&self) -> &InMemoryShelf {
        &self.here
    }

    /// Notes a file far away.
    pub fn note(&self, name: String, bytes: u64) {
        let mut state = self.far.state();
        let number = state.files.len();
        state.files.entry(name).or_insert((number, bytes));
    }

    /// Takes bytes of a file far away: whole blocks from the beginning of one on, but for the end of
    /// the file. What else comes is let go.
    pub fn supply(&self, name: &str, offset: u64, bytes: &[u8]) {
        let mut state = self.far.state();
        let Some(&(number, length)) = state.files.get(name) else { return };
        for (block, part) in (offset / BLOCK..).zip(bytes.chunks(BLOCK as usize)) {
            if part.len() as u64 == block_bytes(block, length) {
                state.keep((number, block), part.into());
            }
        }
    }

    /// Returns what was wanted since the last call, blocks that follow each other as one part.
    pub fn take_wanted(&self) -> Vec<Wanted> {
        let mut state = self.far.state();
        let mut keys = std::mem::take(&mut state.wanted);
        keys.sort_unstable();
        keys.dedup();
        let mut parts: Vec<(usize, Range<u64>)> = Vec::new();
        for (number, block) in keys {
            match parts.last_mut() {
                Some((last, range)) if *last == number && range.end == block => range.end += 1,
                _ => parts.push((number, block..block + 1)),
            }
        }
        let by_number: HashMap<usize, (&String, u64)> =
            state.files.iter().map(|(name, &(number, length))| (number, (name, length))).collect();
        let wanted = |(number, blocks): (usize, Range<u64>)| {
            let (name, length) = by_number[&number];
            let bytes = blocks.start * BLOCK..length.min(blocks.end * BLOCK);
            Wanted { name: name.clone(), bytes }
        };
        parts.into_iter().map(wanted).collect()
    }
}

impl Shelf for Places {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.here.names()?;
        names.extend(self.far.state().files.keys().cloned());
        Ok(names)
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>> {
        if let Ok(found) = self.here.open(name) {
            return Ok(found);
        }
        let state = self.far.state();
        let (number, bytes) = *state.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(FarFile { number, bytes, far: self.far.clone() }))
    }
}

impl Far {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, key: Key, block: Arc<[u8]>) {
        if self.blocks.insert(key, block).is_none() {
            self.age.push_back(key);
        }
        while self.age.len() > MOST {
            let oldest = self.age.pop_front();
            oldest.map(|key| self.blocks.remove(&key));
        }
    }
}

/// A file far away.
#[derive(Debug)]
struct FarFile {
    number: usize,
    bytes: u64,
    far: Arc<Far>,
}

impl ReadAt for FarFile {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= self.bytes);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut state = self.far.state();
        let needed = offset / BLOCK..end.div_ceil(BLOCK);
        let missing: Vec<Key> = needed
            .clone()
            .map(|block| (self.number, block))
            .filter(|key| !state.blocks.contains_key(key))
            .collect();
        if !missing.is_empty() {
            // Whoever begins to read a file needs its end as well.
            let last = (self.number, (self.bytes - 1) / BLOCK);
            let begins = offset == 0 && !state.blocks.contains_key(&last);
            state.wanted.extend(missing.into_iter().chain(begins.then_some(last)));
            return Err(io::ErrorKind::WouldBlock.into());
        }
        for block in needed {
            let from = block * BLOCK;
            let part = &state.blocks[&(self.number, block)];
            let (first, last) = (offset.max(from), end.min(from + part.len() as u64));
            buffer[(first - offset) as usize..(last - offset) as usize]
                .copy_from_slice(&part[(first - from) as usize..(last - from) as usize]);
        }
        Ok(())
    }
}

/// How many bytes a block of a file has.
fn block_bytes(block: u64, length: u64) -> u64 {
    length.saturating_sub(block * BLOCK).min(BLOCK)
}
