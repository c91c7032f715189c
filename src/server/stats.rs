//! The figures of layers: `GET /v1/stats`, what `oware stats` prints. Tables hold them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::failure::Failure;
use super::params::{Params, sheet};
use super::state::AppState;
use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::layer::SheetStats;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    rules: Option<String>,
    seeds: Option<usize>,
    layer: Option<usize>,
}

/// `GET /v1/stats`: of all layers, of those up to `seeds`, or of one `layer`.
pub async fn stats(
    State(state): State<Arc<AppState>>,
    Params(params): Params<StatsParams>,
) -> Result<Json<SheetStats>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let layers = layers(&state, rules, &params)?;
    let figures = |seeds| Ok(state.tables.require(rules, seeds)?.stats().clone());
    let layers = layers.into_iter().map(figures).collect::<Result<_>>()?;
    Ok(Json(SheetStats { rules: rules.id, layers }))
}

/// The layers to count: those that are asked for and there.
fn layers(state: &AppState, rules: &'static Rules, params: &StatsParams) -> Result<Vec<Seeds>> {
    let number = |count: Option<usize>| match count.map(Seeds::new) {
        Some(None) => Err(Error::Usage("the game has 48 seeds".to_owned())),
        Some(Some(seeds)) => Ok(Some(seeds)),
        None => Ok(None),
    };
    let (most, one) = (number(params.seeds)?, number(params.layer)?);
    let mut layers = state.tables.available(rules)?;
    layers.retain(|&seeds| {
        most.is_none_or(|most| seeds <= most) && one.is_none_or(|one| seeds == one)
    });
    match layers.is_empty() {
        true => Err(state.tables.missing(rules, one.or(most).unwrap_or_default())),
        false => Ok(layers),
    }
}
