//! What is counted, for Prometheus to fetch.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use serde::Serialize;

use super::desk::Desk;
use super::failure::Failure;
use crate::error::Result;
use crate::game::Board;
use crate::probe::Prober;

/// Upper ends of the buckets of the times of answers, in seconds.
const BUCKETS: [f64; 12] =
    [5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0, 10.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Found {
    found: &'static str,
}

/// What is counted.
pub struct Metrics {
    registry: Registry,
    answered: Family<Answered, Counter>,
    seconds: Family<Route, Histogram, fn() -> Histogram>,
    hits: Counter<u64, AtomicU64>,
    misses: Counter<u64, AtomicU64>,
    lines: Counter,
    /// Connections that are open.
    pub connections: Gauge,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let answered = Family::default();
        let seconds =
            Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        let cache = Family::<Found, Counter<u64, AtomicU64>>::default();
        let count = |found| cache.get_or_create(&Found { found }).clone();
        let (hits, misses) = (count("yes"), count("no"));
        let (lines, connections) = (Counter::default(), Gauge::default());
        let mut registry = Registry::with_prefix("oware");
        registry.register("requests", "Requests answered", answered.clone());
        registry.register("request_seconds", "Time to the beginning of an answer", seconds.clone());
        registry.register(
            "cached_queries",
            "Queries by whether all tiles they need were decoded already",
            cache,
        );
        registry.register("batch_lines", "Lines of batches answered", lines.clone());
        registry.register("connections", "Connections that are open", connections.clone());
        Metrics { registry, answered, seconds, hits, misses, lines, connections }
    }
}

impl Metrics {
    /// Counts an answer. `route` is one of those there are, whatever was asked for.
    pub fn answered(&self, route: &str, status: u16, time: Duration) {
        self.answered.get_or_create(&Answered { route: route.to_owned(), status }).inc();
        self.seconds.get_or_create(&Route { route: route.to_owned() }).observe(time.as_secs_f64());
    }

    /// Counts a query by what is at hand for it.
    pub fn asked(&self, prober: &mut Prober, board: &Board) -> Result<()> {
        match prober.cached(board)? {
            Some(_) => self.hits.inc(),
            None => self.misses.inc(),
        };
        Ok(())
    }

    /// Counts a line of a batch.
    pub fn line(&self) {
        self.lines.inc();
    }

    fn text(&self) -> std::result::Result<String, Failure> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|error| Failure::internal(error.to_string()))?;
        Ok(text)
    }
}

/// `GET /metrics`.
pub async fn metrics(
    State(desk): State<Arc<Desk>>,
) -> std::result::Result<impl IntoResponse, Failure> {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], desk.metrics.text()?))
}

/// That the server is there.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
    version: &'static str,
}

/// `GET /healthz`.
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
