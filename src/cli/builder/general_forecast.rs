//! What tables of the other games take, and what can be had with what there is.

use std::path::Path;

use serde::Serialize;

use crate::error::Result;
use crate::game::Seeds;
use crate::game::mancala::placement::{own_half, turned_owners};
use crate::game::mancala::{Circling, Layers, Sheet};
use crate::json::words::{bytes, owned, quoted};
use crate::layer::general::GeneralLayer;
use crate::solver::general::{Edges, edges_within, memory};

use super::means::Means;
use super::report::{LayerNeeds, positions};

/// What a build would need.
#[derive(Serialize)]
pub struct Needed {
    pub rules: &'static str,
    /// The layers to build, fewest seeds first.
    pub layers: Vec<LayerNeeds>,
    /// Layers that have a table already.
    pub kept: usize,
    pub positions: u64,
    pub memory: u64,
    pub memory_allowed: u64,
    pub disk: u64,
    pub disk_free: u64,
}

impl Needed {
    /// The same for people.
    pub fn page(&self) -> String {
        format!(
            "{}: {} positions, {} of memory ({} allowed), at most {} of disk ({} free)\n\
             Layers already present: {}.\n{}",
            self.rules,
            positions(self.positions),
            bytes(self.memory),
            bytes(self.memory_allowed),
            bytes(self.disk),
            bytes(self.disk_free),
            self.kept,
            LayerNeeds::page(&self.layers)
        )
    }
}

/// Seeds of the largest layer that a table can be made of.
pub fn most(sheet: &Sheet) -> usize {
    sheet.most.min(Seeds::MAX.get())
}

/// Returns whose the houses are in the layers that owners belong to, by default those of the usual
/// halves.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) if they do not fit.
pub fn owners_of_layer(sheet: &Sheet, owners: Option<&str>) -> Result<u32> {
    let owners = owners.map_or(Ok(own_half(sheet.half)), |text| sheet.parse_owners(text))?;
    Ok(owners.max(turned_owners(owners, sheet.half)))
}

/// A layer and those that it rests on, as far as they occur, fewest seeds first.
pub fn needed_for(layer: &GeneralLayer) -> Vec<GeneralLayer> {
    let sheet = layer.sheet();
    let first = if sheet.layers == Layers::Alone { layer.seeds() } else { 0 };
    let seeds = (first..=layer.seeds()).filter(|&seeds| sheet.has_layer(seeds));
    seeds.map(|seeds| layer.with_seeds(seeds)).collect()
}

/// Bytes of memory that the layers below one take while it is solved.
fn lower(layer: &GeneralLayer) -> u64 {
    // Of a solved layer its bounds are kept.
    let each = layer.sheet().planes() as u64;
    let lower = needed_for(layer).into_iter().filter(|lower| lower.seeds() < layer.seeds());
    lower.map(|lower| lower.positions().saturating_mul(each)).fold(0, u64::saturating_add)
}

/// What a layer needs if this many bytes of memory are allowed, the layers below included.
pub fn needs(layer: &GeneralLayer, allowed: u64) -> LayerNeeds {
    let (seeds, positions, table) = (layer.seeds(), layer.positions(), table_bytes(layer));
    let memory = lower(layer).saturating_add(memory(*layer, edges(layer, allowed)));
    LayerNeeds { seeds, positions, memory, disk: table, table, seconds: None }
}

/// What is to become of the moves of a layer if this many bytes of memory are allowed.
pub fn edges(layer: &GeneralLayer, allowed: u64) -> Edges {
    edges_within(*layer, allowed.saturating_sub(lower(layer)))
}

/// Bytes of disk that a table takes at most: half a byte for each number that it holds. Those that
/// were built take up to 0.37 (`bao-laps` with 13 seeds, which has two numbers a position).
pub fn table_bytes(layer: &GeneralLayer) -> u64 {
    let sheet = layer.sheet();
    let numbers = sheet.planes() as u64 + u64::from(sheet.circling != Circling::Never);
    // Small files are mostly what is around the numbers.
    (layer.positions().saturating_mul(numbers) / 2).saturating_add(1000)
}

/// Whether this many bytes of memory suffice for a layer in reasonable time.
pub fn fits(layer: &GeneralLayer, allowed: u64) -> bool {
    edges(layer, allowed) == Edges::Kept
}

/// The largest layer below one for which this many bytes of memory suffice in reasonable time.
pub fn possible(layer: &GeneralLayer, allowed: u64) -> Option<usize> {
    let mut lower = (0..layer.seeds()).rev().filter(|&seeds| layer.sheet().has_layer(seeds));
    lower.find(|&seeds| fits(&layer.with_seeds(seeds), allowed))
}

/// Says how to build the table of a layer, or that it is impossible.
pub fn remedy(
    dir: &Path,
    sheet: &'static Sheet,
    seeds: usize,
    owners: Option<&str>,
) -> Option<String> {
    let means = Means::of(None, dir, None).ok()?;
    let dir = quoted(dir);
    let layer = GeneralLayer::of_owners(sheet, seeds, owners_of_layer(sheet, owners).ok()?);
    let owners = owned(owners);
    let id = sheet.id;
    if seeds <= most(sheet) && fits(&layer, means.memory) {
        return Some(format!(
            "`oware build --rules {id} --seeds {seeds}{owners} --tables {dir}` builds it"
        ));
    }
    let positions = positions(layer.positions());
    let possible = possible(&layer, means.memory)?;
    Some(format!(
        "that layer has {positions} positions, too many for this machine, which can build up to \
         {possible} seeds: `oware build --rules {id} --seeds {possible}{owners} --tables {dir}`"
    ))
}
