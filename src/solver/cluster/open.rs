//! What bounds leave open where the first repetition ends the game: each rank finds it among its
//! positions, and the leader settles all of it ([`exact`]). Nothing else of a layer has to be known
//! for that, so it is not put together.

use super::spread::{SettledSpread, SpreadLayer};
use super::transport::{Purpose, Team};
use crate::error::Result;
use crate::game::Rules;
use crate::game::score::{Interval, Score};
use crate::layer::index::Rank;
use crate::layer::knots;
use crate::solver::exact;
use crate::solver::observer::{Layers, Unobserved};
use crate::solver::settle::LIMITS;

/// Numbers by which an open position travels: its rank, and its bounds.
const WORDS: usize = 2;

impl SpreadLayer {
    /// Settles what is open, if the sheet has one score for each position. The leader has the `lower`
    /// layers, and what is settled.
    ///
    /// # Errors
    /// Those of [`Team`], and whatever `lower` fails with.
    pub fn settle(&mut self, rules: &Rules, team: &Team, lower: Option<&dyn Layers>) -> Result<()> {
        if self.is_exact() || !rules.endless.is_settled() {
            return Ok(());
        }
        let (Some(open), Some(lower)) = (self.gather_open(team)?, lower) else { return Ok(()) };
        let bounds = open.clone();
        let settlement =
            exact::settle_listed(rules, self.layer(), open, lower, LIMITS, &Unobserved)?;
        self.settled = settlement.map(|settlement| SettledSpread { bounds, settlement });
        Ok(())
    }

    /// Shows the leader all open positions, smallest rank first, unless they are too many to settle.
    fn gather_open(&self, team: &Team) -> Result<Option<Vec<(Rank, Interval)>>> {
        let own: Vec<u64> = self.open_here().take(WORDS * (LIMITS.open + 1)).collect();
        if team.sums(&[own.len() as u64])?[0] > (WORDS * LIMITS.open) as u64 {
            return Ok(None);
        }
        let words = team.collect(own, Purpose::Control)?;
        let open = |words: &[u64]| {
            let [low, high] = [words[1] as u8, (words[1] >> 8) as u8];
            let [low, high] = [low, high].map(|bound| Score::new(bound.cast_signed()));
            (Rank(words[0]), Interval { low, high })
        };
        let mut open: Vec<(Rank, Interval)> = words.chunks_exact(WORDS).map(open).collect();
        open.sort_by_key(|(rank, _)| *rank);
        Ok(team.leads().then_some(open))
    }

    /// The own open positions as numbers.
    fn open_here(&self) -> impl Iterator<Item = u64> {
        let open = knots::open_of(self.layer(), &self.bounds[0], &self.bounds[1]);
        open.flat_map(|(rank, Interval { low, high })| {
            let [low, high] = [low, high].map(|bound| u64::from(bound.get().cast_unsigned()));
            [rank.0, low | high << 8]
        })
    }
}
