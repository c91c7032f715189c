//! Files without a name for what the solver does not keep in memory, and the bound of memory that
//! the program keeps meanwhile.
//!
//! To see how much memory the program holds is expensive. Nothing comes into memory without a
//! page fault, so a thread looks only after some page faults of its own.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::heap;
use super::means::available_memory;
use crate::error::{Error, Result};
use crate::layer::Backing;

/// Makes a directory for such files if it is missing, and returns it if it takes them: a build may
/// want the first after hours.
///
/// # Errors
/// [`Error::Io`] if it does not.
pub fn made(dir: &Path) -> Result<&Path> {
    fs::create_dir_all(dir).map_err(Error::io("creating the directory", dir))?;
    tempfile::tempfile_in(dir).map_err(Error::io("creating a file", dir))?;
    Ok(dir)
}

/// Files without a name for mapped memory, in a directory, under a bound of all memory that the
/// program holds.
pub struct Spilling {
    dir: PathBuf,
    bound: u64,
    /// Where the system says how much memory this program holds.
    statm: Option<File>,
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
        let statm = File::open("/proc/self/statm").ok();
        // Whether the memory left for cached files is smaller than the limit.
        let is_short = available_memory() / 2 < ceiling;
        Spilling { dir, bound, statm, is_short }
    }

    /// Returns the bytes of memory that this program holds, and those of mapped files among them;
    /// `None` where the system does not say.
    #[cfg(target_os = "linux")]
    fn held(&self) -> Option<[u64; 2]> {
        let mut text = [0; 64];
        let length =
            std::os::unix::fs::FileExt::read_at(self.statm.as_ref()?, &mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        let mut numbers = text.split_ascii_whitespace().skip(1).map(str::parse::<u64>);
        let mut bytes = || Some(numbers.next()?.ok()? * rustix::param::page_size() as u64);
        Some([bytes()?, bytes()?])
    }

    /// Other systems have no such file.
    #[cfg(not(target_os = "linux"))]
    fn held(&self) -> Option<[u64; 2]> {
        self.statm.as_ref().and(None)
    }
}

impl Backing for Spilling {
    fn dir(&self, _: u64) -> Result<PathBuf> {
        // Scores are on disk only where memory is short.
        heap::give_back_at_once();
        Ok(self.dir.clone())
    }

    fn may_exceed(&self) -> bool {
        is_time_to_ask()
            && faults().is_none_or(|faults| {
                note_asked(faults);
                faults - LOOKED.get() >= FAULTS
            })
    }

    fn excess(&self, more: u64) -> u64 {
        LOOKED.set(faults().unwrap_or_default());
        self.held().map_or(0, |[all, _]| (all + more).saturating_sub(self.bound))
    }

    fn room(&self) -> u64 {
        let held = self.held();
        held.map_or(u64::MAX, |[all, of_files]| self.bound.saturating_sub(all - of_files))
    }

    fn is_system_short(&self) -> bool {
        self.is_short
    }
}

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
    // 32 bits wide on machines with 32-bit addresses.
    #[allow(clippy::useless_conversion)]
    Some(i64::from(usage.ru_minflt + usage.ru_majflt))
}

#[cfg(not(target_os = "linux"))]
fn faults() -> Option<i64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::Spill;

    #[test]
    #[cfg(target_os = "linux")]
    fn who_touches_pages_looks_again() {
        let dir = tempfile::tempdir().unwrap();
        let spilling = || Spilling::new(dir.path().to_owned(), u64::MAX);
        let (looking, spill) = (spilling(), Spill::new(spilling()));
        let mut piece = spill.piece(4 << 20).unwrap();
        assert_eq!(looking.excess(0), 0);
        assert!(!looking.may_exceed(), "nothing has come in since");
        piece.bytes_mut().fill(1);
        assert!(looking.may_exceed());
        assert_eq!(looking.excess(0), 0);
        assert!(!looking.may_exceed());
    }

    #[test]
    fn scores_without_room_are_an_error_that_names_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        let spill = Spill::new(Spilling::new(dir.path().to_owned(), u64::MAX));
        let message = spill.piece(usize::MAX >> 1).unwrap_err().to_string();
        let place = dir.path().display().to_string();
        assert!(message.contains("storing a layer") && message.contains(&place), "{message}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
