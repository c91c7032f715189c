//! `oware unindex`: the position with a number in its layer.

use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::layer::{Layer, Rank};

use super::general;
use super::index::Ranked;
use super::options::{AnySheet, SheetArg, parse_seeds};
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
    rules: SheetArg,
    /// Nam Nam (`--rules nam-nam`): who owns which houses; six each if left out
    #[arg(long, value_name = "OWNERS")]
    owners: Option<String>,
}

impl Args {
    /// Prints the position.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let owners = self.owners.as_deref();
        let rules = match self.rules.sheet {
            AnySheet::Oware(_) if owners.is_some() => {
                return Err(Error::Usage("--owners goes with --rules nam-nam".to_owned()));
            }
            AnySheet::Oware(rules) => rules,
            AnySheet::Other(sheet) => {
                let seeds = self.seeds.get();
                return general::ranks::unindex(sheet, seeds, owners, self.rank, json);
            }
        };
        let layer = Layer::of(rules, self.seeds);
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
