//! Every defence, by following each play with its whole history: the slow and obvious twin of
//! `worst_outcomes`, for positions with few plays.

use super::adviser::Adviser;
use super::claim::{Claim, CycleCut};
use crate::error::Result;
use crate::game::Score;

/// Returns the least that the player of `claim` can get when cycles are cut at `cut`; `None` if
/// more than `effort` positions would have to be visited.
///
/// # Errors
/// Whatever the adviser fails with.
pub fn worst_on_paths(
    adviser: &mut impl Adviser,
    claim: Claim,
    cut: CycleCut,
    effort: u64,
) -> Result<Option<Score>> {
    let promised = claim.promise(adviser, cut)?;
    Paths { adviser, cut, promised, effort, path: Vec::new() }.worst(claim)
}

struct Paths<'a, A> {
    adviser: &'a mut A,
    cut: CycleCut,
    /// What the strategy goes for.
    promised: Score,
    effort: u64,
    path: Vec<Claim>,
}

impl<A: Adviser> Paths<'_, A> {
    /// Returns what is left for the player of `claim` after the play in `path`.
    fn worst(&mut self, claim: Claim) -> Result<Option<Score>> {
        let Some(effort) = self.effort.checked_sub(1) else { return Ok(None) };
        self.effort = effort;
        if let Some(worth) = self.stopped(&claim) {
            return Ok(Some(worth));
        }
        let moves = claim.moves(self.adviser, self.promised)?;
        if moves.is_empty() {
            return Ok(Some(claim.own_rows()));
        }
        self.path.push(claim);
        let mut worst: Option<Score> = None;
        for played in moves {
            let next = claim.after(&played);
            let rest = match played.captured {
                0 => self.worst(next)?,
                _ => Some(next.promise(self.adviser, self.cut)?),
            };
            let Some(rest) = rest else { return Ok(None) };
            let found = claim.with_capture(&played, rest);
            worst = Some(worst.map_or(found, |worst| worst.min(found)));
        }
        self.path.pop();
        Ok(worst)
    }

    /// Returns what the player gets if the play stops when it comes to `claim`.
    fn stopped(&self, claim: &Claim) -> Option<Score> {
        let rules = self.adviser.rules();
        let before = self.path.iter().filter(|earlier| *earlier == claim).count();
        match self.cut {
            CycleCut::First if before == 1 => claim.worth_of_cut(rules),
            CycleCut::Third if before == 2 => claim.worth_of_cut(rules),
            CycleCut::First | CycleCut::Third => None,
            // To play on would close no cycle that cannot be closed without this one.
            CycleCut::Anywhere => {
                let closed = self.path.iter().position(|earlier| earlier == claim)?;
                self.path[closed..].iter().filter_map(|claim| claim.worth_of_cut(rules)).min()
            }
        }
    }
}
