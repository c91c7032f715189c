//! Bao as Kenyan children play it: two rows of eight, and a store at each player's right.
//!
//! A move empties an own house and sows counter-clockwise: the own row, the *own store*, the
//! opponent's row, the own row again. The opponent's store gets nothing, and the house of origin is
//! passed over on every lap. If the last seed falls into the own store, the same player moves
//! again. If it falls into an own house that was empty, the seeds of the house opposite go to the
//! own store; the last seed stays where it is. Who is to move and has no seeds ends the game, and
//! the other keeps the own row.
//!
//! # Readings of the source
//!
//! * "Sows the next seed into the store" at the end of the row: into the own store only. That the
//!   17th seed is not played into the house of origin decides it: sixteen houses and one store come
//!   before. ("Twelve or more" in the same sentence comes from the text on Oware.)
//! * The capturing seed stays, for the text takes "all seeds in the house opposite". Kalah, its
//!   published relative, takes it too.
//! * "The game is drawn in a stalemate" cannot happen: a seed that crosses to the opponent passes
//!   the store first, so quiet moves carry seeds to the right within a row, and no placement ever
//!   recurs.

use super::Mancala;
use super::outcome::{Label, Outcome, Outcomes};
use super::placement::Placement;

/// Houses of a row.
const ROW: usize = 8;

/// Where a sowing goes round: both rows and the own store.
const ROUND: usize = 2 * ROW + 1;

/// The children's Bao of Kenya.
pub struct BaoStores;

impl Mancala for BaoStores {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        let houses = (0..ROW).filter(|&house| placement.counts()[house] > 0);
        found.extend(houses.map(|house| sow(placement, house)));
    }
}

fn sow(placement: &Placement, origin: usize) -> Outcome {
    let mut after = *placement;
    let houses = after.counts_mut();
    let (mut hand, mut stored, mut at) = (std::mem::take(&mut houses[origin]), 0, origin);
    while hand > 0 {
        at = (at + 1) % ROUND;
        if at == origin {
            continue;
        }
        match at {
            ROW => stored += 1,
            _ => houses[house(at)] += 1,
        }
        hand -= 1;
    }
    if at < ROW && houses[at] == 1 {
        stored += std::mem::take(&mut houses[2 * ROW - 1 - at]);
    }
    let again = at == ROW;
    Outcome {
        label: Label::House(origin as u8),
        mover: stored,
        opponent: 0,
        again,
        next: if again { after } else { after.turned() },
    }
}

/// The house at a point of the round that is not the store.
fn house(at: usize) -> usize {
    if at > ROW { at - 1 } else { at }
}
