//! `oware build` of the games beside Oware.
//!
//! Layers are solved one after the other, each beside those below, and a layer's table is written
//! before the next one begins. An interrupted build keeps the tables that there are, and goes on with
//! the layer that it was at from a checkpoint.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::game::mancala::placement::{own_half, turned_owners};
use oware_db::game::mancala::rounds::Class;
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::json::words::bytes;
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::probe::general::GeneralTables;
use oware_db::solver::general::{Below, Edges, has_edges, solve};
use oware_db::table::general::{file_name, write};
use oware_db::table::{Lock, WriteOptions};

use super::general_forecast::{Needed, edges, fits, most, needed_for, possible, takes};
use super::keeping::{Keeping, table_bytes};
use super::means::{Extent, Means};
use super::options::Common;
use super::repair::{Damaged, flaw, make_way};
use crate::cli::output;

/// Seeds of the largest layer if none is asked for.
pub const DEFAULT_SEEDS: usize = 8;

/// A build of tables of a game beside Oware.
pub struct Build<'a> {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The largest layer.
    pub seeds: Option<Extent>,
    /// Whose the houses are, or `all` for those of every round of a match; six each if left out.
    pub owners: Option<&'a str>,
    /// What a build of any game can be asked for.
    pub common: &'a Common,
    /// Seconds from one checkpoint of a layer to the next at least.
    pub checkpoint_seconds: u64,
}

/// All tables of a build.
#[derive(Serialize)]
struct Report {
    rules: &'static str,
    layers: Vec<LayerFields>,
    /// The files that had to be replaced, after a repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<Vec<Damaged>>,
}

/// The table of a layer.
#[derive(Serialize)]
struct LayerFields {
    seeds: usize,
    positions: u64,
    seconds: f64,
    bytes: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    kept: bool,
}

impl Build<'_> {
    /// Builds what is missing.
    pub fn run(&self, json: bool) -> Result<ExitCode> {
        let dir = self.common.tables.clone();
        let layers = self.layers(&dir)?;
        let needed = self.needed(&dir, &layers)?;
        if self.common.dry_run {
            output::result(json, &needed, Needed::page)?;
            return Ok(ExitCode::SUCCESS);
        }
        if needed.memory > needed.memory_allowed {
            return Err(self.refused(&layers, &needed));
        }
        if needed.disk > needed.disk_free {
            let (dir, needed, free) = (dir, needed.disk, needed.disk_free);
            return Err(Error::TooLittleDisk { dir, needed, free, possible: None });
        }
        fs::create_dir_all(&dir).map_err(Error::io("making the directory", &dir))?;
        let lock = Lock::take(&dir)?;
        lock.sweep_up()?;
        let damaged = if self.common.repair { damaged(&dir, &layers)? } else { Vec::new() };
        let report = self.build(&dir, &layers, needed.memory_allowed, damaged)?;
        if json {
            output::document(&report)?;
        } else if !self.common.quiet {
            output::text(&report.farewell(&dir))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The layers that are asked for, fewest seeds first.
    fn layers(&self, dir: &Path) -> Result<Vec<GeneralLayer>> {
        let mut layers = Vec::new();
        for owners in self.all_owners()? {
            layers.extend(self.layers_of(owners, dir)?);
        }
        Ok(layers)
    }

    /// Who owns what in the tables that are asked for: those of one round, or all of a match.
    fn all_owners(&self) -> Result<Vec<u32>> {
        let sheet = self.sheet;
        let owners = match self.owners {
            None => own_half(sheet.half),
            Some("all") if sheet.has_owners => {
                return Ok(Class::all().into_iter().map(Class::owners).collect());
            }
            Some(text) => sheet.parse_owners(text)?,
        };
        Ok(vec![owners.max(turned_owners(owners, sheet.half))])
    }

    /// The layers of some owners, fewest seeds first.
    fn layers_of(&self, owners: u32, dir: &Path) -> Result<Vec<GeneralLayer>> {
        let sheet = self.sheet;
        let largest = match self.seeds {
            Some(Extent::UpTo(seeds)) => seeds.get(),
            Some(Extent::Max) => self.largest(owners, dir)?,
            None if self.common.repair => return present(sheet, owners, dir),
            None => DEFAULT_SEEDS,
        };
        self.up_to(largest, owners)
    }

    fn up_to(&self, largest: usize, owners: u32) -> Result<Vec<GeneralLayer>> {
        let sheet = self.sheet;
        if largest > most(sheet) {
            let most = most(sheet);
            return Err(Error::Usage(format!("--seeds {largest}: at most {most} here")));
        }
        let layers = needed_for(&GeneralLayer::of_owners(sheet, largest, owners));
        if layers.is_empty() {
            return Err(Error::Usage(format!("`{}` has no layer of {largest}", sheet.id)));
        }
        Ok(layers)
    }

    /// The largest layer of some owners for which memory and disk suffice; disk is needed for the
    /// tables that are not there.
    fn largest(&self, owners: u32, dir: &Path) -> Result<usize> {
        let means = Means::of(self.common.memory, dir)?;
        let beyond = GeneralLayer::of_owners(self.sheet, most(self.sheet) + 1, owners);
        let mut below = (0..beyond.seeds()).rev().filter(|&seeds| self.sheet.has_layer(seeds));
        let mut found = None;
        for seeds in below.by_ref() {
            let layer = beyond.with_seeds(seeds);
            if fits(&layer, means.memory)
                && self.disk(dir, &needed_for(&layer))? <= means.tables.free
            {
                found = Some(seeds);
                break;
            }
        }
        Ok(found.unwrap_or(0))
    }

    /// Bytes of disk that the tables need that are not there.
    fn disk(&self, dir: &Path, layers: &[GeneralLayer]) -> Result<u64> {
        let missing =
            layers.iter().filter(|layer| self.common.force || !dir.join(file_name(layer)).exists());
        Ok(missing.map(table_bytes).fold(0, u64::saturating_add))
    }

    /// What the layers need: each is solved beside all those below.
    fn needed(&self, dir: &Path, layers: &[GeneralLayer]) -> Result<Needed> {
        let Means { memory: allowed, tables, .. } = Means::of(self.common.memory, dir)?;
        Ok(Needed {
            rules: self.sheet.id,
            positions: layers.iter().map(GeneralLayer::positions).fold(0, u64::saturating_add),
            memory: layers.iter().map(|layer| takes(layer, allowed)).max().unwrap_or(0),
            memory_allowed: allowed,
            disk: self.disk(dir, layers)?,
            disk_free: tables.free,
        })
    }

    /// Says what there is too little of, and what would be possible.
    fn refused(&self, layers: &[GeneralLayer], needed: &Needed) -> Error {
        let (last, allowed) = (layers.last().expect("a layer"), needed.memory_allowed);
        let possible = possible(last, allowed);
        let (seeds, needed) = (last.seeds(), needed.memory);
        let error = Error::TooLittleMemory { seeds, needed, allowed, possible };
        match self.common.memory {
            Some(_) => Error::Usage(output::with_command(&error)),
            None => error,
        }
    }

    fn build(
        &self,
        dir: &Path,
        layers: &[GeneralLayer],
        allowed: u64,
        damaged: Vec<(GeneralLayer, Damaged)>,
    ) -> Result<Report> {
        let tables = GeneralTables::open(dir);
        let keeping = Keeping::new(dir, self.checkpoint_seconds, self.common.quiet);
        let (mut below, mut found) = (Below::new(), Vec::new());
        for layer in layers {
            // What other owners have captured is of no use here.
            below.retain(|_, solved: &mut GeneralSolved| solved.layer.owners() == layer.owners());
            let is_replaced =
                self.common.force || damaged.iter().any(|(damaged, _)| damaged == layer);
            let kept = if is_replaced { None } else { tables.table(layer)? };
            let fields = match kept {
                Some(table) => {
                    if self.sheet.layers == Layers::BySeeds {
                        keep_below(&mut below, table.load()?);
                    }
                    LayerFields::kept(layer, table.bytes())
                }
                None => {
                    keeping.begin(layer, !is_replaced)?;
                    self.build_layer(dir, layer, edges(layer, allowed), &mut below, &keeping)?
                }
            };
            found.push(fields);
        }
        let replaced = damaged.into_iter().map(|(_, damaged)| damaged).collect();
        let replaced = self.common.repair.then_some(replaced);
        Ok(Report { rules: self.sheet.id, layers: found, replaced })
    }

    fn build_layer(
        &self,
        dir: &Path,
        layer: &GeneralLayer,
        edges: Edges,
        below: &mut Below,
        keeping: &Keeping,
    ) -> Result<LayerFields> {
        if edges == Edges::MadeAnew && has_edges(self.sheet) && !self.common.quiet {
            output::note(&format!(
                "layer {:>2}: too little memory to keep its moves; they are made anew in each \
                 round, which takes many times as long",
                layer.seeds()
            ));
        }
        let start = Instant::now();
        let solved = solve(*layer, below, edges, keeping)?;
        let seconds = start.elapsed().as_secs_f64();
        make_way(dir, &[file_name(layer)])?;
        let written = write(dir, &solved, WriteOptions { level: self.common.level })?;
        keeping.end(layer)?;
        if !self.common.quiet {
            let (seeds, positions, size) = (layer.seeds(), layer.positions(), bytes(written.bytes));
            output::note(&format!(
                "layer {seeds:>2}: {positions} positions in {seconds:.2} s, {size}"
            ));
        }
        if self.sheet.layers == Layers::BySeeds {
            keep_below(below, solved);
        }
        Ok(LayerFields {
            seeds: layer.seeds(),
            positions: layer.positions(),
            seconds,
            bytes: written.bytes,
            kept: false,
        })
    }
}

/// Keeps what the layers above ask for: bounds, but no stamps.
fn keep_below(below: &mut Below, solved: GeneralSolved) {
    below.insert(solved.layer.seeds(), GeneralSolved { stamps: None, ..solved });
}

impl LayerFields {
    fn kept(layer: &GeneralLayer, bytes: u64) -> LayerFields {
        let (seeds, positions) = (layer.seeds(), layer.positions());
        LayerFields { seeds, positions, seconds: 0.0, bytes, kept: true }
    }
}

impl Report {
    fn farewell(&self, dir: &Path) -> String {
        let size = bytes(self.layers.iter().map(|layer| layer.bytes).sum());
        let kept = self.layers.iter().filter(|layer| layer.kept).count();
        let (built, dir) = (self.layers.len() - kept, dir.display());
        let rules = self.rules;
        format!("{rules} tables in {dir}: {built} layers built, {kept} kept, {size} in all.\n")
    }
}

/// The layers that have a table, and those that they rest on; the usual ones if there is none.
fn present(sheet: &'static Sheet, owners: u32, dir: &Path) -> Result<Vec<GeneralLayer>> {
    let mut layers = GeneralTables::open(dir).available(sheet)?;
    layers.retain(|layer| layer.owners() == owners);
    let last = layers.last().copied();
    Ok(match (last, sheet.layers) {
        (Some(_), Layers::Alone) => layers,
        (Some(last), Layers::BySeeds) => needed_for(&last),
        (None, _) => needed_for(&GeneralLayer::of_owners(sheet, DEFAULT_SEEDS, owners)),
    })
}

/// Reads every byte of the tables that are there, and returns those that have to be replaced.
fn damaged(dir: &Path, layers: &[GeneralLayer]) -> Result<Vec<(GeneralLayer, Damaged)>> {
    let tables = GeneralTables::open(dir);
    let mut found = Vec::new();
    for layer in layers {
        let read =
            tables.table(layer).and_then(|table| table.map_or(Ok(()), |table| table.check()));
        let Err(error) = read else { continue };
        let file = dir.join(file_name(layer)).display().to_string();
        let what = flaw(error)?;
        output::note(&format!("{file}: {what}; it has to be replaced"));
        let seeds = Seeds::new(layer.seeds()).expect("a layer that has a table");
        found.push((*layer, Damaged { seeds, file, what }));
    }
    Ok(found)
}
