//! The line of play that a search is looking at, which begins with the game itself.

use crate::game::{Board, DECIDED, Game, Move, Moves, Rules, Score, came_back, legal_moves};

use super::worth::Worth;

/// A position with the line that led to it, on which its worth depends.
#[derive(Clone, Debug)]
pub struct Stack {
    rules: &'static Rules,
    /// The board, the mover's row first.
    pub board: Board,
    captured: u8,
    conceded: u8,
    /// All positions since the last capture in the game, without the present one.
    path: Vec<Board>,
    /// Where in `path` those since the last capture begin.
    fresh: usize,
    /// Stands for the game's history in keys.
    history: u64,
}

/// What is needed to take a move back.
pub struct Undo {
    board: Board,
    captured: u8,
    conceded: u8,
    fresh: usize,
    history: u64,
}

impl Stack {
    /// Begins with the position that a game has come to.
    pub fn new(game: &Game) -> Stack {
        let path = game.path().to_vec();
        let history = path.iter().fold(0, |history, board| mix(history ^ board_key(board)));
        let at = game.at();
        Stack {
            rules: game.rules(),
            board: at.board,
            captured: at.captured,
            conceded: at.conceded,
            path,
            fresh: 0,
            history,
        }
    }

    /// Makes a move.
    pub fn push(&mut self, played: &Move) -> Undo {
        let undo = Undo {
            board: self.board,
            captured: self.captured,
            conceded: self.conceded,
            fresh: self.fresh,
            history: self.history,
        };
        self.path.push(self.board);
        if played.captured > 0 {
            self.fresh = self.path.len();
            self.history = 0;
        }
        self.board = played.next;
        (self.captured, self.conceded) = (undo.conceded, undo.captured + played.captured);
        undo
    }

    /// Takes the last move back.
    pub fn pop(&mut self, undo: Undo) {
        self.path.pop();
        self.board = undo.board;
        self.captured = undo.captured;
        self.conceded = undo.conceded;
        self.fresh = undo.fresh;
        self.history = undo.history;
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> Moves {
        legal_moves(self.rules, &self.board)
    }

    /// Returns how many seeds the mover has captured more than the opponent.
    pub fn ahead(&self) -> Score {
        Score::new(self.captured as i8 - self.conceded as i8)
    }

    fn result(&self, rest: Score) -> Worth {
        Worth::result(Score::new(self.ahead().get() + rest.get()))
    }

    /// Returns what the game is worth if 25 seeds or a repetition end it here.
    pub fn stopped(&self) -> Option<Worth> {
        if self.captured.max(self.conceded) >= DECIDED {
            return Some(self.result(Score::ZERO));
        }
        let behind = self.path[self.fresh..].split_last().map_or(&[][..], |(_, rest)| rest);
        if !came_back(behind, &self.board) {
            return None;
        }
        let worth = self.rules.worth_of_repetition(&self.board);
        worth.map(|worth| self.result(worth))
    }

    /// Returns what the game is worth if the mover has no move here.
    pub fn stuck(&self) -> Worth {
        self.result(self.board.own_rows())
    }

    /// Estimates what the game is worth: seeds captured, and a tenth of those in a player's own
    /// row.
    pub fn estimate(&self) -> Worth {
        Worth::estimate(
            100 * i32::from(self.ahead().get()) + 10 * i32::from(self.board.own_rows().get()),
        )
    }

    /// Returns a number that stands for all that the worth depends on, except the line since the
    /// root.
    pub fn key(&self) -> u64 {
        let stores = u64::from(self.captured) << 8 | u64::from(self.conceded);
        mix(board_key(&self.board) ^ self.history ^ stores.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

fn board_key(board: &Board) -> u64 {
    let word = |row: [u8; 6]| row.iter().fold(0, |word, &count| word << 8 | u64::from(count));
    mix(word(board.mover.0) ^ mix(word(board.opponent.0) ^ 0x5bf0_3635))
}

/// Spreads every bit over all others: the last steps of SplitMix64.
fn mix(word: u64) -> u64 {
    let mut mixed = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
