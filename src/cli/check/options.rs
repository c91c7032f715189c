//! What a check can be asked for.

use std::path::PathBuf;

use oware_db::game::Seeds;

use crate::cli::options::{AnySheet, TablesArgs, any_sheet, parse_seeds};

/// Check that tables are intact and, if requested, prove that their scores are correct
///
/// Reads every byte of every table and compares checksums. With --proof it then derives every
/// score from the rules and verifies that the stored strategy achieves it, sharing no code with
/// the solver. Names the file and exits with 1 if anything is wrong. Publish a `sha256sum`
/// manifest with your tables so that others can verify their copies.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware check\n  oware check --proof --rules abapa --seeds 12\n  \
                        oware check --playout 100000\n  oware check --write-manifest\n  \
                        oware check --manifest"
)]
pub struct Args {
    /// Rule sheet [default: all that have tables]
    #[arg(long, value_name = "SHEET", value_parser = any_sheet())]
    pub rules: Option<AnySheet>,
    #[command(flatten)]
    pub tables: TablesArgs,
    /// Largest layer to check [default: all that have a table]
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    pub seeds: Option<Seeds>,
    /// Compare the scores of N random positions per layer with those of their moves
    ///
    /// Finds a table with many errors, and proves nothing about the other positions.
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,
    /// Also prove every score from the rules
    ///
    /// Needs the tables of all layers, with strategies, and loads them into memory.
    #[arg(long)]
    pub proof: bool,
    /// Play N games from random positions: the stored strategy against many kinds of defence
    ///
    /// Each game is played to its end and with its history. Also tries every position up to 8
    /// seeds against every defence.
    #[arg(long, value_name = "N")]
    pub playout: Option<u64>,
    /// Random seed for --sample and --playout [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Compare the files with the SHA-256 sums of a manifest [default FILE: SHA256SUMS in the
    /// table directory]
    ///
    /// Missing, different and additional tables are problems.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub manifest: Option<Option<PathBuf>>,
    /// Write a manifest of the checked tables if all are intact [default FILE: SHA256SUMS in the
    /// table directory]
    ///
    /// In their directory `sha256sum -c FILE` accepts it.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "manifest")]
    pub write_manifest: Option<Option<PathBuf>>,
    /// Compare the `awari` tables with the files `scores.N` in DIR, position by position
    ///
    /// The files are those of the published Awari score database, or the output of `oware export
    /// --format vu`.
    #[arg(long, value_name = "DIR")]
    pub vu: Option<PathBuf>,
}

impl Args {
    /// Returns the seed of the dice.
    pub fn dice(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Returns whether scores are compared with those of other positions.
    pub fn looks_into_scores(&self) -> bool {
        self.proof || self.sample.is_some() || self.playout.is_some()
    }
}
