//! What a solved layer claims.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::layer::{
    Exceptions, Holds, Knots, Layer, LayerStats, Plane, Settlement, Solved, Strategy,
};

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

/// What a solved layer claims: bounds and stamps by rank, and which stamps are holds. All of it has
/// to be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The layer.
    pub layer: Layer,
    /// The bounds.
    pub bounds: Bounds,
    /// The stamp of each position, see [`crate::layer::Strategy`].
    pub stamps: Vec<u8>,
    /// The stamps that are said to be holds.
    pub holds: Holds,
    /// What is said to be settled where the bounds differ.
    pub settlement: Settlement,
    /// If claims are collected by default moves: the exceptions. Stamps mean nothing then.
    pub exceptions: Option<Exceptions>,
}

impl Claims {
    /// Collects the claims of a solved layer and a strategy for it.
    ///
    /// # Panics
    /// If the strategy belongs to another layer.
    pub fn of(solved: Solved, strategy: Strategy) -> Claims {
        let (bounds, settlement) = match solved.knots {
            Some(Knots { low, high, settlement }) => {
                (Bounds { low: by_rank(low), high: Some(by_rank(high)) }, settlement)
            }
            None => (bounds(solved), Settlement::default()),
        };
        Claims::new(bounds, settlement, strategy)
    }

    /// Collects the claims of a table: stored bounds, what is settled where they differ, and a
    /// strategy. The bounds have yet to be [completed](super::Prover::complete).
    ///
    /// # Panics
    /// If the strategy belongs to another layer.
    pub fn of_stored(
        stored: Solved,
        settlement: Option<&Settlement>,
        strategy: Strategy,
    ) -> Claims {
        Claims::new(bounds(stored), settlement.cloned().unwrap_or_default(), strategy)
    }

    /// Collects the claims of a table whose strategy are default moves and exceptions. The bounds
    /// have yet to be [completed](super::Prover::complete).
    pub fn of_default_moves(
        stored: Solved,
        settlement: Option<&Settlement>,
        exceptions: Exceptions,
    ) -> Claims {
        let (layer, bounds) = (stored.layer(), bounds(stored));
        Claims {
            layer,
            stamps: vec![0; bounds.low.len()],
            holds: Holds::default(),
            bounds,
            settlement: settlement.cloned().unwrap_or_default(),
            exceptions: Some(exceptions),
        }
    }

    fn new(bounds: Bounds, settlement: Settlement, strategy: Strategy) -> Claims {
        let layer = strategy.stamps.layer();
        assert_eq!(bounds.low.len() as u64, layer.positions(), "a strategy for this layer");
        let stamps = by_rank(strategy.stamps).into_iter().map(i8::cast_unsigned).collect();
        let (holds, exceptions) = (strategy.holds, None);
        Claims { bounds, stamps, holds, layer, settlement, exceptions }
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
        LayerStats::of_bounds(self.layer.seeds(), &scores.low, scores.high())
    }

    /// Counts the positions of which one score is known.
    pub(super) fn exact(&self) -> u64 {
        let scores = self.scores();
        let pairs = scores.low.par_iter().zip(scores.high());
        pairs.filter(|(low, high)| low == high).count() as u64
    }
}

fn bounds(solved: Solved) -> Bounds {
    Bounds { low: by_rank(solved.low), high: solved.high.map(by_rank) }
}

fn by_rank(plane: Plane) -> Vec<i8> {
    plane.stretches().collect::<Vec<_>>().concat()
}
