//! `oware build` of the other games.
//!
//! Layers are solved one after the other, each together with those below, and a layer's table is
//! written before the next one begins. An interrupted build keeps the tables that there are, and
//! goes on with the layer that it was at from a checkpoint.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::game::mancala::rounds::Class;
use crate::game::mancala::{Layers, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::probe::Tables;
use crate::solver::general::{Below, Edges, has_edges, solve};
use crate::table::general::{GeneralTable, file_name, write};

use super::checkpoints::{self, Saver};
use super::forecast::Room;
use super::general_forecast::{
    Needed, edges, fits, most, needed_for, needs, owners_of_layer, possible, table_bytes,
};
use super::means::{Disk, Extent, Means};
use super::options::Args;
use super::progress::Progress;
use super::repair::{self, Damaged, is_damaged, make_way};
use super::report::{BuildReport, LayerFields};
use crate::cli::output;

/// Seeds of the largest layer if none is asked for.
pub const DEFAULT_SEEDS: usize = 8;

/// A build of tables of another game.
pub struct OtherBuild<'a> {
    pub sheet: &'static Sheet,
    pub args: &'a Args,
}

impl OtherBuild<'_> {
    /// Builds what is missing.
    pub fn run(&self, json: bool) -> Result<()> {
        let layers = self.layers()?;
        let needed = self.needed(&layers)?;
        if self.args.dry_run {
            return output::result(json, &needed, Needed::page);
        }
        let Needed { memory: needs, memory_allowed: allowed, .. } = needed;
        if needs > allowed {
            let last = layers.last().expect("a layer");
            let (seeds, needed, possible) = (last.seeds(), needs, possible(last, allowed));
            let refused = Error::TooLittleMemory { seeds, needed, allowed, possible: None };
            return Err(self.args.refused(refused, possible));
        }
        Room::on(Disk { dir: &self.args.tables, free: needed.disk_free }, needed.disk)?;
        let _lock = self.args.take_directory()?;
        self.args.say(json, &self.build(&layers, allowed)?)
    }

    /// The layers that are asked for, fewest seeds first: those of one round, or all of a match.
    fn layers(&self) -> Result<Vec<GeneralLayer>> {
        let owners = match self.args.owners.as_deref() {
            Some("all") if self.sheet.has_owners => {
                Class::all().into_iter().map(Class::owners).collect()
            }
            owners => vec![owners_of_layer(self.sheet, owners)?],
        };
        let layers = owners.into_iter().map(|owners| self.layers_of(owners));
        Ok(layers.collect::<Result<Vec<_>>>()?.concat())
    }

    /// The layers of some owners, fewest seeds first.
    fn layers_of(&self, owners: u32) -> Result<Vec<GeneralLayer>> {
        let (sheet, most) = (self.sheet, most(self.sheet));
        let largest = match self.args.seeds {
            Some(Extent::UpTo(seeds)) => seeds.get(),
            Some(Extent::Max) => self.largest(owners)?,
            None if self.args.repair => return present(sheet, owners, &self.args.tables),
            None => DEFAULT_SEEDS,
        };
        if largest > most {
            return Err(Error::Usage(format!("--seeds {largest}: at most {most} here")));
        }
        let layers = needed_for(&GeneralLayer::of_owners(sheet, largest, owners));
        if layers.is_empty() {
            return Err(Error::Usage(format!("`{}` has no layer of {largest}", sheet.id)));
        }
        Ok(layers)
    }

    /// The largest layer of some owners for which memory and disk suffice, or else the smallest that
    /// there is; disk is needed for the tables that are not there.
    fn largest(&self, owners: u32) -> Result<usize> {
        let means = self.means()?;
        let beyond = GeneralLayer::of_owners(self.sheet, most(self.sheet) + 1, owners);
        let fits = |seeds: &usize| {
            let layer = beyond.with_seeds(*seeds);
            let missing = self.missing(&needed_for(&layer), &[]);
            fits(&layer, means.memory) && disk(&missing) <= means.tables.free
        };
        let layers = || (0..beyond.seeds()).filter(|&seeds| self.sheet.has_layer(seeds));
        Ok(layers().rev().find(fits).or(layers().next()).expect("a sheet has layers"))
    }

    /// The layers that have no table, or get a new one.
    fn missing(&self, layers: &[GeneralLayer], damaged: &[Damaged]) -> Vec<GeneralLayer> {
        let dir = &self.args.tables;
        let is_missing = |layer: &&GeneralLayer| {
            let name = file_name(layer);
            is_damaged(damaged, dir, &name) || !dir.join(name).exists()
        };
        layers.iter().filter(|layer| self.args.force || is_missing(layer)).copied().collect()
    }

    /// What the layers need: each is solved together with all those below.
    fn needed(&self, layers: &[GeneralLayer]) -> Result<Needed> {
        let Means { memory: allowed, tables, .. } = self.means()?;
        let missing = self.missing(layers, &[]);
        // A table that is there may turn out to be damaged.
        let solved = if self.args.repair { layers } else { &missing };
        Ok(Needed {
            rules: self.sheet.id,
            layers: missing.iter().map(|layer| needs(layer, allowed)).collect(),
            kept: layers.len() - missing.len(),
            positions: missing.iter().map(GeneralLayer::positions).fold(0, u64::saturating_add),
            memory: solved.iter().map(|layer| needs(layer, allowed).memory).max().unwrap_or(0),
            memory_allowed: allowed,
            disk: disk(&missing),
            disk_free: tables.free,
        })
    }

    fn means(&self) -> Result<Means<'_>> {
        Means::of(self.args.memory, &self.args.tables, None)
    }

    fn build(&self, layers: &[GeneralLayer], allowed: u64) -> Result<BuildReport> {
        let dir = &self.args.tables;
        let mut damaged = Vec::new();
        if self.args.repair {
            let (tables, all) = (Tables::open_early(dir)?, layers.iter().copied());
            damaged = repair::damaged(&tables, self.sheet, all, GeneralTable::check)?;
            // The damaged ones, too, stay until new ones are there.
            Room::on(self.means()?.tables, disk(&self.missing(layers, &damaged)))?;
        }
        // The files that were checked stay open there; the build reads the new ones.
        let tables = Tables::open_early(dir)?;
        let progress = Progress::start(&[], self.args.quiet);
        let interval = Duration::from_secs(self.args.checkpoint_seconds);
        let saver = Saver::new(dir, interval, &progress);
        let (mut below, mut found) = (Below::new(), Vec::new());
        for layer in layers {
            // What other owners have captured is of no use here.
            below.retain(|_, solved: &mut GeneralSolved| solved.layer.owners() == layer.owners());
            let name = file_name(layer);
            let is_replaced = self.args.force || is_damaged(&damaged, dir, &name);
            let kept = if is_replaced { None } else { tables.layer(layer.sheet(), *layer)? };
            // After a repair no checkpoint is believed.
            if kept.is_some() || self.args.force || self.args.repair {
                checkpoints::remove(dir, [name])?;
            }
            found.push(match kept {
                Some(table) => {
                    if self.sheet.layers == Layers::BySeeds {
                        keep_below(&mut below, table.load()?);
                    }
                    let unlike = self.args.unlike_level(table.header().level).into_iter().collect();
                    LayerFields::kept(layer.seeds(), layer.positions(), table.bytes(), unlike)
                }
                None => {
                    saver.begin_layer();
                    let fields =
                        self.build_layer(layer, edges(layer, allowed), &mut below, &saver)?;
                    progress.written(&fields);
                    fields
                }
            });
        }
        self.args.advise(&found);
        let replaced = self.args.repair.then_some(damaged);
        Ok(BuildReport { rules: self.sheet.id, layers: found, replaced })
    }

    fn build_layer(
        &self,
        layer: &GeneralLayer,
        edges: Edges,
        below: &mut Below,
        saver: &Saver,
    ) -> Result<LayerFields> {
        if edges == Edges::MadeAnew && has_edges(self.sheet) && !self.args.quiet {
            output::note(&format!(
                "layer {:>2}: too little memory to store its moves; computing them again in each \
                 round takes many times as long",
                layer.seeds()
            ));
        }
        let (start, dir) = (Instant::now(), &self.args.tables);
        let solved = solve(*layer, below, edges, saver)?;
        let fields = LayerFields::built(layer.seeds(), layer.positions(), start.elapsed());
        make_way(dir, [file_name(layer)])?;
        let written = write(dir, &solved, self.args.write_options())?;
        checkpoints::remove(dir, [file_name(layer)])?;
        if self.sheet.layers == Layers::BySeeds {
            keep_below(below, solved);
        }
        Ok(LayerFields { bytes: written.bytes, ..fields })
    }
}

/// Bytes of disk that the tables of some layers take.
fn disk(layers: &[GeneralLayer]) -> u64 {
    layers.iter().map(table_bytes).fold(0, u64::saturating_add)
}

/// Keeps what the layers above ask for: bounds, but no stamps.
fn keep_below(below: &mut Below, solved: GeneralSolved) {
    below.insert(solved.layer.seeds(), GeneralSolved { stamps: None, ..solved });
}

/// The layers that have a table, and those that they rest on; the usual ones if there is none.
fn present(sheet: &'static Sheet, owners: u32, dir: &Path) -> Result<Vec<GeneralLayer>> {
    let tables = Tables::open_early(dir)?;
    let mut layers = tables.available(sheet)?;
    layers.retain(|layer| layer.owners() == owners);
    let has_all_below = |at, layer: GeneralLayer| match sheet.layers {
        Layers::Alone => true,
        Layers::BySeeds => needed_for(&layer).len() == at + 1,
    };
    let misnamed = repair::split_misnamed(&tables, sheet, &mut layers, has_all_below);
    repair::note_misnamed(&tables, sheet, misnamed);
    let last = layers.last().copied();
    Ok(match (last, sheet.layers) {
        (Some(_), Layers::Alone) => layers,
        (Some(last), Layers::BySeeds) => needed_for(&last),
        (None, _) => needed_for(&GeneralLayer::of_owners(sheet, DEFAULT_SEEDS, owners)),
    })
}
