//! The HTTP face of the tables: an API that answers as the commands do, and a page to look at.
//!
//! ```text
//!  accept     connections: how many, how slow, how they end
//!  service    every request: time, headers, figures, the log; then the route
//!      query, moves                  microseconds: answered where they arrive
//!      batch, game, verify, stats    longer: on other threads, a few at a time
//!      search                        seconds: the engine, one search for each client
//!      assets, openapi, health       what is in the binary or at hand
//! ```
//!
//! A probe of a tile that is at hand takes less than a microsecond, one that decodes a tile some
//! tens. Handing it to another thread and back costs as much, so queries are answered on the
//! threads that serve the connections; their lines of best play are bounded. What can take longer
//! has its own threads and a bound on how many are at work at once, and what is streamed is
//! bounded in memory: who does not read is not read from.
//!
//! Failures are the documents of `--json` with a status:
//!
//! | status | kind | when |
//! |---|---|---|
//! | 400 | `usage` | no position, no sheet, no parameter of that name, no host, a broken body |
//! | 404 | `missing_table` | a table that the server does not have |
//! | 404, 405 | `usage` | no such path, or not with this method |
//! | 413, 414 | `usage` | a body or an address that is too long |
//! | 415 | `usage` | a body with a content encoding |
//! | 421 | `usage` | a host that the server is not |
//! | 429 | `io` | as many batches or searches as there may be are under way |
//! | 500 | `corrupt_table`, `io` | a damaged table, or the machine fails; the log says more |
//! | 503 | `io` | too much to do, or out of time |

mod accept;
mod answer;
mod assets;
mod batch;
mod caller;
mod client;
mod config;
mod cors;
mod failure;
mod headers;
mod health;
mod hosts;
mod metrics;
mod openapi;
mod pace;
mod patient;
mod places;
mod records;
mod search;
mod service;
mod stages;
mod state;
mod stream;
mod turns;
mod watch;

pub use accept::{serve, serve_admin};
pub use assets::{SITE_FILES, page_files};
pub use config::{Config, Log, ServerLimits};
pub use service::Service;
