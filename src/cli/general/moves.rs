//! `oware moves` of the games beside Oware.

use std::process::ExitCode;

use oware_db::error::Result;
use oware_db::json::general::GeneralMoves;

use super::page;
use super::position::{PositionArgs, answer_lines};
use crate::cli::options::SheetArg;
use crate::cli::output;

/// List the legal moves of a position
///
/// Needs no tables. The position that results is written for whoever moves next, whose places come
/// first.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware moves --rules bao-laps \
                        \"2 2 2 2 2 2 2 2  2 2 2 2 2 2 2 2\"\n  \
                        oware moves --rules nam-nam --json \"4 4 4 4 4 4  4 4 4 4 4 4\"")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    rules: SheetArg,
}

impl Args {
    /// Lists the moves.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let sheet = self.rules.sheet;
        let Some(placement) = self.position.one(sheet)? else {
            return answer_lines(sheet, |placement| Ok(GeneralMoves::of(sheet, placement)));
        };
        output::result(json, &GeneralMoves::of(sheet, placement), text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn text(found: &GeneralMoves) -> String {
    let (sheet, placement) = (found.sheet, &found.placement);
    let mut text =
        format!("{}\n{}", page::drawing(sheet, placement), page::seeds(sheet, placement));
    if let Some(score) = found.end() {
        return text + &format!(" {}\n", page::game_over(sheet, score));
    }
    text += " Legal moves:\n\n  move  captured  position for the next player\n";
    for outcome in &found.moves {
        let (label, again) = (outcome.label, page::again(outcome));
        text += &format!("  {label:<4}  {:>8}  {}{again}\n", page::captured(outcome), outcome.next);
    }
    text
}
