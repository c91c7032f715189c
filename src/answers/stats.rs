//! The figures of layers, as `oware stats` prints them: `/v1/stats`. Tables hold them.

use serde::Deserialize;

use super::parameters::any_sheet;
use super::{Answers, Document};
use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::json::AnySheet;
use crate::json::stats::{Counted, StatsDocument};

/// The layer that is missing where there is none. Every game has one of as many seeds.
const USUAL: usize = 8;

/// The parameters of `GET /v1/stats`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    rules: Option<String>,
    seeds: Option<usize>,
    layer: Option<usize>,
}

impl Answers {
    /// Answers `GET /v1/stats`: the figures of all layers, of those up to `seeds`, or of one `layer`.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn stats(&self, params: StatsParams) -> Result<Document> {
        let StatsParams { rules, seeds: most, layer: one } = params;
        match any_sheet(rules.as_deref())? {
            AnySheet::Oware(rules) => self.figures(rules, most, one, Seeds::MAX.get(), |_| true),
            AnySheet::Other(sheet) => {
                let has_table = |seeds| sheet.has_layer(seeds) && seeds <= Seeds::MAX.get();
                self.figures(sheet, most, one, sheet.most, has_table)
            }
        }
    }

    /// Returns the figures of the layers that have a table: all, those up to `most` seeds, or `one`.
    fn figures<G: Counted>(
        &self,
        sheet: &'static G,
        most: Option<usize>,
        one: Option<usize>,
        largest: usize,
        has_table: impl Fn(usize) -> bool,
    ) -> Result<Document> {
        if [most, one].into_iter().flatten().any(|seeds| seeds > largest) {
            return Err(Error::Usage(format!("the game has {largest} seeds")));
        }
        if let Some(seeds) = one.filter(|&seeds| !has_table(seeds)) {
            return Err(Error::Usage(format!("there are no tables of {seeds} seeds")));
        }
        let is_asked =
            |seeds| most.is_none_or(|most| seeds <= most) && one.is_none_or(|one| seeds == one);
        let named = one.or(most).unwrap_or(USUAL).min(Seeds::MAX.get());
        let layers = self.tables.available_where(sheet, is_asked, named)?;
        Ok(Document::of(&StatsDocument::of(&self.tables, sheet, &layers)?))
    }
}
