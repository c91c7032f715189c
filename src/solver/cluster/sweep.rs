//! One dense sweep on all ranks: position by position in the order of [`crate::solver::sweep`], so that it
//! changes the same scores.
//!
//! ```text
//!   for each pair:
//!     exchange what crossing moves lead to                          (`links`)
//!     for each strip of the larger half-board:
//!       cross    own lanes, both roles                              (`crossing`)
//!       receive  from lower ranks what home moves lead to           (`homes`)
//!       rows     in order, own panels
//!       send     the same to higher ranks
//!     settle   own rows of the larger block
//! ```

use super::beside::Strays;
use super::cut::Role;
use super::pair::OwnPair;
use super::task::JointSweep;
use super::transport::{Purpose, Talk, Team};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::line::Line;
use crate::solver::kernel::Log;
use crate::solver::sweep::Sweep;
use crate::solver::sweep::rows::Pair;

impl JointSweep<'_> {
    /// Goes once over the whole layer and notes what changes on this rank. The leader says before each
    /// pair whether to end. What a pair computes in its larger block is in `late`, whose memory is kept
    /// from pair to pair.
    ///
    /// # Errors
    /// Those of [`Team`].
    pub fn run(
        &self,
        team: &Team,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        for small in 0..self.lists.len() {
            team.go_on(self.sweep.observer.interrupted())?;
            team.session(|talk| self.run_pair(talk, small, planes, late, log))?;
        }
        Ok(())
    }

    fn run_pair(
        &self,
        talk: &Talk,
        small: usize,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        let Sweep { plan, kernel, .. } = self.sweep;
        let pair = Pair { sweep: &self.sweep, small, large: plan.opponent(small) };
        let links = &self.lists[small].links;
        let ghosts = links.exchange(talk, planes, kernel, Purpose::Crossing)?;
        let strays = match self.sweep.bounds {
            Some(_) => self.strays(talk, small, planes, Purpose::Home)?,
            None => Strays::default(),
        };
        let interval = self.cut.interval(small, self.rank);
        if interval.is_empty() {
            return Ok(());
        }
        let followers = interval.clone().map(|tile| self.hauls((small, Role::Follow), tile));
        let followers = followers.collect();
        let own = OwnPair { joint: self, pair, interval, followers, ghosts, strays };
        match pair.small == pair.large {
            true => own.run_alone(talk, planes, log),
            false => own.run(talk, planes, late, log),
        }
    }
}
