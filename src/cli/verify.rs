//! `oware verify`: moves judged against the tables.

mod delivery;
pub mod games;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use oware_db::error::Result;
use oware_db::probe::Tables;

use super::{DEFAULT_TABLES, RulesArg, access};
use delivery::Delivery;

/// Judge the moves of recorded games against the tables, and report what they give away
///
/// A move is best if it is among those that `query` marks, it loses if it gives away at least a
/// seed for sure, and is safe in between. A move that closes a circle is scored by the rules.
/// Moves inside no table are unknown, and count apart. Seeds captured before, if the record tells
/// all, decide whether a win or a draw is thrown away.
///
/// Games are in OGN (like PGN: tags, moves A..F by South and a..f by North, comments, variations)
/// or one a line: a position, the word `moves`, letters. A game whose Variant tag names another
/// sheet than --rules is left out, and counted; any other text in that tag does not matter.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware verify --games club.ogn\n  \
                        oware verify --games club.ogn --html report.html --worst 20\n  \
                        oware verify --json --games - < games.txt\n  \
                        oware verify --games new.ogn --fail-on 2% --baseline figures.json")]
pub struct Args {
    /// Files with recorded games; `-` for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    #[command(flatten)]
    delivery: Delivery,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl Args {
    /// Judges.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let limits = self.delivery.limits(self.rules.rules)?;
        let tables = Tables::open(&self.tables, access(self.no_mmap))?;
        let report = games::judge(&tables, self.rules.rules, &self.games, self.delivery.worst)?;
        self.delivery.deliver(&report, &limits, json)
    }
}
