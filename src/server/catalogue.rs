//! What there is to ask: sheets and tables.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, sheet};
use crate::error::{Error, Result};
use crate::game::{Endless, Feeding, GrandSlam, Harvest, Origin, Rules, SHEETS, Seeds};
use crate::table::checksum::sha256;
use crate::table::{Planes, file_name};

/// Checksums of files as they were: length and time of change tell whether one is another by now.
#[derive(Default)]
pub struct Sums(Mutex<HashMap<String, (Stamp, String)>>);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    changed: Option<SystemTime>,
}

impl Sums {
    fn of(&self, name: &str, path: &Path) -> Result<String> {
        let found = std::fs::metadata(path).map_err(Error::io("reading", path))?;
        let stamp = Stamp { bytes: found.len(), changed: found.modified().ok() };
        let sums = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sum)) = sums().get(name).filter(|(then, _)| *then == stamp) {
            return Ok(sum.clone());
        }
        let sum = sha256(path)?;
        sums().insert(name.to_owned(), (stamp, sum.clone()));
        Ok(sum)
    }
}

/// A sheet with the layers that there are tables of.
#[derive(Serialize)]
pub struct SheetFields {
    id: &'static str,
    title: &'static str,
    origin: &'static str,
    grand_slam: &'static str,
    feeding: &'static str,
    harvest: &'static str,
    endless: &'static str,
    layers: Vec<usize>,
}

/// All sheets.
#[derive(Serialize)]
pub struct SheetsDocument {
    sheets: Vec<SheetFields>,
}

/// `GET /v1/sheets`.
pub async fn sheets(
    State(desk): State<Arc<Desk>>,
) -> std::result::Result<Json<SheetsDocument>, Failure> {
    let sheets =
        SHEETS.into_iter().map(|rules| SheetFields::of(&desk, rules)).collect::<Result<_>>()?;
    Ok(Json(SheetsDocument { sheets }))
}

impl SheetFields {
    fn of(desk: &Desk, rules: &Rules) -> Result<SheetFields> {
        Ok(SheetFields {
            id: rules.id,
            title: rules.title,
            origin: match rules.origin {
                Origin::Skipped => "skipped",
                Origin::Sown => "sown",
            },
            grand_slam: match rules.grand_slam {
                GrandSlam::CapturesNothing => "captures_nothing",
                GrandSlam::Captures => "captures",
                GrandSlam::IllegalUnlessForced => "illegal_unless_forced",
            },
            feeding: match rules.feeding {
                Feeding::MustFeed => "must_feed",
                Feeding::Free => "free",
            },
            harvest: match rules.harvest {
                Harvest::LastHouses => "last_houses",
                Harvest::Opposite => "opposite",
            },
            endless: match rules.endless {
                Endless::EvenSplit => "even_split",
                Endless::OwnSide(_) => "own_side",
            },
            layers: desk.tables.available(rules)?.into_iter().map(Seeds::get).collect(),
        })
    }
}

/// A table.
#[derive(Serialize)]
pub struct TableFields {
    rules: &'static str,
    seeds: usize,
    file: String,
    bytes: u64,
    sha256: String,
    positions: u64,
    intervals: bool,
    strategy: bool,
}

/// All tables.
#[derive(Serialize)]
pub struct TablesDocument {
    tables: Vec<TableFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesParams {
    rules: Option<String>,
}

/// `GET /v1/tables`: of all sheets or of one.
pub async fn tables(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<TablesParams>,
) -> std::result::Result<Json<TablesDocument>, Failure> {
    let one = params.rules.as_deref().map(|id| sheet(Some(id))).transpose()?;
    let list = move |desk: &Desk| {
        let mut tables = Vec::new();
        for rules in SHEETS.into_iter().filter(|rules| one.is_none_or(|one| one == *rules)) {
            for seeds in desk.tables.available(rules)? {
                tables.extend(TableFields::of(desk, rules, seeds)?);
            }
        }
        Ok(TablesDocument { tables })
    };
    Ok(Json(desk.on_whole_tables(list).await?))
}

impl TableFields {
    fn of(desk: &Desk, rules: &'static Rules, seeds: Seeds) -> Result<Option<TableFields>> {
        let Some(table) = desk.tables.layer(rules, seeds)? else { return Ok(None) };
        let file = file_name(rules, seeds);
        Ok(Some(TableFields {
            rules: rules.id,
            seeds: seeds.get(),
            bytes: table.bytes(),
            sha256: desk.sums.of(&file, table.path())?,
            positions: table.layer().positions(),
            intervals: match table.header().planes() {
                Planes::Low => false,
                Planes::LowAndHigh => true,
            },
            strategy: table.header().holds().is_some(),
            file,
        }))
    }
}
