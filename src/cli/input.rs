//! Files as arguments, with `-` for standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::lines::unmarked;
use crate::table::open_file;

/// The longest time between two looks at whether the user wants an end.
const SLICE: Duration = Duration::from_millis(50);

/// Opens a file, or standard input for `-`.
pub fn open(path: &Path) -> Result<impl BufRead> {
    let input = opened(path).map_err(Error::io("reading", path))?;
    Ok(BufReader::with_capacity(1 << 16, input))
}

fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") { Ok(Box::new(io::stdin())) } else { Ok(Box::new(File::open(path)?)) }
}

/// Opens a file, or standard input for `-`, to be read until it ends or `interrupt` is set, which is
/// an error. No caller can wait for more than that: it is read by a thread of its own.
pub fn open_until(path: &Path, interrupt: &Arc<AtomicBool>) -> Result<impl BufRead + use<>> {
    let (sender, chunks) = sync_channel(4);
    let path = path.to_owned();
    let reading = std::thread::Builder::new().spawn(move || pump(opened(&path), &sender));
    reading.map_err(Error::io("starting", "a thread"))?;
    let pumped = Pumped { chunks, chunk: Cursor::default(), interrupt: interrupt.clone() };
    Ok(BufReader::with_capacity(1 << 16, pumped))
}

/// Reads to the end, or until the receiver is gone.
fn pump(opened: io::Result<Box<dyn Read>>, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut input = match opened {
        Ok(input) => input,
        Err(error) => return drop(sender.send(Err(error))),
    };
    loop {
        let mut chunk = vec![0; 1 << 16];
        let read = input.read(&mut chunk).map(|length| {
            chunk.truncate(length);
            chunk
        });
        let is_last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
        if sender.send(read).is_err() || is_last {
            return;
        }
    }
}

/// What a thread reads.
struct Pumped {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    interrupt: Arc<AtomicBool>,
}

impl Read for Pumped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(io::Error::other("interrupted"));
            }
            match self.chunks.recv_timeout(SLICE) {
                Ok(read) => self.chunk = Cursor::new(read?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

/// Returns all that a file says, without a byte order mark.
pub fn text(path: &Path) -> Result<String> {
    let text = io::read_to_string(open(path)?).map_err(Error::io("reading", path))?;
    Ok(unmarked(&text).to_owned())
}

/// Returns all that a file says that is to be one: a pipe in its place would be waited for.
pub fn text_of_file(path: &Path) -> Result<String> {
    if path != Path::new("-") {
        open_file(path).map_err(Error::io("reading", path))?;
    }
    text(path)
}

/// Returns what people call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
