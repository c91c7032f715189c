//! The sheets of rules: `/v1/sheets`.

use serde_json::{Value, json};

use super::{Answers, Document};
use crate::error::Result;
use crate::game::mancala::placement::own_half;
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{Rules, SHEETS};

impl Answers {
    /// Answers `GET /v1/sheets`: all sheets, with the layers that there are tables of.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn sheets(&self) -> Result<Document> {
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
        let layers = self.general.available(sheet)?.into_iter();
        let layers = layers.filter(|layer| layer.owners() == own_half(half));
        let layers: Vec<usize> = layers.map(|layer| layer.seeds()).collect();
        Ok(json!({"id": id, "title": title, "places": 2 * half, "seeds": most, "layers": layers}))
    }
}
