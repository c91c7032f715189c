//! The order of a sweep within a pair of blocks.
//!
//! The *turn* of a position says when in its pair a dense sweep computes it. All positions that share
//! the half-board with more seeds come together, in the order of its rank: first those where it is the
//! mover's, then those where it is the opponent's. Where both half-boards have n/2 seeds, the one of
//! larger rank counts; if both are the same, that position comes between. So home moves lead to
//! earlier turns of the pair, and only positions that share half-boards have the same turn.

use std::cmp::Ordering;

/// The turn of a position of block `own`, given the ranks of its half-boards among all with as many
/// seeds.
#[inline(always)]
pub fn turn_in_pair(seeds: usize, own: usize, own_rank: u32, opponent_rank: u32) -> u32 {
    match own.cmp(&(seeds - own)) {
        Ordering::Greater => 2 * own_rank,
        Ordering::Less => 2 * opponent_rank + 1,
        Ordering::Equal => match own_rank.cmp(&opponent_rank) {
            Ordering::Greater => 4 * own_rank,
            Ordering::Equal => 4 * own_rank + 1,
            Ordering::Less => 4 * opponent_rank + 2,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Board, Seeds};
    use crate::game::moves::legal_moves;
    use crate::game::rules::ABAPA;
    use crate::layer::index::{Domain, Layer, Rank, row_rank};

    /// The pair of a position, and its turn in it.
    fn turn(board: &Board) -> (usize, u32) {
        let (own, seeds) = (board.mover.seeds(), board.seeds().get());
        let [own_rank, opponent_rank] =
            [board.mover, board.opponent].map(|side| row_rank(side) as u32);
        (own.min(seeds - own), turn_in_pair(seeds, own, own_rank, opponent_rank))
    }

    /// In a layer of both parities: no turn before that of a home move's child, and only positions
    /// that share half-boards at the same turn.
    #[test]
    fn home_moves_lead_to_earlier_turns() {
        for seeds in [6, 7] {
            let layer = Layer::new(Seeds::new(seeds).unwrap(), Domain::All);
            for board in layer.boards(Rank(0)) {
                for found in legal_moves(&ABAPA, &board).iter().filter(|found| found.captured == 0)
                {
                    if found.next.opponent.seeds() == board.mover.seeds() {
                        assert!(turn(&found.next) < turn(&board), "{board}");
                    }
                }
            }
        }
    }

    #[test]
    fn turns_of_a_small_layer() {
        let layer = Layer::new(Seeds::new(2).unwrap(), Domain::All);
        let mut boards: Vec<Board> = layer.boards(Rank(0)).collect();
        boards.sort_by_key(turn);
        // Block 2 has seeds in the mover's row alone, block 0 in the other; they alternate.
        let own: Vec<usize> = boards.iter().map(|board| board.mover.seeds()).collect();
        assert!(
            own[..42].chunks(2).all(|both| both == [2, 0]) && own[42..].iter().all(|&own| own == 1)
        );
        // Then shells: one position, three, five ...
        let shell = |board: &Board| row_rank(board.mover).max(row_rank(board.opponent));
        assert!(boards[42..].is_sorted_by_key(shell));
        let ranks: Vec<_> = boards[43..46]
            .iter()
            .map(|board| (row_rank(board.mover), row_rank(board.opponent)))
            .collect();
        assert_eq!(ranks, [(1, 0), (1, 1), (0, 1)]);
    }
}
