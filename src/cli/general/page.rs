//! Boards and scores for people.

use oware_db::game::mancala::placement::owners_text;
use oware_db::game::mancala::{Layers, Outcome, Placement, Sheet};

use crate::cli::output::{ahead, count_seeds};

/// Draws a board, the opponent's half above, as the mover sees it. A half of two rows is a loop of
/// which the first half is the front row, and so in the middle of the board.
pub fn drawing(sheet: &Sheet, placement: &Placement) -> String {
    let rows = if sheet.layers == Layers::Alone { 2 } else { 1 };
    let columns = sheet.half / rows;
    let row =
        |counts: Vec<u8>| counts.iter().map(|count| format!("{count:>3}")).collect::<String>();
    let (mover, opponent) = (placement.mover(), placement.opponent());
    let rightwards = |half: &[u8]| half[..columns].to_vec();
    let leftwards = |half: &[u8], first: usize| {
        half[first..first + columns].iter().rev().copied().collect::<Vec<u8>>()
    };
    let mut lines = Vec::new();
    if rows == 2 {
        lines.push(row(opponent[columns..].to_vec()));
    }
    lines.push(row(leftwards(opponent, 0)) + "   opponent");
    lines.push(row(rightwards(mover)) + "   to move");
    if rows == 2 {
        lines.push(row(leftwards(mover, columns)));
    }
    if sheet.has_owners {
        lines.push(format!("  houses of: {}", owners_text(placement.owners(), sheet.half)));
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// Says how many seeds there are.
pub fn seeds(sheet: &Sheet, placement: &Placement) -> String {
    match sheet.layers {
        Layers::BySeeds => format!("{} on the board.", count_seeds(placement.seeds())),
        Layers::Alone => format!("{} kete on the board.", placement.seeds()),
    }
}

/// Says how a game has ended.
pub fn game_over(sheet: &Sheet, score: i8) -> String {
    match (sheet.layers, score) {
        (Layers::Alone, 1..) => "The game is over, the player to move has won.".to_owned(),
        (Layers::Alone, _) => "The game is over, the player to move has lost.".to_owned(),
        (Layers::BySeeds, 0) => "The game is over.".to_owned(),
        (Layers::BySeeds, score) => format!("The game is over, {}.", ahead(score)),
    }
}

/// `1 ply`, `2 plies`.
pub fn plies(count: u8) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}

/// What a move captures, in a few letters.
pub fn captured(outcome: &Outcome) -> String {
    match (outcome.mover, outcome.opponent) {
        (mover, 0) => mover.to_string(),
        (mover, opponent) => format!("{mover}:{opponent}"),
    }
}

/// What follows the position after a move.
pub fn again(outcome: &Outcome) -> &'static str {
    if outcome.again { "  (moves again)" } else { "" }
}
