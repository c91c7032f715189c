//! Which scores a game can end with, and what a threshold means for either player.

use crate::game::{Interval, Score, Seat};
use crate::solver::game_graph::{OwnSide, Step};

/// Which scores can occur: all, or in Oware those that are odd or even as the seeds are.
///
/// South gets less than t if and only if North gets `step` − t or more. So thresholds above 0 are
/// enough: the others are the same graphs with the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The least one above 0.
    least: i8,
    /// From one score to the next.
    step: i8,
}

impl Scale {
    /// Those that occur among bounds, outside and where cycles are cut.
    pub fn of(game: &impl OwnSide, open: &[(usize, Interval)]) -> Scale {
        let rows = open.iter().filter_map(|&(position, _)| game.own_rows(position));
        let outside = open.iter().flat_map(|&(position, _)| game.steps(position));
        let outside = outside.filter_map(|step| match step {
            Step::Leaves(interval) => Some(interval),
            Step::Stays(_) => None,
        });
        let bounds = open.iter().map(|&(_, interval)| interval).chain(outside);
        let scores = bounds.flat_map(|bounds| [bounds.low, bounds.high]).chain(rows);
        let mut odd = scores.map(|score| score.get() % 2 != 0);
        let first = odd.next();
        let (least, step) = match first {
            Some(first) if odd.all(|other| other == first) => (if first { 1 } else { 2 }, 2),
            _ => (1, 1),
        };
        Scale { least, step }
    }

    /// The thresholds to settle.
    pub fn thresholds(self, open: &[(usize, Interval)]) -> impl Iterator<Item = i8> + use<> {
        let most = open.iter().map(|(_, bounds)| bounds.high.get().max(-bounds.low.get())).max();
        (self.least..=most.unwrap_or(0)).step_by(self.step as usize)
    }

    /// What North goes for where South goes for `threshold`.
    pub fn claim(self, seat: Seat, threshold: i8) -> i8 {
        match seat {
            Seat::South => threshold,
            Seat::North => self.step - threshold,
        }
    }

    /// Whether a graph is its own mirror: every position is there twice, once for each seat.
    pub fn is_mirrored(self, threshold: i8) -> bool {
        self.claim(Seat::North, threshold) == threshold
    }

    /// Takes the winners of the two games that start from a position into its interval: in the
    /// first the mover is South, in the second North.
    pub fn narrow(
        self,
        interval: &mut Interval,
        threshold: i8,
        south: Option<Seat>,
        north: Option<Seat>,
    ) {
        for (seat, winner) in Seat::BOTH.into_iter().zip([south, north]) {
            let claim = self.claim(seat, threshold);
            if winner == Some(seat) {
                interval.low = interval.low.max(Score::new(claim));
            } else if winner.is_some() {
                interval.high = interval.high.min(Score::new(claim - self.step));
            }
        }
    }
}
