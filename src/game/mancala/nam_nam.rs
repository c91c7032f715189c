//! Oware Nam Nam, one round: a ring of twelve houses, each with an owner.
//!
//! A move empties any own house that holds seeds and sows them one by one counter-clockwise; every
//! house gets one, that of origin included. Whenever a seed makes a house hold exactly *four*, the
//! four leave the board at once, also in the middle of a sowing, and go to the house's owner; but
//! if that seed was the last in hand, they go to the mover, and the turn ends. If the last seed
//! falls into an empty house the turn ends, too; if it falls into any other, all of it is taken up
//! and sown on. Who owns no seeds misses the turn; nobody has to feed. Who captures when eight seeds
//! are left, in hand and on the board, gets all eight, and the round is over.
//!
//! # Readings of the source
//!
//! * "If the player captures the next four, they also take the last four": any capture counts, also
//!   one in the middle of a sowing, and it ends the round there and then.
//! * "If no seeds are held when it is the player's turn, they miss a round": no duty to feed.
//! * "A fifth seed … the chance is lost" speaks of a player who overlooks a capture; here nobody
//!   does. Only a house of four that nobody has touched since the start can come to hold five.
//! * Of a sowing that never ends the text says nothing. It is no legal move, and if there is no
//!   other the turn is missed. They exist from twelve seeds on.
//! * Of play that goes round it says nothing either; what is left is halved.
//!
//! # The match
//!
//! After a round the leader owns as many houses as seeds captured fill with four each, and chooses
//! them; rounds are played until one player owns all twelve. A match is thus a finite graph above
//! the rounds, whose vertices are who owns what and who begins, and whose edges are the results of
//! rounds. The tables' unit is a class of owners: up to the turning of the board the six of the
//! leader's side and any others, which is 32 classes.

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Label, Outcome, Outcomes};
use super::placement::Placement;

/// Houses of the ring.
const RING: usize = 12;

/// What a house holds when it is captured.
const FOUR: u8 = 4;

/// Seeds of which the next capture takes all.
const LAST: u8 = 8;

/// A round of Oware Nam Nam.
pub struct NamNam;

impl Mancala for NamNam {
    fn outcomes(&self, placement: &Placement) -> Outcomes {
        let seeds = placement.seeds() as u8;
        if seeds == 0 {
            return Outcomes::new();
        }
        let begins = |&house: &usize| placement.is_own(house) && placement.counts()[house] > 0;
        let sowings = (0..RING).filter(begins).map(|house| Sowing::new(placement, seeds, house));
        let mut found: Outcomes = sowings.filter_map(Sowing::play).collect();
        if found.is_empty() {
            let next = placement.turned();
            found.push(Outcome { label: Label::Missed, mover: 0, opponent: 0, again: false, next });
        }
        found
    }

    fn final_score(&self, _: &Placement) -> i8 {
        0
    }
}

/// A sowing on its way.
struct Sowing {
    houses: [u8; RING],
    owners: u32,
    origin: usize,
    /// Seeds in hand and on the board.
    left: u8,
    mover: u8,
    opponent: u8,
}

impl Sowing {
    fn new(placement: &Placement, seeds: u8, origin: usize) -> Sowing {
        let houses = placement.counts().try_into().expect("twelve houses");
        Sowing { houses, owners: placement.owners(), origin, left: seeds, mover: 0, opponent: 0 }
    }

    /// All laps; `None` if they never end.
    fn play(mut self) -> Option<Outcome> {
        let mut at = self.origin;
        let mut watch = Watch::new((self.houses, at));
        loop {
            at = self.lap(at);
            if self.left == 0 || self.houses[at] <= 1 {
                return Some(self.ended());
            }
            if watch.has_been((self.houses, at)) {
                return None;
            }
        }
    }

    /// Takes up a house and sows it. Returns the house of the last seed.
    fn lap(&mut self, from: usize) -> usize {
        let (mut hand, mut at) = (std::mem::take(&mut self.houses[from]), from);
        while hand > 0 && self.left > 0 {
            at = if at + 1 == RING { 0 } else { at + 1 };
            self.houses[at] += 1;
            hand -= 1;
            if self.houses[at] == FOUR {
                self.capture(at, hand == 0);
            }
        }
        at
    }

    fn capture(&mut self, house: usize, is_last: bool) {
        self.houses[house] = 0;
        let taken = if self.left == LAST { LAST } else { FOUR };
        self.left -= taken;
        if is_last || self.owners >> house & 1 == 1 {
            self.mover += taken;
        } else {
            self.opponent += taken;
        }
    }

    fn ended(self) -> Outcome {
        let houses = if self.left == 0 { [0; RING] } else { self.houses };
        Outcome {
            label: Label::House(self.origin as u8),
            mover: self.mover,
            opponent: self.opponent,
            again: false,
            next: Placement::new(&houses).with_owners(self.owners).turned(),
        }
    }
}
