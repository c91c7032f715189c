//! What a solved layer claims.

use std::borrow::Cow;

use crate::layer::{Exceptions, Knots, Layer, LayerStats, Plane, Rank, Settlement, Solved};

/// The lower and upper bounds of the scores of a layer, by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// What the mover is said to secure.
    pub low: Vec<i8>,
    /// What the mover is said not to exceed; `None` where it equals `low` for every position.
    pub high: Option<Vec<i8>>,
}

impl Bounds {
    /// Returns the upper bounds, whether or not they are kept apart.
    pub fn high(&self) -> &[i8] {
        self.high.as_deref().unwrap_or(&self.low)
    }

    /// Returns both bounds of a position.
    pub(super) fn of(&self, rank: Rank) -> (i8, i8) {
        let rank = rank.0 as usize;
        (self.low[rank], self.high()[rank])
    }

    /// Returns the bounds with what is settled of open positions in their place.
    fn settled(&self, settlement: &Settlement) -> Bounds {
        let (mut low, mut high) = (self.low.clone(), self.high().to_vec());
        for (rank, found) in &settlement.intervals {
            low[rank.0 as usize] = found.low.get();
            high[rank.0 as usize] = found.high.get();
        }
        Bounds { high: (low != high).then_some(high), low }
    }
}

/// What a solved layer claims: bounds by rank, and how they are achieved. All of it has to be
/// proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The layer.
    pub layer: Layer,
    /// The bounds.
    pub bounds: Bounds,
    /// What is said to be settled where the bounds differ.
    pub settlement: Settlement,
    /// Where claims are not achieved by default moves.
    pub exceptions: Exceptions,
}

impl Claims {
    /// Collects the claims of a solved layer and a strategy for it.
    pub fn of(solved: Solved, exceptions: Exceptions) -> Claims {
        let layer = solved.layer();
        let (bounds, settlement) = match solved.knots {
            Some(Knots { low, high, settlement }) => {
                (Bounds { low: by_rank(low), high: Some(by_rank(high)) }, settlement)
            }
            None => (bounds(solved), Settlement::default()),
        };
        Claims { layer, bounds, settlement, exceptions }
    }

    /// Collects the claims of a table: stored bounds, what is settled where they differ, and a
    /// strategy. The bounds have yet to be [completed](super::Prover::complete).
    pub fn of_stored(
        stored: Solved,
        settlement: Option<&Settlement>,
        exceptions: Exceptions,
    ) -> Claims {
        let settlement = settlement.cloned().unwrap_or_default();
        Claims { layer: stored.layer(), bounds: bounds(stored), settlement, exceptions }
    }

    /// Returns the scores: what is settled, or else the bounds.
    pub fn scores(&self) -> Cow<'_, Bounds> {
        if self.settlement.intervals.is_empty() {
            Cow::Borrowed(&self.bounds)
        } else {
            Cow::Owned(self.bounds.settled(&self.settlement))
        }
    }

    /// Returns the figures of the layer, which hold if all that is claimed is right.
    pub fn stats(&self) -> LayerStats {
        let scores = self.scores();
        LayerStats::of_bounds(self.layer.range(), &scores.low, scores.high())
    }
}

fn bounds(solved: Solved) -> Bounds {
    Bounds { low: by_rank(solved.low), high: solved.high.map(by_rank) }
}

fn by_rank(plane: Plane) -> Vec<i8> {
    let mut scores = vec![0; plane.layer().positions() as usize];
    plane.copy_from_rank(Rank(0), &mut scores);
    scores
}
