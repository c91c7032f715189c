//! Bodies for a thread that may wait: one to read from, one to write into.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use http_body_util::channel::{Channel, Sender};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout, timeout_at};
use tower_http::timeout::TimeoutBody;

/// Bytes that are read at once. Answers are up to a hundred times as long.
const PIECE: usize = 16 << 10;
/// Bytes of answers that go out together.
const FRAME: usize = 64 << 10;
/// Frames between the thread that answers and the client.
const FRAMES: usize = 2;

/// The body of a request.
pub struct Incoming {
    handle: Handle,
    end: Instant,
    body: Pin<Box<TimeoutBody<Limited<Body>>>>,
    piece: Bytes,
}

impl Incoming {
    /// Returns a reader of a body. To be called on a thread of the runtime.
    ///
    /// Reading fails with [`io::ErrorKind::FileTooLarge`] beyond `limit` bytes, and if the client
    /// sends nothing for as long as `idle`, or has not come to the end after `whole`.
    pub fn new(body: Body, limit: u64, idle: Duration, whole: Duration) -> Incoming {
        let limit = limit.try_into().unwrap_or(usize::MAX);
        let body = Box::pin(TimeoutBody::new(idle, Limited::new(body, limit)));
        let end = Instant::now() + whole;
        Incoming { handle: Handle::current(), end, body, piece: Bytes::new() }
    }

    fn next_piece(&mut self) -> io::Result<Option<Bytes>> {
        let next = async { timeout_at(self.end, self.body.frame()).await };
        let next = self.handle.block_on(next).map_err(io::Error::other)?;
        let frame = next.transpose().map_err(|error| {
            if error.is::<LengthLimitError>() {
                io::ErrorKind::FileTooLarge.into()
            } else {
                io::Error::other(error)
            }
        })?;
        Ok(frame.map(|frame| frame.into_data().unwrap_or_default()))
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let Some(piece) = self.next_piece()? else { return Ok(0) };
            self.piece = piece;
        }
        let count = self.piece.len().min(buffer.len()).min(PIECE);
        buffer[..count].copy_from_slice(&self.piece.split_to(count));
        Ok(count)
    }
}

/// The body of an answer.
pub struct Outgoing {
    handle: Handle,
    sender: Sender<Bytes, io::Error>,
    frame: Vec<u8>,
    idle: Duration,
}

impl Outgoing {
    /// Returns a writer and the body that it writes. To be called on a thread of the runtime.
    ///
    /// Writing waits while the client has two frames to take, and fails if it takes none for as
    /// long as `idle`.
    pub fn new(idle: Duration) -> (Outgoing, Body) {
        let (sender, body) = Channel::new(FRAMES);
        let frame = Vec::with_capacity(FRAME);
        (Outgoing { handle: Handle::current(), sender, frame, idle }, Body::new(body))
    }
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        if self.frame.len() >= FRAME {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        let frame = std::mem::replace(&mut self.frame, Vec::with_capacity(FRAME));
        let sent = async { timeout(self.idle, self.sender.send_data(frame.into())).await };
        self.handle.block_on(sent).map_err(io::Error::other)?.map_err(io::Error::other)
    }
}
