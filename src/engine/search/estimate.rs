//! What a position is worth before it is looked at any further.
//!
//! Where the moves are those of tournament Oware a network says it (`network`). Other sheets, and
//! programs whose weights cannot be used, have the evaluation by houses: what seeds in each house are
//! worth by their number, learnt from games whose end the tables know.
//!
//! A board has twelve features, one for each house: how many seeds it holds, the mover's houses and
//! the opponent's apart. The weights are those of linear regression (`weights`), one set for each
//! band of seeds on the board. What hangs between houses, captures above all, is left to the search
//! that stands above.
//!
//! Against a tenth of the difference of the rows, which stood here before, weights fitted to 2,500
//! games won +198 Elo (+66 to +329, 35 games at 10,000 positions a move, when a sequential test of
//! 0 against 50 Elo ended); those of 4,000 games that stand here are as strong as those (+3, −59 to
//! +65, 120 games).

use super::weights::{TEMPO, WEIGHTS};
use crate::game::Board;

/// Numbers of seeds that are distinguished in a house; the last also stands for more.
pub const COUNTS: usize = 16;
/// All that may be seen in a house.
pub const FEATURES: usize = 12 * COUNTS;
/// Bands of seeds on the board, each with weights of its own.
pub const BANDS: usize = 3;
/// The least seeds of the second band and of the third.
const BOUNDS: [u8; BANDS - 1] = [22, 32];

/// Returns the band of a board and the features it has.
pub fn features(board: &Board) -> (usize, [usize; 12]) {
    let houses = board.houses();
    let seeds: u8 = houses.iter().sum();
    let band = BOUNDS.iter().filter(|&&bound| seeds >= bound).count();
    let feature = |house: usize| house * COUNTS + usize::from(houses[house]).min(COUNTS - 1);
    (band, std::array::from_fn(feature))
}

/// Estimates what the mover will get more than the opponent, in hundredths of a seed, by adding what
/// the seeds of each house are worth: no more than there is on the board.
pub fn by_houses(board: &Board) -> i32 {
    let (band, found) = features(board);
    let weights = &WEIGHTS[band];
    let sum = found.into_iter().map(|at| i32::from(weights[at])).sum::<i32>();
    let most = 100 * board.seeds().get() as i32;
    (i32::from(TEMPO[band]) + sum).clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_feature_for_each_house() {
        for (houses, band) in
            [([4; 12], 2), ([1; 12], 0), ([0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0], 1)]
        {
            let board = Board::new(houses).unwrap();
            let (found, features) = features(&board);
            assert_eq!(found, band);
            for (house, feature) in features.into_iter().enumerate() {
                assert_eq!(feature / COUNTS, house);
                assert_eq!(feature % COUNTS, usize::from(houses[house]).min(COUNTS - 1));
            }
        }
    }
}
