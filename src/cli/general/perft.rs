//! `oware perft` of the games beside Oware.

use rayon::prelude::*;

use oware_db::error::Result;
use oware_db::game::mancala::{Placement, Sheet};

use crate::cli::position::placement_from_words;

/// Boards to collect before the count is spread over the processors: enough for an even load.
pub const TASKS: usize = 4096;

/// Returns the number of paths from a position, the initial one if there are no words; `None` if it
/// is beyond 64 bits.
pub fn count(sheet: &'static Sheet, words: &[String], depth: u8) -> Result<Option<u64>> {
    let start = match words.is_empty() {
        true => sheet.initial(),
        false => placement_from_words(sheet, words)?,
    };
    Ok(spread(sheet, start, depth))
}

fn spread(sheet: &'static Sheet, start: Placement, mut depth: u8) -> Option<u64> {
    let mut starts = vec![start];
    while depth > 0 && starts.len() < TASKS && !starts.is_empty() {
        let next =
            |start: &Placement| sheet.outcomes(start).into_iter().map(|outcome| outcome.next);
        starts = starts.iter().flat_map(next).collect();
        depth -= 1;
    }
    starts.par_iter().map(|start| paths(sheet, start, depth)).try_reduce(|| 0, u64::checked_add)
}

fn paths(sheet: &Sheet, start: &Placement, depth: u8) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let outcomes = sheet.outcomes(start);
    if depth == 1 {
        return Some(outcomes.len() as u64);
    }
    outcomes
        .iter()
        .try_fold(0u64, |total, each| total.checked_add(paths(sheet, &each.next, depth - 1)?))
}
