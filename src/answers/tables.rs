//! The tables that there are, `/v1/tables`, and the sheets of rules, `/v1/sheets`.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::parameters::{SheetParams, any_sheet};
use super::{Answers, Document};
use crate::error::Result;
use crate::game::mancala::placement::own_half;
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{Rules, SHEETS, Seeds};
use crate::json::AnySheet;
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
    /// None on a shelf.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    positions: u64,
    intervals: bool,
    strategy: bool,
}

/// The parameters of `GET /v1/sheets`: none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetsParams {}

impl Answers {
    /// Answers `GET /v1/tables`: the tables of all sheets or of one, with the checksums of their files,
    /// which are read for that. Tables on a shelf have none: one far away would have to be fetched whole.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn tables(&self, params: SheetParams) -> Result<Document> {
        let asked = params.rules.as_deref().map(|id| any_sheet(Some(id))).transpose()?;
        let (sheets, others) = match asked {
            None => (SHEETS.to_vec(), MANCALAS.to_vec()),
            Some(AnySheet::Oware(rules)) => (vec![rules], vec![]),
            Some(AnySheet::Other(sheet)) => (vec![], vec![sheet]),
        };
        let mut tables = Vec::new();
        for rules in sheets {
            for seeds in self.tables.available(rules)? {
                tables.extend(TableEntry::of(self, rules, seeds)?);
            }
        }
        for sheet in others {
            for layer in self.tables.available(sheet)? {
                tables.extend(TableEntry::of_other(self, &layer)?);
            }
        }
        Ok(Document::of(&json!({"tables": tables})))
    }

    /// Returns the checksum of a file; `None` of what stands on a shelf, and of another length, which
    /// stands where the table did that is open.
    fn sha256(&self, name: &str, path: &Path, bytes: u64) -> Result<Option<String>> {
        let is_of_length = || path.metadata().is_ok_and(|file| file.len() == bytes);
        let is_file = !self.tables.are_on_shelf() && is_of_length();
        is_file.then(|| self.checksums.sha256(name, path)).transpose()
    }
}

impl TableEntry {
    /// Reads a table's entry; `None` if its file has been removed since it was listed.
    fn of(answers: &Answers, rules: &'static Rules, seeds: Seeds) -> Result<Option<TableEntry>> {
        let Some(table) = answers.tables.layer(rules, seeds)? else { return Ok(None) };
        let file = file_name(rules, seeds);
        Ok(Some(TableEntry {
            rules: rules.id,
            seeds: seeds.get(),
            owners: None,
            bytes: table.bytes(),
            sha256: answers.sha256(&file, table.path(), table.bytes())?,
            positions: table.layer().positions(),
            intervals: match table.header().planes {
                Planes::Low => false,
                Planes::LowAndHigh => true,
            },
            strategy: table.header().has_strategy(),
            file,
        }))
    }

    /// The same for a table of another game.
    fn of_other(answers: &Answers, layer: &GeneralLayer) -> Result<Option<TableEntry>> {
        let Some(table) = answers.tables.layer(layer.sheet(), *layer)? else { return Ok(None) };
        let file = general::file_name(layer);
        Ok(Some(TableEntry {
            rules: layer.sheet().id,
            seeds: layer.seeds(),
            owners: layer.owners_text(),
            bytes: table.bytes(),
            sha256: answers.sha256(&file, table.path(), table.bytes())?,
            positions: layer.positions(),
            intervals: table.header().has_high,
            strategy: table.header().has_stamps,
            file,
        }))
    }
}

impl Answers {
    /// Answers `GET /v1/sheets`: all sheets, with the layers that there are tables of.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn sheets(&self, SheetsParams {}: SheetsParams) -> Result<Document> {
        let sheet = |rules: &'static Rules| {
            let mut fields = json!(rules);
            fields["layers"] = json!(self.tables.available(rules)?);
            Ok(fields)
        };
        let sheets = SHEETS.into_iter().map(sheet).collect::<Result<Vec<Value>>>()?;
        let others = MANCALAS.into_iter().map(|sheet| self.other(sheet));
        let others = others.collect::<Result<Vec<Value>>>()?;
        Ok(Document::of(&json!({"sheets": sheets, "others": others})))
    }

    /// A game beside Oware: its layers are those in which each player owns a half of the board.
    fn other(&self, sheet: &'static Sheet) -> Result<Value> {
        let &Sheet { id, title, half, most, .. } = sheet;
        let layers = self.tables.available(sheet)?.into_iter();
        let layers = layers.filter(|layer| layer.owners() == own_half(half));
        let layers: Vec<usize> = layers.map(|layer| layer.seeds()).collect();
        Ok(json!({"id": id, "title": title, "places": 2 * half, "seeds": most, "layers": layers}))
    }
}
