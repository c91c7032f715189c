//! `oware puzzles`: positions in which exactly one move is good.

mod difficulty;
mod mine;
mod puzzle;
mod written;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::ValueEnum;
use rayon::prelude::*;
use serde_json::json;

use crate::error::Result;
use crate::game::Seeds;

use super::options::{RulesArg, TablesArgs, largest_layer, parse_seeds};
use super::result_file::ResultFile;
use super::{output, threads};
use mine::Mine;
use puzzle::PuzzleKind;
use written::PuzzleEntry;

/// Bytes of decoded tiles to keep.
const CACHE: u64 = 1 << 30;
/// The smallest layer to draw from where nothing else is said: smaller ones are soon seen through.
const LEAST: usize = 8;

/// Find puzzles: positions in which exactly one move wins, or exactly one draws
///
/// Draws positions from the tables; a position is no puzzle if the tables do not know it and its
/// moves exactly. Both players have captured the same number of seeds, or the opponent one more if
/// the total is odd, so the player who ends with more than half of the 48 wins. Writes OGN, one
/// game per puzzle with the solution as its moves, or JSON with --json. The same options and
/// version produce the same bytes. The guide explains how the difficulty, 1 to 5, is measured.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware puzzles --count 5\n  \
                  oware puzzles --seeds 10..12 --kind sacrifice --count 20 --json --out puzzles.json")]
pub struct Args {
    /// Number of puzzles, spread evenly over the kinds
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Kind of puzzle; may be repeated [default: all but longest-win, which reads every position
    /// of all layers]
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<PuzzleKind>,
    /// Maximum number of moves in a solution; longest-win may exceed it
    #[arg(long, value_name = "M", default_value_t = 1000)]
    moves: usize,
    /// Random seed that selects the positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Seeds on the board: at most K, or a range as in `10..12` [default: from 8 to all that the
    /// tables cover]
    ///
    /// Of fewer than 8 seeds there are puzzles if K is less.
    #[arg(long, value_name = "K", value_parser = parse_range)]
    seeds: Option<Range>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
}

/// The layers to draw from: the least, unless that is the usual one, and the largest.
type Range = (Option<Seeds>, Seeds);

impl Args {
    /// Finds and writes the puzzles.
    pub fn run(self, json: bool) -> Result<()> {
        threads::start(None)?;
        let rules = self.rules.rules;
        let tables = self.tables.open()?.with_cache(CACHE);
        let most = largest_layer(&tables, rules, self.seeds.map(|(_, most)| most))?;
        let out = self.out.as_deref().map(ResultFile::open).transpose()?;
        let wanted = self.wanted();
        let (seeds, seed, moves) = (self.range(most), self.seed, self.moves);
        let mine = Mine { tables: &tables, rules, seeds: seeds.clone(), seed, moves };
        let found = mine.dig(&wanted)?;
        let puzzles: Vec<PuzzleEntry> = found
            .into_par_iter()
            .map(|found| PuzzleEntry::of(found, rules))
            .collect::<Result<_>>()?;
        note_missing(&wanted, &puzzles);
        let text = match json {
            false => written::ogn(&puzzles, rules),
            true => output::line(&json!({
                "rules": rules.id,
                "version": env!("CARGO_PKG_VERSION"),
                "seeds": [seeds.start(), seeds.end()],
                "seed": seed,
                "puzzles": puzzles.iter().map(PuzzleEntry::document).collect::<Vec<_>>(),
            })),
        };
        match out {
            Some(mut file) => file.add(&text),
            None => output::text(&text),
        }
    }

    fn range(&self, most: Seeds) -> RangeInclusive<usize> {
        let usual = if most.get() < LEAST { 1 } else { LEAST };
        let least = self.seeds.and_then(|(least, _)| least).map_or(usual, Seeds::get);
        least.min(most.get())..=most.get()
    }

    /// Returns how many puzzles of each kind there are to be.
    fn wanted(&self) -> Vec<(PuzzleKind, usize)> {
        let is_asked = |kind: &PuzzleKind| match &self.kinds[..] {
            [] => *kind != PuzzleKind::LongestWin,
            kinds => kinds.contains(kind),
        };
        let kinds = PuzzleKind::value_variants().iter().copied().filter(is_asked);
        let kinds: Vec<PuzzleKind> = kinds.collect();
        let (each, more) = (self.count / kinds.len(), self.count % kinds.len());
        let count = |at: usize| each + usize::from(at < more);
        kinds.iter().enumerate().map(|(at, &kind)| (kind, count(at))).collect()
    }
}

/// Says of which kinds there are fewer than were asked for.
fn note_missing(wanted: &[(PuzzleKind, usize)], puzzles: &[PuzzleEntry]) {
    for &(kind, count) in wanted {
        let found = puzzles.iter().filter(|puzzle| puzzle.found.kind == kind).count();
        if found < count {
            output::note(&format!(
                "oware: these layers have only {found} puzzles of the kind {}, not {count}; larger \
                 ones may have more",
                kind.name()
            ));
        }
    }
}

/// Reads the value of `--seeds`: `12`, or `10..12`.
fn parse_range(text: &str) -> std::result::Result<Range, String> {
    let Some((least, most)) = text.split_once("..") else {
        return Ok((None, parse_seeds(text)?));
    };
    let (least, most) = (parse_seeds(least)?, parse_seeds(most)?);
    match least <= most {
        true => Ok((Some(least), most)),
        false => Err(format!("{least} is more than {most}; write {most}..{least}")),
    }
}
