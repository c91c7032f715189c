//! The figures of layers, as `oware stats` prints them: `GET /v1/stats`. Tables hold them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::failure::Failure;
use super::params::{Params, other_sheet, sheet};
use super::state::AppState;
use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{Rules, Seeds};
use crate::json::general::GeneralStatsDocument;
use crate::json::stats::StatsDocument;
use crate::layer::SheetStats;
use crate::layer::general::GeneralLayer;

/// The parameters of `GET /v1/stats`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    rules: Option<String>,
    seeds: Option<usize>,
    layer: Option<usize>,
}

/// `GET /v1/stats`: the figures of all layers, of those up to `seeds`, or of one `layer`.
pub async fn stats(
    State(state): State<Arc<AppState>>,
    Params(params): Params<StatsParams>,
) -> Result<Response, Failure> {
    if let Some(sheet) = other_sheet(params.rules.as_deref()) {
        return Ok(of_others(&state, sheet, params.seeds, params.layer)?);
    }
    let rules = sheet(params.rules.as_deref())?;
    let layers = layers(&state, rules, &params)?;
    let figures = |seeds| Ok(state.tables.require(rules, seeds)?.stats().clone());
    let layers = layers.into_iter().map(figures).collect::<Result<_>>()?;
    let stats = SheetStats { rules: rules.id, layers };
    Ok(Json(StatsDocument::of(stats, &state.tables, rules)?).into_response())
}

/// Returns the layers that are asked for and have a table.
fn layers(state: &AppState, rules: &'static Rules, params: &StatsParams) -> Result<Vec<Seeds>> {
    let most = params.seeds.map(seeds).transpose()?;
    let one = params.layer.map(seeds).transpose()?;
    let mut layers = state.tables.available(rules)?;
    layers.retain(|&seeds| {
        most.is_none_or(|most| seeds <= most) && one.is_none_or(|one| seeds == one)
    });
    if layers.is_empty() {
        return Err(state.tables.missing(rules, one.or(most).unwrap_or_default()));
    }
    Ok(layers)
}

fn seeds(count: usize) -> Result<Seeds> {
    Seeds::new(count).ok_or_else(|| Error::Usage("the game has 48 seeds".to_owned()))
}

/// Returns the figures of all layers, of those up to `most`, or of `one`.
///
/// # Errors
/// [`Error::MissingTable`] if there is none, and whatever is wrong with one.
fn of_others(
    state: &AppState,
    sheet: &'static Sheet,
    most: Option<usize>,
    one: Option<usize>,
) -> Result<Response> {
    let mut layers = state.general.available(sheet)?;
    layers.retain(|layer| {
        most.is_none_or(|most| layer.seeds() <= most) && one.is_none_or(|one| layer.seeds() == one)
    });
    if layers.is_empty() {
        let seeds = one.or(most).unwrap_or_default().min(sheet.most);
        return Err(state.general.missing(&GeneralLayer::new(sheet, seeds)));
    }
    Ok(Json(GeneralStatsDocument::of(&state.general, sheet, &layers)?).into_response())
}
