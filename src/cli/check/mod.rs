//! `oware check`: are the files intact, and are the scores right?

mod findings;
mod general;
pub mod manifest;
mod playing;
mod proving;
mod published;
mod sampling;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use crate::error::{Error, Result};
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{SHEETS, Seeds};
use crate::layer::Layer;
use crate::layer::general::GeneralLayer;
use crate::probe::{Tables, address, directories};
use crate::table::general::{self as general_table, GeneralTable};
use crate::table::{Table, file_name};

use super::builder::general::DEFAULT_SEEDS as DEFAULT_OTHER_SEEDS;
use super::export::vu;
use super::input::text_of_file;
use super::options::{
    AnySheet, DEFAULT_RULES, DEFAULT_SEEDS, TablesArgs, any_sheet, layers, parse_seeds,
    require_strategies,
};
use super::output::{self, Voice};
use super::result_file::ResultFile;
use super::{failure, progress, threads};
use findings::{CheckDocument, Findings, Look, Problem, SheetLayers, file};
use general::{OtherLayers, make_sure_of_those_below};

/// Check that tables are intact and, if requested, prove that their scores are correct
///
/// Reads every byte of every table and compares checksums. With --proof it then derives every
/// score from the rules and verifies that the stored strategy achieves it, sharing no code with
/// the solver. Names the file and exits with 1 if anything is wrong. Publish a `sha256sum`
/// manifest with your tables so that others can verify their copies.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware check\n  oware check --proof --rules abapa --seeds 12\n  \
                        oware check --playout 100000\n  oware check --write-manifest\n  \
                        oware check --manifest"
)]
pub struct Args {
    /// Rule sheet [default: all that have tables]
    #[arg(long, value_name = "SHEET", value_parser = any_sheet())]
    rules: Option<AnySheet>,
    #[command(flatten)]
    tables: TablesArgs,
    /// Largest layer to check [default: all that have a table]
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    seeds: Option<Seeds>,
    /// Compare the scores of N random positions per layer with those of their moves
    ///
    /// Finds a table with many errors, and proves nothing about the other positions.
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Also prove every score from the rules
    ///
    /// Needs the tables of all layers, with strategies, and loads them into memory.
    #[arg(long)]
    proof: bool,
    /// Play N games from random positions: the stored strategy against many kinds of defence
    ///
    /// Each game is played to its end and with its history. Also tries every position up to 8
    /// seeds against every defence.
    #[arg(long, value_name = "N")]
    playout: Option<u64>,
    /// Random seed for --sample and --playout [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Compare the files with the SHA-256 sums of a manifest [default FILE: SHA256SUMS in the
    /// table directory]
    ///
    /// Missing, different and additional tables are problems.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    manifest: Option<Option<PathBuf>>,
    /// Write a manifest of the checked tables if all are intact [default FILE: SHA256SUMS in the
    /// table directory]
    ///
    /// In their directory `sha256sum -c FILE` accepts it.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "manifest")]
    write_manifest: Option<Option<PathBuf>>,
    /// Compare the `awari` tables with the files `scores.N` in DIR, position by position
    ///
    /// The files are those of the published Awari score database, or the output of `oware export
    /// --format vu`.
    #[arg(long, value_name = "DIR")]
    vu: Option<PathBuf>,
}

impl Args {
    /// Checks the tables.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        threads::start(None)?;
        if self.seed.is_some() && self.sample.is_none() && self.playout.is_none() {
            return Err(Error::Usage("--seed requires --sample or --playout".to_owned()));
        }
        if self.vu.is_some() && self.rules.is_some() && !self.asks_for(vu::SHEET.id) {
            let text = "--vu compares tables of awari; use --rules awari, or omit --rules";
            return Err(Error::Usage(text.to_owned()));
        }
        let tables = self.tables.open()?;
        let others = self.others(&tables)?;
        let sheets = self.sheets(&tables, &others)?;
        let look = Look { tables: &tables, seed: self.seed.unwrap_or(1), voice: Voice { json } };
        self.check(&Sheets { args: &self, look, sheets, others }, json)
    }

    /// Does one check after the other. All but the first two need tables without problems.
    fn check(&self, checked: &Sheets, json: bool) -> Result<ExitCode> {
        let dir = &self.tables.dir()?;
        let has_manifest = self.manifest.is_some() || self.write_manifest.is_some();
        if has_manifest && (directories(dir).len() > 1 || address(dir).is_some()) {
            let text = "a manifest covers one directory; choose it with --tables";
            return Err(Error::Usage(text.to_owned()));
        }
        // Read and tried before the work begins.
        let of_tables = |file: &Option<PathBuf>| manifest::path(dir, file.as_deref());
        let read = |path: PathBuf| text_of_file(&path).map(|text| (path, text));
        let published = self.manifest.as_ref().map(of_tables).map(read).transpose()?;
        let new = self.write_manifest.as_ref().map(of_tables);
        let new = new.as_deref().map(ResultFile::open).transpose()?;
        let mut document = checked.read()?;
        checked.make_sure_of_ranges()?;
        let problems = &mut document.problems;
        if let Some((path, text)) = &published {
            let is_within = |seeds| self.seeds.is_none_or(|most| seeds <= most.get());
            let asked = |id: &str, seeds| self.asks_for(id) && is_within(seeds);
            let compared = manifest::compare(dir, checked.names(), asked, path, text, problems);
            document.manifest = Some(compared);
        }
        if let Some(count) = self.sample.filter(|_| problems.is_empty()) {
            document.sampled = Some(checked.sample(count, problems)?);
        }
        if self.proof && problems.is_empty() {
            document.proved = Some(checked.prove(problems)?);
        }
        if let Some(games) = self.playout.filter(|_| problems.is_empty()) {
            document.played = Some(checked.play(games, problems)?);
        }
        if let Some(scores) = self.vu.as_ref().filter(|_| problems.is_empty()) {
            document.published = Some(checked.compare(scores, problems)?);
        }
        if let Some(file) = new.filter(|_| problems.is_empty()) {
            document.manifest = Some(manifest::write(dir, checked.names(), file)?);
        }
        let printed = output::result(json, &document, CheckDocument::closing);
        if document.problems.is_empty() {
            return printed.map(|()| ExitCode::SUCCESS);
        }
        // There are problems, whether or not they can be printed.
        if let Err(error) = printed {
            failure::report(&error, json);
        }
        Ok(ExitCode::FAILURE)
    }

    /// Returns what there is to check of Oware, as far as it was asked for.
    fn sheets(&self, tables: &Tables, others: &[GeneralLayer]) -> Result<Vec<SheetLayers>> {
        let mut sheets = Vec::new();
        for rules in SHEETS.into_iter().filter(|rules| self.asks_for(rules.id)) {
            let mut layers = tables.available(rules)?;
            layers.retain(|&seeds| self.seeds.is_none_or(|most| seeds <= most));
            if let Some(gap) = gap(&layers)
                && self.looks_into_scores()
            {
                return Err(tables.missing(rules, gap));
            }
            if !layers.is_empty() {
                sheets.push(SheetLayers { rules, layers });
            }
        }
        if sheets.is_empty() && self.manifest.is_none() && others.is_empty() {
            let rules = match self.rules {
                Some(AnySheet::Oware(rules)) => rules,
                _ => DEFAULT_RULES,
            };
            return Err(tables.missing(rules, self.seeds.unwrap_or(DEFAULT_SEEDS)));
        }
        Ok(sheets)
    }

    /// Returns what there is to check of the other games, as far as it was asked for.
    fn others(&self, tables: &Tables) -> Result<Vec<GeneralLayer>> {
        match self.rules {
            None => {}
            Some(AnySheet::Oware(_)) => return Ok(Vec::new()),
            Some(AnySheet::Other(sheet)) => {
                let layers = layers(tables, sheet, self.seeds, DEFAULT_OTHER_SEEDS)?;
                // What is missing is said before anything is read.
                if self.looks_into_scores() {
                    make_sure_of_those_below(tables, &layers)?;
                }
                return Ok(layers);
            }
        }
        let of_sheet = |sheet: &Sheet| tables.available(sheet);
        let mut layers = MANCALAS.into_iter().map(of_sheet).collect::<Result<Vec<_>>>()?.concat();
        layers.retain(|layer| self.seeds.is_none_or(|most| layer.seeds() <= most.get()));
        Ok(layers)
    }

    /// Returns whether scores are compared with those of other positions.
    fn looks_into_scores(&self) -> bool {
        self.proof || self.sample.is_some() || self.playout.is_some()
    }

    /// Returns whether tables of a sheet are asked for.
    fn asks_for(&self, id: &str) -> bool {
        self.rules.is_none_or(|sheet| sheet.id() == id)
    }
}

/// Tables of Oware's sheets, and of the other games.
struct Sheets<'a> {
    args: &'a Args,
    look: Look<'a>,
    sheets: Vec<SheetLayers>,
    others: Vec<GeneralLayer>,
}

impl Sheets<'_> {
    /// Reads every byte of every table.
    fn read(&self) -> Result<CheckDocument> {
        let (Look { tables, voice, .. }, mut document) = (self.look, CheckDocument::default());
        for &SheetLayers { rules, ref layers } in &self.sheets {
            for &seeds in layers {
                let check = |table: &Table| table.check().map(|()| table.bytes());
                let read = tables.require(rules, seeds).and_then(|table| check(&table));
                document.add(file(tables, rules, seeds), read, voice)?;
            }
        }
        for &layer in &self.others {
            let check = |table: &GeneralTable| table.check().map(|()| table.bytes());
            let read = tables.require(layer.sheet(), layer).and_then(|table| check(&table));
            document.add(file(tables, layer.sheet(), layer), read, voice)?;
        }
        Ok(document)
    }

    /// Returns the names of the files, as manifests have them.
    fn names(&self) -> Vec<String> {
        let of_oware = |&SheetLayers { rules, ref layers }: &'_ SheetLayers| {
            layers.iter().map(|&seeds| file_name(rules, seeds)).collect::<Vec<_>>()
        };
        let others = self.others.iter().map(general_table::file_name);
        self.sheets.iter().flat_map(of_oware).chain(others).collect()
    }

    /// Looks at Oware's sheets, and then at the other games as long as there is no problem. Of one that
    /// was asked for alone there is no list.
    fn each(
        &self,
        problems: &mut Vec<Problem>,
        of_oware: impl Fn(&SheetLayers, &mut Vec<Problem>) -> Result<Findings>,
        of_other: impl Fn(&OtherLayers, &mut Vec<Problem>) -> Result<Findings>,
    ) -> Result<Findings> {
        let of_oware = self.sheets.iter().map(|sheet| of_oware(sheet, problems));
        let mut found = of_oware.collect::<Result<Vec<Findings>>>()?;
        for layers in self.others.chunk_by(|one, other| one.sheet() == other.sheet()) {
            if problems.is_empty() {
                make_sure_of_those_below(self.look.tables, layers)?;
                let mut of_sheet = of_other(&OtherLayers { look: self.look, layers }, problems)?;
                if let Some(AnySheet::Other(_)) = self.args.rules {
                    return Ok(of_sheet);
                }
                of_sheet.fields["rules"] = json!(layers[0].sheet().id);
                found.push(of_sheet);
            }
        }
        Ok(Findings::list(found))
    }

    /// Makes sure that no table clamps scores that one above it needs.
    fn make_sure_of_ranges(&self) -> Result<()> {
        for &SheetLayers { rules, ref layers } in &self.sheets {
            // What cannot be opened is a problem already.
            let open = |&seeds: &Seeds| Some(self.look.tables.layer(rules, seeds).ok()??.layer());
            let layers: Vec<Layer> = layers.iter().filter_map(open).collect();
            for (at, &above) in layers.iter().enumerate() {
                layers[..at].iter().try_for_each(|below| below.make_sure_it_serves(above))?;
            }
        }
        Ok(())
    }

    /// Makes sure that there is a strategy to look at in every layer of Oware.
    fn make_sure_of_strategies(&self) -> Result<()> {
        self.sheets.iter().try_for_each(|&SheetLayers { rules, ref layers }| {
            require_strategies(self.look.tables, rules, layers.iter().copied())
        })
    }

    fn sample(&self, count: u64, problems: &mut Vec<Problem>) -> Result<Findings> {
        let of_oware =
            |sheet: &_, problems: &mut _| sampling::run(self.look, sheet, count, problems);
        self.each(problems, of_oware, |other, problems| other.sample(count, problems))
    }

    fn prove(&self, problems: &mut Vec<Problem>) -> Result<Findings> {
        self.make_sure_of_strategies()?;
        let layers = |sheet: &SheetLayers| -> u64 {
            sheet.layers.iter().map(|&seeds| Layer::of(sheet.rules, seeds).positions()).sum()
        };
        let bar = progress::share(self.sheets.iter().map(layers).sum());
        let of_oware =
            |sheet: &_, problems: &mut _| proving::run((self.look, &bar), sheet, problems);
        self.each(problems, of_oware, |other, problems| {
            bar.finish_and_clear();
            other.prove(problems)
        })
    }

    fn play(&self, games: u64, problems: &mut Vec<Problem>) -> Result<Findings> {
        self.make_sure_of_strategies()?;
        let of_oware =
            |sheet: &_, problems: &mut _| playing::run(self.look, sheet, games, problems);
        self.each(problems, of_oware, |other, problems| other.play(games, problems))
    }

    fn compare(&self, dir: &Path, problems: &mut Vec<Problem>) -> Result<Findings> {
        let found = self.sheets.iter().find(|sheet| sheet.rules == vu::SHEET);
        let missing = || self.look.tables.missing(vu::SHEET, DEFAULT_SEEDS);
        published::run(self.look, &found.ok_or_else(missing)?.layers, dir, problems)
    }
}

/// Returns the first layer that is missing below the last one.
fn gap(layers: &[Seeds]) -> Option<Seeds> {
    layers.last()?.up_to().find(|seeds| !layers.contains(seeds))
}
