//! What a solved layer claims.

use rayon::prelude::*;

use crate::layer::{Holds, Layer, LayerStats, Plane, Solved, Strategy};

/// The bounds of a layer, by rank.
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
}

impl Claims {
    /// Collects the claims of a solved layer and a strategy for it.
    ///
    /// # Panics
    /// If the strategy belongs to another layer.
    pub fn of(solved: Solved, strategy: Strategy) -> Claims {
        let layer = solved.layer();
        assert_eq!(strategy.stamps.layer(), layer, "a strategy for this layer");
        let by_rank = |plane: Plane| -> Vec<i8> { plane.stretches().collect::<Vec<_>>().concat() };
        let bounds = Bounds { low: by_rank(solved.low), high: solved.high.map(by_rank) };
        let stamps = by_rank(strategy.stamps).into_iter().map(i8::cast_unsigned).collect();
        Claims { bounds, stamps, holds: strategy.holds, layer }
    }

    /// Returns the figures of the layer, which hold if the bounds are right.
    pub fn stats(&self) -> LayerStats {
        LayerStats::of_bounds(self.layer.seeds(), &self.bounds.low, self.bounds.high())
    }

    /// Counts the positions whose bounds agree.
    pub(super) fn exact(&self) -> u64 {
        let pairs = self.bounds.low.par_iter().zip(self.bounds.high());
        pairs.filter(|(low, high)| low == high).count() as u64
    }
}
