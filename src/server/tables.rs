//! The tables that the server has: `GET /v1/tables`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::params::{Params, sheet};
use super::state::AppState;
use crate::error::Result;
use crate::game::{Rules, SHEETS, Seeds};
use crate::table::{Planes, file_name};

/// A table.
#[derive(Serialize)]
struct TableEntry {
    rules: &'static str,
    seeds: Seeds,
    file: String,
    bytes: u64,
    sha256: String,
    positions: u64,
    intervals: bool,
    strategy: bool,
}

/// The document of `GET /v1/tables`.
#[derive(Serialize)]
pub struct TablesDocument {
    tables: Vec<TableEntry>,
}

/// The parameters of `GET /v1/tables`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesParams {
    rules: Option<String>,
}

/// `GET /v1/tables`: the tables of all sheets or of one.
pub async fn tables(
    State(state): State<Arc<AppState>>,
    Params(params): Params<TablesParams>,
) -> Result<Json<TablesDocument>, Failure> {
    let rules = params.rules.as_deref().map(|id| sheet(Some(id))).transpose()?;
    let sheets = rules.map_or(SHEETS.to_vec(), |rules| vec![rules]);
    let work = move |state: &AppState| TablesDocument::of(state, &sheets);
    Ok(Json(state.offload_in_turn(work).await?))
}

impl TablesDocument {
    fn of(state: &AppState, sheets: &[&'static Rules]) -> Result<TablesDocument> {
        let mut tables = Vec::new();
        for rules in sheets {
            for seeds in state.tables.available(rules)? {
                tables.extend(TableEntry::of(state, rules, seeds)?);
            }
        }
        Ok(TablesDocument { tables })
    }
}

impl TableEntry {
    /// Reads a table's entry; `None` if its file has been removed since it was listed.
    fn of(state: &AppState, rules: &'static Rules, seeds: Seeds) -> Result<Option<TableEntry>> {
        let Some(table) = state.tables.layer(rules, seeds)? else { return Ok(None) };
        let file = file_name(rules, seeds);
        Ok(Some(TableEntry {
            rules: rules.id,
            seeds,
            bytes: table.bytes(),
            sha256: state.checksums.sha256(&file, table.path())?,
            positions: table.layer().positions(),
            intervals: match table.header().planes() {
                Planes::Low => false,
                Planes::LowAndHigh => true,
            },
            strategy: table.header().has_strategy(),
            file,
        }))
    }
}
