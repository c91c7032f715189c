//! Bodies for a thread that may wait: one to read from, one to write into.
//!
//! The thread waits for nothing but channels, which end when the server does: timers and sockets
//! are those of tasks.

use std::error::Error;
use std::io::{self, Read, Write};
use std::time::Duration;

use axum::body::Body;
use http_body_util::channel::{Channel, Sender};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::failure::{late, lost, malformed, too_long};
use super::places::Lost;
use super::stages::{Follower, Stage, reached};
use crate::answers::Refusal;

/// Bytes that are read at once. Answers are up to a hundred times as long.
const PIECE: usize = 16 << 10;
/// Bytes of answers that go out together.
const FRAME: usize = 64 << 10;
/// Frames between the thread that answers and the client.
const FRAMES: usize = 2;

/// Returns whether a body has failed because it is too long. If not, it is not framed as its head
/// says, or the client is gone.
pub fn is_too_long(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(|cause| cause.is::<LengthLimitError>())
}

/// A part of a body; `None` at its end.
type Part = Result<Option<Bytes>, Refusal>;

/// A body, and what may end it before its end.
pub struct GuardedBody {
    /// The body.
    pub body: Body,
    /// The most bytes that are read.
    pub limit: u64,
    /// The longest time between two parts.
    pub idle: Duration,
    /// When it has to have come to its end.
    pub end: Instant,
    /// When the server stops.
    pub stage: Follower,
    /// When its place is lost.
    pub lost: Lost,
}

impl GuardedBody {
    /// Passes on part after part, each when the one before has been taken. `cut` learns what ends that
    /// while the client takes no answers.
    async fn pass_on(mut self, sender: mpsc::Sender<Part>, cut: watch::Sender<Option<Refusal>>) {
        let limit = self.limit.try_into().unwrap_or(usize::MAX);
        let mut body = Limited::new(std::mem::take(&mut self.body), limit);
        let broken_off = loop {
            let place = tokio::select! {
                place = sender.reserve() => place,
                why = self.broken_off() => break why,
            };
            let Ok(place) = place else { return };
            let next = self.next(&mut body).await;
            let (is_last, has_failed) = (!matches!(next, Ok(Some(_))), next.is_err());
            place.send(next);
            if has_failed {
                return;
            }
            if is_last {
                // What has been answered is still to be taken.
                tokio::select! {
                    () = sender.closed() => return,
                    why = self.broken_off() => break why,
                }
            }
        };
        cut.send_replace(Some(broken_off));
    }

    /// Waits for what ends it whatever the client sends.
    async fn broken_off(&mut self) -> Refusal {
        tokio::select! {
            () = sleep_until(self.end) => late(),
            () = reached(&self.stage, Stage::Cutting) => Refusal::stopping(),
            _ = &mut self.lost => lost(),
        }
    }

    async fn next(&mut self, body: &mut Limited<Body>) -> Part {
        let idle = self.idle;
        tokio::select! {
            frame = body.frame() => match frame {
                Some(Ok(frame)) => Ok(Some(frame.into_data().unwrap_or_default())),
                Some(Err(error)) if is_too_long(&*error) => Err(too_long(self.limit)),
                Some(Err(_)) => Err(malformed()),
                None => Ok(None),
            },
            () = sleep(idle) => Err(late()),
            why = self.broken_off() => Err(why),
        }
    }
}

/// The body of a request.
pub struct Incoming {
    pieces: mpsc::Receiver<Part>,
    piece: Bytes,
    has_ended: bool,
}

impl Incoming {
    /// Returns a reader of a body, and a writer of the answer with the body that it writes. To be called
    /// on a thread of the runtime.
    ///
    /// Reading and writing fail with a [`Refusal`].
    pub fn with_answer(source: GuardedBody) -> (Incoming, Outgoing, Body) {
        let (sender, pieces) = mpsc::channel(1);
        let (cutter, cut) = watch::channel(None);
        tokio::spawn(source.pass_on(sender, cutter));
        let (outgoing, body) = Outgoing::new(cut);
        (Incoming { pieces, piece: Bytes::new(), has_ended: false }, outgoing, body)
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() && !self.has_ended {
            // Without a word the task is gone, and with it the server.
            let next = self.pieces.blocking_recv();
            let next = next.unwrap_or_else(|| Err(Refusal::stopping()));
            match next.map_err(io::Error::other)? {
                Some(piece) => self.piece = piece,
                None => self.has_ended = true,
            }
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
    cut: watch::Receiver<Option<Refusal>>,
    frame: Vec<u8>,
}

impl Outgoing {
    /// Writing waits while the client has two frames to take, and fails when its connection ends,
    /// which it does if it [takes nothing](super::patient) for a while, or when it is cut off.
    fn new(cut: watch::Receiver<Option<Refusal>>) -> (Outgoing, Body) {
        let (sender, body) = Channel::new(FRAMES);
        let frame = Vec::with_capacity(FRAME);
        (Outgoing { handle: Handle::current(), sender, cut, frame }, Body::new(body))
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
        let Outgoing { handle, sender, cut, .. } = self;
        handle.block_on(async {
            tokio::select! {
                biased;
                sent = sender.send_data(frame.into()) => sent.map_err(io::Error::other),
                Ok(why) = cut.wait_for(Option::is_some) => {
                    Err(io::Error::other(why.clone().expect("a reason")))
                }
            }
        })
    }
}
