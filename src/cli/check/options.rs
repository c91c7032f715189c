//! What a check can be asked for.

use std::path::PathBuf;

use oware_db::game::Seeds;

use crate::cli::options::{AnySheet, TablesArgs, any_sheet, parse_seeds};

/// Check that tables are intact and, if asked to, prove that their scores are right
///
/// Reads every byte of every table and compares checksums. With --proof it then derives every score
/// anew from the rules, and how it is collected, sharing no code with the solver. Exits with 1 and
/// names the file if anything is wrong. Whoever publishes tables adds a manifest, in the form of
/// `sha256sum`, so that others see that they have the same files.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware check\n  oware check --proof --rules abapa --seeds 12\n  \
                        oware check --playout 100000\n  oware check --write-manifest\n  \
                        oware check --manifest"
)]
pub struct Args {
    /// Rule sheet; all that have tables if left out
    #[arg(long, value_name = "SHEET", value_parser = any_sheet())]
    pub rules: Option<AnySheet>,
    #[command(flatten)]
    pub tables: TablesArgs,
    /// Seeds of the largest layer to check; all that have a table if left out
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    pub seeds: Option<Seeds>,
    /// Compare the scores of N random positions of each layer with those of their moves. This finds
    /// a table that is wrong in many places, and proves nothing about the others
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// Also prove the scores: position by position, from the rules. Needs the tables of all layers,
    /// with strategies, and holds them in memory
    #[arg(long)]
    pub proof: bool,
    /// Play N games from random positions: our strategy against many kinds of defence, each game to
    /// its end and with its history; and try every position to 8 seeds against every defence
    #[arg(long, value_name = "N")]
    pub playout: Option<u64>,
    /// Seed of the dice of --sample and --playout, 1 if left out
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Compare the files with the SHA-256 sums in a manifest: missing, different and additional
    /// tables are problems. FILE is SHA256SUMS in the directory of the tables if left out
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub manifest: Option<Option<PathBuf>>,
    /// Write a manifest of the tables that have been checked, if nothing is wrong with them. In
    /// their directory `sha256sum -c FILE` accepts it
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "manifest")]
    pub write_manifest: Option<Option<PathBuf>>,
    /// Compare the tables of awari, position by position, with the files `scores.N` in DIR: the
    /// published Awari score database, or what `oware export --format vu` wrote
    #[arg(long, value_name = "DIR")]
    pub vu: Option<PathBuf>,
}

impl Args {
    /// Returns the seed of the dice.
    pub fn dice(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}
