//! `oware stats` of the other games.

use std::process::ExitCode;

use oware_db::error::Result;
use oware_db::game::Seeds;
use oware_db::game::mancala::Sheet;
use oware_db::json::general::{GeneralLayerStats, GeneralStatsDocument};
use oware_db::json::words::bytes;

use crate::cli::options::TablesArgs;
use crate::cli::output;

/// Prints the figures.
pub fn run(
    sheet: &'static Sheet,
    tables: &TablesArgs,
    seeds: Option<Seeds>,
    json: bool,
) -> Result<ExitCode> {
    let tables = tables.open_general()?;
    let layers = super::layers(&tables, sheet, seeds)?;
    output::result(json, &GeneralStatsDocument::of(&tables, sheet, &layers)?, page)?;
    Ok(ExitCode::SUCCESS)
}

fn page(document: &GeneralStatsDocument) -> String {
    let page =
        format!("Positions by value for the player to move, sheet `{}`:\n\n", document.rules);
    let head = [
        "seeds",
        "positions",
        "wins",
        "draws",
        "losses",
        "sum of scores",
        "longest",
        "file",
        "owners",
    ];
    let cells = |GeneralLayerStats { stats, owners }: &GeneralLayerStats| {
        let layer = &stats.layer;
        vec![
            layer.seeds.to_string(),
            layer.positions.to_string(),
            layer.wins.to_string(),
            layer.draws.to_string(),
            layer.losses.to_string(),
            output::span(layer.low_sum, layer.high_sum),
            stats.longest.map_or("-".to_owned(), |plies| plies.to_string()),
            bytes(layer.bytes),
            owners.as_ref().map_or(String::new(), ToString::to_string),
        ]
    };
    page + &output::table(&head, &document.layers.iter().map(cells).collect::<Vec<_>>())
}
