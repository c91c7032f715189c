//! From rules to scores on several ranks.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::cut::Cut;
use super::links::Spreads;
use super::seat::Seat;
use super::shares::Shares;
use super::spread::SpreadLayer;
use super::tail::TAIL;
use super::task::PairLists;
use super::terms::agree_on;
use super::transport::{Purpose, Team, Traffic, Transport, to_bytes};
use crate::error::Result;
use crate::game::rules::Rules;
use crate::game::{ScoreRange, Seeds};
use crate::layer::arena::Arena;
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use crate::solver::fixpoint;
use crate::solver::kernel::Kernel;
use crate::solver::observer::{Bound, Event, Layers, Observer, Unobserved};
use crate::solver::plan::Plans;
use crate::solver::settle::{LIMITS, Limits};

/// What the leader asks the others for. Up to 48 it is to solve the layer of this many seeds.
mod order {
    /// To show it block by block.
    pub const BLOCKS: u8 = 101;
    /// To hand over each its part, to encode it together.
    pub const HAND_OVER: u8 = 102;
    /// To say what was sent.
    pub const REPORT: u8 = 103;
    /// To go home: there is nothing left to do.
    pub const GO_HOME: u8 = u8::MAX;
}

/// What all ranks together have done for a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JointWork {
    /// Positions of the layer.
    pub positions: u64,
    /// Planes of scores.
    pub planes: u64,
    /// Sweeps.
    pub sweeps: u64,
    /// What was sent.
    pub traffic: Traffic,
}

impl JointWork {
    /// Bytes sent for each position, plane and sweep.
    pub fn bytes_a_position(&self) -> f64 {
        let scores = (self.positions * self.planes * self.sweeps) as f64;
        if scores > 0.0 { self.traffic.sweeping() as f64 / scores } else { 0.0 }
    }
}

/// What a rank does with its part of a solved layer when all hand theirs over: it encodes it.
pub type Take<'e> = &'e dyn Fn(Arc<SpreadLayer>) -> Result<()>;

/// Solves the layers of one sheet together with others. One rank calls [`JointSolver::solve_spread`]
/// for layer after layer and [`JointSolver::dismiss`] at the end, the others [`JointSolver::assist`].
pub struct JointSolver<'t> {
    team: Team<'t>,
    kernel: Kernel,
    plans: Plans,
    spreads: Spreads,
    strategies: bool,
    game: Option<Seeds>,
    tail: u64,
    limits: Limits,
    work: JointWork,
    /// Where the parts of a layer are.
    parts_in: Box<dyn Fn(Seeds) -> Arena + 't>,
    /// The layer that was solved last.
    solved: Option<Arc<SpreadLayer>>,
}

impl<'t> JointSolver<'t> {
    /// A solver for `rules`, which are the same on all ranks, and so is whether strategies are kept.
    pub fn new(
        rules: &'static Rules,
        kernel: Kernel,
        transport: &'t dyn Transport,
        strategies: bool,
    ) -> JointSolver<'t> {
        JointSolver {
            team: Team::new(transport),
            kernel,
            plans: Plans::new(rules),
            spreads: Spreads::default(),
            strategies,
            game: None,
            tail: TAIL,
            limits: LIMITS,
            work: JointWork::default(),
            parts_in: Box::new(|_| Arena::passing()),
            solved: None,
        }
    }

    /// Returns a solver for games of this many seeds, as [`Solver::for_games_of`](
    /// crate::solver::Solver::for_games_of): the same on all ranks.
    pub fn for_games_of(self, game: Option<Seeds>) -> JointSolver<'t> {
        JointSolver { game, ..self }
    }

    /// Whether this rank is the one that has the layers.
    pub fn leads(&self) -> bool {
        self.team.leads()
    }

    /// What was done for the last layer.
    pub fn work(&self) -> JointWork {
        self.work
    }

    /// Returns a solver that has the parts of each layer in the place that is given. Nothing but time and
    /// memory depends on it, so ranks need not be told the same.
    pub fn with_parts_in(self, parts_in: impl Fn(Seeds) -> Arena + 't) -> JointSolver<'t> {
        JointSolver { parts_in: Box::new(parts_in), ..self }
    }

    /// Returns a solver that goes from change to change as soon as less than one in `tail` positions
    /// changes in a sweep: the same on all ranks. Nothing but time depends on it.
    #[cfg(test)]
    pub fn with_tail(self, tail: u64) -> JointSolver<'t> {
        JointSolver { tail: tail.max(1), ..self }
    }

    /// Returns a solver that searches knots within other limits, as [`Solver::with_limits`](
    /// crate::solver::Solver::with_limits): the same on all ranks.
    #[cfg(test)]
    pub fn with_limits(self, limits: Limits) -> JointSolver<'t> {
        JointSolver { limits, ..self }
    }

    /// Solves the layer of `seeds` seeds, given all layers below. Each rank keeps what it has found
    /// until the next layer is asked for. It goes on from a checkpoint if the observer has one,
    /// whatever the number of ranks was then.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it,
    /// [`Error::RankLost`](crate::error::Error::RankLost), and whatever `lower` fails with.
    ///
    /// # Panics
    /// If this is not the leader.
    pub fn solve_spread(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<()> {
        assert!(self.leads(), "rank 0 leads");
        observer.notice(Event::Started { seeds });
        self.order(seeds.get() as u8)?;
        self.work_on(seeds, Some(lower), observer)?;
        self.report()?;
        observer.notice(Event::Settled { seeds });
        Ok(())
    }

    /// The same, put together by the leader, and the strategy, nothing else.
    #[cfg(test)]
    pub fn solve(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        self.solve_spread(seeds, lower, observer)?;
        let solved = Solved { exceptions: self.spread().exceptions.clone(), ..self.whole()? };
        self.report()?;
        Ok(solved)
    }

    /// The own part of the layer that was solved last.
    fn spread(&self) -> &Arc<SpreadLayer> {
        self.solved.as_ref().expect("a layer has been solved")
    }

    /// Shows the leader what is known of the layer that was solved last, see
    /// [`SpreadLayer::each_block`].
    ///
    /// # Errors
    /// As there.
    pub fn each_block(&self, visit: &mut dyn FnMut(Bound, &[u8]) -> Result<()>) -> Result<()> {
        self.order(order::BLOCKS)?;
        self.spread().each_block(&self.team, visit)
    }

    /// Puts together the scores of the layer that was solved last: nothing else is known of it.
    ///
    /// # Errors
    /// Those of [`SpreadLayer::each_block`].
    pub fn whole(&self) -> Result<Solved> {
        let (mut planes, mut done) = (Vec::new(), 0);
        self.each_block(&mut |bound, bytes| {
            if planes.len() == bound as usize {
                planes.push(Plane::new(self.spread().layer(), 0)?);
                done = 0;
            }
            let plane = planes.last_mut().expect("it has just been made");
            plane.blocks_mut().bytes_mut()[done..][..bytes.len()].copy_from_slice(bytes);
            done += bytes.len();
            Ok(())
        })?;
        let mut planes = planes.into_iter();
        let low = planes.next().expect("each layer has lower bounds");
        Ok(Solved { low, high: planes.next(), exceptions: None, attained: None, knots: None })
    }

    /// Lets all ranks hand over what they have of the layer that was solved last, and returns what the
    /// leader has; the others do with theirs what they came with ([`JointSolver::assist`]).
    ///
    /// # Errors
    /// [`Error::RankLost`](crate::error::Error::RankLost) if one is gone.
    pub fn hand_over(&self) -> Result<Arc<SpreadLayer>> {
        self.order(order::HAND_OVER)?;
        Ok(self.spread().clone())
    }

    /// Does what the leader asks for, until there is nothing left to do; `take` is what to do with a
    /// layer that is handed over.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the leader is interrupted,
    /// [`Error::RankLost`](crate::error::Error::RankLost), and those of `take`.
    pub fn assist(&mut self, take: Take) -> Result<()> {
        loop {
            match self.team.hear(&[order::GO_HOME], Purpose::Control)?[0] {
                order::BLOCKS => self.spread().each_block(&self.team, &mut |_, _| Ok(()))?,
                order::HAND_OVER => take(self.spread().clone())?,
                order::REPORT => self.report()?,
                seeds => match Seeds::new(seeds.into()) {
                    Some(seeds) => self.work_on(seeds, None, &Unobserved)?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Lets the others go.
    ///
    /// # Errors
    /// [`Error::RankLost`](crate::error::Error::RankLost) if one has gone already.
    pub fn dismiss(&mut self) -> Result<()> {
        self.order(order::GO_HOME)
    }

    fn order(&self, order: u8) -> Result<()> {
        self.team.hear(&[order], Purpose::Control).map(drop)
    }

    fn work_on(
        &mut self,
        seeds: Seeds,
        lower: Option<&dyn Layers>,
        observer: &dyn Observer,
    ) -> Result<()> {
        self.solved = None;
        self.team.take_traffic();
        let range = ScoreRange::deciding(self.plans.rules(), seeds, self.game);
        let plan = &self.plans.layer(seeds).with_range(range);
        let (rank, cut) = (self.team.rank(), &Cut::new(seeds.get(), self.team.ranks()));
        let lists = &PairLists::all(plan, cut, rank, &mut self.spreads);
        let mut seat = Seat {
            team: &self.team,
            plan,
            cut,
            shares: &Shares::of(plan, cut),
            arena: &(self.parts_in)(seeds),
            lists,
            spreads: &mut self.spreads,
            rank,
            kernel: self.kernel,
            strategies: self.strategies,
            tail: self.tail,
            lower,
            observer,
            sweep: 0,
            settled: 0,
        };
        let mut solved = fixpoint::solve(&mut seat)?;
        let sweeps = seat.sweep as u64;
        let planes = crate::solver::planes(plan.rules);
        let positions = plan.layer.positions();
        self.work = JointWork { positions, planes, sweeps, traffic: Traffic::default() };
        solved.settle(plan.rules, &self.team, lower, self.limits, observer)?;
        let exceptions =
            solved.exceptions.as_ref().map_or(0, |all| xxh3_64(&to_bytes(all.words())));
        self.solved = Some(Arc::new(solved));
        let known = [self.team.heard(), seeds.get() as u64, sweeps, planes, positions, exceptions];
        let known: Vec<u64> = known.into_iter().chain(cut.numbers()).collect();
        agree_on(&self.team, seeds, xxh3_64(&to_bytes(&known)))
    }

    /// Adds what all ranks have sent since they were last asked, as the leader tells them to.
    fn report(&mut self) -> Result<()> {
        if self.leads() {
            self.order(order::REPORT)?;
        }
        let words: Vec<u64> = self.team.take_traffic().words().collect();
        self.work.traffic.add(&self.team.sums(&words)?);
        Ok(())
    }
}
