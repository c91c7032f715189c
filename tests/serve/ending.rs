//! The end of the command: what is complete is answered, and nothing delays it.
#![cfg(unix)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::process::{ended, signal, started_with};
use super::{built, place};

const BATCH: &str =
    "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
/// More than an end takes, less than what would delay it.
const SOON: Duration = Duration::from_secs(4);

fn say(address: &str, words: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    stream.write_all(words.as_bytes()).expect("is heard");
    stream
}

fn rest(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    // What has been said in vain may come back as an error.
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// Ends a server and gives what it says then. It has to be soon, and without a panic.
fn ends_soon(child: Child) -> String {
    let begun = Instant::now();
    signal(&child, "-TERM");
    let (code, notes) = ended(child);
    assert!(begun.elapsed() < SOON, "{:?}: {notes}", begun.elapsed());
    assert_eq!(code, Some(0), "{notes}");
    assert!(!notes.contains("panicked"), "{notes}");
    notes
}

/// Threads that answered batches waited with timers of a runtime that was gone.
#[test]
fn unfinished_batches_end_with_why_and_without_a_panic() {
    let dir = built("abapa", 4);
    std::thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(|| end_in_batches(&dir)))));
}

fn end_in_batches(dir: &TempDir) {
    let (child, address) = started_with("--listen 0 --grace 2", &place(dir));
    let batches = [(); 2].map(|()| say(&address, &format!("{BATCH}1\r\n0\r\n")));
    for mut stream in &batches {
        stream.read_exact(&mut [0; 12]).expect("an answer begins");
    }
    let notes = ends_soon(child);
    assert!(notes.contains("in progress at the end"), "{notes}");
    for answer in batches.map(rest) {
        assert!(answer.contains("the server is shutting down"), "{answer}");
        assert!(answer.ends_with("\r\n0\r\n\r\n"), "the answer is whole: {answer}");
    }
}

/// Half a head of a request waited for the other half, for ten seconds.
#[test]
fn half_a_request_does_not_delay_the_end() {
    let dir = built("abapa", 2);
    let (child, address) = started_with("--listen 0 --grace 60", &place(&dir));
    let sheets = "GET /v1/sheets HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let halves = ["", "GET /v1/sh", &format!("{sheets}GET /v1/sh"), sheets];
    let halves = halves.map(|words| say(&address, words));
    std::thread::sleep(Duration::from_millis(300));
    ends_soon(child);
    for (stream, is_answered) in halves.into_iter().zip([false, false, true, true]) {
        let answer = rest(stream);
        assert_eq!(answer.starts_with("HTTP/1.1 200"), is_answered, "{answer}");
    }
}

#[test]
fn half_a_body_delays_the_end_by_its_grace_alone() {
    let dir = built("abapa", 2);
    let (child, address) = started_with("--listen 0 --grace 0.3", &place(&dir));
    let half = "POST /v1/verify HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n4";
    let _half = say(&address, half);
    std::thread::sleep(Duration::from_millis(300));
    ends_soon(child);
}

/// What has been asked is answered, a search with what it has found so far.
#[test]
fn what_is_complete_is_answered_at_the_end() {
    let dir = built("abapa", 2);
    let (child, address) = started_with("--listen 0", &place(&dir));
    let asked = "/v1/search?board=4-4-4-4-4-4-4-4-4-4-4-4&depth=48&time=5000";
    let search = say(&address, &format!("GET {asked} HTTP/1.1\r\nhost: localhost\r\n\r\n"));
    std::thread::sleep(Duration::from_millis(300));
    // One that waits for its turn, and some that come at the last moment.
    let waits = say(&address, &format!("GET {asked} HTTP/1.1\r\nhost: localhost\r\n\r\n"));
    std::thread::sleep(Duration::from_millis(300));
    let query = "GET /v1/moves?board=4-4-4-4-4-4-4-4-4-4-4-4 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let last = [(); 9].map(|()| say(&address, query));
    ends_soon(child);
    let found = rest(search);
    assert!(found.starts_with("HTTP/1.1 200") && found.contains("\"estimate\""), "{found}");
    let refused = rest(waits);
    assert!(
        refused.starts_with("HTTP/1.1 503") && refused.contains("server is shutting down"),
        "{refused}"
    );
    for answer in last.map(rest) {
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let dir = built("abapa", 2);
    let (child, address) = started_with("--listen 0 --grace 60", &place(&dir));
    let mut batch = say(&address, BATCH);
    batch.read_exact(&mut [0; 12]).expect("an answer begins");
    signal(&child, "-TERM");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    signal(&child, "-TERM");
    let (code, notes) = ended(child);
    assert_eq!(code, Some(143), "{notes}");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

/// The threads of the server wait for a file that does not answer: for one on which another
/// process has a lease that it does not give up, as if the file system were not there.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_hang_in_the_file_system_do_not_keep_it() {
    let dir = built("abapa", 4);
    let _lease = lease::take(&dir.path().join("abapa-03.oware"));
    let (child, address) = started_with("--listen 0", &place(&dir));
    let query = "GET /v1/query?board=0-0-1-0-1-0-0-0-0-0-0-1 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let count = 2 * std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut hanging: Vec<TcpStream> = (0..count).map(|_| say(&address, query)).collect();
    std::thread::sleep(Duration::from_millis(200));
    for stream in &mut hanging {
        stream.set_nonblocking(true).expect("is possible");
        assert!(stream.read(&mut [0]).is_err(), "it hangs");
    }
    ends_soon(child);
}

#[cfg(target_os = "linux")]
mod lease {
    use std::fs::File;
    use std::os::fd::AsRawFd;
    use std::path::Path;
    use std::sync::Arc;

    /// Takes a lease on a file: whoever opens it then waits, 45 seconds if nobody has changed that.
    #[allow(unsafe_code)]
    pub fn take(path: &Path) -> File {
        let file = File::options().read(true).write(true).open(path).expect("a file");
        // The system asks for the lease with a signal that would end this process.
        signal_hook::flag::register(libc::SIGIO, Arc::default()).expect("a signal");
        // SAFETY: the descriptor is that of an open file, and the command takes a number.
        let taken = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) };
        assert_eq!(taken, 0, "{}", std::io::Error::last_os_error());
        file
    }
}
