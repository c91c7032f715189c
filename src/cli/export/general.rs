//! Layers of the other games as rows: their tables hold them in order of ranks, a frame after
//! the other.

use crate::error::{Error, Result};
use crate::game::mancala::{Layers, Sheet};
use crate::game::{ScoreRange, Seeds};
use crate::layer::general::GeneralLayer;
use crate::table::general::{GeneralTable, file_name};

use super::shape::{PLIES, Rows, STAMPS, Shape};
use super::stream::in_order;
use crate::cli::builder::general_forecast::owners_of_layer;

/// Returns the layers of a sheet with this many seeds, as far as they occur.
///
/// # Errors
/// [`Error::Usage`] if none does, or if owners do not fit.
pub fn layers(
    sheet: &'static Sheet,
    owners: Option<&str>,
    seeds: impl Iterator<Item = Seeds>,
) -> Result<Vec<GeneralLayer>> {
    let owners = owners_of_layer(sheet, owners)?;
    let seeds = seeds.map(Seeds::get).filter(|&seeds| sheet.has_layer(seeds));
    let layers: Vec<GeneralLayer> =
        seeds.map(|seeds| GeneralLayer::of_owners(sheet, seeds, owners)).collect();
    if layers.is_empty() {
        return Err(Error::Usage(format!("`{}` has no layer of so many seeds", sheet.id)));
    }
    Ok(layers)
}

/// Returns a layer as the formats see it.
pub fn shape(table: &GeneralTable) -> Shape {
    let (layer, header) = (table.layer(), table.header());
    let sheet = layer.sheet();
    let half = |owner: &'static str| {
        (0..sheet.half).map(move |place| match sheet.layers {
            Layers::BySeeds => format!("{owner}_{}", char::from(b'a' + place as u8)),
            Layers::Alone => format!("{owner}_{place}"),
        })
    };
    let seeds = Seeds::new(layer.seeds()).expect("seeds of a layer that has a table");
    Shape {
        rules: sheet.id,
        stem: file_name(&layer).trim_end_matches(".oware").to_owned(),
        seeds,
        positions: layer.positions(),
        places: half("mover").chain(half("opponent")).collect(),
        beside: header.has_stamps.then_some(match sheet.layers {
            Layers::BySeeds => STAMPS,
            Layers::Alone => PLIES,
        }),
        range: ScoreRange::full(seeds),
    }
}

/// Hands all positions of a table to `take`, in order of ranks.
///
/// # Errors
/// Whatever is wrong with the table, and what `take` fails with.
pub fn stream(table: &GeneralTable, take: &mut dyn FnMut(&Rows) -> Result<()>) -> Result<()> {
    in_order(table.header().frames(), |number| rows(table, number), take)
}

fn rows(table: &GeneralTable, number: u64) -> Result<Rows> {
    let frame = table.frame(number)?;
    let signed = |bytes: &[u8]| bytes.iter().map(|byte| byte.cast_signed()).collect();
    let (layer, first) = (table.layer(), GeneralTable::first_of(number));
    let placements = layer.placements(first, frame.low().len());
    Ok(Rows {
        first,
        counts: placements.flat_map(|placement| placement.counts().to_vec()).collect(),
        low: signed(frame.low()),
        high: signed(frame.high()),
        beside: frame.stamps().to_vec(),
    })
}
