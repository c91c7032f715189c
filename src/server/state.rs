//! What requests are answered from.

use std::sync::Arc;

use axum::http::StatusCode;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Mutex, Semaphore};

use super::client::Clients;
use super::config::Config;
use super::hosts::Hosts;
use super::metrics::Metrics;
use super::places::{Losers, Places};
use super::turns::Turns;
use crate::answers::{Answers, Document, Refusal};
use crate::error::{Error, Result};
use crate::pool::processors;
use crate::probe::Tables;

/// What requests are answered from; they share it.
pub struct AppState {
    /// What knows the answers.
    pub answers: Answers,
    /// How to serve.
    pub config: Config,
    /// What is counted.
    pub metrics: Metrics,
    /// Names that a server at a loopback address answers to.
    pub hosts: Hosts,
    /// Who has what under way.
    pub clients: Clients,
    /// Places for batches.
    pub batches: Arc<Places>,
    /// Turns for searches.
    pub searches: Arc<Turns>,
    /// The place for work on whole tables ...
    whole: Arc<Mutex<()>>,
    /// ... and places to wait for it.
    waiting: Arc<Semaphore>,
    /// Threads for long work: half of the processors, so that queries have the others.
    threads: ThreadPool,
}

impl AppState {
    /// Returns the state of a server that has answered nothing yet.
    ///
    /// # Errors
    /// [`Error::Usage`] for a name of a host that is none, [`Error::Io`] if threads cannot be
    /// started.
    pub fn new(tables: Tables, config: Config) -> Result<AppState> {
        let (limits, hosts) = (&config.limits, config.hosts.clone());
        Ok(AppState {
            answers: Answers::new(tables),
            metrics: Metrics::default(),
            hosts: Hosts::new(if config.behind_proxy { vec!["*".to_owned()] } else { hosts })?,
            clients: Clients::new(limits.client_work),
            batches: Places::new(limits.batches, limits.client_batches, Losers::Lagging),
            searches: Turns::new(limits.searches),
            whole: Arc::default(),
            waiting: Arc::new(Semaphore::new(limits.waiting)),
            threads: threads()?,
            config,
        })
    }

    /// Does work that can be shared out, on the threads that are there for it. The caller waits.
    pub fn share_out<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.threads.install(work)
    }

    /// Does long work on other threads than those that serve connections. It goes on if the client
    /// leaves; its `place` is free when it is done.
    ///
    /// # Errors
    /// The errors of `work`, and a refusal if it panics.
    pub async fn offload(
        self: &Arc<AppState>,
        place: impl Send + 'static,
        work: impl FnOnce(&AppState) -> Result<Document, Refusal> + Send + 'static,
    ) -> Result<Document, Refusal> {
        let state = self.clone();
        let work = move || {
            let _place = place;
            state.share_out(|| work(&state))
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(Refusal::internal(error.to_string())))
    }

    /// Does work on whole tables on other threads: one request after the other.
    ///
    /// # Errors
    /// As [`AppState::offload`], and a refusal if too many are waiting already.
    pub async fn offload_in_turn(
        self: &Arc<AppState>,
        place: impl Send + 'static,
        work: impl FnOnce(&AppState) -> Result<Document, Refusal> + Send + 'static,
    ) -> Result<Document, Refusal> {
        let _waits = self.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        let turn = self.whole.clone().lock_owned().await;
        self.offload((place, turn), work).await
    }
}

fn threads() -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(processors().div_ceil(2))
        .thread_name(|at| format!("tables-{at}"))
        .build();
    pool.map_err(|error| Error::io("starting", "threads")(std::io::Error::other(error)))
}

fn busy() -> Refusal {
    Refusal::busy(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many are waiting for checksums of whole tables; try again later",
    )
}
