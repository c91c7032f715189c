//! Playing the other games out: does a player who follows the tables get the guaranteed score?
//!
//! One player makes a best move of the tables' every time, the other any move. What was promised is
//! `low` to the mover, −`high` to the opponent; a play that comes back to a position since seeds
//! last left the board ends there, with what the sheet says of endless play.

use crate::error::Result;
use crate::game::mancala::{Circling, Layers, Outcome, Placement};
use crate::layer::general::GeneralLayer;
use crate::probe::general::{GeneralProber, ScoredOutcome};
use crate::random::Dice;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneralPlayout {
    /// What the player who follows the tables was promised.
    pub promised: i8,
    /// What that player got.
    pub got: i8,
    /// Whether the game ended on a cycle.
    pub circled: bool,
    /// Moves.
    pub moves: u32,
}

/// Plays a game from a random position of a layer. A throw of the dice decides who follows the
/// tables.
///
/// # Errors
/// As [`GeneralProber::known`].
pub fn play(
    prober: &mut GeneralProber,
    layer: GeneralLayer,
    dice: &mut Dice,
) -> Result<GeneralPlayout> {
    let mut at = layer.placement(dice.below(layer.positions()));
    let mut is_ours = dice.below(2) == 0;
    let known = prober.known(&at)?;
    let promised = if is_ours { known.low } else { -known.high };
    let (mut got, mut moves, mut since) = (0, 0, vec![(at, is_ours)]);
    let circled = loop {
        let outcomes = prober.sheet().outcomes(&at);
        if outcomes.is_empty() {
            let score = prober.sheet().game.final_score(&at);
            got += if is_ours { score } else { -score };
            break false;
        }
        let made = if is_ours {
            ours(prober, &at)?
        } else {
            outcomes[dice.below(outcomes.len() as u64) as usize]
        };
        let gain = made.mover as i8 - made.opponent as i8;
        got += if is_ours { gain } else { -gain };
        (at, is_ours) = (made.next, is_ours == made.again);
        moves += 1;
        if made.leaves_layer() {
            since.clear();
        }
        if since.contains(&(at, is_ours)) {
            got += worth_of_cycle(prober, &at);
            break true;
        }
        since.push((at, is_ours));
    };
    Ok(GeneralPlayout { promised, got, circled, moves })
}

/// What going round from a position brings a player who counts on nothing else.
fn worth_of_cycle(prober: &GeneralProber, at: &Placement) -> i8 {
    match (prober.sheet().layers, prober.sheet().circling) {
        (Layers::BySeeds, Circling::Drawn) => -(at.seeds() as i8),
        (Layers::BySeeds | Layers::Alone, _) => 0,
    }
}

/// The tables' move.
fn ours(prober: &mut GeneralProber, at: &Placement) -> Result<Outcome> {
    let answer = prober.answer(at)?;
    let best = answer.moves.iter().find(|scored| answer.is_best(scored));
    let chosen: &ScoredOutcome = best.unwrap_or(&answer.moves[0]);
    Ok(chosen.outcome)
}
