//! The figures of layers of any game, as the command and the server give them.

use serde::Serialize;

use crate::error::Result;
use crate::game::Rules;
use crate::game::mancala::Sheet;
use crate::layer::LayerStats;
use crate::probe::{Tabled, Tables};
use crate::table::Table;
use crate::table::general::{GeneralStats, GeneralTable};

/// The figures of a sheet.
#[derive(Serialize)]
pub struct StatsDocument {
    /// Id of the sheet.
    pub rules: &'static str,
    /// Its layers.
    pub layers: Vec<Figures>,
}

/// The figures of a layer, and what else its table tells of it.
#[derive(Serialize)]
pub struct Figures {
    /// The figures.
    #[serde(flatten)]
    pub stats: LayerStats,
    /// Plies to the end of the longest game with best play, where plies are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u8>,
    /// Whose the houses are, where not each player's are the own half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
    /// In Oware, positions in which the strategy makes another move than the default; none without a
    /// strategy.
    pub exceptions: Option<u64>,
}

impl StatsDocument {
    /// Reads the figures of these layers.
    ///
    /// # Errors
    /// [`Error::MissingTable`](crate::Error::MissingTable) if one has no table, and whatever is wrong
    /// with one.
    pub fn of<G: Counted>(
        tables: &Tables,
        sheet: &'static G,
        layers: &[G::Layer],
    ) -> Result<StatsDocument> {
        let figures = |&layer: &G::Layer| G::figures(&*tables.require(sheet, layer)?);
        let layers = layers.iter().map(figures).collect::<Result<_>>()?;
        Ok(StatsDocument { rules: sheet.id(), layers })
    }
}

/// A sheet whose tables have figures.
pub trait Counted: Tabled {
    /// Returns those of a table.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    fn figures(table: &Self::Table) -> Result<Figures>;
}

impl Counted for Rules {
    fn figures(table: &Table) -> Result<Figures> {
        let (stats, exceptions) = (table.stats().clone(), table.exceptions_count()?);
        Ok(Figures { stats, longest: None, owners: None, exceptions })
    }
}

impl Counted for Sheet {
    fn figures(table: &GeneralTable) -> Result<Figures> {
        let GeneralStats { layer: stats, longest } = table.stats().clone();
        Ok(Figures { stats, longest, owners: table.layer().owners_text(), exceptions: None })
    }
}
