//! Positions to try an engine on, drawn by a seed: the same ones again for the same seed.
//!
//! Every other position is drawn from the layers: each layer as likely as every other, each
//! position of a layer too, in the middle of an even game ([`Stores::even`]) and with either player
//! to move. These are the strange ones that no game comes to. The others come from games of random
//! moves from the initial position, with all of their moves: any position of the game within the
//! layers, history and all. The player to move has a move in each.

use crate::engine::protocol::Setup;
use crate::game::{Game, Ply, Position, Rules, Seat, Seeds, Stores, final_score, legal_moves};
use crate::layer::{Layer, Rank};
use crate::random::Dice;

/// Games of random moves, at most, until one comes within the layers.
const TRIES: u32 = 1000;

/// Where to draw from.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The sheet.
    pub rules: &'static Rules,
    /// The largest layer; at least one seed.
    pub most: Seeds,
    /// Chooses the positions: the same ones for the same number.
    pub seed: u64,
}

impl Sample {
    /// Returns position number `number`, which depends on the fields and the number alone.
    pub fn draw(&self, number: u64) -> Setup {
        let mut dice = Dice::new(Dice::new(self.seed).number() ^ Dice::new(number).number());
        if number % 2 == 1
            && let Some(setup) = (0..TRIES).find_map(|_| self.by_play(&mut dice))
        {
            return setup;
        }
        self.by_layer(&mut dice)
    }

    fn by_layer(&self, dice: &mut Dice) -> Setup {
        let seeds = 1 + dice.below(self.most.get() as u64) as usize;
        let layer = Layer::of(self.rules, Seeds::new(seeds).expect("at most 48"));
        loop {
            let board =
                layer.position(Rank(dice.below(layer.positions()))).expect("a rank of the layer");
            if final_score(self.rules, &board).is_none() {
                let (stores, seat) = (Stores::even(&board), Seat::BOTH[dice.below(2) as usize]);
                return Setup::at(Position { board, stores: Some(stores), seat });
            }
        }
    }

    /// Draws a position of a random game; `None` if the game never came within the layers.
    fn by_play(&self, dice: &mut Dice) -> Option<Setup> {
        let mut game = Game::new(self.rules, Position::INITIAL);
        let (mut moves, mut within) = (Vec::new(), Vec::new());
        while game.over().is_none() {
            if game.board().seeds() <= self.most {
                within.push(moves.len());
            }
            let played = dice.greatest(legal_moves(self.rules, game.board()).iter(), |_| 0)?;
            moves.push(Ply { seat: game.seat(), house: played.house });
            game.make(&played);
        }
        let drawn = dice.greatest(within, |_| 0)?;
        moves.truncate(drawn);
        Some(Setup { start: Position::INITIAL, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SHEETS;
    use std::collections::HashSet;

    #[test]
    fn positions_are_within_unlike_and_the_same_again() {
        for rules in SHEETS {
            let sample = Sample { rules, most: Seeds::new(9).unwrap(), seed: 3 };
            let (mut unlike, mut played, mut layers) = (HashSet::new(), 0, HashSet::new());
            for number in 0..400 {
                let setup = sample.draw(number);
                assert_eq!(setup, sample.draw(number));
                let game = setup.game(rules).unwrap();
                assert!(game.over().is_none() && game.board().seeds() <= sample.most, "{setup}");
                unlike.insert(setup.to_string());
                played += u32::from(!setup.moves.is_empty());
                layers.insert(game.board().seeds());
            }
            assert!(unlike.len() > 350 && layers.len() == 9, "{} {}", rules.id, unlike.len());
            assert!((100..=200).contains(&played), "{} {played}", rules.id);
        }
    }

    /// Of one seed hardly a position has a move.
    #[test]
    fn layers_are_drawn_equally_often() {
        for rules in SHEETS {
            let sample = Sample { rules, most: Seeds::new(4).unwrap(), seed: 1 };
            let mut drawn = [0; 5];
            for number in (0..4000).step_by(2) {
                drawn[sample.draw(number).start.board.seeds().get()] += 1;
            }
            assert!(drawn[0] == 0 && drawn[1..].iter().all(|&count| count > 430), "{drawn:?}");
        }
    }
}
