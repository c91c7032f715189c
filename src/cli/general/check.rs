//! `oware check` of the games beside Oware.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::certify::general::{GeneralProof, judge};
use oware_db::certify::general_playout::play;
use oware_db::error::Result;
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::json::words::bytes;
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::probe::general::{GeneralProber, GeneralTables};
use oware_db::random::Dice;
use oware_db::table::general::file_name;

use crate::cli::build::general::DEFAULT_SEEDS;
use crate::cli::options::{SheetArg, tables_dir};
use crate::cli::output::{self, Voice};

/// Check that tables are intact and, if asked to, prove that their scores are right
///
/// Reads every byte and compares checksums. With --proof it derives every score, and how it is
/// collected, anew from the rules, sharing no code with the solver. Exits with 1 and names the file
/// if anything is wrong.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  oware check --rules bao-laps --proof --playout 10000")]
pub struct Args {
    #[command(flatten)]
    rules: SheetArg,
    /// Directory of the tables; what the environment has as OWARE_TABLES if left out, else `tables`
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Seeds of the largest layer to check; all that have a table if left out
    #[arg(long, value_name = "N")]
    seeds: Option<usize>,
    /// Also prove the scores: position by position, from the rules
    #[arg(long)]
    proof: bool,
    /// Play N games from random positions of each layer: our strategy against chance
    #[arg(long, value_name = "N")]
    playout: Option<u64>,
    /// Seed of the dice of --playout
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// What has been found. What was not asked for is `None`.
#[derive(Default, Serialize)]
struct Document {
    files: usize,
    bytes: u64,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Proved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Played>,
}

/// Something that is wrong with a file.
#[derive(Serialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// What is wrong.
    pub what: String,
}

#[derive(Default, Serialize)]
struct Proved {
    layers: usize,
    positions: u64,
    exact: u64,
}

#[derive(Default, Serialize)]
struct Played {
    games: u64,
    moves: u64,
    cycles: u64,
    shortfalls: u64,
}

impl Args {
    /// Checks the tables.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let sheet = self.rules.sheet;
        let tables = GeneralTables::open(tables_dir(self.tables.clone()));
        let mut layers = tables.available(sheet)?;
        layers.retain(|layer| self.seeds.is_none_or(|most| layer.seeds() <= most));
        let Some(last) = layers.last() else {
            let seeds = self.seeds.unwrap_or(DEFAULT_SEEDS);
            return Err(tables.missing(&GeneralLayer::new(sheet, seeds)));
        };
        if self.proof || self.playout.is_some() {
            complete(&tables, &layers, last)?;
        }
        let voice = Voice { json };
        let mut document = Document::default();
        (document.files, document.bytes, document.problems) = intact(&tables, &layers, voice)?;
        if self.proof && document.problems.is_empty() {
            document.proved = Some(prove(&tables, &layers, voice, &mut document.problems)?);
        }
        if let Some(games) = self.playout.filter(|_| document.problems.is_empty()) {
            let played = self.played(&tables, &layers, games, &mut document.problems)?;
            document.played = Some(played);
        }
        output::result(json, &document, |document| closing(sheet, document))?;
        let is_good = document.problems.is_empty();
        Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn played(
        &self,
        tables: &GeneralTables,
        layers: &[GeneralLayer],
        games: u64,
        problems: &mut Vec<Problem>,
    ) -> Result<Played> {
        let mut prober = GeneralProber::new(tables, self.rules.sheet);
        let (mut dice, mut played) = (Dice::new(self.seed), Played::default());
        for layer in layers {
            let mut short = 0;
            for _ in 0..games {
                let game = play(&mut prober, *layer, &mut dice)?;
                played.games += 1;
                played.moves += u64::from(game.moves);
                played.cycles += u64::from(game.circled);
                short += u64::from(game.got < game.promised);
            }
            played.shortfalls += short;
            if short > 0 {
                let what = format!("{short} of {games} games brought less than was promised");
                problems.push(Problem { file: file_name(layer), what });
            }
        }
        Ok(played)
    }
}

/// An error if a layer is missing on which others rest.
fn complete(tables: &GeneralTables, layers: &[GeneralLayer], last: &GeneralLayer) -> Result<()> {
    let sheet = last.sheet();
    if sheet.layers == Layers::Alone {
        return Ok(());
    }
    for layer in layers {
        let below = (0..layer.seeds()).filter(|&seeds| sheet.has_layer(seeds));
        let missing =
            below.map(|seeds| layer.with_seeds(seeds)).find(|below| !layers.contains(below));
        if let Some(missing) = missing {
            return Err(tables.missing(&missing));
        }
    }
    Ok(())
}

/// Reads every byte of some tables. Returns how many there are, their bytes, and what is wrong.
///
/// # Errors
/// If standard output cannot be written.
pub fn intact(
    tables: &GeneralTables,
    layers: &[GeneralLayer],
    voice: Voice,
) -> Result<(usize, u64, Vec<Problem>)> {
    let (mut length, mut problems) = (0, Vec::new());
    for layer in layers {
        let file = file_name(layer);
        let read = tables.require(layer).and_then(|table| table.check().map(|()| table.bytes()));
        match read {
            Ok(found) => {
                length += found;
                voice.say(&format!("{file}: intact, {}", bytes(found)))?;
            }
            Err(error) => {
                voice.say(&format!("{file}: NOT intact"))?;
                problems.push(Problem { file, what: output::with_command(&error) });
            }
        }
    }
    Ok((layers.len(), length, problems))
}

/// Proves layers, those of fewer seeds first.
fn prove(
    tables: &GeneralTables,
    layers: &[GeneralLayer],
    voice: Voice,
    problems: &mut Vec<Problem>,
) -> Result<Proved> {
    let mut proved = Proved::default();
    let mut below: BTreeMap<usize, GeneralSolved> = BTreeMap::new();
    let mut owners = None;
    for layer in layers {
        if owners != Some(layer.owners()) {
            below.clear();
            owners = Some(layer.owners());
        }
        let claimed = tables.require(layer)?.load()?;
        let GeneralProof { positions, exact, failing, first } = judge(&below, &claimed);
        let file = file_name(layer);
        if let Some(objection) = first {
            let what =
                format!("{failing} positions fail, `{}`: {}", objection.placement, objection.what);
            problems.push(Problem { file, what });
            return Ok(proved);
        }
        voice.say(&format!("{file}: proved, {positions} positions"))?;
        proved.layers += 1;
        proved.positions += positions;
        proved.exact += exact;
        if layer.sheet().layers == Layers::BySeeds {
            below.insert(layer.seeds(), claimed);
        }
    }
    Ok(proved)
}

fn closing(sheet: &Sheet, document: &Document) -> String {
    let mut text = match document.problems.len() {
        0 => {
            format!("\n{} files, {}: every byte is right.\n", document.files, bytes(document.bytes))
        }
        found => format!("\n{} files, {found} with problems:\n", document.files),
    };
    for Problem { file, what } in &document.problems {
        text += &format!("  {file}: {what}\n");
    }
    if let Some(Proved { layers, positions, exact }) = &document.proved {
        text += &format!(
            "Proved of sheet `{}`: {layers} layers, {positions} positions, and how each score is \
             collected. {exact} scores are exact.\n",
            sheet.id
        );
    }
    if let Some(Played { games, moves, cycles, shortfalls }) = &document.played {
        text += &format!(
            "Played with sheet `{}` and its strategy: {games} games of {moves} moves, {cycles} of \
             them cut on a cycle, {shortfalls} shortfalls.\n",
            sheet.id
        );
    }
    text
}
