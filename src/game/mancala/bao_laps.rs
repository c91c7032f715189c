//! Bao of Kenya with laps: two rows of eight, two seeds in each house, stores only for captives.
//!
//! A move begins in an own house with two seeds or more; only if there is none, in one with a
//! single seed. Seeds are sown counter-clockwise round all sixteen houses, that of origin included.
//! If the last one falls into a house with seeds, whoever owns it, all of it is taken up and sown
//! on; if it falls into an empty house the turn ends, and if that house is the mover's own, the
//! seeds opposite are captured. Who is to move and cannot ends the game, and each player keeps the
//! own row.
//!
//! # Readings of the source
//!
//! * Nothing is said of passing over the house of origin, unlike in the other texts: it is sown.
//! * "Unless all hollows on the near side are singles": no own house holds two or more.
//! * The capturing seed stays, for "all seeds in the opposite hollow" are captured.
//! * Of a sowing that never ends the text says nothing. It is no legal move; the first are at eleven
//!   seeds.
//! * "If both players collect 24 seeds" comes from a game of 48; here it is 16.
//! * The game is drawn "when it becomes clear that the last seeds are only moved about on the
//!   board": that is the sheet `bao-laps-drawn`. In `bao-laps` what is left is halved, which is one
//!   number, and comparable with the other sheets.

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Label, Outcome, Outcomes};
use super::placement::{Placement, sum};

/// Houses of a row.
const ROW: usize = 8;

/// Both rows.
const ROUND: usize = 2 * ROW;

/// The Bao of Kenya with laps.
pub struct BaoLaps;

impl Mancala for BaoLaps {
    fn outcomes(&self, placement: &Placement) -> Outcomes {
        let least = if placement.mover().iter().any(|&count| count > 1) { 2 } else { 1 };
        let begins = |&house: &usize| placement.counts()[house] >= least;
        (0..ROW).filter(begins).filter_map(|house| sow(placement, house)).collect()
    }

    fn final_score(&self, placement: &Placement) -> i8 {
        sum(placement.mover()) as i8 - sum(placement.opponent()) as i8
    }
}

/// A sowing with all its laps; `None` if it never ends.
fn sow(placement: &Placement, origin: usize) -> Option<Outcome> {
    let mut houses: [u8; ROUND] = placement.counts().try_into().expect("two rows of eight");
    let mut at = origin;
    let mut watch = Watch::new((houses, at));
    loop {
        let mut hand = std::mem::take(&mut houses[at]);
        while hand > 0 {
            at = (at + 1) % ROUND;
            houses[at] += 1;
            hand -= 1;
        }
        if houses[at] == 1 {
            break;
        }
        if watch.has_been((houses, at)) {
            return None;
        }
    }
    let captured = if at < ROW { std::mem::take(&mut houses[ROUND - 1 - at]) } else { 0 };
    Some(Outcome {
        label: Label::House(origin as u8),
        mover: captured,
        opponent: 0,
        again: false,
        next: Placement::new(&houses).turned(),
    })
}
