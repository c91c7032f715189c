//! The tables that the server has: `GET /v1/tables`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::params::{Params, other_sheet, sheet};
use super::state::AppState;
use crate::error::Result;
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{Rules, SHEETS, Seeds};
use crate::layer::general::GeneralLayer;
use crate::table::{Planes, file_name, general};

/// A table.
#[derive(Serialize)]
struct TableEntry {
    rules: &'static str,
    seeds: usize,
    /// Whose the houses are, where not each player's are the own half.
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<String>,
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
    let id = params.rules.as_deref();
    let (sheets, others) = match (id, other_sheet(id)) {
        (None, _) => (SHEETS.to_vec(), MANCALAS.to_vec()),
        (_, Some(other)) => (vec![], vec![other]),
        (id, None) => (vec![sheet(id)?], vec![]),
    };
    let work = move |state: &AppState| TablesDocument::of(state, &sheets, &others);
    Ok(Json(state.offload_in_turn(work).await?))
}

impl TablesDocument {
    fn of(
        state: &AppState,
        sheets: &[&'static Rules],
        others: &[&'static Sheet],
    ) -> Result<TablesDocument> {
        let mut tables = Vec::new();
        for rules in sheets {
            for seeds in state.tables.available(rules)? {
                tables.extend(TableEntry::of(state, rules, seeds)?);
            }
        }
        for sheet in others {
            for layer in state.general.available(sheet)? {
                tables.extend(TableEntry::of_other(state, &layer)?);
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
            seeds: seeds.get(),
            owners: None,
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

    /// The same for a table of a game beside Oware.
    fn of_other(state: &AppState, layer: &GeneralLayer) -> Result<Option<TableEntry>> {
        let Some(table) = state.general.table(layer)? else { return Ok(None) };
        let file = general::file_name(layer);
        Ok(Some(TableEntry {
            rules: layer.sheet().id,
            seeds: layer.seeds(),
            owners: layer.owners_text(),
            bytes: table.bytes(),
            sha256: state.checksums.sha256(&file, table.path())?,
            positions: layer.positions(),
            intervals: table.header().has_high,
            strategy: table.header().has_stamps,
            file,
        }))
    }
}
