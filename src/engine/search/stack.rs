//! The line of play that a search is looking at, which begins with the game itself.

use std::sync::Arc;

use crate::game::{ABAPA, Board, Game, Moves, captures, final_score, legal_moves};
use crate::random::Dice;

use super::estimate::by_houses;
use super::network::Network;
use super::worth::Worth;

/// A position with the line that led to it, on which its worth depends.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The game so far, and the line.
    pub game: Game,
    /// Estimates boards, if the sheet's moves are those that it has learnt.
    network: Option<Arc<Network>>,
    /// The number of the last capture in the game itself.
    last_capture: usize,
    /// Stands in keys for what has been there since then, up to the root.
    history: u64,
}

impl Stack {
    /// Begins with the position that a game has come to.
    pub fn new(game: &Game, network: Option<Arc<Network>>) -> Stack {
        let network = network.filter(|_| game.rules().moves_like(&ABAPA));
        let (_, before) = game.history().since_capture().split_last().expect("the root");
        let history =
            before.iter().fold(0, |history, earlier| mix(history ^ board_key(&earlier.board)));
        let last_capture = game.history().last_capture();
        Stack { game: game.clone(), network, last_capture, history }
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> Moves {
        legal_moves(self.game.rules(), self.game.board())
    }

    /// Returns the legal moves that capture.
    pub fn captures(&self) -> Moves {
        captures(self.game.rules(), self.game.board())
    }

    /// Returns whether the mover has no move.
    pub fn is_stuck(&self) -> bool {
        final_score(self.game.rules(), self.game.board()).is_some()
    }

    /// Returns what the game is worth if a repetition ends it here. Where 25 seeds have decided who
    /// wins a search goes on for the others, which the tables count as well.
    pub fn stopped(&self) -> Option<Worth> {
        self.game.repeated().map(Worth::result)
    }

    /// Returns what the game is worth if the mover has no move here.
    pub fn stuck(&self) -> Worth {
        Worth::result(self.game.with_rest(self.game.board().own_rows()))
    }

    /// Estimates what the game is worth: seeds captured, and what those in the houses promise.
    pub fn estimate(&self) -> Worth {
        let (ahead, board) = (100 * i32::from(self.game.ahead().get()), self.game.board());
        let rest = self.network.as_ref().map_or_else(|| by_houses(board), |it| it.estimate(board));
        Worth::estimate(ahead + rest)
    }

    /// Returns a number that stands for all that the worth depends on, except the line since the
    /// root, and who is to move: the same board and equal stores are one key for both players,
    /// though what has been there before is not the same to them.
    pub fn key(&self) -> u64 {
        let stores = self.game.stores();
        let stores = u64::from(stores.mover) << 8 | u64::from(stores.opponent);
        let has_captured = self.game.history().last_capture() != self.last_capture;
        let history = if has_captured { 0 } else { self.history };
        mix(board_key(self.game.board()) ^ history ^ stores.wrapping_mul(ODD))
    }
}

/// Spreads the stores over a key; any odd number does.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

fn board_key(board: &Board) -> u64 {
    mix(board.mover.word() ^ mix(board.opponent.word() ^ 0x5bf0_3635))
}

/// Spreads every bit over all others.
fn mix(word: u64) -> u64 {
    Dice::new(word).number()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(position: &str) -> Stack {
        let game = Game::new(&ABAPA, position.parse().unwrap());
        Stack::new(&game, None)
    }

    #[test]
    fn who_has_won_plays_on_for_seeds() {
        let mut won = line("0-0-0-0-0-1-1-0-0-0-0-3-30-13-S");
        assert!(won.game.stopped().is_some() && won.stopped().is_none());
        won.game.make(&won.moves().iter().next().unwrap());
        // South has 32 and North 13; three are left.
        assert!((1600..=2200).contains(&(-won.estimate()).hundredths()));
        assert_eq!(line("0-0-0-0-0-0-1-2-0-0-0-0-20-25-S").stuck().hundredths(), -800);
        assert!(line("0-0-0-0-0-1-1-0-0-0-0-3-22-21-S").game.stopped().is_none());
    }
}
