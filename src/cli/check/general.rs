//! `oware check` of the games beside Oware.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::certify::general::{GeneralProof, judge};
use oware_db::certify::general_playout::play;
use oware_db::error::Result;
use oware_db::game::mancala::{Layers, Placement, Sheet};
use oware_db::json::words::bytes;
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::probe::general::{GeneralAnswer, GeneralProber, GeneralTables};
use oware_db::random::Dice;
use oware_db::table::general::file_name;

use super::manifest::{self, ComparedManifest, NamedTable};
use super::options::Args;
use super::problem::Problem;
use crate::cli::general::layers;
use crate::cli::options::refuse;
use crate::cli::output::{self, Voice};

/// What has been found. What was not asked for is `None`.
#[derive(Default, Serialize)]
struct Document {
    files: usize,
    bytes: u64,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<Sampled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    manifest: Option<ComparedManifest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Proved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Played>,
}

/// Positions that were compared with their moves.
#[derive(Default, Serialize)]
struct Sampled {
    layers: usize,
    positions: u64,
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

/// Checks the tables. All but the first two need tables without problems.
pub fn run(sheet: &'static Sheet, args: &Args, json: bool) -> Result<ExitCode> {
    refuse(sheet, &[("--vu", args.vu.is_some())])?;
    let tables = GeneralTables::open(&args.tables.dir);
    let layers = layers(&tables, sheet, args.seeds)?;
    if args.proof || args.playout.is_some() || args.sample.is_some() {
        complete(&tables, &layers)?;
    }
    let document = Check { args, tables: &tables, layers: &layers }.run(Voice { json })?;
    output::result(json, &document, |document| closing(sheet, document))?;
    let is_good = document.problems.is_empty();
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Check<'a> {
    args: &'a Args,
    tables: &'a GeneralTables,
    layers: &'a [GeneralLayer],
}

impl Check<'_> {
    /// Does one check after the other.
    fn run(&self, voice: Voice) -> Result<Document> {
        let Check { args, tables, layers } = *self;
        let mut document = Document::default();
        (document.files, document.bytes, document.problems) = intact(tables, layers, voice)?;
        let problems = &mut document.problems;
        if let Some(file) = &args.manifest {
            document.manifest = Some(self.compare(file.as_deref(), problems)?);
        }
        if let Some(count) = args.sample.filter(|_| problems.is_empty()) {
            document.sampled = Some(self.sampled(count, problems)?);
        }
        if args.proof && problems.is_empty() {
            document.proved = Some(prove(tables, layers, voice, problems)?);
        }
        if let Some(games) = args.playout.filter(|_| problems.is_empty()) {
            document.played = Some(self.played(games, problems)?);
        }
        if let Some(file) = args.write_manifest.as_ref().filter(|_| problems.is_empty()) {
            let path = manifest::path(tables.dir(), file.as_deref());
            document.manifest = Some(manifest::write(tables.dir(), self.names(), &path)?);
        }
        Ok(document)
    }

    fn names(&self) -> Vec<String> {
        self.layers.iter().map(file_name).collect()
    }

    fn compare(
        &self,
        file: Option<&Path>,
        problems: &mut Vec<Problem>,
    ) -> Result<ComparedManifest> {
        let (dir, sheet) = (self.tables.dir(), self.layers[0].sheet());
        let asked = |table: &NamedTable| match table {
            NamedTable::Oware(..) => false,
            NamedTable::Other(layer) => {
                layer.sheet() == sheet
                    && self.args.seeds.is_none_or(|most| layer.seeds() <= most.get())
            }
        };
        manifest::compare(dir, self.names(), asked, &manifest::path(dir, file), problems)
    }

    /// Compares the scores of `count` random positions of each layer, or of all of a smaller one,
    /// with those of their moves.
    fn sampled(&self, count: u64, problems: &mut Vec<Problem>) -> Result<Sampled> {
        let mut prober = GeneralProber::new(self.tables, self.layers[0].sheet());
        let mut sampled = Sampled { layers: self.layers.len(), positions: 0 };
        for layer in self.layers {
            let mut dice = Dice::new(self.args.dice() ^ layer.seeds() as u64);
            let positions = layer.positions();
            for number in 0..positions.min(count) {
                let rank = if positions <= count { number } else { dice.below(positions) };
                sampled.positions += 1;
                if let Some(what) = objection(&mut prober, &layer.placement(rank))? {
                    problems.push(Problem { file: file_name(layer), what });
                }
            }
        }
        Ok(sampled)
    }

    fn played(&self, games: u64, problems: &mut Vec<Problem>) -> Result<Played> {
        let mut prober = GeneralProber::new(self.tables, self.layers[0].sheet());
        let (mut dice, mut played) = (Dice::new(self.args.dice()), Played::default());
        for layer in self.layers {
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

/// Returns what is wrong with a position if its bounds are not those of its best moves.
fn objection(prober: &mut GeneralProber, placement: &Placement) -> Result<Option<String>> {
    let GeneralAnswer { known, moves } = prober.answer(placement)?;
    let brought = moves.iter().map(|scored| scored.low).max();
    let brought = brought.zip(moves.iter().map(|scored| scored.high).max());
    let found = (known.low, known.high);
    Ok(brought.filter(|&brought| brought != found).map(|brought| {
        format!("the bounds of `{placement}` are {found:?}, its moves bring {brought:?}")
    }))
}

/// An error if a layer is missing on which others rest.
fn complete(tables: &GeneralTables, layers: &[GeneralLayer]) -> Result<()> {
    let sheet = layers[0].sheet();
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
    if let Some(ComparedManifest { file, files }) = &document.manifest {
        text += &format!("{file}: SHA-256 sums of {files} files.\n");
    }
    if let Some(Sampled { layers, positions }) = &document.sampled {
        text += &format!(
            "Sampled of sheet `{}`: {positions} positions of {layers} layers, compared with their \
             moves.\n",
            sheet.id
        );
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
