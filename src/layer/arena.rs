//! Memory that is kept from layer to layer.
//!
//! The system clears every page that a program touches for the first time, which takes longer than
//! a sweep over it. Layers are solved one after the other, each larger than the last, and most of
//! what one needs is free again when the next begins. So an [`Arena`] keeps it: a plane's memory
//! goes back when the plane is dropped.
//!
//! Each piece is *reserved* larger than asked for, which costs nothing until it is touched, so that
//! the next layers fit where this one was. Pieces too small for what is asked for now are given up,
//! for layers only grow: what is kept has room in what comes next, so a ceiling on the memory of a
//! solve holds for the arena, too.
//!
//! Where memory is short, a *passing* arena gives everything back at once, and a *spilled* one has
//! its memory in files ([`super::spill`]).

use std::ops::Range;
use std::sync::{Arc, Mutex, Weak};

use crate::error::{Error, Result};
use crate::layer::spill::{Pages, Piece, Spill};
use crate::parallel;
use crate::pool::locked;
use crate::timeline;

/// How much larger a piece is than what it is for: two layers more, about.
const RESERVE: usize = 3;

/// Bytes of the largest page that memory is given back in.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 16;

/// Bytes that one task fills.
const PART: usize = 1 << 20;

/// Pieces of memory that wait for their next use.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    free: Arc<Free>,
    source: MemorySource,
}

/// Where an arena's memory comes from.
#[derive(Clone, Debug, Default)]
enum MemorySource {
    /// From the system, which does not get it back.
    #[default]
    Kept,
    /// From the system.
    Passing,
    /// From files.
    Spilled(Spill),
}

/// What the system gives: a map, if it has any.
#[cfg(any(unix, windows))]
type Given = memmap2::MmapMut;
#[cfg(not(any(unix, windows)))]
use whole_lines::Given;

type Free = Mutex<Vec<Given>>;

impl Arena {
    /// One that keeps nothing: where memory is short, free pieces go back to the system.
    pub fn passing() -> Arena {
        Arena { source: MemorySource::Passing, ..Arena::default() }
    }

    /// One whose memory has files behind it.
    pub fn spilled(spill: Spill) -> Arena {
        Arena { source: MemorySource::Spilled(spill), ..Arena::default() }
    }

    /// Whether its memory has files behind it.
    pub fn is_spilled(&self) -> bool {
        self.spill().is_some()
    }

    /// Where these come from, then.
    pub fn spill(&self) -> Option<&Spill> {
        match &self.source {
            MemorySource::Kept | MemorySource::Passing => None,
            MemorySource::Spilled(spill) => Some(spill),
        }
    }

    /// Keeps the program to its bound of memory, if some has files behind it; to be called after
    /// every few tiles of work.
    pub fn enforce_bound(&self) {
        self.spill().into_iter().for_each(Spill::enforce_bound);
    }

    /// Lets go of pages for memory of this many bytes that comes from elsewhere.
    pub fn make_room(&self, bytes: u64) {
        self.spill().into_iter().for_each(|spill| spill.make_room(bytes));
    }

    /// A piece of `length` bytes that holds `fill` everywhere.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system has no memory to give, and [`Error::Io`] if the memory
    /// has files behind it and the disk has no room for one.
    pub fn take(&self, length: usize, fill: u8) -> Result<Memory> {
        let (stretch, is_clear) = match (&self.source, self.fitting(length)) {
            (MemorySource::Spilled(spill), _) => (Stretch::Mapped(spill.piece(length)?), true),
            (_, Some(map)) => (Stretch::InMemory(map), false),
            (MemorySource::Kept, None) => (Stretch::InMemory(reserve(length)?), true),
            (MemorySource::Passing, None) => (Stretch::InMemory(fresh(length)?), true),
        };
        let home = match self.source {
            MemorySource::Kept => Arc::downgrade(&self.free),
            MemorySource::Passing | MemorySource::Spilled(_) => Weak::new(),
        };
        let mut memory = Memory { stretch: Some(stretch), length, home };
        if fill != 0 || !is_clear {
            let pages = memory.pages().cloned();
            let _region = timeline::region("memory");
            parallel::each_of(memory.bytes_mut().chunks_mut(PART).enumerate(), |(number, part)| {
                timeline::task();
                let stretch = number * PART..number * PART + part.len();
                pages.iter().for_each(|pages| pages.bring(stretch.clone(), true));
                part.fill(fill);
                self.enforce_bound();
            });
        }
        Ok(memory)
    }

    /// The smallest free piece that is large enough. Smaller ones are given up.
    fn fitting(&self, length: usize) -> Option<Given> {
        let mut free = locked(&self.free);
        free.retain(|piece| piece.len() >= length);
        let smallest = (0..free.len()).min_by_key(|&piece| free[piece].len())?;
        Some(free.swap_remove(smallest))
    }
}

/// Fresh memory, and room behind it for larger layers if the system lets us have that.
fn reserve(length: usize) -> Result<Given> {
    if has_bounded_addresses() {
        return fresh(length);
    }
    fresh(length.saturating_mul(RESERVE)).or_else(|_| fresh(length))
}

/// Whether what is reserved counts as if it were used: under `ulimit -v`, with 32 bits, and on Windows.
#[cfg(unix)]
fn has_bounded_addresses() -> bool {
    use rustix::process::{Resource, getrlimit};
    usize::BITS < 64 || getrlimit(Resource::As).current.is_some()
}

#[cfg(not(unix))]
fn has_bounded_addresses() -> bool {
    true
}

/// Fresh memory.
#[cfg(any(unix, windows))]
fn fresh(length: usize) -> Result<Given> {
    let map = Given::map_anon(length.max(1));
    let map = map.map_err(|_| Error::OutOfMemory { bytes: length as u64 })?;
    // Rows are read from all over the memory: with small pages much time goes into finding them.
    // Where the system has no large ones, nothing is lost.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

#[cfg(not(any(unix, windows)))]
fn fresh(length: usize) -> Result<Given> {
    Given::new(length).ok_or(Error::OutOfMemory { bytes: length as u64 })
}

/// Memory of a system without maps.
#[cfg(not(any(unix, windows)))]
mod whole_lines {
    use std::ops::{Deref, DerefMut};

    use zerocopy::{FromZeros, IntoBytes};

    use crate::layer::line::Line;

    /// Whole lines, which may be longer than what they are asked for.
    #[derive(Debug)]
    pub struct Given(Vec<Line>);

    impl Given {
        /// Returns zeros, or nothing where there is no memory.
        pub fn new(length: usize) -> Option<Given> {
            let count = length.div_ceil(size_of::<Line>());
            let mut lines = Vec::new();
            lines.try_reserve_exact(count).ok()?;
            lines.resize_with(count, Line::new_zeroed);
            Some(Given(lines))
        }
    }

    impl Deref for Given {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }

    impl DerefMut for Given {
        fn deref_mut(&mut self) -> &mut [u8] {
            self.0.as_mut_bytes()
        }
    }
}

/// Bytes that return to their arena when this is dropped.
#[derive(Debug)]
pub struct Memory {
    /// There until it goes home.
    stretch: Option<Stretch>,
    length: usize,
    home: Weak<Free>,
}

#[derive(Debug)]
enum Stretch {
    InMemory(Given),
    Mapped(Piece),
}

impl Memory {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        let all = match &self.stretch {
            None => &[],
            Some(Stretch::InMemory(map)) => &map[..],
            Some(Stretch::Mapped(piece)) => piece.bytes(),
        };
        &all[..self.length]
    }

    /// The bytes, to write.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let all = match &mut self.stretch {
            None => &mut [],
            Some(Stretch::InMemory(map)) => &mut map[..],
            Some(Stretch::Mapped(piece)) => piece.bytes_mut(),
        };
        &mut all[..self.length]
    }

    /// Gives the system those pages back that lie in a stretch as a whole, if nothing waits for this
    /// memory and no file is behind it. There are other bytes in them then.
    pub fn let_go(&mut self, stretch: Range<usize>) {
        if let Some(Stretch::InMemory(map)) = &mut self.stretch
            && self.home.strong_count() == 0
        {
            let_go(map, stretch);
        }
    }

    /// Its pages, if a file is behind it.
    pub fn pages(&self) -> Option<&Arc<Pages>> {
        match &self.stretch {
            Some(Stretch::Mapped(piece)) => Some(piece.pages()),
            None | Some(Stretch::InMemory(_)) => None,
        }
    }

    /// Who keeps the program to its bound, if a file is behind this memory.
    pub fn spill(&self) -> Option<&Spill> {
        self.pages().map(|pages| pages.spill())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let (Some(Stretch::InMemory(map)), Some(home)) =
            (self.stretch.take(), self.home.upgrade())
        {
            locked(&home).push(map);
        }
    }
}

/// Gives whole pages of a stretch back, which then hold 0.
///
/// # Panics
/// If the map is not as long: what stands behind it belongs to others.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn let_go(map: &mut Given, stretch: Range<usize>) {
    assert!(stretch.end <= map.len(), "{stretch:?} of {} bytes", map.len());
    let (start, end) = (stretch.start.next_multiple_of(PAGE), stretch.end / PAGE * PAGE);
    if start < end {
        // SAFETY: the bytes are the map's, as has just been asserted. There is no other reference to
        // them, and each may be anything. If the system refuses, they stay.
        let _ = unsafe {
            map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, end - start)
        };
    }
}

/// Elsewhere pages stay.
#[cfg(not(target_os = "linux"))]
fn let_go(_: &mut Given, _: Range<usize>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_filled_anew() {
        let arena = Arena::default();
        let mut first = arena.take(1000, 0).unwrap();
        first.bytes_mut().fill(7);
        let at = first.bytes().as_ptr();
        drop(first);
        let second = arena.take(2000, 3).unwrap();
        assert_eq!(second.bytes().as_ptr(), at, "the same memory, though more is asked for");
        assert!(second.bytes().iter().all(|&byte| byte == 3));
        drop(second);
        assert!(arena.take(500, 0).unwrap().bytes().iter().all(|&byte| byte == 0));
    }

    #[test]
    fn a_passing_arena_keeps_nothing() {
        let arena = Arena::passing();
        drop(arena.take(1000, 1).unwrap());
        assert!(locked(&arena.free).is_empty());
    }

    #[test]
    fn only_memory_that_is_not_kept_is_let_go() {
        for (arena, expected) in [(Arena::passing(), 0), (Arena::default(), 7)] {
            let mut memory = arena.take(1 << 18, 7).unwrap();
            memory.let_go(1000..200_000);
            let bytes = memory.bytes();
            if cfg!(target_os = "linux") {
                assert_eq!(bytes[100_000], expected);
            }
            assert!(bytes[..1000].iter().chain(&bytes[200_000..]).all(|&byte| byte == 7));
        }
    }

    #[test]
    fn memory_that_nobody_has_is_an_error() {
        let bytes = isize::MAX as usize - (1 << 20);
        let arena = Arena::default();
        // 32 bits of addresses may have room for one, never for two.
        let _first = arena.take(bytes, 0);
        let refused = arena.take(bytes, 0).map(drop);
        assert!(
            matches!(refused, Err(Error::OutOfMemory { bytes: asked }) if asked == bytes as u64)
        );
    }

    #[test]
    fn pieces_too_small_are_given_up() {
        // Then nothing is reserved for more than it is for.
        if has_bounded_addresses() {
            return;
        }
        let arena = Arena::default();
        let (small, medium) = (arena.take(1000, 0).unwrap(), arena.take(1 << 19, 0).unwrap());
        let at = medium.bytes().as_ptr();
        drop((small, medium));
        let large = arena.take(1 << 20, 0).unwrap();
        assert_eq!(large.bytes().as_ptr(), at, "reserved for more than it was for");
        assert!(locked(&arena.free).is_empty(), "the small one would never be of use again");
        drop(arena);
        drop(large);
    }
}
