//! The other games: what their sheets lead to in the commands that all games have.
//!
//! The options are those of the commands. What a game does not have is refused with a sentence, as
//! are these sheets by the commands that are about Oware alone.

use crate::game::mancala::placement::owners_text;
use crate::game::mancala::{Circling, Layers, Outcome, Placement, Sheet};
use crate::game::{Interval, Score};
use crate::json::general::{GeneralAnalysis, GeneralMoves};
use crate::probe::general::ScoredOutcome;

use super::output::{self, ahead, count_seeds};

/// Lists the moves for people.
pub fn moves(found: &GeneralMoves) -> String {
    let (sheet, placement) = (found.sheet, &found.placement);
    let mut text = format!("{}\n{}", drawing(sheet, placement), seeds(sheet, placement));
    if let Some(score) = found.end() {
        return text + &format!(" {}\n", game_over(sheet, score));
    }
    text += " Legal moves:\n\n  move  captured  position for the next player\n";
    for outcome in &found.moves {
        let (label, again) = (outcome.label, again(outcome));
        text += &format!("  {label:<4}  {:>8}  {}{again}\n", captured(outcome), outcome.next);
    }
    text
}

/// Returns the answer for people.
pub fn analysis(found: &GeneralAnalysis) -> String {
    let (sheet, placement) = (found.sheet, &found.placement);
    let seeds = seeds(sheet, placement);
    let mut text = format!("{}\n{seeds} {}\n", drawing(sheet, placement), verdict(found));
    if found.answer.moves.is_empty() {
        return text;
    }
    text += "\n    move  captured   score  position for the next player\n";
    for scored in &found.answer.moves {
        let best = if found.answer.is_best(scored) { '>' } else { ' ' };
        let (outcome, label) = (&scored.outcome, scored.outcome.label);
        text += &format!(
            "  {best} {label:<4}  {:>8}  {:>6}  {}{}\n",
            captured(outcome),
            worth(found, scored),
            outcome.next,
            again(outcome)
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
        (Layers::BySeeds, _) => {
            let [low, high] = [scored.low, scored.high].map(Score::new);
            Interval { low, high }.to_string()
        }
    }
}

fn verdict(found: &GeneralAnalysis) -> String {
    let (sheet, known) = (found.sheet, found.answer.known);
    if found.answer.moves.is_empty() {
        return game_over(sheet, known.low);
    }
    match (sheet.layers, known.plies) {
        (Layers::Alone, None) => "With best play the game repeats itself and is drawn.".to_owned(),
        (Layers::Alone, Some(plies)) => {
            let result = if known.low > 0 { "wins" } else { "loses" };
            format!("With best play the mover {result} in {}.", in_plies(plies))
        }
        (Layers::BySeeds, _) if known.low < known.high => format!(
            "Play can cycle for ever, which draws the game: a mover who is ahead by more than {} \
             wins, one who is ahead by less than {} loses.",
            -known.low, -known.high
        ),
        (Layers::BySeeds, _) => format!("With best play {}.", ahead(known.low)),
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

/// Draws a board, the opponent's half above, as the mover sees it. A half of two rows is a loop of
/// which the first half is the front row, and so in the middle of the board.
fn drawing(sheet: &Sheet, placement: &Placement) -> String {
    let rows = if sheet.layers == Layers::Alone { 2 } else { 1 };
    let columns = sheet.half / rows;
    let rightwards = |houses: &[u8]| row(houses.iter());
    let leftwards = |houses: &[u8]| row(houses.iter().rev());
    let (mover, opponent) = (placement.mover(), placement.opponent());
    let mut lines = Vec::new();
    if rows == 2 {
        lines.push(rightwards(&opponent[columns..]));
    }
    lines.push(leftwards(&opponent[..columns]) + "   opponent");
    lines.push(rightwards(&mover[..columns]) + "   to move");
    if rows == 2 {
        lines.push(leftwards(&mover[columns..]));
    }
    if sheet.has_owners {
        lines.push(format!("  houses of: {}", owners_text(placement.owners(), sheet.half)));
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn row<'a>(counts: impl Iterator<Item = &'a u8>) -> String {
    counts.map(|count| format!("{count:>3}")).collect()
}

/// Says how many seeds there are.
fn seeds(sheet: &Sheet, placement: &Placement) -> String {
    match sheet.layers {
        Layers::BySeeds => format!("{} on the board.", count_seeds(placement.seeds())),
        Layers::Alone => format!("{} kete on the board.", placement.seeds()),
    }
}

/// Says how a game has ended.
fn game_over(sheet: &Sheet, score: i8) -> String {
    match (sheet.layers, score) {
        (Layers::Alone, 1..) => "The game is over, the player to move has won.".to_owned(),
        (Layers::Alone, _) => "The game is over, the player to move has lost.".to_owned(),
        (Layers::BySeeds, 0) => "The game is over.".to_owned(),
        (Layers::BySeeds, score) => format!("The game is over, {}.", ahead(score)),
    }
}

/// `1 ply`, `2 plies`.
fn in_plies(count: u8) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}

/// What a move captures, in a few letters.
fn captured(outcome: &Outcome) -> String {
    match (outcome.mover, outcome.opponent) {
        (mover, 0) => mover.to_string(),
        (mover, opponent) => format!("{mover}:{opponent}"),
    }
}

/// What follows the position after a move.
fn again(outcome: &Outcome) -> &'static str {
    if outcome.again { "  (moves again)" } else { "" }
}
