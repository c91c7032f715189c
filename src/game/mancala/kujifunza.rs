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
//! * A sowing that never ends is no legal move. Placements that come back are drawn.
//! * Smaller boards: "the two leftmost" are c/2 where that is fewer, and 15 becomes 2c − 1.

use arrayvec::ArrayVec;

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Direction, Label, MOST, Outcome, Outcomes};
use super::placement::{PLACES, Placement};

/// Bao la Kujifunza on a board of so many columns.
pub struct Kujifunza {
    /// Columns of the board, 2 to 8.
    pub columns: usize,
}

impl Mancala for Kujifunza {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        if self.is_bare(placement.mover()) || self.is_bare(placement.opponent()) {
            return;
        }
        let shimo = || (0..2 * self.columns).filter(|&shimo| placement.counts()[shimo] > 1);
        let mtaji: ArrayVec<(usize, Direction), MOST> = shimo()
            .flat_map(both)
            .filter(|&(shimo, towards)| self.captures_first(placement, shimo, towards))
            .collect();
        if !mtaji.is_empty() {
            found.extend(self.sown(placement, mtaji.into_iter(), true));
            return;
        }
        let front = shimo().any(|shimo| shimo < self.columns);
        let takata = shimo().filter(|&shimo| !front || shimo < self.columns);
        found.extend(self.sown(placement, takata.flat_map(both), false));
    }

    fn final_score(&self, placement: &Placement) -> i8 {
        let has_won = !self.is_bare(placement.mover()) && self.is_bare(placement.opponent());
        if has_won { 1 } else { -1 }
    }

    fn has_lost(&self, placement: &Placement) -> bool {
        self.is_bare(placement.mover())
    }
}

fn both(shimo: usize) -> [(usize, Direction); 2] {
    [(shimo, Direction::Clockwise), (shimo, Direction::Anticlockwise)]
}

impl Kujifunza {
    fn is_bare(&self, loop_of_shimo: &[u8]) -> bool {
        loop_of_shimo[..self.columns].iter().all(|&count| count == 0)
    }

    /// Whether the first sowing ends where it captures.
    fn captures_first(&self, placement: &Placement, shimo: usize, towards: Direction) -> bool {
        let (round, count) = (2 * self.columns, usize::from(placement.counts()[shimo]));
        if count >= round {
            return false;
        }
        let last = match towards {
            Direction::Clockwise => (shimo + count) % round,
            Direction::Anticlockwise => (shimo + round - count) % round,
        };
        last < self.columns
            && placement.mover()[last] > 0
            && placement.opponent()[self.columns - 1 - last] > 0
    }

    fn sown<'a>(
        &'a self,
        placement: &'a Placement,
        moves: impl Iterator<Item = (usize, Direction)> + 'a,
        captures: bool,
    ) -> impl Iterator<Item = Outcome> + 'a {
        let play = move |(shimo, towards)| {
            let next =
                Sowing::new(self.columns, placement, towards).play(shimo, captures)?.turned();
            let label = Label::Shimo(shimo as u8, towards);
            Some(Outcome { label, mover: 0, opponent: 0, again: false, next })
        };
        moves.filter_map(play)
    }
}

/// A move on its way.
struct Sowing {
    columns: usize,
    board: Placement,
    towards: Direction,
}

impl Sowing {
    fn new(columns: usize, placement: &Placement, towards: Direction) -> Sowing {
        Sowing { columns, board: *placement, towards }
    }

    /// All sowings of a move; `None` if they never end.
    fn play(mut self, origin: usize, captures: bool) -> Option<Placement> {
        let mut hand = self.take(origin);
        let mut last = self.sow(origin, hand);
        let mut watch = Watch::new(self.state(last));
        loop {
            if self.board.counts()[last] == 1 {
                return Some(self.board);
            }
            let facing = 3 * self.columns - 1 - last.min(self.columns - 1);
            if captures && last < self.columns && self.board.counts()[facing] > 0 {
                hand = self.take(facing);
                if self.board.opponent()[..self.columns].iter().all(|&count| count == 0) {
                    self.board.counts_mut()[last] += hand;
                    return Some(self.board);
                }
                last = self.enter(last, hand);
            } else {
                hand = self.take(last);
                last = self.sow(last, hand);
            }
            if watch.has_been(self.state(last)) {
                return None;
            }
        }
    }

    fn take(&mut self, place: usize) -> u8 {
        std::mem::take(&mut self.board.counts_mut()[place])
    }

    /// Sows into the places after `from`. Returns the last one.
    fn sow(&mut self, from: usize, hand: u8) -> usize {
        let round = 2 * self.columns;
        let mut at = from;
        for _ in 0..hand {
            at = match self.towards {
                Direction::Clockwise if at + 1 == round => 0,
                Direction::Clockwise => at + 1,
                Direction::Anticlockwise if at == 0 => round - 1,
                Direction::Anticlockwise => at - 1,
            };
            self.board.counts_mut()[at] += 1;
        }
        at
    }

    /// Sows what was captured in a column from an end of the front row, the first one into it.
    fn enter(&mut self, column: usize, hand: u8) -> usize {
        let outer = 2.min(self.columns / 2);
        if column < outer {
            self.towards = Direction::Clockwise;
        } else if column >= self.columns - outer {
            self.towards = Direction::Anticlockwise;
        }
        match self.towards {
            Direction::Clockwise => self.sow(2 * self.columns - 1, hand),
            Direction::Anticlockwise => self.sow(self.columns, hand),
        }
    }

    /// All on which the rest of the move depends.
    fn state(&self, last: usize) -> ([u8; PLACES], usize, Direction) {
        let mut places = [0; PLACES];
        places[..self.board.counts().len()].copy_from_slice(self.board.counts());
        (places, last, self.towards)
    }
}
