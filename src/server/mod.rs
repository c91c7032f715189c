//! The tables over HTTP: an API with the answers of the commands, and a web page.
//!
//! ```text
//!  accept     connections: how many, how slow, how they end
//!  service    every request: time, headers, figures, the log; then the route
//!      query, moves, stats, sheets   microseconds: answered where they arrive
//!      batch, line, game, verify,    longer: on other threads, a few at a time
//!      tables
//!      search                        seconds: the engine, one search for each client
//!      assets, health, metrics       data in the binary or in memory
//! ```
//!
//! A probe of a cached tile takes less than a microsecond, one that decodes a tile some
//! tens. Handing it to another thread and back costs as much, so queries are answered on the
//! threads that serve the connections; their lines of best play are bounded. What can take longer
//! has its own threads and a bound on how many are at work at once, and what is streamed is
//! bounded in memory: the server reads nothing from a client that does not read.
//!
//! Errors are the documents of `--json` with a status:
//!
//! | status | kind | when |
//! |---|---|---|
//! | 400 | `usage` | no valid position, no such sheet, no such parameter, no host, a broken body |
//! | 404 | `missing_table` | a table that the server does not have |
//! | 404, 405 | `usage` | no such path, or the wrong method |
//! | 413, 414 | `usage` | a body or an address that is too long |
//! | 415 | `usage` | a body with a content encoding |
//! | 421 | `usage` | a foreign host name |
//! | 429 | `io` | too many batches or searches |
//! | 500 | `corrupt_table`, `io` | a damaged table or a system error; the log has details |
//! | 503 | `io` | overloaded, or out of time |

mod accept;
mod answer;
mod assets;
mod batch;
mod caller;
mod client;
mod config;
mod failure;
mod headers;
mod hosts;
mod metrics;
mod pace;
mod patient;
mod places;
mod search;
mod service;
mod stages;
mod state;
mod stream;
mod turns;
mod watch;

pub use accept::{serve, serve_admin};
pub(crate) use assets::{PAGE_FILES, SITE_FILES};
pub use config::{Config, Log, ServerLimits};
pub use service::Service;
