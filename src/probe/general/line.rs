//! A line of best play.

use crate::error::Result;
use crate::game::mancala::{Label, Layers, Placement};
use crate::probe::LineEnd;

use super::{GeneralAnswer, GeneralProber, ScoredOutcome};

/// A line of best play from a position: the moves, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneralLine {
    /// What each move is called, and whether the player makes it who was first to move.
    pub moves: Vec<(Label, bool)>,
    /// Why there is no further move.
    pub ends: LineEnd,
}

impl GeneralLine {
    /// Returns the moves as text: letters of houses in lower case where the other player moves.
    pub fn texts(&self) -> Vec<String> {
        let text = |&(label, is_first): &(Label, bool)| match label {
            Label::House(_) if !is_first => label.to_string().to_lowercase(),
            _ => label.to_string(),
        };
        self.moves.iter().map(text).collect()
    }
}

impl GeneralProber {
    /// Returns a line of best play, at most `limit` moves long. Where plies are kept, who wins goes
    /// the shortest way and who loses the longest.
    ///
    /// # Errors
    /// As [`GeneralProber::known`].
    pub fn line(&mut self, placement: &Placement, limit: usize) -> Result<GeneralLine> {
        let (mut moves, mut at, mut is_first) = (Vec::new(), *placement, true);
        let mut visited = vec![(at, is_first)];
        while moves.len() < limit {
            let answer = self.answer(&at)?;
            let Some(best) = chosen(&answer, self.sheet().layers) else {
                return Ok(GeneralLine { moves, ends: LineEnd::GameOver });
            };
            moves.push((best.outcome.label, is_first));
            (at, is_first) = (best.outcome.next, is_first == best.outcome.again);
            if let Some(after) = visited.iter().position(|seen| *seen == (at, is_first)) {
                return Ok(GeneralLine { moves, ends: LineEnd::Cycle { after } });
            }
            visited.push((at, is_first));
        }
        let is_over = self.sheet().final_score(&at).is_some();
        let ends = if is_over { LineEnd::GameOver } else { LineEnd::Limit };
        Ok(GeneralLine { moves, ends })
    }
}

/// The move that a line goes on with.
fn chosen(answer: &GeneralAnswer, layers: Layers) -> Option<ScoredOutcome> {
    let best = || answer.moves.iter().filter(|scored| answer.is_best(scored));
    let found = match layers {
        Layers::Alone if answer.known.low < 0 => best().rev().max_by_key(|scored| scored.plies),
        Layers::BySeeds | Layers::Alone => best().next(),
    };
    found.or(answer.moves.first()).copied()
}
