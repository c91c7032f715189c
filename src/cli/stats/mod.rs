//! `oware stats`: the figures of every table of a sheet, and the origins of open scores.

mod all_boards;
mod extremes;
mod knots;

use crate::error::Result;
use crate::game::{Rules, Seeds};
use crate::json::stats::{Figures, StatsDocument};
use crate::json::words::bytes;

use super::builder::general;
use super::options::{AnySheet, DEFAULT_SEEDS, SheetArg, TablesArgs, layers, parse_seeds, refuse};
use super::{output, threads};
use all_boards::BoardCount;
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
    /// either player to move, where both can move, positions with a single good move that does not
    /// capture, although a capture is possible, and the largest swings. Needs the tables of all
    /// layers with their strategies, reads every position, and takes about nine bytes of memory for
    /// each position of the largest layer and two for each of the others.
    #[arg(long, conflicts_with_all = ["knots", "all_boards"])]
    extremes: bool,
    #[command(flatten)]
    counted: BoardCount,
}

impl Args {
    /// Prints the figures.
    pub fn run(self, json: bool) -> Result<()> {
        threads::start(None)?;
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
                let tables = self.tables.open()?;
                let layers = layers(&tables, sheet, self.seeds, general::DEFAULT_SEEDS)?;
                return show(json, "Positions", &StatsDocument::of(&tables, sheet, &layers)?);
            }
        };
        let tables = self.tables.open()?;
        let seeds = layers(&tables, rules, self.seeds, DEFAULT_SEEDS.get())?;
        if self.knots {
            return knots::run(&tables, rules, &seeds, json);
        }
        if self.extremes {
            return extremes::run(&tables, rules, &seeds, json);
        }
        let mut document = StatsDocument::of(&tables, rules, &seeds)?;
        let mut what = "Positions";
        if self.counted.all_boards {
            self.counted.complete(&tables, rules, &mut document.layers)?;
            what = "All boards, including those that no move leads to,";
        }
        show(json, what, &document)
    }
}

fn show(json: bool, what: &str, document: &StatsDocument) -> Result<()> {
    output::result(json, document, |document| page(what, document))
}

/// Returns the figures for people; only the JSON document has the histogram.
fn page(what: &str, document: &StatsDocument) -> String {
    let StatsDocument { rules, layers } = document;
    let title = format!("{what} by value for the player to move, sheet `{rules}`");
    let is_oware = Rules::by_id(rules).is_some();
    let rows: Vec<Vec<String>> = layers.iter().map(|layer| cells(layer, is_oware)).collect();
    let mut page = format!("{title}:\n\n{}", output::table(&HEAD, &rows));
    let mut stats = layers.iter().map(|layer| &layer.stats);
    if let Some(first) = stats.find(|layer| layer.range.is_some()).map(|layer| layer.seeds) {
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

fn cells(figures: &Figures, is_oware: bool) -> Vec<String> {
    let Figures { stats: layer, longest, owners, .. } = figures;
    let undecided = layer.positions - layer.wins - layer.draws - layer.losses;
    let of_oware = |text: String| if is_oware { text } else { String::new() };
    let some = |count: u64| if count > 0 { of_oware(count.to_string()) } else { String::new() };
    let longest = longest.map_or("-".to_owned(), |plies| plies.to_string());
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
        if is_oware { String::new() } else { longest },
        bytes(layer.bytes),
        owners.clone().unwrap_or_default(),
    ]
}

/// `84.2%`. Rounded down, so that 100 % means all.
fn share(part: u64, all: u64) -> String {
    let tenths = part * 1000 / all;
    format!("{}.{}%", tenths / 10, tenths % 10)
}
