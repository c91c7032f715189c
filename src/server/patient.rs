//! A connection whose other end has to take what is sent, sooner or later.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::pace::{Pace, Wait};

/// A connection that fails if what is sent is not taken for a while.
pub struct Patient {
    stream: TcpStream,
    patience: Duration,
    pace: Arc<Pace>,
    /// Runs out while something waits to be taken.
    end: Pin<Box<Sleep>>,
    wait: Option<Wait>,
}

impl Patient {
    /// Returns a connection that waits as long as `patience`, which shows in its pace.
    pub fn new(stream: TcpStream, patience: Duration, pace: Arc<Pace>) -> Patient {
        Patient { stream, patience, pace, end: Box::pin(sleep(patience)), wait: None }
    }

    /// Passes on what came of sending, and gives up if nothing has for too long.
    fn heed<T>(
        &mut self,
        context: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.wait = None;
            return sent;
        }
        if self.wait.is_none() {
            self.wait = Some(self.pace.wait());
            self.end.as_mut().reset(Instant::now() + self.patience);
        }
        ready!(self.end.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heed(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.heed(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(context);
        self.heed(context, sent)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(context);
        self.heed(context, sent)
    }
}
