//! What every request is answered from.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, TryAcquireError};

use axum::http::StatusCode;

use super::catalogue::Sums;
use super::failure::Failure;
use super::metrics::Metrics;
use super::{Config, Limits, Log};
use crate::error::{Error, Result};
use crate::game::{Rules, SHEETS};
use crate::json::Probers;
use crate::probe::Tables;

/// What every request is answered from.
pub struct Desk {
    /// The tables.
    pub tables: Tables,
    probers: [Probers; SHEETS.len()],
    /// How much, and for how long.
    pub limits: Limits,
    /// What is counted.
    pub metrics: Metrics,
    /// Checksums that have been computed.
    pub sums: Sums,
    /// Where to tell what went wrong.
    pub log: Log,
    /// Places for batches.
    pub batches: Arc<Semaphore>,
    /// The place for work on whole tables ...
    whole: Arc<Semaphore>,
    /// ... and places to wait for it.
    waiting: Arc<Semaphore>,
    /// Threads for what keeps several busy: half of the processors, so that queries have the others.
    pool: Arc<ThreadPool>,
}

impl Desk {
    pub fn new(tables: Tables, config: Config) -> Result<Desk> {
        let Config { limits, log, .. } = config;
        let threads =
            std::thread::available_parallelism().map_or(1, |count| count.get()).div_ceil(2);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|at| format!("tables-{at}"))
            .build();
        let pool =
            pool.map_err(|error| Error::io("starting", "threads")(std::io::Error::other(error)))?;
        Ok(Desk {
            probers: SHEETS.map(|rules| Probers::new(&tables, rules)),
            tables,
            metrics: Metrics::default(),
            sums: Sums::default(),
            log,
            batches: Arc::new(Semaphore::new(limits.batches)),
            whole: Arc::new(Semaphore::new(1)),
            waiting: Arc::new(Semaphore::new(limits.waiting)),
            pool: Arc::new(pool),
            limits,
        })
    }

    /// Probers of a sheet.
    pub fn probers(&self, rules: &Rules) -> &Probers {
        let at = SHEETS.iter().position(|sheet| *sheet == rules).expect("one of the sheets");
        &self.probers[at]
    }

    /// Does something that can be shared out, on the threads that are there for it.
    pub fn by_several<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Does something that takes a while on other threads, and waits for it.
    ///
    /// # Errors
    /// Those of `work`, and a failure if it panics.
    pub async fn elsewhere<T: Send + 'static>(
        self: &Arc<Desk>,
        work: impl FnOnce(&Desk) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, Failure> {
        let desk = self.clone();
        match tokio::task::spawn_blocking(move || desk.pool.install(|| work(&desk))).await {
            Ok(done) => Ok(done?),
            Err(error) => Err(Failure::internal(error.to_string())),
        }
    }

    /// The same for work on whole tables: one after the other.
    ///
    /// # Errors
    /// As [`Desk::elsewhere`], and a failure if too many are waiting already.
    pub async fn on_whole_tables<T: Send + 'static>(
        self: &Arc<Desk>,
        work: impl FnOnce(&Desk) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, Failure> {
        let _waits = self.waiting.clone().try_acquire_owned().map_err(busy)?;
        let place = self
            .whole
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| Failure::internal("a place is gone"))?;
        // The work goes on if the asker leaves; its place is free when it is done.
        self.elsewhere(move |desk| {
            let _place = place;
            work(desk)
        })
        .await
    }
}

fn busy(_: TryAcquireError) -> Failure {
    Failure::busy(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many are waiting for checksums of whole tables; try again later",
    )
}
