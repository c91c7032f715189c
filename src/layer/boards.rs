//! Walking through a layer: its positions in the order of their ranks.
//!
//! Finding the position of a rank takes a search through each of its two rows. From one position to
//! the next it takes one step of the mover's row, and that search where a row of the block ends.

use crate::game::board::Board;
use crate::layer::compositions::advance;
use crate::layer::index::{Layer, Rank};

impl Layer {
    /// Returns the positions of the layer in rank order, from the one with rank `first` on; nothing
    /// beyond the last.
    pub fn boards(self, first: Rank) -> impl Iterator<Item = Board> {
        let mut next = None;
        (first.0..self.positions()).map_while(move |rank| {
            let board = next.or_else(|| self.position(Rank(rank)))?;
            let mut after = board;
            next = advance(&mut after.mover.0).then_some(after);
            Some(board)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Seeds;
    use crate::layer::{Domain, Layer, Rank};

    #[test]
    fn a_walk_visits_every_rank_in_order_from_anywhere_to_the_end() {
        for domain in [Domain::EmptyHouse, Domain::All] {
            for seeds in Seeds::new(9).unwrap().up_to() {
                let layer = Layer::new(seeds, domain);
                let ranks = (0..layer.positions()).map(Rank);
                let all: Vec<_> = ranks.map(|rank| layer.position(rank).unwrap()).collect();
                assert_eq!(layer.boards(Rank(0)).collect::<Vec<_>>(), all);
                for first in (0..=all.len()).step_by(997).chain([all.len()]) {
                    let found = layer.boards(Rank(first as u64)).take(100);
                    assert!(found.eq(all[first..].iter().copied().take(100)));
                }
            }
        }
    }
}
