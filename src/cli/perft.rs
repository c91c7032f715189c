//! `oware perft`: counts paths of moves, the classic test of a move generator.

use arrayvec::ArrayVec;
use rayon::prelude::*;
use serde_json::json;

use crate::error::{Error, Result};
use crate::game::{Board, HOUSES, legal_moves};
use crate::json::Game;

use super::options::{AnySheet, SheetArg};
use super::{output, threads};

/// Boards to collect before the count is spread over the processors: enough for an even load.
const TASKS: usize = 4096;

/// Count the move paths of a given length from a position
///
/// Neither a repetition nor the 25th captured seed ends a path. A path that runs out of moves
/// before the full depth is not counted. An extra move by the same player and a missed turn count
/// as moves.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware perft --depth 8\n  \
                        oware perft \"0 0 0 0 1 2  1 0 0 0 3 0\" --depth 5 --rules abapa")]
pub struct Args {
    /// Position, as in `oware moves` [default: the initial position]
    #[arg(value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,
    /// Moves per path (0-100)
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(0..=100))]
    depth: u8,
    #[command(flatten)]
    rules: SheetArg,
}

impl Args {
    /// Counts the paths.
    pub fn run(self, json: bool) -> Result<()> {
        threads::start(None)?;
        let count = match self.rules.sheet {
            AnySheet::Oware(rules) => {
                let board = self.start(rules)?.map_or(Board::INITIAL, |position| position.board);
                perft(board, self.depth, |board| {
                    let next = legal_moves(rules, board).iter().map(|each| each.next).collect();
                    ArrayVec::<Board, HOUSES>::into_iter(next)
                })
            }
            AnySheet::Other(sheet) => {
                let placement = self.start(sheet)?.unwrap_or_else(|| sheet.initial());
                perft(placement, self.depth, |placement| {
                    sheet.outcomes(placement).into_iter().map(|each| each.next)
                })
            }
        };
        let count = count.ok_or_else(|| {
            Error::Usage("more than 2^64 paths; choose a smaller --depth".to_owned())
        })?;
        let document = json!({ "depth": self.depth, "count": count });
        output::result(json, &document, |_| format!("{count}\n"))
    }

    /// Returns the position, or the initial one.
    fn start<G: Game>(&self, game: G) -> Result<Option<G::Position>> {
        let words = Some(&self.position).filter(|words| !words.is_empty());
        words.map(|words| game.read(&words.join(" "))).transpose()
    }
}

/// Returns the number of paths, or `None` if it is beyond 64 bits. `moves` returns the positions
/// that follow one.
fn perft<P: Send + Sync, M: ExactSizeIterator<Item = P>>(
    start: P,
    mut depth: u8,
    moves: impl Fn(&P) -> M + Sync,
) -> Option<u64> {
    let mut starts = vec![start];
    while depth > 0 && starts.len() < TASKS && !starts.is_empty() {
        starts = starts.iter().flat_map(&moves).collect();
        depth -= 1;
    }
    starts.par_iter().map(|start| count(start, depth, &moves)).try_reduce(|| 0, u64::checked_add)
}

fn count<P, M: ExactSizeIterator<Item = P>>(
    start: &P,
    depth: u8,
    moves: &impl Fn(&P) -> M,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(moves(start).len() as u64),
        _ => moves(start)
            .try_fold(0u64, |total, next| total.checked_add(count(&next, depth - 1, moves)?)),
    }
}
