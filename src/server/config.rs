//! How to serve: limits, origins and the log.

use std::sync::Arc;
use std::time::Duration;

use crate::pool::processors;

/// A sink for what went wrong, in lines for the operator of the server: they name files and reasons
/// that clients never see.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How to serve.
pub struct Config {
    /// How much to take on, and for how long.
    pub limits: ServerLimits,
    /// Sites whose pages may read the answers, as in `https://example.org`; `*` stands for all.
    pub origins: Vec<String>,
    /// Names of hosts that a server at a loopback address answers to, besides those of its machine;
    /// `*` stands for all.
    pub hosts: Vec<String>,
    /// Whether all connections come from a proxy, which says for whom it asks in
    /// `X-Forwarded-For`. The limits on a client's connections are the proxy's business then, and
    /// so are names of hosts.
    pub behind_proxy: bool,
    /// Whether figures are for [`serve_admin`](super::serve_admin) alone.
    pub private_metrics: bool,
    /// Where to report what went wrong.
    pub log: Log,
    /// Whether to report each request there, too.
    pub logs_access: bool,
}

/// How much a server takes on, and for how long.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Open connections; others get a place of those that do not use theirs, or are asked to come
    /// back later.
    pub connections: usize,
    /// Open connections of one client.
    pub client_connections: usize,
    /// Requests of one client that are worked on at the same time, queries not counted.
    pub client_work: usize,
    /// Batches of one client that are under way at the same time.
    pub client_batches: usize,
    /// Searches under way at the same time; one for each client.
    pub searches: usize,
    /// Time that a search may take if no other client waits.
    pub search: Duration,
    /// Bytes of an address with its parameters.
    pub address: usize,
    /// Bytes of a body that is read whole.
    pub body: usize,
    /// Bytes of a batch.
    pub batch: u64,
    /// Batches under way at the same time.
    pub batches: usize,
    /// Requests that wait while another computes checksums of whole tables.
    pub waiting: usize,
    /// Time from a request to the beginning of its answer.
    pub answer: Duration,
    /// Time that a client may take for the head of a request, or leave a connection idle.
    pub head: Duration,
    /// Time that a client may leave a stream idle, or not take what is sent.
    pub idle: Duration,
    /// Time that a batch may take.
    pub batch_time: Duration,
    /// Time for everything under way when the server stops.
    pub farewell: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 1024,
            client_connections: 64,
            client_work: 2,
            client_batches: 2,
            searches: processors().div_ceil(2),
            search: Duration::from_secs(5),
            address: 4096,
            body: 256 << 10,
            batch: 64 << 20,
            batches: 4,
            waiting: 32,
            answer: Duration::from_secs(60),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            batch_time: Duration::from_secs(900),
            farewell: Duration::from_secs(1),
        }
    }
}
