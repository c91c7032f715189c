//! The sheets of rules: `GET /v1/sheets`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::failure::Failure;
use super::state::AppState;
use crate::error::Result;
use crate::game::{Rules, SHEETS, Seeds};

/// A sheet with the layers that there are tables of.
#[derive(Serialize)]
struct Sheet {
    #[serde(flatten)]
    rules: &'static Rules,
    layers: Vec<Seeds>,
}

/// The document of `GET /v1/sheets`.
#[derive(Serialize)]
pub struct SheetsDocument {
    sheets: Vec<Sheet>,
}

/// `GET /v1/sheets`: all sheets.
pub async fn sheets(State(state): State<Arc<AppState>>) -> Result<Json<SheetsDocument>, Failure> {
    let sheet = |rules: &'static Rules| Ok(Sheet { rules, layers: state.tables.available(rules)? });
    let sheets = SHEETS.into_iter().map(sheet).collect::<Result<_>>()?;
    Ok(Json(SheetsDocument { sheets }))
}
