//! Ctrl-C and termination, for commands that have something to put away before they end.
//!
//! The first signal asks for an end, the second one ends the program at once. Whichever came first
//! is in the exit code, as shells have it: 130 after Ctrl-C (SIGINT), 143 after SIGTERM. Hang-ups
//! keep their usual meaning, so that `nohup` works.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::error::Error;

/// The exit code of the signal that came first; 0 as long as none has.
static CODE: AtomicU8 = AtomicU8::new(0);

/// What shells add to the number of a signal.
#[cfg(unix)]
const ENDED_BY_SIGNAL: u8 = 128;
/// The exit code after Ctrl-C where signals have no numbers.
#[cfg(not(unix))]
const CTRL_C: u8 = 130;

/// Has a file that grows beyond a limit be an error of writing, instead of the end of the program.
pub fn outlive_limits_of_files() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Calls `first` when the first signal comes.
///
/// # Errors
/// Those of the system; then signals end the program at once.
pub fn on_signal(first: impl Fn() + Send + 'static) -> io::Result<()> {
    watch(move |code| match CODE.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => first(),
        Err(first) => std::process::exit(first.into()),
    })
}

#[cfg(unix)]
fn watch(mut note: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let listen = move || signals.forever().for_each(|signal| note(ENDED_BY_SIGNAL + signal as u8));
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(())
}

#[cfg(not(unix))]
fn watch(mut note: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || note(CTRL_C)).map_err(io::Error::other)
}

/// Returns a flag that the first signal sets. If that cannot be arranged, the first one ends the
/// program, and guards end the engines.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let _ = on_signal(move || set.store(true, Ordering::Relaxed));
    flag
}

/// Returns the exit code of an error: that of the signal that has brought it about, if one has.
pub fn exit_code(error: &Error) -> u8 {
    match CODE.load(Ordering::Relaxed) {
        code @ 1.. if matches!(error, Error::Interrupted | Error::Stopped) => code,
        _ => error.kind().exit_code(),
    }
}
