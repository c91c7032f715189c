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
use super::{answer, assets, batch, failure, headers, search, watch};
use crate::answers::Refusal;
use crate::error::Result;
use crate::probe::Tables;

/// Everything that answers requests.
#[derive(Clone)]
pub struct Service {
    pub(super) router: Router,
    /// What answers where there is no place for another connection.
    pub(super) crowded: Router,
    /// What answers those who watch the server.
    pub(super) admin: Router,
    pub(super) state: Arc<AppState>,
}

impl Service {
    /// Returns a service that answers from `tables`.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::error::Error::Usage) if an origin is not a scheme and a host, or a host
    /// is not a name, [`Error::Io`](crate::error::Error::Io) if threads cannot be started.
    pub fn new(tables: Tables, config: Config) -> Result<Service> {
        let cors = headers::cors(&config.origins)?;
        let private_metrics = config.private_metrics;
        let state = Arc::new(AppState::new(tables, config)?);
        let layers = ServiceBuilder::new()
            .layer(headers::security())
            .layer(headers::uncached())
            .layer(from_fn_with_state(state.clone(), watch::watch))
            .layer(from_fn_with_state(state.clone(), watch::refuse))
            .layer(HandleErrorLayer::new(failure::too_slow))
            .layer(TimeoutLayer::new(state.config.limits.answer))
            .layer(CatchPanicLayer::custom(failure::panicked));
        let built =
            |routes: Router<Arc<AppState>>| routes.layer(layers.clone()).with_state(state.clone());
        let public = if private_metrics { watched() } else { watched().merge(measured()) };
        let shared = |routes| match &cors {
            Some(cors) => built(routes).layer(cors.clone()),
            None => built(routes),
        };
        let router = shared(routes(&state).merge(public.clone()));
        let crowded = shared(public.fallback(failure::crowded()));
        let admin = built(watched().merge(measured()).fallback(Refusal::no_such_path()));
        Ok(Service { router, crowded, admin, state })
    }
}

/// The routes of those who watch the server.
fn watched() -> Router<Arc<AppState>> {
    Router::new().route("/healthz", get(answer::health))
}

fn measured() -> Router<Arc<AppState>> {
    Router::new().route("/metrics", get(answer::metrics))
}

fn routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    Router::new()
        .route("/v1/query", get(answer::query))
        .route("/v1/moves", get(answer::at_once))
        .route("/v1/batch", post(batch::batch))
        .route("/v1/search", get(search::search))
        .merge(assets::routes().layer(CompressionLayer::new()))
        .merge(longer_routes(state))
        .fallback(Refusal::no_such_path())
        .method_not_allowed_fallback(Refusal::not_with_this_method())
}

/// The routes whose answers take a while, and are long enough to be compressed.
fn longer_routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    Router::new()
        .route("/v1/line", get(answer::offloaded))
        .route("/v1/game", get(answer::offloaded))
        .route("/v1/stats", get(answer::at_once))
        .route("/v1/tables", get(answer::in_turn))
        .route("/v1/sheets", get(answer::at_once))
        .route("/openapi.json", get(assets::description))
        .layer(from_fn_with_state(state.clone(), watch::in_turn))
        .route("/v1/verify", post(answer::verify))
        .layer(CompressionLayer::new())
}
