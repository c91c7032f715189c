//! The sheets of rules: `/v1/sheets`.

use serde::Serialize;

use super::{Answers, Document};
use crate::error::Result;
use crate::game::mancala::placement::own_half;
use crate::game::mancala::{self, MANCALAS};
use crate::game::{Rules, SHEETS, Seeds};

/// A sheet with the layers that there are tables of.
#[derive(Serialize)]
struct Sheet {
    #[serde(flatten)]
    rules: &'static Rules,
    layers: Vec<Seeds>,
}

/// A sheet of another game, likewise.
#[derive(Serialize)]
struct OtherSheet {
    id: &'static str,
    title: &'static str,
    /// Places of the board.
    places: usize,
    /// Seeds of the whole game.
    seeds: usize,
    /// Those in which each player owns a half of the board.
    layers: Vec<usize>,
}

/// The document of `GET /v1/sheets`.
#[derive(Serialize)]
struct SheetsDocument {
    sheets: Vec<Sheet>,
    others: Vec<OtherSheet>,
}

impl Answers {
    /// Answers `GET /v1/sheets`: all sheets.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn sheets(&self) -> Result<Document> {
        let sheet =
            |rules: &'static Rules| Ok(Sheet { rules, layers: self.tables.available(rules)? });
        let sheets = SHEETS.into_iter().map(sheet).collect::<Result<_>>()?;
        let others = MANCALAS.into_iter().map(|sheet| self.other(sheet)).collect::<Result<_>>()?;
        Ok(Document::of(&SheetsDocument { sheets, others }))
    }

    fn other(&self, sheet: &'static mancala::Sheet) -> Result<OtherSheet> {
        let &mancala::Sheet { id, title, half, most, .. } = sheet;
        let layers = self.general.available(sheet)?.into_iter();
        let layers = layers.filter(|layer| layer.owners() == own_half(half));
        let layers = layers.map(|layer| layer.seeds()).collect();
        Ok(OtherSheet { id, title, places: 2 * half, seeds: most, layers })
    }
}
