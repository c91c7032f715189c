//! Minimax as one would explain it: the slow and obvious twin of the search.

use super::endgames::Endgames;
use super::network::Network;
use super::stack::Stack;
use super::worth::Worth;
use crate::game::{Game, House};

/// Returns what a game is worth to the mover, looking `depth` plies ahead and then at captures
/// alone, and the moves that bring it; no moves if there are none.
pub fn minimax(game: &Game, depth: u32, endgames: &mut Endgames) -> (Worth, Vec<House>) {
    let mut line = Stack::new(game, Network::built_in().ok());
    let mut best = (Worth::LEAST, Vec::new());
    for played in line.moves().iter() {
        line.game.make(&played);
        let worth = -worth(&mut line, depth - 1, endgames);
        line.game.take_back();
        if worth > best.0 {
            best = (worth, Vec::new());
        }
        if worth == best.0 {
            best.1.push(played.house);
        }
    }
    best
}

fn worth(line: &mut Stack, depth: u32, endgames: &mut Endgames) -> Worth {
    if let Some(worth) = line.stopped() {
        return worth;
    }
    let moves = line.moves();
    if moves.is_empty() {
        return line.stuck();
    }
    if let Some(worth) = endgames.worth(&line.game, true) {
        return worth;
    }
    let mut best = if depth == 0 { line.estimate() } else { Worth::LEAST };
    for played in moves.iter().filter(|played| depth > 0 || played.captured > 0) {
        line.game.make(&played);
        let found = -worth(line, depth.saturating_sub(1), endgames);
        line.game.take_back();
        best = best.max(found);
    }
    best
}
