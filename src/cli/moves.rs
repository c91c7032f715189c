//! `oware moves`: the legal moves of a position.

use std::process::ExitCode;

use crate::error::Result;
use crate::game::{Move, Score};
use crate::json::lines::add_line;
use crate::json::{Game, MovesDocument};
use crate::pool::Pool;

use super::general;
use super::options::{AnySheet, SheetArg};
use super::output::{self, count_seeds, drawing};
use super::position::{PositionArgs, answer_lines};

/// List the legal moves of a position: house, seeds captured, resulting position
///
/// Needs no tables and accepts any position that can occur in a game. The resulting position is
/// written for the next player, whose row comes first.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware moves \"0 0 0 0 1 2  1 0 0 0 3 0\"\n  \
                        oware moves --json 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n  \
                        oware moves --batch < positions.txt\n  \
                        oware moves --rules bao-laps \"2 2 2 2 2 2 2 2  2 2 2 2 2 2 2 2\"")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    rules: SheetArg,
}

impl Args {
    /// Lists the moves.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        match self.rules.sheet {
            AnySheet::Oware(rules) => self.list(rules, json, page),
            AnySheet::Other(sheet) => self.list(sheet, json, general::moves),
        }
    }

    fn list<G: Game>(
        &self,
        game: G,
        json: bool,
        page: impl FnOnce(&G::Moves) -> String,
    ) -> Result<ExitCode> {
        let Some(position) = self.position.of(game)? else {
            return answer_lines(&Pool::new(|| ()), |(), line, lines| {
                add_line(&game.moves(game.read_line(line)?), lines);
                Ok(())
            });
        };
        output::result(json, &game.moves(position), page)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the moves for people.
fn page(found: &MovesDocument) -> String {
    let MovesDocument { position, moves, end } = found;
    let seeds = count_seeds(position.board.seeds().get());
    let mut page = format!("{}\n{seeds} on the board.", drawing(*position));
    if let Some(share) = end {
        return page + &format!(" {}\n", game_over(*share));
    }
    page += " Legal moves:\n\n  house  captured  position for the next player\n";
    for Move { house, captured, next } in moves {
        page += &format!("  {:<5}  {captured:>8}  {next}\n", house.letter());
    }
    page
}

/// Says how a game ends in which neither player can move.
fn game_over(share: Score) -> String {
    let more = |whose, difference: i8| {
        format!("{whose} has {} more", count_seeds(difference.unsigned_abs().into()))
    };
    let balance = match share.get() {
        0 => "both have the same".to_owned(),
        difference @ 1.. => more("the player to move", difference),
        difference => more("the opponent", difference),
    };
    format!("The game is over, each player keeps their own row: {balance}.")
}
