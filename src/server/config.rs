//! How to serve: limits, origins and the log.

use std::sync::Arc;
use std::time::Duration;

/// A sink for what went wrong, in lines for whoever runs the server: they name files and reasons
/// that clients never see.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How to serve.
pub struct Config {
    /// How much to take on, and for how long.
    pub limits: ServerLimits,
    /// Sites whose pages may read the answers, as in `https://example.org`; `*` stands for all.
    pub origins: Vec<String>,
    /// Where to report what went wrong.
    pub log: Log,
}

/// How much a server takes on, and for how long.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Open connections; more wait until one ends.
    pub connections: usize,
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
    /// Time that a client may take for the head of a request, or leave a connection or a stream
    /// idle.
    pub idle: Duration,
    /// Time for answers under way when the server shuts down.
    pub farewell: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 1024,
            address: 4096,
            body: 256 << 10,
            batch: 64 << 20,
            batches: 4,
            waiting: 32,
            answer: Duration::from_secs(60),
            idle: Duration::from_secs(30),
            farewell: Duration::from_secs(10),
        }
    }
}
