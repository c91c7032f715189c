//! `oware unindex`: the position with a number in its layer.

use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::layer::{Layer, Rank};

use super::index::Ranked;
use super::options::{RulesArg, parse_seeds};
use super::output;

/// Show the position with a rank: the inverse of `oware index`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  oware unindex 7 1999")]
pub struct Args {
    /// Seeds on the board
    #[arg(value_name = "N", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Number of the position among those with N seeds, from 0 on
    #[arg(value_name = "RANK")]
    rank: u64,
    #[command(flatten)]
    rules: RulesArg,
}

impl Args {
    /// Prints the position.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let layer = Layer::of(self.rules.rules, self.seeds);
        let board = layer.position(Rank(self.rank)).ok_or_else(|| {
            let (seeds, positions, rank) = (self.seeds, layer.positions(), self.rank);
            Error::Usage(format!(
                "the layer of {seeds} seeds has {positions} positions, with the ranks 0 to {}, \
                 not {rank}",
                positions - 1
            ))
        })?;
        let ranked = Ranked { position: board.into(), rank: self.rank };
        output::result(json, &ranked, |ranked| format!("{}\n", ranked.position.board))?;
        Ok(ExitCode::SUCCESS)
    }
}
