//! Files far away, of which blocks are here.
//!
//! Bytes of a file are read from blocks; those that are not here are fetched, each run of them at
//! once. The blocks that came first go first when there are too many. What comes is proved as any
//! file is, but for the directory, of which only the entries that are needed come.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::shelf::{ReadAt, Shelf};
use crate::pool::locked;

/// Bytes that are fetched together.
const BLOCK: u64 = 4 << 10;
/// Blocks that are fetched with the first of a file: opening a table reads on from its header.
const HEAD: u64 = 4;
/// Blocks that are kept at most, of all files together: 64 MB.
const MOST: usize = 16 << 10;

/// Brings parts of files.
pub trait Fetch: Send + Sync {
    /// Returns the bytes of a file in a range, or more of them: all from `range.start` on, or, where
    /// that is all that can be had, the whole file with [`Fetched::Whole`].
    ///
    /// # Errors
    /// Whatever keeps it from bringing them; [`io::ErrorKind::WouldBlock`] if it brings them later.
    fn fetch(&self, name: &str, range: Range<u64>) -> io::Result<Fetched>;
}

/// What has been brought.
#[derive(Debug)]
pub enum Fetched {
    /// What was asked for.
    Part(Vec<u8>),
    /// The whole file.
    Whole(Vec<u8>),
}

/// A shelf of files far away.
pub struct FarShelf<F>(Arc<Far<F>>);

struct Far<F> {
    fetch: F,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Number and length of each file.
    files: BTreeMap<String, (usize, u64)>,
    blocks: HashMap<Key, Arc<[u8]>>,
    /// In the order in which they came.
    age: VecDeque<Key>,
}

/// A file by its number, and a block of it.
type Key = (usize, u64);

impl<F: Fetch> FarShelf<F> {
    /// Returns a shelf without files.
    pub fn new(fetch: F) -> FarShelf<F> {
        FarShelf(Arc::new(Far { fetch, state: Mutex::default() }))
    }

    /// Returns what fetches.
    pub fn fetcher(&self) -> &F {
        &self.0.fetch
    }

    /// Notes a file of this many bytes.
    pub fn note(&self, name: impl Into<String>, bytes: u64) {
        let mut state = locked(&self.0.state);
        let number = state.files.len();
        state.files.entry(name.into()).or_insert((number, bytes));
    }

    /// Takes bytes of a file: whole blocks from the beginning of one on, but for the end of the file.
    /// What else comes is let go.
    pub fn supply(&self, name: &str, offset: u64, bytes: &[u8]) {
        let mut state = locked(&self.0.state);
        let Some(&file) = state.files.get(name) else { return };
        state.keep_all(file, offset, bytes);
    }
}

impl<F> fmt::Debug for FarShelf<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(locked(&self.0.state).files.keys()).finish()
    }
}

impl<F: Fetch + 'static> Shelf for FarShelf<F> {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(locked(&self.0.state).files.keys().cloned().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>> {
        let found = locked(&self.0.state).files.get(name).copied();
        let (number, bytes) = found.ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(FarFile { name: name.to_owned(), number, bytes, far: self.0.clone() }))
    }
}

impl State {
    /// Keeps the blocks of a file, given its number and length, that begin with the one at `offset`. What
    /// has not the length of its block is none of the file.
    fn keep_all(&mut self, (number, length): (usize, u64), offset: u64, bytes: &[u8]) {
        for (block, part) in (offset / BLOCK..).zip(bytes.chunks(BLOCK as usize)) {
            let (key, is_whole) =
                ((number, block), part.len() as u64 == block_bytes(block, length));
            if is_whole && self.blocks.insert(key, part.into()).is_none() {
                self.age.push_back(key);
            }
            while self.age.len() > MOST {
                let oldest = self.age.pop_front();
                oldest.map(|key| self.blocks.remove(&key));
            }
        }
    }
}

/// A file far away.
struct FarFile<F> {
    name: String,
    number: usize,
    bytes: u64,
    far: Arc<Far<F>>,
}

impl<F> fmt::Debug for FarFile<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl<F: Fetch> FarFile<F> {
    /// Returns the blocks that are here.
    fn here(&self, blocks: Range<u64>) -> Vec<Option<Arc<[u8]>>> {
        let state = locked(&self.far.state);
        blocks.map(|block| state.blocks.get(&(self.number, block)).cloned()).collect()
    }

    /// Fetches blocks that follow each other, and keeps them.
    fn bring(&self, blocks: Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let range = blocks.start * BLOCK..self.bytes.min(blocks.end.saturating_mul(BLOCK));
        let (fetched, first, end) = match self.far.fetch.fetch(&self.name, range.clone())? {
            Fetched::Part(bytes) => (bytes, range.start, range.end),
            Fetched::Whole(bytes) => (bytes, 0, self.bytes),
        };
        if ((end - first) as usize) > fetched.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        locked(&self.far.state).keep_all((self.number, self.bytes), first, &fetched);
        let cut = |block: u64| {
            let from = (block * BLOCK - first) as usize;
            fetched[from..from + block_bytes(block, self.bytes) as usize].into()
        };
        Ok(blocks.map(cut).collect())
    }
}

impl<F: Fetch> ReadAt for FarFile<F> {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn is_far(&self) -> bool {
        true
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= self.bytes);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let needed = offset / BLOCK..end.div_ceil(BLOCK);
        // With the first block come some that are not asked for yet.
        let head = if needed.start == 0 { HEAD.min(self.bytes.div_ceil(BLOCK)) } else { 0 };
        let mut blocks = self.here(needed.start..needed.end.max(head));
        let mut failure = Ok(());
        for run in missing(&blocks) {
            let first = needed.start + run.start as u64;
            match self.bring(first..first + run.len() as u64) {
                Ok(brought) => blocks[run].iter_mut().zip(brought).for_each(|(block, new)| {
                    *block = Some(new);
                }),
                Err(error) => failure = failure.and(Err(error)),
            }
        }
        failure?;
        for (block, part) in needed.zip(blocks.iter().flatten()) {
            let from = block * BLOCK;
            let (first, last) = (offset.max(from), end.min(from + part.len() as u64));
            buffer[(first - offset) as usize..(last - offset) as usize]
                .copy_from_slice(&part[(first - from) as usize..(last - from) as usize]);
        }
        Ok(())
    }
}

/// Returns the runs of blocks that are not here.
fn missing(blocks: &[Option<Arc<[u8]>>]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..blocks.len()).filter(|&at| blocks[at].is_none()) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// How many bytes a block of a file has.
fn block_bytes(block: u64, length: u64) -> u64 {
    length.saturating_sub(block * BLOCK).min(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// Brings parts of one file, or all of it, and counts how often.
    struct Near {
        bytes: Vec<u8>,
        whole: bool,
        asked: Mutex<Vec<Range<u64>>>,
    }

    impl Fetch for Near {
        fn fetch(&self, _: &str, range: Range<u64>) -> io::Result<Fetched> {
            self.asked.lock().unwrap().push(range.clone());
            Ok(match self.whole {
                true => Fetched::Whole(self.bytes.clone()),
                false => Fetched::Part(self.bytes[range.start as usize..range.end as usize].into()),
            })
        }
    }

    #[test]
    fn reads_are_those_of_the_file_and_no_block_is_fetched_twice() {
        let mut dice = Dice::new(7);
        for (length, whole) in
            [(5, false), (BLOCK, false), (10 * BLOCK + 77, false), (70_000, true)]
        {
            let bytes: Vec<u8> = (0..length).map(|_| dice.below(256) as u8).collect();
            let near = Near { bytes: bytes.clone(), whole, asked: Mutex::default() };
            let shelf = FarShelf::new(near);
            shelf.note("file", length);
            let file = shelf.open("file").unwrap();
            for _ in 0..300 {
                let from = dice.below(length + 1);
                let count = dice.below(length + 1 - from);
                let mut found = vec![0; count as usize];
                file.read_exact_at(&mut found, from).unwrap();
                assert_eq!(found, bytes[from as usize..][..count as usize]);
            }
            let asked = shelf.fetcher().asked.lock().unwrap();
            let fetched: u64 = asked.iter().map(|range| range.end - range.start).sum();
            assert!(fetched <= length && (!whole || asked.len() == 1), "{asked:?}");
            let beyond = file.read_exact_at(&mut [0; 2], length - 1).unwrap_err();
            assert_eq!(beyond.kind(), io::ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn too_little_is_no_file() {
        // The list says more than there is, in the last block and behind it.
        for (length, listed) in [(100, 101), (3 * BLOCK + 100, 3 * BLOCK + 200), (BLOCK, 9 * BLOCK)]
        {
            let bytes = vec![1; length as usize];
            let near = Near { bytes, whole: true, asked: Mutex::default() };
            let shelf = FarShelf::new(near);
            shelf.note("file", listed);
            let file = shelf.open("file").unwrap();
            for offset in [0, length - 3, listed - 3] {
                let error = file.read_exact_at(&mut [0; 3], offset).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            }
            assert!(shelf.open("other").is_err());
        }
    }
}
