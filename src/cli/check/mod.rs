//! `oware check`: are the files intact, and are the scores right?

mod manifest;
mod playing;
mod proving;
mod sampling;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::json::words::bytes;
use oware_db::probe::Tables;
use oware_db::table::{Table, file_name};

use manifest::Compared;
use playing::Played;
use sampling::Sampled;

use super::{
    DEFAULT_RULES, DEFAULT_SEEDS, DEFAULT_TABLES, open_tables, output, parse_seeds, sheets,
};

/// Check that tables are intact and, if asked to, prove that their scores are right
///
/// Reads every byte of every table and compares checksums. With --proof it then derives every
/// score and every stamp anew from the rules, sharing no code with the program that made them.
/// Exits with 1 and names the file if anything is wrong. Whoever publishes tables adds a manifest,
/// in the form of `sha256sum`; with it others see that they have the same files.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware check\n  oware check --proof --rules abapa --seeds 12\n  \
                        oware check --playout 100000\n  oware check --write-manifest\n  \
                        oware check --manifest"
)]
pub struct Args {
    /// Rule sheet; all that have tables if left out
    #[arg(long, value_name = "SHEET", value_parser = sheets())]
    rules: Option<&'static Rules>,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    /// Seeds of the largest layer to check; all that have a table if left out
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    seeds: Option<Seeds>,
    /// Compare the scores of N random positions of each layer with those of their moves. It finds a
    /// table that is wrong in many places, and proves nothing of the others
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Prove the scores, too: position by position, from the rules. Needs the tables of all layers,
    /// with strategies, and holds them in memory
    #[arg(long)]
    proof: bool,
    /// Play N games from random positions: our strategy against many kinds of defence, each game to
    /// its end and with its history; and try every position to 8 seeds against every defence
    #[arg(long, value_name = "N")]
    playout: Option<u64>,
    /// How the dice of --sample and --playout fall
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Compare the files with the SHA-256 sums in a manifest: missing, different and further tables
    /// are problems. FILE is SHA256SUMS in the directory of the tables if left out
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    manifest: Option<Option<PathBuf>>,
    /// Write a manifest of the tables that have been checked, if nothing is wrong with them. In their
    /// directory `sha256sum -c FILE` accepts it
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "manifest")]
    write_manifest: Option<Option<PathBuf>>,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

#[derive(Serialize)]
struct Document {
    files: usize,
    bytes: u64,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<Vec<Sampled>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    manifest: Option<Compared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Vec<Proved>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Vec<Played>>,
}

#[derive(Serialize)]
struct Problem {
    file: String,
    what: String,
}

/// What has been proved of a sheet's layers, from 0 seeds on.
#[derive(Serialize)]
struct Proved {
    rules: &'static str,
    layers: usize,
    positions: u64,
    exact: u64,
}

/// The layers of a sheet that are to be checked.
struct Sheet {
    rules: &'static Rules,
    layers: Vec<Seeds>,
}

/// A way to say something while the work goes on.
struct Voice {
    json: bool,
}

impl Voice {
    /// A line for people, on standard output.
    fn say(&self, line: &str) -> Result<()> {
        if self.json { Ok(()) } else { output::text(&format!("{line}\n")) }
    }
}

impl Args {
    /// Checks.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let tables = open_tables(&self.tables, self.no_mmap)?;
        let sheets = self.sheets(&tables)?;
        let voice = Voice { json };
        let mut document = intact(&tables, &sheets, &voice)?;
        if let Some(file) = &self.manifest {
            let path = manifest::path(&self.tables, file.as_deref());
            let asked = |rules: &Rules, seeds| {
                self.asks_for(rules) && self.seeds.is_none_or(|most| seeds <= most)
            };
            let compared =
                manifest::compare(&self.tables, &sheets, asked, &path, &mut document.problems)?;
            document.manifest = Some(compared);
        }
        if let Some(count) = self.sample
            && document.problems.is_empty()
        {
            document.sampled =
                Some(sampling::run(&tables, &sheets, count, self.seed, &mut document.problems)?);
        }
        if self.proof && document.problems.is_empty() {
            document.proved = Some(proving::run(&tables, &sheets, &voice, &mut document.problems)?);
        }
        if let Some(games) = self.playout
            && document.problems.is_empty()
        {
            proving::all_have_strategies(&tables, &sheets)?;
            document.played = Some(playing::run(
                &tables,
                &sheets,
                games,
                self.seed,
                &voice,
                &mut document.problems,
            )?);
        }
        if let Some(file) = &self.write_manifest
            && document.problems.is_empty()
        {
            let path = manifest::path(&self.tables, file.as_deref());
            document.manifest = Some(manifest::write(&self.tables, &sheets, &path)?);
        }
        match json {
            true => output::document(&document)?,
            false => output::text(&closing(&document))?,
        }
        Ok(if document.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// What there is to check, as far as was asked for.
    fn sheets(&self, tables: &Tables) -> Result<Vec<Sheet>> {
        let mut sheets = Vec::new();
        for rules in SHEETS.into_iter().filter(|rules| self.asks_for(rules)) {
            let mut layers = tables.available(rules)?;
            layers.retain(|&seeds| self.seeds.is_none_or(|most| seeds <= most));
            let most = layers.last().copied();
            if let Some(gap) =
                most.and_then(|most| most.up_to().find(|seeds| !layers.contains(seeds)))
                && (self.proof || self.sample.is_some() || self.playout.is_some())
            {
                return Err(tables.missing(rules, gap));
            }
            sheets.extend(most.map(|_| Sheet { rules, layers }));
        }
        match sheets.is_empty() && self.manifest.is_none() {
            true => Err(tables
                .missing(self.rules.unwrap_or(DEFAULT_RULES), self.seeds.unwrap_or(DEFAULT_SEEDS))),
            false => Ok(sheets),
        }
    }

    fn asks_for(&self, rules: &Rules) -> bool {
        self.rules.is_none_or(|wanted| wanted == rules)
    }
}

/// Reads every byte of every table.
fn intact(tables: &Tables, sheets: &[Sheet], voice: &Voice) -> Result<Document> {
    let (problems, manifest) = (Vec::new(), None);
    let mut document = Document {
        files: 0,
        bytes: 0,
        problems,
        manifest,
        sampled: None,
        proved: None,
        played: None,
    };
    for Sheet { rules, layers } in sheets {
        for &seeds in layers {
            let file = tables.dir().join(file_name(rules, seeds)).display().to_string();
            document.files += 1;
            match verify(tables, rules, seeds) {
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

/// The length of a table of which every byte is right.
fn verify(tables: &Tables, rules: &'static Rules, seeds: Seeds) -> Result<u64> {
    let table = tables.require(rules, seeds)?;
    Table::check(&table)?;
    Ok(table.bytes())
}

/// What has been found, in a few sentences.
fn closing(document: &Document) -> String {
    let Document { files, bytes: length, problems, manifest, sampled, proved, played } = document;
    let count =
        |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let found = match problems.len() {
        0 => format!("\n{}, {}: every byte is right.\n", count(*files, "file"), bytes(*length)),
        found => format!("\n{}, {}:\n", count(*files, "file"), count(found, "problem")),
    };
    let problems = problems.iter().map(|Problem { file, what }| format!("  {file}: {what}\n"));
    let sums = |Compared { file, files }: &Compared| {
        format!("{file}: SHA-256 sums of {}.\n", count(*files, "file"))
    };
    let manifest = manifest.iter().map(sums);
    let proved = proved.iter().flatten().filter(|proved| proved.layers > 0).map(Proved::to_string);
    let sampled = sampled.iter().flatten().map(|Sampled { rules, layers, positions }| {
        format!("Sampled of sheet `{rules}`: {positions} positions of {layers} layers, compared with their moves.\n")
    });
    let played = played.iter().flatten().map(Played::to_string);
    std::iter::once(found)
        .chain(problems)
        .chain(manifest)
        .chain(sampled)
        .chain(proved)
        .chain(played)
        .collect()
}
