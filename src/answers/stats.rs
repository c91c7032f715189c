//! The figures of layers, as `oware stats` prints them: `/v1/stats`. Tables hold them.

use serde::Deserialize;

use super::parameters::{other_sheet, sheet};
use super::{Answers, Document};
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

impl Answers {
    /// Answers `GET /v1/stats`: the figures of all layers, of those up to `seeds`, or of one `layer`.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn stats(&self, params: StatsParams) -> Result<Document> {
        if let Some(sheet) = other_sheet(params.rules.as_deref()) {
            return self.stats_of_others(sheet, params.seeds, params.layer);
        }
        let rules = sheet(params.rules.as_deref())?;
        let layers = self.layers(rules, &params)?;
        let figures = |seeds| Ok(self.tables.require(rules, seeds)?.stats().clone());
        let layers = layers.into_iter().map(figures).collect::<Result<_>>()?;
        let stats = SheetStats { rules: rules.id, layers };
        Ok(Document::of(&StatsDocument::of(stats, &self.tables, rules)?))
    }

    /// Returns the layers that are asked for and have a table.
    fn layers(&self, rules: &'static Rules, params: &StatsParams) -> Result<Vec<Seeds>> {
        let most = params.seeds.map(seeds).transpose()?;
        let one = params.layer.map(seeds).transpose()?;
        let mut layers = self.tables.available(rules)?;
        layers.retain(|&seeds| {
            most.is_none_or(|most| seeds <= most) && one.is_none_or(|one| seeds == one)
        });
        if layers.is_empty() {
            return Err(self.tables.missing(rules, one.or(most).unwrap_or_default()));
        }
        Ok(layers)
    }

    /// Answers for another game: all layers, those up to `most`, or `one`.
    fn stats_of_others(
        &self,
        sheet: &'static Sheet,
        most: Option<usize>,
        one: Option<usize>,
    ) -> Result<Document> {
        let mut layers = self.general.available(sheet)?;
        layers.retain(|layer| {
            most.is_none_or(|most| layer.seeds() <= most)
                && one.is_none_or(|one| layer.seeds() == one)
        });
        if layers.is_empty() {
            let seeds = one.or(most).unwrap_or_default().min(sheet.most);
            return Err(self.general.missing(&GeneralLayer::new(sheet, seeds)));
        }
        Ok(Document::of(&GeneralStatsDocument::of(&self.general, sheet, &layers)?))
    }
}

fn seeds(count: usize) -> Result<Seeds> {
    Seeds::new(count).ok_or_else(|| Error::Usage("the game has 48 seeds".to_owned()))
}
