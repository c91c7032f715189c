//! `oware perft` of the games beside Oware.

use std::process::ExitCode;

use rayon::prelude::*;
use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::mancala::{Placement, Sheet};

use crate::cli::options::SheetArg;
use crate::cli::output;

/// Positions to collect before the count is spread over the processors.
const TASKS: usize = 4096;

/// Count the paths of a number of moves from a position
///
/// A further move of the same player is a move of its own, and so is a missed turn. A path that runs
/// out of moves before the full depth does not count.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  oware perft --rules bao-stores --depth 6")]
pub struct Args {
    /// As in `oware moves`; the initial position if left out
    #[arg(value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,
    /// Moves in a path, at most 100
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(0..=100))]
    depth: u8,
    #[command(flatten)]
    rules: SheetArg,
}

#[derive(Serialize)]
struct Document {
    depth: u8,
    count: u64,
}

impl Args {
    /// Counts the paths.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let sheet = self.rules.sheet;
        let start = match self.position.is_empty() {
            true => sheet.initial(),
            false => sheet.parse(&self.position.join(" "))?,
        };
        let count = perft(sheet, start, self.depth).ok_or_else(|| {
            Error::Usage("more than 2^64 paths; choose a smaller --depth".to_owned())
        })?;
        output::result(json, &Document { depth: self.depth, count }, |_| format!("{count}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the number of paths, or `None` if it is beyond 64 bits.
fn perft(sheet: &'static Sheet, start: Placement, mut depth: u8) -> Option<u64> {
    let mut starts = vec![start];
    while depth > 0 && starts.len() < TASKS && !starts.is_empty() {
        let next =
            |start: &Placement| sheet.outcomes(start).into_iter().map(|outcome| outcome.next);
        starts = starts.iter().flat_map(next).collect();
        depth -= 1;
    }
    starts.par_iter().map(|start| count(sheet, start, depth)).try_reduce(|| 0, u64::checked_add)
}

fn count(sheet: &Sheet, start: &Placement, depth: u8) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let outcomes = sheet.outcomes(start);
    if depth == 1 {
        return Some(outcomes.len() as u64);
    }
    outcomes
        .iter()
        .try_fold(0u64, |total, each| total.checked_add(count(sheet, &each.next, depth - 1)?))
}
