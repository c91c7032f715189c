//! How the defender plays against the strategy.

use super::adviser::Adviser;
use super::claim::Claim;
use crate::error::Result;
use crate::game::{History, Move, legal_moves};
use crate::random::Dice;

/// How the defender chooses a move. Chance decides between equal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Defence {
    /// Any move.
    Random,
    /// A move that captures the most seeds.
    Greedy,
    /// A move to a position that has been there since the last capture; failing that, a move to the
    /// position where the rows are worst for the player.
    Circling,
    /// A move that is best by the table: one that leaves the player no more than the claim.
    ByTable,
    /// A move that is best by the table; among these, as `Circling`.
    ByTableCircling,
    /// Each time another of these.
    Mixed,
}

impl Defence {
    /// All defences.
    pub const ALL: [Defence; 6] = [
        Defence::Random,
        Defence::Greedy,
        Defence::Circling,
        Defence::ByTable,
        Defence::ByTableCircling,
        Defence::Mixed,
    ];

    /// Chooses a move for the mover, whose opponent has the `claim` in the present position of
    /// `history`. `None` if the game is over.
    pub(super) fn choose(
        self,
        adviser: &mut impl Adviser,
        claim: &Claim,
        history: &History,
        dice: &mut Dice,
    ) -> Result<Option<Move>> {
        let moves = legal_moves(adviser.rules(), &claim.board);
        let circling = |played: &Move| {
            let own_rows = claim.after(played).own_rows();
            (history.would_repeat(played), std::cmp::Reverse(own_rows))
        };
        Ok(match self {
            Defence::Random => dice.greatest(moves.iter(), |_| 0),
            Defence::Greedy => dice.greatest(moves.iter(), |played| played.captured),
            Defence::Circling => dice.greatest(moves.iter(), circling),
            Defence::ByTable | Defence::ByTableCircling => {
                let mut scored = Vec::with_capacity(moves.len());
                for played in moves.iter() {
                    let interval = adviser.interval(&played.next)?.after_capture(played.captured);
                    scored.push((interval.high, played));
                }
                let most = scored.iter().map(|&(high, _)| high).max();
                scored.retain(|&(high, _)| Some(high) == most);
                let best = scored.into_iter().map(|(_, played)| played);
                match self {
                    Defence::ByTableCircling => dice.greatest(best, circling),
                    _ => dice.greatest(best, |_| 0),
                }
            }
            Defence::Mixed => {
                let drawn = Defence::ALL[dice.below(Defence::ALL.len() as u64 - 1) as usize];
                drawn.choose(adviser, claim, history, dice)?
            }
        })
    }
}
