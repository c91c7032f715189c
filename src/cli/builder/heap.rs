//! The heap of this program: what is free in it and still counts as its memory, and what is said when
//! the system refuses to make it larger.

/// Has large allocations be given back to the system as soon as they are freed, and gives back now
/// what is free. For speed the C library keeps up to 32 MB of each size it has seen, for each
/// thread: in `awari`'s layer of 22 seeds 46 of 112 MB that were not scores.
pub fn give_back_at_once() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    tune(libc::M_MMAP_THRESHOLD, 1 << 18);
}

/// Has all threads share a heap where addresses are bounded: the C library reserves 64 MB of them for
/// each heap.
pub fn share_where_addresses_are_bounded() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if super::means::addresses().is_some() {
        tune(libc::M_ARENA_MAX, 1);
    }
}

/// Sets something about the heap, and gives back what is free. Other systems do as they see fit.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn tune(what: i32, value: i32) {
    // SAFETY: both may be called by any thread at any time; if they fail, nothing changes.
    unsafe {
        libc::mallopt(what, value);
        libc::malloc_trim(0);
    }
}

/// What is said when memory has been refused in the middle of a step, and the same as the message
/// of a document. The first line is that of the standard library.
#[cfg(unix)]
const REFUSED: [&str; 2] = [
    "oware: out of memory, the build stops here. Finished layers are kept;
run the same command again to continue, with a lower --memory.
",
    "could not allocate memory; run the same command again to continue, with a lower --memory",
];

/// What is said when pages of a mapped file cannot be read or written.
#[cfg(unix)]
const LOST: [&str; 2] = [
    "oware: a mapped file could not be read or written, the build stops here. Finished layers are \
kept;
check the disk of --scratch, and run the same command again to continue.
",
    "a mapped file could not be read or written; check the disk of --scratch, and run the same \
     command again to continue",
];

/// Has a build that the system refuses memory, or pages of a mapped file, end with a sentence and exit
/// code 1. What needs much memory asks for it and fails with an error; the standard library ends the
/// program where it needs little and gets none. A disk that fails under a mapped file ends it, too.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn say_when_refused(json: bool) {
    use crate::cli::output;
    use crate::error::Kind;
    use crate::json::error_document;
    use signal_hook::consts::{SIGABRT, SIGBUS};

    for (signal, [text, message]) in [(SIGABRT, REFUSED), (SIGBUS, LOST)] {
        // A program that is refused memory needs none for this.
        let (to, said) = match json {
            true => {
                let document = error_document(Kind::Io, message);
                (rustix::stdio::stdout(), output::line(&document))
            }
            false => (rustix::stdio::stderr(), text.to_owned()),
        };
        let say = move || {
            let _ = rustix::io::write(to, said.as_bytes());
            signal_hook::low_level::exit(1);
        };
        // SAFETY: what is called when the signal comes makes two calls of the system and takes no
        // lock and no memory.
        let _ = unsafe { signal_hook::low_level::register(signal, say) };
    }
}

/// Elsewhere the standard library has the last word.
#[cfg(not(unix))]
pub fn say_when_refused(_json: bool) {}
