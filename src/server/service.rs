//! The routes, and the layers around them.

use std::sync::Arc;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower::ServiceBuilder;
use tower::timeout::TimeoutLayer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::config::Config;
use super::state::AppState;
use super::{assets, batch, cors, failure, game, headers, health, openapi, query};
use super::{records, sheets, stats, tables, watch};
use crate::error::Result;
use crate::probe::Tables;

/// Everything that answers requests.
#[derive(Clone)]
pub struct Service {
    pub(super) router: Router,
    pub(super) state: Arc<AppState>,
}

impl Service {
    /// Returns a service that answers from `tables`.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::error::Error::Usage) if an origin is not a scheme and a host,
    /// [`Error::Io`](crate::error::Error::Io) if threads cannot be started.
    pub fn new(tables: Tables, config: Config) -> Result<Service> {
        let cors = cors::layer(&config.origins)?;
        let state = Arc::new(AppState::new(tables, config)?);
        let layers = ServiceBuilder::new()
            .layer(headers::security())
            .layer(headers::uncached())
            .layer(from_fn_with_state(state.clone(), watch::watch))
            .layer(from_fn_with_state(state.limits.address, watch::limit_address))
            .layer(HandleErrorLayer::new(failure::too_slow))
            .layer(TimeoutLayer::new(state.limits.answer))
            .layer(CatchPanicLayer::custom(failure::panicked));
        let router = routes().layer(layers).with_state(state.clone());
        let router = match cors {
            Some(cors) => router.layer(cors),
            None => router,
        };
        Ok(Service { router, state })
    }
}

fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/v1/query", get(query::query))
        .route("/v1/line", get(query::line))
        .route("/v1/moves", get(query::moves))
        .route("/v1/batch", post(batch::batch))
        .route("/healthz", get(health::health))
        .route("/metrics", get(health::metrics))
        .merge(compressed_routes())
        .fallback(failure::no_such_path)
        .method_not_allowed_fallback(failure::not_with_this_method)
}

/// The routes whose answers are long enough to be compressed.
fn compressed_routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/v1/game", get(game::game))
        .route("/v1/verify", post(records::verify))
        .route("/v1/stats", get(stats::stats))
        .route("/v1/tables", get(tables::tables))
        .route("/v1/sheets", get(sheets::sheets))
        .route("/openapi.json", get(openapi::document))
        .merge(assets::routes())
        .layer(CompressionLayer::new())
}
