//! A solved layer as ranks have it: of every plane the rectangles that are theirs.
//!
//! What bounds leave open where the first repetition ends the game, each rank finds among its positions,
//! and the leader settles all of it ([`exact`]). Nothing else of a layer has to be known for that, so it
//! is not put together.

use super::shares::Shares;
use super::transport::{Purpose, Team};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::game::score::{Interval, Score};
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::{Cell, Layer, Rank};
use crate::layer::knots::Settlement;
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::layer::strategy::Exceptions;
use crate::solver::exact;
use crate::solver::observer::{Bound, Layers, Observer};
use crate::solver::settle::Limits;
use crate::solver::sweep::strips;

/// Numbers by which an open position travels: its rank, and its bounds.
const WORDS: usize = 2;

/// One rank's part of a solved layer, and who has the others. Everything is by block.
pub struct SpreadLayer {
    /// Who has what.
    pub shares: Shares,
    /// The lower bounds, and the upper ones where they differ anywhere.
    pub bounds: Vec<Blocks>,
    /// Where captures attain lower bounds, and upper ones where that is known apart.
    pub attained: Vec<Marks>,
    /// Where the strategy does not make the default move, if there is to be one: the same on all ranks.
    pub exceptions: Option<Exceptions>,
    /// On the leader: what is settled where bounds differ, if anything is.
    pub settled: Option<SettledSpread>,
}

/// What the leader has settled of a layer.
#[derive(Clone, Debug)]
pub struct SettledSpread {
    /// The open positions and their bounds, smallest rank first.
    pub bounds: Vec<(Rank, Interval)>,
    /// What has become of them.
    pub settlement: Settlement,
}

impl SpreadLayer {
    /// The layer.
    pub fn layer(&self) -> Layer {
        self.shares.layer()
    }

    /// Whether both bounds are the same everywhere, on all ranks.
    pub fn is_exact(&self) -> bool {
        self.bounds.len() == 1
    }

    /// Settles what is open, if the sheet has one score for each position. The leader has the `lower`
    /// layers, and what is settled; the others wait for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`] on all ranks if the leader's observer asks for it, those of [`Team`], and
    /// whatever `lower` fails with.
    pub fn settle(
        &mut self,
        rules: &Rules,
        team: &Team,
        lower: Option<&dyn Layers>,
        limits: Limits,
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.is_exact() || !rules.endless.is_settled() {
            return Ok(());
        }
        let mut interrupted = false;
        if let (Some(open), Some(lower)) = (self.gather_open(team, limits.open)?, lower) {
            let bounds = open.clone();
            match exact::settle_listed(rules, self.layer(), open, lower, limits, observer) {
                Err(Error::Interrupted) => interrupted = true,
                found => {
                    let settled = |settlement| SettledSpread { bounds, settlement };
                    self.settled = found?.map(settled);
                }
            }
        }
        team.go_on(interrupted)
    }

    /// Shows the leader all open positions, smallest rank first, unless they are too many to settle.
    fn gather_open(&self, team: &Team, most: usize) -> Result<Option<Vec<(Rank, Interval)>>> {
        let words = |(cell, both): (Cell, [i8; 2])| {
            let [low, high] = both.map(|bound| u64::from(bound.cast_unsigned()));
            [self.layer().rank_at(cell).0, low | high << 8]
        };
        let open = self.bounds[0].differences(&self.bounds[1]);
        let own: Vec<u64> = open.take(most + 1).flat_map(words).collect();
        if team.sums(&[own.len() as u64])?[0] > (WORDS * most) as u64 {
            return Ok(None);
        }
        let words = team.collect(own, Purpose::Control)?;
        let open = |&[rank, bounds]: &[u64; WORDS]| {
            let [low, high] = [bounds as u8, (bounds >> 8) as u8];
            let [low, high] = [low, high].map(|bound| Score::new(bound.cast_signed()));
            (Rank(rank), Interval { low, high })
        };
        let mut open: Vec<(Rank, Interval)> = words.as_chunks().0.iter().map(open).collect();
        open.sort_by_key(|(rank, _)| *rank);
        Ok(team.leads().then_some(open))
    }

    /// Shows the leader the bytes of what is known of all positions, block by block, and forgets each: all
    /// of the lower bounds, then of the upper ones if there are any. What is settled has replaced bounds.
    ///
    /// # Errors
    /// Those of [`Team`], and of `visit`.
    pub fn each_block(
        &self,
        team: &Team,
        visit: &mut dyn FnMut(Bound, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let planes = team.hear(&[self.planes_to_show()], Purpose::Control)?[0];
        let both = [Bound::Low, Bound::High].into_iter().zip(&self.bounds);
        for (bound, part) in both.take(planes.into()) {
            for block in 0..part.count() {
                let held = block..block + 1;
                let excerpt = || Plane::excerpt(&Arena::passing(), self.layer(), held);
                let mut whole = team.leads().then(excerpt).transpose()?;
                let bytes = whole.as_mut().map(|whole| whole.blocks_mut().bytes_mut());
                self.shares.gather(team, part, (block, 0..strips(block)), bytes)?;
                if let Some(mut whole) = whole {
                    self.enter_settled(bound, block, &mut whole);
                    visit(bound, whole.blocks().bytes())?;
                }
            }
        }
        Ok(())
    }

    /// One, if all that was open has come to one score.
    fn planes_to_show(&self) -> u8 {
        let is_exact = |settled: &SettledSpread| {
            settled.settlement.intervals.iter().all(|(_, interval)| interval.low == interval.high)
        };
        if self.settled.as_ref().is_some_and(is_exact) { 1 } else { self.bounds.len() as u8 }
    }

    fn enter_settled(&self, bound: Bound, block: usize, whole: &mut Plane) {
        let Some(SettledSpread { settlement, .. }) = &self.settled else { return };
        let (first, end) = (self.layer().block_start(block), self.layer().block_start(block + 1));
        let place = |end: u64| settlement.intervals.partition_point(|(rank, _)| rank.0 < end);
        for (rank, interval) in &settlement.intervals[place(first)..place(end)] {
            let score = if bound == Bound::Low { interval.low } else { interval.high };
            whole.set(*rank, score);
        }
    }
}
