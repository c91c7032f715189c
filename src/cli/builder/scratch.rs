//! Files without a name for what the solver does not keep in memory.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
#[cfg(target_os = "linux")]
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fs4::FileExt;

use super::heap;
use super::means::available_memory;
use oware_db::error::{Error, Result};
use oware_db::layer::Backing;
use oware_db::solver::{Scratch, ScratchFile};

/// Makes a directory for such files if it is missing, and returns it if it takes them: a build may
/// want the first after hours.
///
/// # Errors
/// [`Error::Io`] if it does not.
pub fn made(dir: &Path) -> Result<&Path> {
    fs::create_dir_all(dir).map_err(Error::io("making the directory", dir))?;
    tempfile::tempfile_in(dir).map_err(Error::io("making a file", dir))?;
    Ok(dir)
}

/// A directory for such files.
pub struct ScratchDir {
    dir: PathBuf,
    /// Whether what has been written or read is not to stay in the system's memory.
    passing: bool,
}

/// One of them.
struct Unnamed {
    file: Mutex<File>,
    /// The same, read past the system's memory, if that is to keep nothing of it.
    direct: Option<File>,
    dir: PathBuf,
    passing: bool,
}

/// Where what is read past the system's memory begins and ends, in the file and in memory.
#[cfg(target_os = "linux")]
const ALIGNED: usize = 4096;

/// Bytes before what is read or written that are given up with it: pieces that the system keeps in
/// memory begin there.
const PASSED: u64 = 4 << 20;

impl ScratchDir {
    /// A directory whose files the system may keep in memory as it sees fit.
    pub fn new(dir: PathBuf) -> ScratchDir {
        ScratchDir { dir, passing: false }
    }

    /// A directory beside scores on disk under a ceiling on memory: where the system is short of it,
    /// they should have what there is.
    pub fn beside_scores(dir: PathBuf, ceiling: u64) -> ScratchDir {
        ScratchDir { dir, passing: is_short(ceiling) }
    }
}

impl Scratch for ScratchDir {
    fn file(&self) -> Result<Box<dyn ScratchFile>> {
        let file = tempfile::tempfile_in(&self.dir);
        let file = file.map_err(Error::io("making a file", &self.dir))?;
        let direct = if self.passing { direct(&file) } else { None };
        let (dir, passing) = (self.dir.clone(), self.passing);
        Ok(Box::new(Unnamed { file: Mutex::new(file), direct, dir, passing }))
    }
}

impl Unnamed {
    /// Is told that some bytes have been read or written.
    fn pass(&self, file: &File, offset: u64, bytes: &[u8]) {
        if self.passing {
            give_up(file, offset.saturating_sub(PASSED)..offset + bytes.len() as u64);
        }
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads past the system's memory. Returns whether that was possible.
    #[cfg(target_os = "linux")]
    fn read_directly(&self, bytes: &mut [u8], offset: u64) -> bool {
        let is_aligned = bytes.as_ptr().addr().is_multiple_of(ALIGNED)
            && bytes.len().is_multiple_of(ALIGNED)
            && offset.is_multiple_of(ALIGNED as u64);
        let direct = self.direct.as_ref().filter(|_| is_aligned);
        direct.is_some_and(|file| {
            std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset).is_ok()
        })
    }

    /// Other systems keep what they see fit.
    #[cfg(not(target_os = "linux"))]
    fn read_directly(&self, _: &mut [u8], _: u64) -> bool {
        false
    }
}

/// Opens a file once more, to read past the system's memory; `None` if the file system cannot.
#[cfg(target_os = "linux")]
fn direct(file: &File) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let flags = OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).ok().map(File::from)
}

/// Other systems keep what they see fit.
#[cfg(not(target_os = "linux"))]
fn direct(_: &File) -> Option<File> {
    None
}

impl ScratchFile for Unnamed {
    fn write_at(&self, bytes: &[u8], offset: u64) -> Result<()> {
        let mut file = self.file();
        let written = file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes));
        self.pass(&file, offset, bytes);
        written.map_err(Error::io("putting captures aside", &self.dir))
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        if self.read_directly(bytes, offset) {
            return Ok(());
        }
        let mut file = self.file();
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(bytes));
        self.pass(&file, offset, bytes);
        read.map_err(Error::io("reading captures put aside", &self.dir))
    }
}

/// Files without a name for mapped memory, in a directory, under a bound of all memory that the
/// program holds.
pub struct Spilling {
    dir: PathBuf,
    bound: u64,
    held: Held,
    is_short: bool,
}

/// Bytes of memory that the bound is kept below the ceiling: what all threads may touch from one
/// look at it to the next.
const SLACK: u64 = 8_000_000;

/// The same for each thread.
const SLACK_OF_THREAD: u64 = 4_000_000;

/// The same as a part of the ceiling: in larger layers what a tile touches lies further apart, and
/// the system brings in sixteen pages for one. Measured on two threads: up to 16 MB at once in
/// `abapa`, 20 seeds, under 180 MB, and 19 MB in 22 seeds under 470 MB.
const SLACK_PART: u64 = 32;

impl Spilling {
    /// Files in a directory, and what the program may hold.
    pub fn new(dir: PathBuf, ceiling: u64) -> Spilling {
        let slack = SLACK + SLACK_OF_THREAD * rayon::current_num_threads() as u64;
        let bound = ceiling.saturating_sub(slack + ceiling / SLACK_PART);
        Spilling { dir, bound, held: Held::open(), is_short: is_short(ceiling) }
    }
}

impl Backing for Spilling {
    fn file(&self, bytes: u64) -> Result<File> {
        // Scores are on disk only where memory is short.
        heap::give_back_at_once();
        let file = tempfile::tempfile_in(&self.dir);
        let file = file.and_then(|file| {
            file.set_len(bytes)?;
            FileExt::allocate(&file, bytes)?;
            Ok(file)
        });
        file.map_err(Error::io("putting scores aside", &self.dir))
    }

    fn may_exceed(&self) -> bool {
        is_time_to_ask()
            && faults().is_none_or(|faults| {
                note_asked(faults);
                faults - LOOKED.get() >= FAULTS
            })
    }

    fn excess(&self) -> u64 {
        LOOKED.set(faults().unwrap_or_default());
        self.held.bytes().map_or(0, |held| held.all.saturating_sub(self.bound))
    }

    fn room(&self) -> u64 {
        let held = self.held.bytes();
        held.map_or(u64::MAX, |held| self.bound.saturating_sub(held.all - held.of_files))
    }

    fn left(&self, file: &File, stretch: Range<u64>) {
        if self.is_short {
            give_up(file, stretch);
        }
    }
}

/// Whether the system has less memory beside a ceiling to keep files in than the ceiling is.
fn is_short(ceiling: u64) -> bool {
    available_memory() / 2 < ceiling
}

/// Has the system begin to write what was changed in a stretch of a file, and give up what is not or
/// has been written. Only whole pieces go that it keeps in memory; an error leaves all as it is.
#[cfg(target_os = "linux")]
fn give_up(file: &File, stretch: Range<u64>) {
    use rustix::fs::{Advice, fadvise};
    let length = NonZeroU64::new(stretch.end - stretch.start);
    let _ = fadvise(file, stretch.start, length, Advice::DontNeed);
}

/// Other systems do as they see fit.
#[cfg(not(target_os = "linux"))]
fn give_up(_: &File, _: Range<u64>) {}

/// Page faults of a thread from one look at what the program holds to the next. Each brings in 64
/// KiB at most, and nothing comes in without one. Such a look takes ten times as long as to ask for
/// their number, and threads wait for one another to take it: looks took 45 % of the time of
/// `awari`'s layer of 22 seeds under 241 MB when each row of a strip began with one.
const FAULTS: i64 = 8;

/// Times in a row that a thread has asked for the number of its page faults without having met one,
/// after which it asks every eighth time only until it does. Where a timetable brings pages, hardly
/// any are met, and to ask took a tenth of such a layer's processor time.
const QUIET: u32 = 4;

thread_local! {
    /// Page faults of this thread when it last looked.
    static LOOKED: Cell<i64> = const { Cell::new(-FAULTS) };
    /// Page faults of this thread when it last asked for them.
    static ASKED: Cell<i64> = const { Cell::new(0) };
    /// How often it might have asked since it met one, about.
    static CALM: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread should ask now for the number of its page faults.
fn is_time_to_ask() -> bool {
    let calm = CALM.get();
    CALM.set(if calm < QUIET + 7 { calm + 1 } else { QUIET });
    calm <= QUIET
}

/// Notes what it found.
fn note_asked(faults: i64) {
    if ASKED.replace(faults) != faults {
        CALM.set(0);
    }
}

/// Page faults of this thread; `None` where the system does not say.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn faults() -> Option<i64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the place is one of a `rusage`, which the call fills unless it fails.
    let usage = unsafe {
        let failed = libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) != 0;
        (!failed).then(|| usage.assume_init())?
    };
    Some(usage.ru_minflt + usage.ru_majflt)
}

#[cfg(not(target_os = "linux"))]
fn faults() -> Option<i64> {
    None
}

/// How much memory this program holds, as the system says.
struct Held(Option<File>);

/// Bytes of memory.
struct Bytes {
    all: u64,
    /// Of mapped files.
    of_files: u64,
}

impl Held {
    fn open() -> Held {
        Held(File::open("/proc/self/statm").ok())
    }

    /// `None` where the system does not say.
    #[cfg(target_os = "linux")]
    fn bytes(&self) -> Option<Bytes> {
        let mut text = [0; 64];
        let length = std::os::unix::fs::FileExt::read_at(self.0.as_ref()?, &mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        let mut numbers = text.split_ascii_whitespace().skip(1).map(str::parse::<u64>);
        let mut bytes = || Some(numbers.next()?.ok()? * rustix::param::page_size() as u64);
        Some(Bytes { all: bytes()?, of_files: bytes()? })
    }

    #[cfg(not(target_os = "linux"))]
    fn bytes(&self) -> Option<Bytes> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use oware_db::layer::Spill;

    #[test]
    fn bytes_come_back_and_the_file_has_no_name() {
        let dir = tempfile::tempdir().unwrap();
        let file = ScratchDir::new(dir.path().to_owned()).file().unwrap();
        file.write_at(b"captures", 5).unwrap();
        file.write_at(b"C", 5).unwrap();
        let mut bytes = [0; 8];
        file.read_at(&mut bytes, 5).unwrap();
        assert_eq!(&bytes, b"Captures");
        assert!(file.read_at(&mut bytes, 6).is_err(), "beyond the end");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    /// What is read past the system's memory is what was written last, whether or not it has come to
    /// the disk.
    #[test]
    fn passing_bytes_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let file = ScratchDir { dir: dir.path().to_owned(), passing: true }.file().unwrap();
        let mut room = vec![0; 4 << 12];
        let first = room.as_ptr().align_offset(1 << 12);
        for round in 0..3 {
            let written = Vec::from_iter((0..3 << 12).map(|at| (at / 5 + round) as u8));
            file.write_at(&written, 0).unwrap();
            for (offset, length) in [(0, 3 << 12), (1 << 12, 1 << 12), (7, 100), (0, 5000)] {
                let bytes = &mut room[first..][..length];
                file.read_at(bytes, offset as u64).unwrap();
                assert!(bytes == &written[offset..][..length]);
            }
        }
        assert!(file.read_at(&mut room[first..][..1 << 12], 3 << 12).is_err(), "beyond the end");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_touches_pages_looks_again() {
        let dir = tempfile::tempdir().unwrap();
        let spilling = || Spilling::new(dir.path().to_owned(), u64::MAX);
        let (looking, spill) = (spilling(), Spill::new(spilling()));
        let mut piece = spill.piece(4 << 20).unwrap();
        assert_eq!(looking.excess(), 0);
        assert!(!looking.may_exceed(), "nothing has come in since");
        piece.bytes_mut().fill(1);
        assert!(looking.may_exceed());
        assert_eq!(looking.excess(), 0);
        assert!(!looking.may_exceed());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error_that_names_the_directory() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (file, dir) = (Mutex::new(full), PathBuf::from("scratch"));
        let written = Unnamed { file, direct: None, dir, passing: false }.write_at(b"captures", 0);
        assert!(written.is_err_and(|error| error.to_string().contains("scratch")));
    }

    #[test]
    fn scores_without_room_are_an_error_that_names_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        let file = Spilling::new(dir.path().to_owned(), u64::MAX).file(u64::MAX >> 1);
        let message = file.unwrap_err().to_string();
        let place = dir.path().display().to_string();
        assert!(message.contains("putting scores aside") && message.contains(&place), "{message}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
