//! `oware moves` of the games beside Oware.

use std::process::ExitCode;

use oware_db::error::Result;
use oware_db::game::mancala::Sheet;
use oware_db::json::general::{GeneralMoves, read_line};
use oware_db::json::lines::add_line;
use oware_db::pool::Pool;

use super::page;
use crate::cli::batch::answer_lines;
use crate::cli::output;
use crate::cli::position::PositionArgs;

/// Lists the moves.
pub fn run(sheet: &'static Sheet, position: &PositionArgs, json: bool) -> Result<ExitCode> {
    let Some(placement) = position.placement(sheet)? else {
        return answer_lines(&Pool::new(|| ()), |(), line, lines| {
            add_line(&GeneralMoves::of(sheet, read_line(sheet, line)?), lines);
            Ok(())
        });
    };
    output::result(json, &GeneralMoves::of(sheet, placement), text)?;
    Ok(ExitCode::SUCCESS)
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
