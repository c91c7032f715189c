//! How much a server takes on, and for how long.

use std::time::Duration;

/// How much, and for how long.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at once; more wait until one ends.
    pub connections: usize,
    /// Bytes of an address with its parameters.
    pub address: usize,
    /// Bytes of a body that is read whole.
    pub body: usize,
    /// Bytes of a batch.
    pub batch: u64,
    /// Batches at once.
    pub batches: usize,
    /// Requests for checksums of whole tables that wait for the one that is under way.
    pub waiting: usize,
    /// From a request to the beginning of its answer.
    pub answer: Duration,
    /// That a client may take for the head of a request, or leave a connection or a stream alone.
    pub idle: Duration,
    /// That answers under way may take when the server shuts down.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
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
