//! `oware query` of the other games.

use oware_db::game::mancala::{Circling, Layers};
use oware_db::json::general::GeneralAnalysis;
use oware_db::probe::general::ScoredOutcome;

use super::page;
use crate::cli::output;

/// Returns the answer for people.
pub fn text(found: &GeneralAnalysis) -> String {
    let (sheet, placement) = (found.sheet, &found.placement);
    let seeds = page::seeds(sheet, placement);
    let mut text = format!("{}\n{seeds} {}\n", page::drawing(sheet, placement), verdict(found));
    if found.answer.moves.is_empty() {
        return text;
    }
    text += "\n    move  captured   score  position for the next player\n";
    for scored in &found.answer.moves {
        let best = if found.answer.is_best(scored) { '>' } else { ' ' };
        let (outcome, label) = (&scored.outcome, scored.outcome.label);
        text += &format!(
            "  {best} {label:<4}  {:>8}  {:>6}  {}{}\n",
            page::captured(outcome),
            worth(found, scored),
            outcome.next,
            page::again(outcome)
        );
    }
    text + &best_play(found)
}

fn worth(found: &GeneralAnalysis, scored: &ScoredOutcome) -> String {
    match (found.sheet.layers, scored.plies) {
        (Layers::Alone, None) => "draw".to_owned(),
        (Layers::Alone, Some(plies)) => {
            format!("{} {plies}", if scored.low > 0 { "win" } else { "loss" })
        }
        (Layers::BySeeds, _) if scored.low < scored.high => {
            format!("{}..{}", signed(scored.low), signed(scored.high))
        }
        (Layers::BySeeds, _) => signed(scored.low),
    }
}

fn signed(score: i8) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

fn verdict(found: &GeneralAnalysis) -> String {
    let (sheet, known) = (found.sheet, found.answer.known);
    if found.answer.moves.is_empty() {
        return page::game_over(sheet, known.low);
    }
    match (sheet.layers, known.plies) {
        (Layers::Alone, None) => "With best play the game repeats itself and is drawn.".to_owned(),
        (Layers::Alone, Some(plies)) => {
            let result = if known.low > 0 { "wins" } else { "loses" };
            format!("With best play the mover {result} in {}.", page::plies(plies))
        }
        (Layers::BySeeds, _) if known.low < known.high => format!(
            "Play can cycle for ever, which draws the game: a mover who is ahead by more than {} \
             wins, one who is ahead by less than {} loses.",
            -known.low, -known.high
        ),
        (Layers::BySeeds, _) => format!("With best play {}.", output::ahead(known.low)),
    }
}

fn best_play(found: &GeneralAnalysis) -> String {
    let moves = found.line.texts();
    if moves.is_empty() {
        return String::new();
    }
    let round = match found.sheet.circling {
        Circling::Drawn => "and that is a draw",
        Circling::EvenSplit | Circling::Never => "and the moves in brackets repeat",
    };
    format!("\n{}\n", output::best_play(&moves, found.line.ends, round))
}
