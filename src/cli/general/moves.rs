//! `oware moves` of the other games.

use oware_db::json::general::GeneralMoves;

use super::page;

/// Lists the moves for people.
pub fn text(found: &GeneralMoves) -> String {
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
