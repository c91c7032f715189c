//! `oware check`: are the files intact, and are the scores right?

mod document;
mod general;
mod manifest;
mod options;
mod playing;
mod problem;
mod proving;
mod published;
mod sampling;
mod sheet;

use std::path::Path;
use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::mancala::{MANCALAS, Sheet};
use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::json::words::bytes;
use oware_db::layer::general::GeneralLayer;
use oware_db::probe::Tables;
use oware_db::probe::general::GeneralTables;
use oware_db::table::general::file_name;

use super::options::{AnySheet, DEFAULT_RULES, DEFAULT_SEEDS};
use super::output::{self, Voice};
use super::vu;
use document::Document;
use manifest::{ComparedManifest, NamedTable};
use problem::Problem;
use sheet::{SheetLayers, file};

pub use options::Args;

impl Args {
    /// Checks the tables.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        if self.seed.is_some() && self.sample.is_none() && self.playout.is_none() {
            return Err(Error::Usage("--seed goes with --sample or --playout".to_owned()));
        }
        if self.vu.is_some() && self.rules.is_some() && !self.asks_for(vu::SHEET) {
            let text = "--vu is about the tables of awari; say --rules awari, or leave --rules out";
            return Err(Error::Usage(text.to_owned()));
        }
        if let Some(AnySheet::Other(sheet)) = self.rules {
            return general::run(sheet, &self, json);
        }
        let tables = self.tables.open()?;
        let sheets = self.sheets(&tables)?;
        let document = self.check(&tables, &sheets, Voice { json })?;
        output::result(json, &document, Document::closing)?;
        let good = document.problems.is_empty();
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Does one check after the other. All but the first two need tables without problems.
    fn check(&self, tables: &Tables, sheets: &[SheetLayers], voice: Voice) -> Result<Document> {
        let mut document = intact(tables, sheets, voice)?;
        self.check_others(&mut document, voice)?;
        let problems = &mut document.problems;
        if let Some(file) = &self.manifest {
            document.manifest =
                Some(self.compare(self.names(sheets)?, file.as_deref(), problems)?);
        }
        if let Some(count) = self.sample
            && problems.is_empty()
        {
            document.sampled = Some(sampling::run(tables, sheets, count, self.dice(), problems)?);
        }
        if self.proof && problems.is_empty() {
            document.proved = Some(proving::run(tables, sheets, voice, problems)?);
        }
        if let Some(games) = self.playout
            && problems.is_empty()
        {
            proving::all_have_strategies(tables, sheets)?;
            let play = playing::Play { tables, games, seed: self.dice(), voice };
            document.played = Some(play.run(sheets, problems)?);
        }
        if let Some(dir) = &self.vu
            && problems.is_empty()
        {
            let layers = published_layers(tables, sheets)?;
            document.published = Some(published::run(tables, layers, dir, voice, problems)?);
        }
        if let Some(file) = &self.write_manifest
            && problems.is_empty()
        {
            let dir = &self.tables.dir;
            let path = manifest::path(dir, file.as_deref());
            document.manifest = Some(manifest::write(dir, self.names(sheets)?, &path)?);
        }
        Ok(document)
    }

    fn compare(
        &self,
        names: Vec<String>,
        file: Option<&Path>,
        problems: &mut Vec<Problem>,
    ) -> Result<ComparedManifest> {
        let dir = &self.tables.dir;
        let fits = |seeds: usize| self.seeds.is_none_or(|most| seeds <= most.get());
        let asked = |table: &NamedTable| match table {
            NamedTable::Oware(rules, seeds) => self.asks_for(rules) && fits(seeds.get()),
            NamedTable::Other(layer) => self.rules.is_none() && fits(layer.seeds()),
        };
        manifest::compare(dir, names, asked, &manifest::path(dir, file), problems)
    }

    /// Returns the names of the files that are checked.
    fn names(&self, sheets: &[SheetLayers]) -> Result<Vec<String>> {
        let others = self.others()?;
        Ok(sheets.iter().flat_map(SheetLayers::names).chain(others.iter().map(file_name)).collect())
    }

    /// Returns what there is to check, as far as it was asked for.
    fn sheets(&self, tables: &Tables) -> Result<Vec<SheetLayers>> {
        let mut sheets = Vec::new();
        for rules in SHEETS.into_iter().filter(|rules| self.asks_for(rules)) {
            let mut layers = tables.available(rules)?;
            layers.retain(|&seeds| self.seeds.is_none_or(|most| seeds <= most));
            if let Some(gap) = gap(&layers)
                && (self.proof || self.sample.is_some() || self.playout.is_some())
            {
                return Err(tables.missing(rules, gap));
            }
            if !layers.is_empty() {
                sheets.push(SheetLayers { rules, layers });
            }
        }
        if sheets.is_empty() && self.manifest.is_none() && self.others()?.is_empty() {
            let asked =
                SHEETS.into_iter().find(|rules| self.rules.is_some() && self.asks_for(rules));
            let rules = asked.unwrap_or(DEFAULT_RULES);
            return Err(tables.missing(rules, self.seeds.unwrap_or(DEFAULT_SEEDS)));
        }
        Ok(sheets)
    }

    /// Returns the layers of the games beside Oware that have tables, if no sheet was asked for.
    fn others(&self) -> Result<Vec<GeneralLayer>> {
        if self.rules.is_some() {
            return Ok(Vec::new());
        }
        let tables = GeneralTables::open(&self.tables.dir);
        let of_sheet = |sheet: &Sheet| tables.available(sheet);
        let mut layers = MANCALAS.into_iter().map(of_sheet).collect::<Result<Vec<_>>>()?.concat();
        layers.retain(|layer| self.seeds.is_none_or(|most| layer.seeds() <= most.get()));
        Ok(layers)
    }

    /// Reads every byte of the tables of the games beside Oware, if no sheet was asked for. What
    /// else they can be asked goes by their sheets.
    fn check_others(&self, document: &mut Document, voice: Voice) -> Result<()> {
        let tables = GeneralTables::open(&self.tables.dir);
        let (files, bytes, problems) = general::intact(&tables, &self.others()?, voice)?;
        document.files += files;
        document.bytes += bytes;
        document.problems.extend(problems);
        Ok(())
    }

    fn asks_for(&self, rules: &Rules) -> bool {
        match self.rules {
            None => true,
            Some(AnySheet::Oware(wanted)) => wanted == rules,
            Some(AnySheet::Other(_)) => false,
        }
    }
}

/// Returns the layers that can be compared with the published database.
fn published_layers<'s>(tables: &Tables, sheets: &'s [SheetLayers]) -> Result<&'s [Seeds]> {
    let found = sheets.iter().find(|sheet| sheet.rules == vu::SHEET);
    found.map(|sheet| &sheet.layers[..]).ok_or_else(|| tables.missing(vu::SHEET, DEFAULT_SEEDS))
}

/// Returns the first layer that is missing below the last one.
fn gap(layers: &[Seeds]) -> Option<Seeds> {
    layers.last()?.up_to().find(|seeds| !layers.contains(seeds))
}

/// Reads every byte of every table.
fn intact(tables: &Tables, sheets: &[SheetLayers], voice: Voice) -> Result<Document> {
    let mut document = Document::default();
    for SheetLayers { rules, layers } in sheets {
        for &seeds in layers {
            let file = file(tables, rules, seeds);
            document.files += 1;
            match read(tables, rules, seeds) {
                Ok(length) => {
                    document.bytes += length;
                    voice.say(&format!("{file}: intact, {}", bytes(length)))?;
                }
                Err(error) => {
                    voice.say(&format!("{file}: NOT intact"))?;
                    let what = output::with_command(&error);
                    let what = what.strip_prefix(&format!("{file}: ")).unwrap_or(&what).to_owned();
                    document.problems.push(Problem { file, what });
                }
            }
        }
    }
    Ok(document)
}

/// Reads every byte of a table, and returns its length.
fn read(tables: &Tables, rules: &'static Rules, seeds: Seeds) -> Result<u64> {
    let table = tables.require(rules, seeds)?;
    table.check()?;
    Ok(table.bytes())
}
