//! What people read of an estimate, where `oware query` has no table.

use oware_db::json::estimate::{EstimatedMove, EstimatedPosition};
use oware_db::verify::Outcome;

use super::output::{count_seeds, drawing};

/// Returns an estimate for people.
pub fn text(found: &EstimatedPosition) -> String {
    let seeds = count_seeds(found.position.board.seeds().get());
    let line: Vec<String> = found.line.iter().map(char::to_string).collect();
    format!(
        "{}\n{seeds} on the board, and a table is missing: an estimate, not a score.\n\
         {}\n{}{}\nExpected play: {}.\n",
        drawing(found.position),
        verdict(found),
        reliability(found),
        list(&found.moves),
        line.join(" ")
    )
}

/// Says who gets more, and who wins if the best move decides the game.
fn verdict(found: &EstimatedPosition) -> String {
    let best = found.moves[0].estimate;
    let estimate = best.estimate;
    let (more, less) = if estimate < 0.0 { ("opponent", "mover") } else { ("mover", "opponent") };
    let wins = match best.outcome {
        Some(Outcome::Win) => ", and wins the game",
        Some(Outcome::Loss) => ", and the mover loses the game",
        _ => "",
    };
    let seeds = estimate.abs();
    format!("The engine expects that the {more} gets {seeds:.1} seeds more than the {less}{wins}.")
}

/// Says how far from the score such an estimate is.
fn reliability(found: &EstimatedPosition) -> String {
    let seeds = count_seeds(found.position.board.seeds().get());
    match found.mean_error.flatten() {
        Some(error) => {
            format!("With {seeds} such estimates were {error:.1} seeds off on average.\n")
        }
        None => format!("How far off such estimates are with {seeds} has not been measured.\n"),
    }
}

fn list(moves: &[EstimatedMove]) -> String {
    let mut list = "\n    house  captured  estimate  position for the next player\n".to_owned();
    for EstimatedMove { played, estimate } in moves {
        let (house, captured, next) = (played.house.letter(), played.captured, played.next);
        list += &format!("    {house:<5}  {captured:>8}  {:>+8.1}  {next}\n", estimate.estimate);
    }
    list
}
