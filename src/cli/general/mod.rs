//! The other games: what their sheets lead to in the commands that all games have.
//!
//! The options are those of the commands. What a game does not have is refused with a sentence, as
//! are these sheets by the commands that are about Oware alone.

pub mod moves;
mod page;
pub mod query;

use oware_db::error::Result;
use oware_db::game::Seeds;
use oware_db::game::mancala::Sheet;
use oware_db::layer::general::GeneralLayer;
use oware_db::probe::general::GeneralTables;

use super::builder::general::DEFAULT_SEEDS;

/// Returns the layers of a sheet that have a table, as far as they were asked for.
///
/// # Errors
/// [`Error::MissingTable`](oware_db::error::Error::MissingTable) if there is none.
pub fn layers(
    tables: &GeneralTables,
    sheet: &'static Sheet,
    most: Option<Seeds>,
) -> Result<Vec<GeneralLayer>> {
    let mut layers = tables.available(sheet)?;
    layers.retain(|layer| most.is_none_or(|most| layer.seeds() <= most.get()));
    if layers.is_empty() {
        let seeds = most.map_or(DEFAULT_SEEDS, Seeds::get);
        return Err(tables.missing(&GeneralLayer::new(sheet, seeds)));
    }
    Ok(layers)
}
