//! The figures of a server, for Prometheus to fetch.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::error::Result;
use crate::game::Board;
use crate::probe::Prober;

/// Upper ends of the buckets of answering times, in seconds.
const BUCKETS: [f64; 12] =
    [5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0, 10.0];

/// A label: its name, and its value.
type Label<V = String> = (&'static str, V);

/// The figures of a server.
pub struct Metrics {
    registry: Registry,
    requests: Family<[Label; 2], Counter>,
    seconds: Family<[Label; 1], Histogram, fn() -> Histogram>,
    hits: Counter<u64, AtomicU64>,
    misses: Counter<u64, AtomicU64>,
    /// Lines of batches answered.
    pub lines: Counter,
    /// Open connections.
    pub connections: Gauge,
    /// Connections for which there was no place.
    pub crowded: Counter,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("oware");
        let all = &mut registry;
        let requests = Family::default();
        all.register("requests", "Requests answered", requests.clone());
        let seconds: fn() -> Histogram = || Histogram::new(BUCKETS);
        let seconds = Family::new_with_constructor(seconds);
        all.register("request_seconds", "Time to the beginning of an answer", seconds.clone());
        let cache = Family::<[Label<&'static str>; 1], Counter<u64, AtomicU64>>::default();
        let cached = |found| cache.get_or_create(&[("found", found)]).clone();
        let (hits, misses) = (cached("yes"), cached("no"));
        let help = "Queries by whether all tiles they need were decoded already";
        all.register("cached_queries", help, cache);
        let lines = Counter::default();
        all.register("batch_lines", "Lines of batches answered", lines.clone());
        let connections = Gauge::default();
        all.register("connections", "Connections that are open", connections.clone());
        let crowded = Counter::default();
        all.register("crowded_connections", "Connections refused at the limit", crowded.clone());
        Metrics { registry, requests, seconds, hits, misses, lines, connections, crowded }
    }
}

impl Metrics {
    /// Counts an answer. `route` is one of the server's, not the path that a client asked for, so
    /// that clients cannot make up figures without end.
    pub fn count_request(&self, route: &str, status: u16, time: Duration) {
        let (route, status) = (("route", route.to_owned()), ("status", status.to_string()));
        self.requests.get_or_create(&[route.clone(), status]).inc();
        self.seconds.get_or_create(&[route]).observe(time.as_secs_f64());
    }

    /// Counts a query by whether all that it needs is decoded already.
    ///
    /// # Errors
    /// As [`Prober::cached`].
    pub fn count_query(&self, prober: &mut Prober, board: &Board) -> Result<()> {
        match prober.cached(board)? {
            Some(_) => self.hits.inc(),
            None => self.misses.inc(),
        };
        Ok(())
    }

    /// Returns the figures in the OpenMetrics text format.
    ///
    /// # Errors
    /// The errors of the encoder.
    pub fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
