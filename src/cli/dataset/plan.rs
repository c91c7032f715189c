//! Which positions a dataset has, and where each of its rows comes from.
//!
//! A layer gives all its positions or as many as every other large one: the first of a shuffle of
//! its ranks, which takes no memory. Another shuffle puts the rows of all layers and games in order,
//! so that any piece of the dataset is a fair sample of it.

use serde::Serialize;

use crate::game::{Rules, Seeds};
use crate::layer::{Layer, Rank};
use crate::random::{Dice, Permutation};

/// Where all rows come from.
pub struct Plan {
    pub layers: Vec<Drawn>,
    order: Permutation,
}

/// A layer, and how many of its positions are drawn.
#[derive(Serialize)]
pub struct Drawn {
    pub seeds: Seeds,
    pub positions: u64,
    pub rows: u64,
    #[serde(skip)]
    ranks: Permutation,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The position of a layer, by its seeds, with this rank.
    Ranked(Seeds, Rank),
    /// A position of a game, by its number among those of all games.
    Played(usize),
}

impl Plan {
    /// Plans `drawn_rows` rows from the layers of 0 to `most` seeds, or all positions if there are fewer,
    /// and `played` rows from games.
    pub fn new(rules: &Rules, most: Seeds, drawn_rows: u64, played: u64, seed: u64) -> Plan {
        let positions = most.up_to().map(|seeds| Layer::of(rules, seeds).positions());
        let positions: Vec<u64> = positions.collect();
        let mut dice = Dice::new(seed);
        let drawn = |((seeds, &positions), rows): ((Seeds, &u64), u64)| {
            let ranks = Permutation::new(positions, dice.number());
            Drawn { seeds, positions, rows, ranks }
        };
        let shares = shares(&positions, drawn_rows);
        let layers: Vec<Drawn> = most.up_to().zip(&positions).zip(shares).map(drawn).collect();
        let rows = layers.iter().map(|layer| layer.rows).sum::<u64>() + played;
        Plan { layers, order: Permutation::new(rows, dice.number()) }
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> u64 {
        self.order.size()
    }

    /// Returns where row number `row` comes from.
    pub fn origin(&self, row: u64) -> Origin {
        let mut at = self.order.at(row);
        for drawn in &self.layers {
            if at < drawn.rows {
                return Origin::Ranked(drawn.seeds, Rank(drawn.ranks.at(at)));
            }
            at -= drawn.rows;
        }
        Origin::Played(at as usize)
    }
}

/// Divides rows among layers, smallest first: all have the same share but those that have fewer
/// positions than that.
fn shares(positions: &[u64], rows: u64) -> Vec<u64> {
    let (mut left, mut shares) = (rows, Vec::new());
    for (layers_left, &positions) in (1..=positions.len() as u64).rev().zip(positions) {
        let share = positions.min(left / layers_left);
        shares.push(share);
        left -= share;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ABAPA;
    use std::collections::BTreeSet;

    #[test]
    fn small_layers_are_whole_and_large_ones_have_equal_shares() {
        assert_eq!(shares(&[1, 12, 78, 364, 1365], 300), [1, 12, 78, 104, 105]);
        assert_eq!(shares(&[1, 12, 78], 1000), [1, 12, 78]);
        assert_eq!(shares(&[1, 12], 0), [0, 0]);
    }

    /// No position is drawn twice, and each row of a game once.
    #[test]
    fn every_row_has_an_origin_of_its_own() {
        let plan = Plan::new(&ABAPA, Seeds::new(6).unwrap(), 3000, 500, 7);
        let origins: BTreeSet<Origin> = (0..plan.rows()).map(|row| plan.origin(row)).collect();
        assert_eq!((plan.rows(), origins.len()), (3500, 3500));
        for drawn in &plan.layers {
            let of_layer = |origin: &&Origin| match origin {
                Origin::Ranked(seeds, rank) => *seeds == drawn.seeds && rank.0 < drawn.positions,
                Origin::Played(_) => false,
            };
            assert_eq!(origins.iter().filter(of_layer).count() as u64, drawn.rows);
        }
        let played = (0..500).map(Origin::Played);
        assert!(played.clone().all(|origin| origins.contains(&origin)));
    }
}
