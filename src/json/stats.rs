//! The figures of layers, as the command and the server give them.

use serde::Serialize;

use crate::error::Result;
use crate::game::Rules;
use crate::layer::{LayerStats, SheetStats};
use crate::probe::Tables;

/// The figures of a sheet, and what its tables hold of strategies.
#[derive(Serialize)]
pub struct StatsDocument {
    /// Id of the sheet.
    pub rules: &'static str,
    /// Its layers.
    pub layers: Vec<Figures>,
}

/// The figures of a layer, and what its table holds of a strategy.
#[derive(Serialize)]
pub struct Figures {
    /// The figures.
    #[serde(flatten)]
    pub stats: LayerStats,
    /// Positions in which the strategy makes another move than the default; none without one.
    pub exceptions: Option<u64>,
}

impl StatsDocument {
    /// Adds to figures what the tables hold of strategies.
    ///
    /// # Errors
    /// Whatever is wrong with a table.
    pub fn of(stats: SheetStats, tables: &Tables, rules: &'static Rules) -> Result<StatsDocument> {
        let figures = |stats: LayerStats| {
            let exceptions = tables.require(rules, stats.seeds)?.exceptions_count()?;
            Ok(Figures { stats, exceptions })
        };
        let layers = stats.layers.into_iter().map(figures).collect::<Result<_>>()?;
        Ok(StatsDocument { rules: stats.rules, layers })
    }
}
