//! The HTTP face of the tables: an API that answers as the commands do, and a page to look at.
//!
//! ```text
//!  accept     connections: how many, how slow, how they end
//!    watch    every request: limits, time, headers, figures, the log
//!      query, moves                  microseconds: answered where they arrive
//!      batch, game, verify, stats    longer: on other threads, a few at a time
//!      page, openapi, metrics        what is in the binary or at hand
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
//! | 400 | `usage` | no position, no sheet, no parameter of that name |
//! | 404 | `missing_table` | a table that the server does not have |
//! | 404, 405 | `usage` | no such path, or not with this method |
//! | 413, 414 | `usage` | a body or an address that is too long |
//! | 429 | `io` | as many batches as there may be are under way |
//! | 500 | `corrupt_table`, `io` | a damaged table, or the machine got in the way; the log says more |
//! | 503 | `io` | too much to do, or out of time |

mod accept;
mod batch;
mod catalogue;
mod desk;
mod failure;
mod game;
mod limits;
mod metrics;
mod openapi;
mod page;
mod params;
mod query;
mod stats;
mod told;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, Method, header};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::error::{Error, Result};
use crate::probe::Tables;

pub use accept::serve;
use desk::Desk;
pub use limits::Limits;

/// What is told to whoever runs the server: what went wrong, with names of files and reasons that
/// are no business of those who ask.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How to serve.
pub struct Config {
    /// How much, and for how long.
    pub limits: Limits,
    /// Sites whose pages may read the answers, as in `https://example.org`; `*` stands for all.
    pub origins: Vec<String>,
    /// Where to tell what went wrong.
    pub log: Log,
}

/// Everything that answers requests.
#[derive(Clone)]
pub struct Service {
    router: Router,
    desk: Arc<Desk>,
}

impl Service {
    /// Makes a service that answers from `tables`.
    ///
    /// # Errors
    /// [`Error::Usage`] if an origin is none, [`Error::Io`] if threads cannot be started.
    pub fn new(tables: Tables, config: Config) -> Result<Service> {
        let cors = cors(&config.origins)?;
        let desk = Arc::new(Desk::new(tables, config)?);
        let routes = routes().layer(CatchPanicLayer::custom(watch::panicked));
        let mut router =
            routes.layer(from_fn_with_state(desk.clone(), watch::watch)).with_state(desk.clone());
        if let Some(cors) = cors {
            router = router.layer(cors);
        }
        Ok(Service { router, desk })
    }
}

fn routes() -> Router<Arc<Desk>> {
    let large = Router::new()
        .route("/v1/game", get(game::game))
        .route("/v1/verify", post(game::verify))
        .route("/v1/stats", get(stats::stats))
        .route("/v1/tables", get(catalogue::tables))
        .route("/v1/sheets", get(catalogue::sheets))
        .route("/openapi.json", get(openapi::document))
        .merge(page::routes())
        .layer(CompressionLayer::new());
    Router::new()
        .route("/v1/query", get(query::query))
        .route("/v1/line", get(query::line))
        .route("/v1/moves", get(query::moves))
        .route("/v1/batch", post(batch::batch))
        .route("/healthz", get(metrics::health))
        .route("/metrics", get(metrics::metrics))
        .merge(large)
        .fallback(failure::no_such_path)
        .method_not_allowed_fallback(failure::not_with_this_method)
}

/// What lets pages of other sites read the answers; without it browsers keep them from it.
fn cors(origins: &[String]) -> Result<Option<CorsLayer>> {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    let origin = |text: &String| {
        let value = HeaderValue::from_str(text).ok().filter(|_| is_origin(text));
        value.ok_or_else(|| {
            Error::Usage(format!(
                "`{text}` is no origin; write one as in `https://example.org`, or *"
            ))
        })
    };
    match origins {
        [] => Ok(None),
        origins if origins.iter().any(|text| text == "*") => Ok(Some(layer.allow_origin(Any))),
        origins => {
            let origins: Vec<HeaderValue> = origins.iter().map(origin).collect::<Result<_>>()?;
            Ok(Some(layer.allow_origin(AllowOrigin::list(origins))))
        }
    }
}

/// Whether a text is a scheme and a host, without a path.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '?', '#', '@']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_schemes_and_hosts() {
        for text in ["https://example.org", "http://localhost:8080"] {
            assert!(is_origin(text), "{text}");
        }
        for text in [
            "",
            "null",
            "example.org",
            "https://",
            "https://example.org/",
            "https://a b",
            "ftp://example.org",
        ] {
            assert!(!is_origin(text), "{text}");
            assert!(cors(&[text.to_owned()]).is_err(), "{text}");
        }
        assert!(cors(&[]).unwrap().is_none() && cors(&["*".to_owned()]).unwrap().is_some());
    }
}
