//! The figures of layers: `GET /v1/stats`, what `oware stats` prints. Tables hold them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, sheet};
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
    State(desk): State<Arc<Desk>>,
    Params(params): Params<StatsParams>,
) -> std::result::Result<Json<SheetStats>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let layers = layers(&desk, rules, &params)?;
    let figures = |seeds| Ok(desk.tables.require(rules, seeds)?.stats().clone());
    let layers = layers.into_iter().map(figures).collect::<Result<_>>()?;
    Ok(Json(SheetStats { rules: rules.id, layers }))
}

/// The layers to count: those that are asked for and there.
fn layers(desk: &Desk, rules: &'static Rules, params: &StatsParams) -> Result<Vec<Seeds>> {
    let number = |count: Option<usize>| match count.map(Seeds::new) {
        Some(None) => Err(Error::Usage("the game has 48 seeds".to_owned())),
        Some(Some(seeds)) => Ok(Some(seeds)),
        None => Ok(None),
    };
    let (most, one) = (number(params.seeds)?, number(params.layer)?);
    let mut layers = desk.tables.available(rules)?;
    layers.retain(|&seeds| {
        most.is_none_or(|most| seeds <= most) && one.is_none_or(|one| seeds == one)
    });
    match layers.is_empty() {
        true => Err(desk.tables.missing(rules, one.or(most).unwrap_or_default())),
        false => Ok(layers),
    }
}
