//! How a client keeps pace: how long its connection waits for it.
//!
//! ```text
//!   connection ─ waits for a head ─ request: waits for parts of its body, or until parts of the
//!   answer are taken ─ waits for the next head ─ …
//! ```
//!
//! A client lags if a request, or the time between two, is mostly such waiting. Where there is no
//! place for another client, one that lags [gives its own up](super::places).

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use hyper::body::{Bytes, Frame, Incoming, SizeHint};

use crate::pool::locked;

/// Waiting that is no client's fault.
const LEISURE: Duration = Duration::from_secs(1);

/// The pace of a client on a connection.
#[derive(Debug)]
pub struct Pace(Mutex<Times>);

#[derive(Debug)]
struct Times {
    /// Whether a request is under way.
    asked: bool,
    /// The beginning of the request, or of the time between two.
    begun: Instant,
    /// What has been waited since then, ...
    waited: Duration,
    /// ... besides the time from here on, if anything waits.
    since: Instant,
    waits: usize,
}

impl Pace {
    /// Begins to wait for a request.
    pub fn new() -> Arc<Pace> {
        let now = Instant::now();
        let waited = Duration::ZERO;
        Arc::new(Pace(Mutex::new(Times { asked: false, begun: now, waited, since: now, waits: 1 })))
    }

    /// Begins a request, which lasts as long as what is returned.
    pub fn ask(self: &Arc<Pace>) -> RequestUnderWay {
        let mut times = locked(&self.0);
        times.begin(true);
        times.go_on();
        RequestUnderWay(self.clone())
    }

    /// Begins to wait for the client, as long as what is returned is there.
    pub fn wait(self: &Arc<Pace>) -> Wait {
        locked(&self.0).wait();
        Wait(self.clone())
    }

    /// Returns whether the head of a request is waited for, and nothing else.
    pub fn waits_for_head(&self) -> bool {
        let times = locked(&self.0);
        !times.asked && times.waits == 1
    }

    /// Returns how long the client has been waited for, if it lags.
    pub fn lag(&self) -> Option<Duration> {
        let times = locked(&self.0);
        let waited = times.waited();
        (waited >= LEISURE && waited * 2 >= times.begun.elapsed()).then_some(waited)
    }

    /// Lets a time go by, in the books.
    #[cfg(test)]
    pub fn pass(&self, time: Duration) {
        let mut times = locked(&self.0);
        times.begun -= time;
        times.since -= time;
    }
}

impl Times {
    fn begin(&mut self, asked: bool) {
        let now = Instant::now();
        (self.asked, self.begun, self.since, self.waited) = (asked, now, now, Duration::ZERO);
    }

    fn wait(&mut self) {
        if self.waits == 0 {
            self.since = Instant::now();
        }
        self.waits += 1;
    }

    fn go_on(&mut self) {
        self.waited = self.waited();
        self.since = Instant::now();
        self.waits -= 1;
    }

    fn waited(&self) -> Duration {
        let now = if self.waits > 0 { self.since.elapsed() } else { Duration::ZERO };
        self.waited + now
    }
}

/// A request under way. At its end its connection waits for the next one.
#[derive(Debug)]
pub struct RequestUnderWay(Arc<Pace>);

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        let mut times = locked(&self.0.0);
        times.begin(false);
        times.wait();
    }
}

/// Something that waits for a client.
#[derive(Debug)]
pub struct Wait(Arc<Pace>);

impl Drop for Wait {
    fn drop(&mut self) {
        locked(&self.0.0).go_on();
    }
}

/// The body of a request, which is waited for.
pub struct Awaited {
    body: Incoming,
    pace: Arc<Pace>,
    wait: Option<Wait>,
}

impl Awaited {
    /// Returns the body of a request on a connection with this pace.
    pub fn new(body: Incoming, pace: Arc<Pace>) -> Awaited {
        Awaited { body, pace, wait: None }
    }
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let next = Pin::new(&mut self.body).poll_frame(context);
        match next {
            Poll::Ready(_) => self.wait = None,
            Poll::Pending if self.wait.is_none() => self.wait = Some(self.pace.wait()),
            Poll::Pending => {}
        }
        next
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_waited_for_most_of_the_time_lags() {
        let second = Duration::from_secs(1);
        let pace = Pace::new();
        assert_eq!((pace.lag(), pace.waits_for_head()), (None, true));
        pace.pass(second);
        assert!(pace.lag().is_some_and(|lag| lag >= second));
        let asked = pace.ask();
        assert_eq!((pace.lag(), pace.waits_for_head()), (None, false));
        // The server takes its time, then the client does, in two ways at once.
        pace.pass(second * 2);
        let waits = (pace.wait(), pace.wait());
        pace.pass(second);
        assert_eq!(pace.lag(), None);
        pace.pass(second * 2);
        assert!(pace.lag().is_some_and(|lag| lag < second * 4));
        drop(waits);
        pace.pass(second * 9);
        assert_eq!(pace.lag(), None);
        drop(asked);
        assert_eq!((pace.lag(), pace.waits_for_head()), (None, true));
        pace.pass(second);
        assert!(pace.lag().is_some());
    }
}
