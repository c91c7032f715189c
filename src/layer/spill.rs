//! Memory with a file behind it, for what does not fit.
//!
//! Scores on disk are a map of a file without a name: they have addresses as in memory, so whoever
//! works on them need not know, and the system brings in what is touched. What it does not do by
//! itself is to keep a program to a bound. A [`Spill`] does: whoever works on mapped memory asks it
//! after every few tiles to [keep to the bound](Spill::keep), and while the program holds more, it
//! lets go of the mapped pages, a stride after the other, round and round. What was written to them
//! stays in the file, so letting go is never wrong, whoever looks at the pages at that moment; it
//! takes time alone, for they come back when they are touched again.
//!
//! Why not read and write pieces of a file into a pool of memory, by a plan? That is what a prototype
//! did, and under a hard limit on all memory, files in the system's cache included, it is the
//! faster way. But every kernel, the tail, the core of repetition, strategies and the table's
//! encoder read scores at addresses; here they do so unchanged, and what they compute cannot depend
//! on where scores are. Pages go in the order of addresses, not by when they are wanted next, which
//! costs little while the system keeps the file in memory that nobody else wants: the page comes
//! back without the disk.
//!
//! Where it does not, pages really come from the disk. What is touched next does not lie next in
//! the file, so the system, left alone, reads around each page what nobody wants and drops what
//! somebody does; it is told not to. Who knows what will be touched [fetches](Pages::fetch) it
//! ahead: a sweep strip by strip, who enters captures or encodes block by block. With both `awari`'s
//! layer of 22 seeds took 26 to 39 s in a control group of 241 MB; before, it was not done with the
//! fourth sweep after 450 s.
//!
//! Invariant: after [`Spill::keep`] the program holds no more than the bound, or no mapped page.
//!
//! The space of a file is taken when it is made. Otherwise a full disk would end the program while
//! it writes to an address; now it is an error before anything is computed.

use std::fmt;
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use memmap2::{MmapOptions, MmapRaw};

use crate::error::{Error, Result};

/// What a spill asks of the world.
pub trait Backing: Send + Sync {
    /// A new file of so many bytes, all zero, which nobody else sees and the disk has room for.
    ///
    /// # Errors
    /// Whatever the disk fails with.
    fn file(&self, bytes: u64) -> Result<File>;

    /// Whether this thread may have brought in much since it last asked for the excess. It is asked
    /// for far more often.
    fn may_exceed(&self) -> bool {
        true
    }

    /// Bytes of memory that the program holds more than it may.
    fn excess(&self) -> u64;
}

/// Bytes of a map that are let go at a time.
const STRIDE: usize = 1 << 20;

/// Where mapped memory comes from, and who sees to it that it does not become too much.
#[derive(Clone)]
pub struct Spill(Arc<Spilled>);

struct Spilled {
    backing: Box<dyn Backing>,
    pieces: Mutex<Pieces>,
}

/// All maps, and how far it has come who lets go of their pages.
#[derive(Default)]
struct Pieces {
    maps: Vec<Weak<MmapRaw>>,
    map: usize,
    offset: usize,
}

/// A stretch of mapped memory. Its file is gone when it is.
#[derive(Debug)]
pub struct Piece {
    map: Arc<MmapRaw>,
    spill: Spill,
}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spill").finish_non_exhaustive()
    }
}

impl Spill {
    /// One with this behind it.
    pub fn new(backing: impl Backing + 'static) -> Spill {
        let pieces = Mutex::default();
        Spill(Arc::new(Spilled { backing: Box::new(backing), pieces }))
    }

    /// Memory of so many bytes, all zero.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk has no room for it, and [`Error::OutOfMemory`] if the system has
    /// no addresses.
    pub fn piece(&self, length: usize) -> Result<Piece> {
        let bytes = length.max(1);
        let file = self.0.backing.file(bytes as u64)?;
        let map = MmapOptions::new().len(bytes).map_raw(&file);
        let map = Arc::new(map.map_err(|_| Error::OutOfMemory { bytes: bytes as u64 })?);
        take_as_it_comes(&map);
        let mut pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.maps.push(Arc::downgrade(&map));
        drop(pieces);
        Ok(Piece { map, spill: self.clone() })
    }

    /// Lets go of mapped pages until the program holds no more than it may, or none is left.
    pub fn keep(&self) {
        let excess = || self.0.backing.excess();
        if !self.0.backing.may_exceed() || excess() == 0 {
            return;
        }
        let mut pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.maps.retain(|map| map.strong_count() > 0);
        for _ in 0..pieces.strides() {
            if excess() == 0 {
                return;
            }
            pieces.let_go();
        }
    }
}

impl Pieces {
    /// How many strides all maps have.
    fn strides(&self) -> usize {
        let maps = self.maps.iter().filter_map(Weak::upgrade);
        maps.map(|map| map.len().div_ceil(STRIDE)).sum()
    }

    /// Lets go of the next stride.
    fn let_go(&mut self) {
        if self.map >= self.maps.len() {
            (self.map, self.offset) = (0, 0);
        }
        let Some(map) = self.maps.get(self.map).and_then(Weak::upgrade) else {
            (self.map, self.offset) = (self.map + 1, 0);
            return;
        };
        if self.offset < map.len() {
            let_go(&map, self.offset, STRIDE.min(map.len() - self.offset));
            self.offset += STRIDE;
        }
        if self.offset >= map.len() {
            (self.map, self.offset) = (self.map + 1, 0);
        }
    }
}

/// Takes pages of a shared map of a file out of this program's memory. An error says that some
/// stay, and whoever counts sees that.
#[cfg(unix)]
#[allow(unsafe_code)]
fn let_go(map: &MmapRaw, offset: usize, length: usize) {
    // SAFETY: the map is a shared one of a file, so what stands there does not change.
    let _ =
        unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, offset, length) };
}

/// Other systems take pages away as they see fit.
#[cfg(not(unix))]
fn let_go(_: &MmapRaw, _: usize, _: usize) {}

/// Says that pages are touched here and there, a few at a time. An error leaves all as it is.
#[cfg(unix)]
fn take_as_it_comes(map: &MmapRaw) {
    let _ = map.advise(memmap2::Advice::Random);
    // Or else a single touch would bring in two megabytes between two looks at the bound.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::NoHugePage);
}

/// Other systems do as they see fit.
#[cfg(not(unix))]
fn take_as_it_comes(_: &MmapRaw) {}

/// The pages of a piece, for somebody who knows which will be touched.
#[derive(Clone, Debug)]
pub struct Pages(Arc<MmapRaw>);

impl Pages {
    /// Asks the system to read some bytes from disk, if they are not in memory. It does so
    /// meanwhile, into memory of its own, which the program does not hold before it touches it.
    #[cfg(unix)]
    pub fn fetch(&self, offset: usize, length: usize) {
        // What is not read now is read when it is touched.
        let _ = self.0.advise_range(memmap2::Advice::WillNeed, offset, length);
    }

    /// Other systems read what is touched.
    #[cfg(not(unix))]
    pub fn fetch(&self, _: usize, _: usize) {}
}

impl Piece {
    /// Its pages, which may be fetched while others work on them.
    pub fn pages(&self) -> Pages {
        Pages(self.map.clone())
    }

    /// Where it comes from.
    pub fn spill(&self) -> &Spill {
        &self.spill
    }

    /// The bytes.
    #[allow(unsafe_code)]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the map is as long as it says and all of it is initialized, for the file has no
        // holes behind its end; nobody else knows the file, and who borrows the piece to read keeps
        // others from writing.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr(), self.map.len()) }
    }

    /// The bytes, to write.
    #[allow(unsafe_code)]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and who borrows the piece to write is alone.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr(), self.map.len()) }
    }
}
