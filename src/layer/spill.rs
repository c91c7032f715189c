//! Memory with a file behind it, for what does not fit.
//!
//! Scores on disk are a map of a file without a name: they have addresses as in memory, so code
//! that works on them need not know, and the system brings in what is touched. What it does not do by
//! itself is to keep a program to a bound. A [`Spill`] does: code that works on mapped memory asks it
//! after every few tiles to [keep to the bound](Spill::enforce_bound), and while the program holds more, it
//! lets go of the mapped pages, a stride after the other, round and round. What was written to them
//! stays in the file, so letting go is never wrong, also while other threads look at the pages; it
//! only takes time, because they come back when they are touched again.
//!
//! Why not read and write pieces of a file into a pool of memory? That is what a prototype did. But
//! every kernel, the tail, the core of repetition, strategies and the table's encoder read scores at
//! addresses; here they do so unchanged, and what they compute cannot depend on where scores are: a
//! page that is not there comes when it is touched. What made the pool fast is had without it. The
//! system, left alone, finds out page by page what is touched, reads pages around each that are not
//! wanted, and drops some that are. So it is asked not to, and code that knows what comes
//! ([`super::residence`]) has pages read and mapped by the hundred before they are touched, and lets
//! go of those that are wanted last. Pages of all others go before theirs.
//!
//! Where the system's own memory is short as well, what has been let go should not stay there: it
//! would drop what is wanted soon in its stead ([`Backing::is_system_short`]). In a control group of 241 MB
//! `awari` to 22 seeds took 95 s before there were timetables, and 65 s with them, in the same
//! minutes.
//!
//! Invariant: when [`Spill::enforce_bound`] has looked, the program holds no more than the bound, or
//! no mapped page. It looks whenever the thread may have brought in much ([`Backing::may_exceed`]).
//!
//! The space of a file is taken when it is made. Otherwise a full disk would end the program while
//! it writes to an address; now it is an error before anything is computed.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use memmap2::{MmapOptions, MmapRaw};

use crate::error::{Error, Result};
use crate::pool::locked;

/// What a spill asks of the world.
pub trait Backing: Send + Sync {
    /// Takes note that this many bytes of disk are wanted, and returns the directory for them.
    ///
    /// # Errors
    /// If there is none.
    fn dir(&self, bytes: u64) -> Result<PathBuf>;

    /// Whether this thread may have brought in much since it last asked for the excess. It is asked
    /// for far more often.
    fn may_exceed(&self) -> bool {
        true
    }

    /// Bytes of memory that the program would hold more than it may if it held this many more.
    fn excess(&self, more: u64) -> u64;

    /// Bytes of mapped memory that the program may hold in all.
    fn room(&self) -> u64 {
        u64::MAX
    }

    /// Whether the system's own memory is short, too: what the program lets go of should not stay
    /// there.
    fn is_system_short(&self) -> bool {
        false
    }
}

/// The holder of pages that have none.
const NOBODY: usize = 0;

/// Bytes of a map that are let go at a time.
const STRIDE: usize = 1 << 20;

/// Bytes that the system is asked for at a time: of more it reads the beginning only.
#[cfg(unix)]
const ASKED: usize = 1 << 17;

/// Strides after which one that was let go should have come to the disk.
const WRITING: usize = 16;

/// Where mapped memory comes from, and who sees to it that it does not become too much.
#[derive(Clone)]
pub struct Spill(Arc<Spilled>);

struct Spilled {
    backing: Box<dyn Backing>,
    pieces: Mutex<Maps>,
    /// How many have held pages by a timetable.
    holders: AtomicUsize,
    /// How many do so now.
    holding: AtomicUsize,
}

/// All maps, and how far it has come who lets go of their pages.
#[derive(Default)]
struct Maps {
    maps: Vec<Weak<Pages>>,
    map: usize,
    offset: usize,
    /// Strides that went last.
    gone: VecDeque<(Weak<Pages>, Range<usize>)>,
}

/// A file in memory, whose pages can be brought before they are touched, and let go.
#[derive(Debug)]
pub struct Pages {
    map: MmapRaw,
    file: File,
    /// Whether they are held by a timetable now.
    is_planned: AtomicBool,
    /// The last of these holders, if no other has let any go since.
    holder: AtomicUsize,
    spill: Spill,
}

/// A stretch of mapped memory. Its file is gone when it is.
#[derive(Debug)]
pub struct Piece(Arc<Pages>);

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spill").finish_non_exhaustive()
    }
}

impl Spill {
    /// One with this behind it.
    pub fn new(backing: impl Backing + 'static) -> Spill {
        let (backing, pieces) = (Box::new(backing), Mutex::default());
        Spill(Arc::new(Spilled { backing, pieces, holders: 0.into(), holding: 0.into() }))
    }

    /// Memory of this many bytes, all zero.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk has no room for it, and [`Error::OutOfMemory`] if the system has
    /// no addresses.
    pub fn piece(&self, length: usize) -> Result<Piece> {
        let bytes = length.max(1);
        let file = file_in(&self.0.backing.dir(bytes as u64)?, bytes as u64)?;
        let map = MmapOptions::new().len(bytes).map_raw(&file);
        let map = map.map_err(|_| Error::OutOfMemory { bytes: bytes as u64 })?;
        // Pages are touched here and there, a few at a time. An error leaves all as it is.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        // Or else a single touch would bring in two megabytes between two looks at the bound.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::NoHugePage);
        let (is_planned, holder) = (AtomicBool::new(false), AtomicUsize::new(NOBODY));
        let pages = Arc::new(Pages { map, file, is_planned, holder, spill: self.clone() });
        locked(&self.0.pieces).maps.push(Arc::downgrade(&pages));
        Ok(Piece(pages))
    }

    /// Lets go of mapped pages until the program holds no more than it may, or none is left. Those
    /// that are held by a timetable go last.
    pub fn enforce_bound(&self) {
        if self.0.backing.may_exceed() {
            self.make_room(0);
        }
    }

    /// The same before memory of this many bytes is touched that has no file behind it.
    pub fn make_room(&self, bytes: u64) {
        let excess = || self.0.backing.excess(bytes);
        if excess() == 0 {
            return;
        }
        let mut pieces = locked(&self.0.pieces);
        pieces.maps.retain(|map| map.strong_count() > 0);
        for planned in [false, true] {
            for _ in 0..pieces.steps(planned) {
                if excess() == 0 {
                    return;
                }
                pieces.let_go(planned);
            }
        }
    }

    /// Counts one more timetable that holds pages.
    pub fn begin(&self) {
        self.0.holding.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one less.
    pub fn end(&self) {
        self.0.holding.fetch_sub(1, Ordering::Relaxed);
    }

    /// Bytes that each of those may hold. Something is left for what comes meanwhile, and where
    /// mapped pages are touched without a timetable, a quarter for them.
    pub fn room(&self) -> u64 {
        let others = locked(&self.0.pieces)
            .maps
            .iter()
            .filter_map(Weak::upgrade)
            .any(|pages| !pages.is_planned.load(Ordering::Relaxed));
        let room = self.0.backing.room();
        let room = if others { room / 4 * 3 } else { room / 16 * 15 };
        room / self.0.holding.load(Ordering::Relaxed).max(1) as u64
    }

    /// A number that no other holder of pages has.
    pub fn new_holder(&self) -> usize {
        NOBODY + 1 + self.0.holders.fetch_add(1, Ordering::Relaxed)
    }
}

impl Maps {
    /// How many steps go once through all maps that are held by a timetable, or that are not: a stride
    /// each, and one past each other map.
    fn steps(&self, planned: bool) -> usize {
        let maps = self.maps.iter().filter_map(Weak::upgrade);
        let go = maps.filter(|pages| pages.is_planned.load(Ordering::Relaxed) == planned);
        self.maps.len() + go.map(|pages| pages.len().div_ceil(STRIDE)).sum::<usize>()
    }

    /// Lets go of the next stride, if that is held by a timetable, or if it is not.
    fn let_go(&mut self, planned: bool) {
        if self.map >= self.maps.len() {
            (self.map, self.offset) = (0, 0);
        }
        let Some(pages) = self.maps.get(self.map).and_then(Weak::upgrade) else {
            (self.map, self.offset) = (self.map + 1, 0);
            return;
        };
        let goes = pages.is_planned.load(Ordering::Relaxed) == planned;
        if self.offset < pages.len() && goes {
            let stride = self.offset..pages.len().min(self.offset + STRIDE);
            pages.holder.store(NOBODY, Ordering::Relaxed);
            pages.let_go(stride.clone());
            pages.left(stride.clone());
            self.gone.push_back((Arc::downgrade(&pages), stride));
            if self.gone.len() > WRITING
                && let Some((pages, stride)) = self.gone.pop_front()
                && let Some(pages) = pages.upgrade()
            {
                pages.left(stride);
            }
        }
        self.offset += if goes { STRIDE } else { pages.len() };
        if self.offset >= pages.len() {
            (self.map, self.offset) = (self.map + 1, 0);
        }
    }
}

/// A new file of this many bytes, all zero, without a name. The disk has room for all of them.
fn file_in(dir: &Path, bytes: u64) -> Result<File> {
    let file = tempfile::tempfile_in(dir).and_then(|file| {
        file.set_len(bytes)?;
        allocate(&file, bytes)?;
        Ok(file)
    });
    file.map_err(Error::io("storing a layer", dir))
}

/// Has the disk keep room for a whole file.
#[cfg(any(unix, windows))]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    match fs4::FileExt::allocate(file, bytes) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => fill(file, bytes),
        done => done,
    }
}

/// Keeps room on a disk where nobody else can be asked to: by writing there.
#[cfg(any(unix, windows))]
fn fill(mut file: &File, bytes: u64) -> io::Result<()> {
    io::copy(&mut io::Read::take(io::repeat(0), bytes), &mut file).map(|_| ())
}

/// A system without files has refused to make one.
#[cfg(not(any(unix, windows)))]
fn allocate(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

impl Pages {
    /// Bytes of the piece.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Says whether they are held by a timetable now.
    pub fn plan(&self, is_planned: bool) {
        self.is_planned.store(is_planned, Ordering::Relaxed);
    }

    /// Gives them to a holder. Returns whether they are as they were when it had them last.
    pub fn give_to(&self, holder: usize) -> bool {
        self.holder.swap(holder, Ordering::Relaxed) == holder
    }

    /// Asks the system to read some bytes from disk, if they are not in memory. It does so
    /// meanwhile, into memory of its own, which the program does not hold before it touches it.
    /// What is not read now, as on systems that cannot be asked, is read when it is touched.
    pub fn fetch(&self, stretch: Range<usize>) {
        #[cfg(unix)]
        for start in stretch.clone().step_by(ASKED) {
            self.advise(memmap2::Advice::WillNeed, start..stretch.end.min(start + ASKED));
        }
        let _ = stretch;
    }

    /// Has the pages of some bytes in memory now, to be read or to be written: at once, and not one
    /// by one when they are touched, as before Linux 5.14 and on other systems.
    pub fn bring(&self, stretch: Range<usize>, to_write: bool) {
        #[cfg(target_os = "linux")]
        match to_write {
            true => self.advise(memmap2::Advice::PopulateWrite, stretch),
            false => self.advise(memmap2::Advice::PopulateRead, stretch),
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (stretch, to_write);
    }

    /// Takes the pages of some bytes out of this program's memory, but for systems that do so as
    /// they see fit. An error says that some stay, and counting shows that.
    ///
    /// # Panics
    /// If the map is not as long: what stands behind it belongs to others.
    #[allow(unsafe_code)]
    pub fn let_go(&self, stretch: Range<usize>) {
        assert!(stretch.end <= self.len(), "{stretch:?} of {} bytes", self.len());
        // SAFETY: the pages are those of the map, as has just been asserted, and it is a shared one of
        // a file (`Spill::piece` makes no other), so what stands there does not change.
        #[cfg(unix)]
        let _ = unsafe {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            self.map.unchecked_advise_range(advice, stretch.start, stretch.len())
        };
    }

    /// Says that the pages of some bytes have been let go for some time. Where memory is short,
    /// Linux begins to write what was changed of them, and gives up what is not or has been written.
    /// Only whole pieces go that it keeps in memory; an error leaves all as it is.
    pub fn left(&self, stretch: Range<usize>) {
        if self.spill.0.backing.is_system_short() {
            let (file, length) = (&self.file, std::num::NonZeroU64::new(stretch.len() as u64));
            #[cfg(target_os = "linux")]
            let _ = rustix::fs::fadvise(
                file,
                stretch.start as u64,
                length,
                rustix::fs::Advice::DontNeed,
            );
            #[cfg(not(target_os = "linux"))]
            let _ = (file, length);
        }
    }

    #[cfg(unix)]
    fn advise(&self, advice: memmap2::Advice, stretch: Range<usize>) {
        let _ = self.map.advise_range(advice, stretch.start, stretch.len());
    }

    /// Where they come from.
    pub fn spill(&self) -> &Spill {
        &self.spill
    }
}

impl Piece {
    /// Its pages, which may be fetched while others work on them.
    pub fn pages(&self) -> &Arc<Pages> {
        &self.0
    }

    /// The bytes.
    #[allow(unsafe_code)]
    pub fn bytes(&self) -> &[u8] {
        let map = &self.0.map;
        // SAFETY: the map is as long as it says and all of it is initialized, for `file_in` has made
        // the file that long. Nothing else writes to it: it has no name, and this module, which
        // made it, hands it to no other. Borrowing the piece to read keeps others from writing.
        unsafe { std::slice::from_raw_parts(map.as_ptr(), map.len()) }
    }

    /// The bytes, to write.
    #[allow(unsafe_code)]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let map = &self.0.map;
        // SAFETY: as above, and who borrows the piece to write is alone.
        unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr(), map.len()) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn room_is_kept_by_writing_where_nothing_else_does() {
        let (bytes, file) = ((1 << 20) + 1, tempfile::tempfile().unwrap());
        file.set_len(bytes).unwrap();
        let blocks = || file.metadata().unwrap().blocks();
        assert!(blocks() * 512 < bytes);
        fill(&file, bytes).unwrap();
        assert!(blocks() * 512 >= bytes);
        assert_eq!(file.metadata().unwrap().len(), bytes);
    }

    /// Holds a stride less each time it is asked, and just what it may at first.
    struct Shrinking(Arc<AtomicUsize>);

    impl Backing for Shrinking {
        fn dir(&self, _: u64) -> Result<PathBuf> {
            Ok(std::env::temp_dir())
        }

        fn excess(&self, more: u64) -> u64 {
            let gone = self.0.fetch_add(1, Ordering::Relaxed) * STRIDE;
            more.saturating_sub(gone as u64)
        }
    }

    #[test]
    fn room_is_made_for_what_is_about_to_come() {
        let asked = Arc::new(AtomicUsize::new(0));
        let spill = Spill::new(Shrinking(asked.clone()));
        let mut piece = spill.piece(8 * STRIDE).unwrap();
        piece.bytes_mut().fill(7);
        spill.enforce_bound();
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        spill.make_room(4 * STRIDE as u64);
        assert_eq!(asked.load(Ordering::Relaxed), 5);
        assert!(piece.bytes().iter().all(|&byte| byte == 7));
    }
}
