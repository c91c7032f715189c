//! `oware perft`: counts paths of moves, the classic test of a move generator.

use std::process::ExitCode;

use rayon::prelude::*;
use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::{Board, Rules, legal_moves};

use super::general::{self, perft::TASKS};
use super::options::{AnySheet, SheetArg};
use super::output;
use super::position::from_words;

/// Count the paths of a number of moves from a position
///
/// Repetition and the 25th captured seed end nothing here; a path that runs out of moves before
/// the full depth does not count. A further move of the same player, and a turn that is missed, are
/// moves of their own.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware perft --depth 8\n  \
                        oware perft \"0 0 0 0 1 2  1 0 0 0 3 0\" --depth 5 --rules abapa")]
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
        let count = match self.rules.sheet {
            AnySheet::Oware(rules) => perft(rules, self.board()?, self.depth),
            AnySheet::Other(sheet) => general::perft::count(sheet, &self.position, self.depth)?,
        };
        let count = count.ok_or_else(|| {
            Error::Usage("more than 2^64 paths; choose a smaller --depth".to_owned())
        })?;
        output::result(json, &Document { depth: self.depth, count }, |_| format!("{count}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    fn board(&self) -> Result<Board> {
        if self.position.is_empty() {
            return Ok(Board::INITIAL);
        }
        Ok(from_words(&self.position)?.board)
    }
}

/// Returns the number of paths, or `None` if it is beyond 64 bits.
fn perft(rules: &Rules, board: Board, depth: u8) -> Option<u64> {
    let mut boards = vec![board];
    let mut depth = depth;
    while depth > 0 && boards.len() < TASKS && !boards.is_empty() {
        boards = boards.iter().flat_map(|board| next_boards(rules, board)).collect();
        depth -= 1;
    }
    boards.par_iter().map(|board| count(rules, board, depth)).try_reduce(|| 0, u64::checked_add)
}

fn count(rules: &Rules, board: &Board, depth: u8) -> Option<u64> {
    let moves = legal_moves(rules, board);
    match depth {
        0 => Some(1),
        1 => Some(moves.len() as u64),
        _ => moves
            .iter()
            .try_fold(0u64, |total, each| total.checked_add(count(rules, &each.next, depth - 1)?)),
    }
}

fn next_boards(rules: &Rules, board: &Board) -> Vec<Board> {
    legal_moves(rules, board).iter().map(|each| each.next).collect()
}
