//! Bao la Kujifunza: four rows, and captured kete stay in play.
//!
//! Each player has two rows of c shimo, which are a loop: *clockwise*, as their owner sees them, the
//! front row from left to right and the back row from right to left. That is also how places are
//! numbered. A move takes up a shimo and sows it round the own loop in a chosen direction, the shimo
//! of origin like any other.
//!
//! * **Mtaji**, if there is one: a shimo of 2 to 2c − 1 kete whose *first* sowing ends in an occupied
//!   shimo of the front row that faces an occupied one of the opponent's.
//! * After each sowing of such a move: if the last kete fell into an empty shimo, the turn ends. If
//!   it fell into an occupied front shimo that faces kete, these are captured and sown from an end
//!   of the own front row, the first one *into* that end: the left end (clockwise) if they come from
//!   the two leftmost columns, the right end (anticlockwise) if from the two rightmost, else the end
//!   that keeps the direction. Otherwise that shimo is taken up and sown on.
//! * **Takata**, if there is no mtaji: a front shimo of two or more, only if there is none a back
//!   shimo of two or more; in either direction, with laps, until the last kete falls into an empty
//!   shimo. Nothing is captured.
//! * Who has no kete in the front row has lost, at once after a capture, else at the end of a move
//!   or at one's turn. Who has no legal move has lost.
//!
//! # Readings of the source
//!
//! Gaps are filled from Donkers, *Nosce Hostem* (2003), appendix C.
//!
//! * "The 48 mashimo", "all six": 32 and eight, the board being of eight columns.
//! * The direction that captured kete keep is the current one, not that of the first sowing.
//! * The last kete in an occupied *back* shimo: it is sown on, for capturing needs the front row.
//! * A front row that is bare in the middle of an own move is judged at its end.
//! * When the opponent is bare with kete in hand the game is over; for the record these lie in the
//!   capturing shimo.
//! * A sowing that never ends is no legal move. Placements that recur are drawn.
//! * Smaller boards: "the two leftmost" are c/2 where that is fewer, and 15 becomes 2c − 1.

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Direction, Label, Outcome, Outcomes};
use super::placement::{PLACES, Placement, count};

/// Bao la Kujifunza on a board of this many columns.
pub struct Kujifunza {
    /// Columns of the board, 2 to 8.
    pub columns: usize,
}

impl Mancala for Kujifunza {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        let board = Board::new(self.columns, placement);
        if board.is_bare(board.own) || board.is_bare(board.other) {
            return;
        }
        let counts = placement.mover();
        let shimo = || (0..2 * self.columns).filter(|&shimo| counts[shimo] > 1);
        let mut has_mtaji = false;
        for (shimo, towards) in shimo().flat_map(both) {
            if board.captures_first(shimo, towards) {
                // Also one that never ends, and is no legal move, forbids takata.
                has_mtaji = true;
                found.extend(board.play(shimo, towards, true, placement));
            }
        }
        if !has_mtaji {
            let front = shimo().any(|shimo| shimo < self.columns);
            let takata = shimo().filter(|&shimo| !front || shimo < self.columns);
            for (shimo, towards) in takata.flat_map(both) {
                found.extend(board.play(shimo, towards, false, placement));
            }
        }
    }

    fn final_score(&self, placement: &Placement) -> i8 {
        let board = Board::new(self.columns, placement);
        let has_won = !board.is_bare(board.own) && board.is_bare(board.other);
        if has_won { 1 } else { -1 }
    }

    fn has_lost(&self, placement: &Placement) -> bool {
        let board = Board::new(self.columns, placement);
        board.is_bare(board.own)
    }
}

fn both(shimo: usize) -> [(usize, Direction); 2] {
    [(shimo, Direction::Clockwise), (shimo, Direction::Anticlockwise)]
}

/// Both loops, as their owners number them: a byte for each shimo.
#[derive(Clone, Copy)]
struct Board {
    columns: usize,
    own: u128,
    other: u128,
}

impl Board {
    fn new(columns: usize, placement: &Placement) -> Board {
        let [own, other] = placement.halves();
        Board { columns, own, other }
    }

    /// Whether the front row of a loop is empty.
    fn is_bare(&self, shimo: u128) -> bool {
        shimo << (u128::BITS as usize - 8 * self.columns) == 0
    }

    /// The other player's shimo that a shimo of the front row faces.
    fn facing(&self, shimo: usize) -> usize {
        self.columns - 1 - shimo
    }

    /// Whether the first sowing ends where it captures.
    fn captures_first(&self, shimo: usize, towards: Direction) -> bool {
        let (round, hand) = (2 * self.columns, count(self.own, shimo));
        if hand >= round {
            return false;
        }
        let last = match towards {
            Direction::Clockwise => shimo + hand,
            Direction::Anticlockwise => shimo + round - hand,
        };
        let last = if last < round { last } else { last - round };
        last < self.columns && count(self.own, last) > 0 && count(self.other, self.facing(last)) > 0
    }

    /// A move, with all its sowings; `None` if they never end.
    fn play(
        &self,
        shimo: usize,
        towards: Direction,
        captures: bool,
        placement: &Placement,
    ) -> Option<Outcome> {
        let after = Sowing { board: *self, towards }.play(shimo, captures)?;
        let next = placement.with_halves([after.other, after.own]);
        let label = Label::Shimo(shimo as u8, towards);
        Some(Outcome { label, mover: 0, opponent: 0, again: false, next })
    }
}

/// Takes up a shimo.
fn take(shimo: &mut u128, at: usize) -> usize {
    let hand = count(*shimo, at);
    *shimo &= !(0xff << (8 * at));
    hand
}

/// A move on its way.
struct Sowing {
    board: Board,
    towards: Direction,
}

impl Sowing {
    /// All sowings of a move; `None` if they never end.
    fn play(mut self, origin: usize, captures: bool) -> Option<Board> {
        let columns = self.board.columns;
        let hand = take(&mut self.board.own, origin);
        let mut last = self.sow(origin, hand);
        let mut watch = Watch::new(self.state(last));
        loop {
            if count(self.board.own, last) == 1 {
                return Some(self.board);
            }
            if captures && last < columns && count(self.board.other, self.board.facing(last)) > 0 {
                let facing = self.board.facing(last);
                let hand = take(&mut self.board.other, facing);
                if self.board.is_bare(self.board.other) {
                    self.board.own += (hand as u128) << (8 * last);
                    return Some(self.board);
                }
                last = self.enter(last, hand);
            } else {
                let hand = take(&mut self.board.own, last);
                last = self.sow(last, hand);
            }
            if watch.has_been(self.state(last)) {
                return None;
            }
        }
    }

    /// Sows into the shimo after `from`, all kete at once. Returns the last one.
    fn sow(&mut self, from: usize, mut hand: usize) -> usize {
        let round = 2 * self.board.columns;
        while hand >= round {
            self.board.own += FIRST[round];
            hand -= round;
        }
        let (begin, last) = match self.towards {
            Direction::Clockwise => (from + 1, from + hand),
            Direction::Anticlockwise => (from + round - hand, from + round - hand),
        };
        let within = |at: usize| if at < round { at } else { at - round };
        let begin = within(begin);
        let end = begin + hand;
        self.board.own += if end <= round {
            FIRST[end] - FIRST[begin]
        } else {
            FIRST[round] - FIRST[begin] + FIRST[end - round]
        };
        within(last)
    }

    /// Sows what was captured in a column from an end of the front row, the first one into it.
    fn enter(&mut self, column: usize, hand: usize) -> usize {
        let columns = self.board.columns;
        let outer = 2.min(columns / 2);
        if column < outer {
            self.towards = Direction::Clockwise;
        } else if column >= columns - outer {
            self.towards = Direction::Anticlockwise;
        }
        match self.towards {
            Direction::Clockwise => self.sow(2 * columns - 1, hand),
            Direction::Anticlockwise => self.sow(columns, hand),
        }
    }

    /// All on which the rest of the move depends.
    fn state(&self, last: usize) -> (u128, u128, usize, Direction) {
        (self.board.own, self.board.other, last, self.towards)
    }
}

/// A kete in each of the first shimo, by how many these are.
static FIRST: [u128; PLACES / 2 + 1] = {
    let mut first = [0; PLACES / 2 + 1];
    let mut shimo = 0;
    while shimo < PLACES / 2 {
        first[shimo + 1] = first[shimo] + (1 << (8 * shimo));
        shimo += 1;
    }
    first
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn a_sowing_at_once_is_a_sowing_kete_by_kete() {
        let mut dice = Dice::new(5);
        for _ in 0..100_000 {
            let columns = 2 + dice.below(7) as usize;
            let round = 2 * columns;
            let mut counts = vec![0; 2 * round];
            counts[..round].iter_mut().for_each(|count| *count = dice.below(4) as u8);
            let board = Board::new(columns, &Placement::new(&counts));
            let (from, hand) = (dice.below(round as u64) as usize, dice.below(60) as usize);
            let forwards = dice.below(2) == 0;
            let towards = if forwards { Direction::Clockwise } else { Direction::Anticlockwise };
            let mut sowing = Sowing { board, towards };
            let last = sowing.sow(from, hand);
            let mut at = from;
            for _ in 0..hand {
                at = (at + if forwards { 1 } else { round - 1 }) % round;
                counts[at] += 1;
            }
            assert_eq!(last, at, "{columns} columns, {hand} from {from}");
            assert_eq!(sowing.board.own, Placement::new(&counts).halves()[0]);
        }
    }
}
