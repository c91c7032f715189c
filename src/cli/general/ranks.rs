//! `oware index` and `oware unindex` of the games beside Oware.

use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::mancala::Sheet;
use oware_db::game::mancala::placement::own_half;
use oware_db::json::general::GeneralRanked;
use oware_db::layer::general::GeneralLayer;

use crate::cli::output;
use crate::cli::position::placement_from_words;

/// Prints the rank of a position.
pub fn index(sheet: &'static Sheet, words: &[String], json: bool) -> Result<ExitCode> {
    let placement = placement_from_words(sheet, words)?;
    let layer = GeneralLayer::around(sheet, &placement);
    numbered(&layer)?;
    let ranked = GeneralRanked { sheet, placement, rank: layer.rank(&placement) };
    output::result(json, &ranked, |ranked| format!("{}\n", ranked.rank))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the position with a rank.
pub fn unindex(
    sheet: &'static Sheet,
    seeds: usize,
    owners: Option<&str>,
    rank: u64,
    json: bool,
) -> Result<ExitCode> {
    if seeds > 0 && !sheet.has_layer(seeds) {
        let id = sheet.id;
        return Err(Error::Usage(format!("{seeds} seeds are never on the board of `{id}`")));
    }
    let owners = owners.map_or(Ok(own_half(sheet.half)), |text| sheet.parse_owners(text))?;
    let placement = sheet.initial().with_owners(owners);
    let layer = GeneralLayer::around(sheet, &placement).with_seeds(seeds);
    numbered(&layer)?;
    let positions = layer.positions();
    if rank >= positions {
        let last = positions - 1;
        return Err(Error::Usage(format!(
            "the layer of {seeds} seeds has {positions} positions, with the ranks 0 to {last}, \
             not {rank}"
        )));
    }
    let ranked = GeneralRanked { sheet, placement: layer.placement(rank), rank };
    output::result(json, &ranked, |ranked| format!("{}\n", ranked.placement))?;
    Ok(ExitCode::SUCCESS)
}

/// An error if a layer has more placements than there are numbers.
fn numbered(layer: &GeneralLayer) -> Result<()> {
    if layer.positions() < u64::MAX {
        return Ok(());
    }
    let seeds = layer.seeds();
    Err(Error::Usage(format!("the layer of {seeds} seeds has more than 2^64 positions")))
}
