//! The next layer to prove, and which of its positions fail.

use std::collections::BTreeSet;

use super::claims::{Bounds, Claims};
use crate::game::{Board, Rules};
use crate::layer::{Layer, Rank};

/// How many objections a report spells out.
const SPELT: usize = 10;

/// A layer to judge, and what it may rely on.
pub struct Next<'a> {
    /// The rule sheet.
    pub rules: &'a Rules,
    /// The bounds of all layers below, by number of seeds.
    pub below: &'a [Bounds],
    /// What is to be proved.
    pub claims: &'a Claims,
}

impl Next<'_> {
    /// Returns the position of a rank.
    pub fn board(&self, rank: Rank) -> Board {
        self.claims.layer.position(rank).expect("a rank of the layer")
    }

    /// Returns the bounds of any position of this layer or of one below.
    pub fn bounds(&self, board: &Board) -> (i8, i8) {
        let layer = Layer::of(self.rules, board.seeds());
        let bounds = self.below.get(board.seeds().get()).unwrap_or(&self.claims.bounds);
        bounds.of(layer.rank(board).expect("moves lead into the layers"))
    }
}

/// The positions that break a condition.
#[derive(Debug, Default)]
pub struct Failing {
    /// Number of all of them.
    pub count: u64,
    /// The first of them.
    first: BTreeSet<Rank>,
}

impl FromIterator<Rank> for Failing {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Failing {
        let mut failing = Failing::default();
        ranks.into_iter().for_each(|rank| failing.note(rank));
        failing
    }
}

impl Failing {
    /// Adds a position.
    pub fn note(&mut self, rank: Rank) {
        self.count += 1;
        self.first.insert(rank);
        if self.first.len() > SPELT {
            self.first.pop_last();
        }
    }

    /// Adds the positions of another part of the layer.
    pub fn join(mut self, other: Failing) -> Failing {
        let count = self.count + other.count;
        other.first.into_iter().for_each(|rank| self.note(rank));
        Failing { count, ..self }
    }

    /// Returns the first of them.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        self.first.into_iter()
    }
}
