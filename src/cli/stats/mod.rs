//! `oware stats`: the figures of every table of a sheet, and the origins of open scores.

mod all_boards;
mod extremes;
mod knots;

use std::process::ExitCode;

use oware_db::error::Result;
use oware_db::game::mancala::Sheet;
use oware_db::game::{Rules, Seeds};
use oware_db::json::general::{GeneralLayerStats, GeneralStatsDocument};
use oware_db::json::stats::StatsDocument;
use oware_db::json::words::bytes;
use oware_db::layer::{LayerStats, SheetStats};
use oware_db::probe::Tables;

use super::general;
use super::options::{AnySheet, DEFAULT_SEEDS, SheetArg, TablesArgs, parse_seeds, refuse};
use super::output;
use all_boards::Counted;
pub use extremes::longest_wins;

/// Count wins, draws and losses in each layer that has a table
///
/// Counts the positions that a table holds: those that can arise after a move. With --all-boards
/// it counts every board, as theses and papers do. Each table stores its statistics; `oware check
/// --proof` compares them with its scores.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware stats\n  oware stats --tables tables --rules awari --json\n  \
                        oware stats --all-boards --rules awari --seeds 12 --json\n  oware stats --knots --seeds 12\n  \
                        oware stats --extremes --seeds 12"
)]
pub struct Args {
    #[command(flatten)]
    rules: SheetArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// Largest layer to show [default: all that have a table]
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    seeds: Option<Seeds>,
    /// Show where inexact scores originate: groups of positions in which play can cycle
    ///
    /// In such a group the score depends on where the cycle is cut. Loads the tables of all layers
    /// into memory.
    #[arg(long)]
    knots: bool,
    /// Show the extremes of each layer, with examples
    ///
    /// The longest wins and the longest lines without a capture that are found, positions lost for
    /// either player to move, positions where every capture is wrong, and the largest swings.
    /// Needs the tables of all layers, reads every position, and takes about nine bytes of memory
    /// for each position of the largest layer.
    #[arg(long, conflicts_with_all = ["knots", "all_boards"])]
    extremes: bool,
    #[command(flatten)]
    counted: Counted,
}

impl Args {
    /// Prints the figures.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let rules = match self.rules.sheet {
            AnySheet::Oware(rules) => rules,
            AnySheet::Other(sheet) => {
                refuse(
                    sheet,
                    &[
                        ("--knots", self.knots),
                        ("--all-boards", self.counted.all_boards),
                        ("--extremes", self.extremes),
                    ],
                )?;
                return self.of_other(sheet, json);
            }
        };
        let tables = self.tables.open()?;
        let seeds = self.layers(&tables, rules)?;
        if self.knots {
            return knots::run(&tables, rules, &seeds, json);
        }
        if self.extremes {
            return extremes::run(&tables, rules, &seeds, json);
        }
        let mut stats = SheetStats { rules: rules.id, layers: count(&tables, rules, &seeds)? };
        let mut what = "Positions";
        if self.counted.all_boards {
            self.counted.complete(&tables, rules, &mut stats.layers)?;
            what = "All boards, including those that no move leads to,";
        }
        let document = StatsDocument::of(stats, &tables, rules)?;
        output::result(json, &document, |document| page(what, document))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The same of a game beside Oware.
    fn of_other(&self, sheet: &'static Sheet, json: bool) -> Result<ExitCode> {
        let tables = self.tables.open_general()?;
        let layers = general::layers(&tables, sheet, self.seeds)?;
        let document = GeneralStatsDocument::of(&tables, sheet, &layers)?;
        output::result(json, &document, |GeneralStatsDocument { rules, layers }| {
            let layers = layers.iter().map(|layer| cells(&layer.stats.layer, Some(layer)));
            list("Positions", rules, layers)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the layers to look at: those that have a table, as far as they were asked for.
    fn layers(&self, tables: &Tables, rules: &Rules) -> Result<Vec<Seeds>> {
        let mut layers = tables.available(rules)?;
        layers.retain(|&seeds| self.seeds.is_none_or(|most| seeds <= most));
        if layers.is_empty() {
            return Err(tables.missing(rules, self.seeds.unwrap_or(DEFAULT_SEEDS)));
        }
        Ok(layers)
    }
}

fn count(tables: &Tables, rules: &'static Rules, seeds: &[Seeds]) -> Result<Vec<LayerStats>> {
    seeds.iter().map(|&seeds| Ok(tables.require(rules, seeds)?.stats().clone())).collect()
}

/// Returns the figures for people; only the JSON document has the histogram.
fn page(what: &str, document: &StatsDocument) -> String {
    let layers = || document.layers.iter().map(|layer| &layer.stats);
    let mut page = list(what, document.rules, layers().map(|layer| cells(layer, None)));
    if let Some(first) = layers().find(|layer| layer.range.is_some()).map(|layer| layer.seeds) {
        page += &format!(
            "\nFrom {first} seeds on, scores are clamped to what decides games; a score at an end \
             of its range is not exact.\n"
        );
    }
    page
}

/// The columns, of which those without anything are left out.
const HEAD: [&str; 12] = [
    "seeds",
    "positions",
    "wins",
    "draws",
    "losses",
    "undecided",
    "exact",
    "widest",
    "sum of scores",
    "longest",
    "file",
    "owners",
];

fn list(what: &str, rules: &str, layers: impl Iterator<Item = Vec<String>>) -> String {
    let title = format!("{what} by value for the player to move, sheet `{rules}`");
    format!("{title}:\n\n{}", output::table(&HEAD, &layers.collect::<Vec<_>>()))
}

/// Of a layer of Oware, or of another game.
fn cells(layer: &LayerStats, other: Option<&GeneralLayerStats>) -> Vec<String> {
    let undecided = layer.positions - layer.wins - layer.draws - layer.losses;
    let of_oware = |text: String| if other.is_none() { text } else { String::new() };
    let some = |count: u64| if count > 0 { of_oware(count.to_string()) } else { String::new() };
    let longest = |other: &GeneralLayerStats| {
        other.stats.longest.map_or("-".to_owned(), |plies| plies.to_string())
    };
    vec![
        layer.seeds.to_string(),
        layer.positions.to_string(),
        layer.wins.to_string(),
        layer.draws.to_string(),
        layer.losses.to_string(),
        some(undecided),
        of_oware(share(layer.exact, layer.positions)),
        some(layer.widest.into()),
        output::span(layer.low_sum, layer.high_sum),
        other.map_or(String::new(), longest),
        bytes(layer.bytes),
        other.and_then(|other| other.owners.clone()).unwrap_or_default(),
    ]
}

/// `84.2%`. Rounded down, so that 100 % means all.
fn share(part: u64, all: u64) -> String {
    let tenths = part * 1000 / all;
    format!("{}.{}%", tenths / 10, tenths % 10)
}
