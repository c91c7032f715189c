//! From rules to scores on several ranks.

use super::cut::Cut;
use super::links::Spreads;
use super::seat::{Leader, Seat};
use super::task::PairLists;
use super::transport::{Purpose, Team, Traffic, Transport, from_bytes, to_bytes};
use crate::error::Result;
use crate::game::Seeds;
use crate::game::rules::{Endless, Rules};
use crate::layer::arena::Arena;
use crate::layer::solved::Solved;
use crate::solver::exact;
use crate::solver::kernel::Kernel;
use crate::solver::observer::{Event, Layers, Observer};
use crate::solver::plan::Plans;
use crate::solver::settle::LIMITS;

/// What the leader says when there is nothing left to do.
const GO_HOME: u8 = u8::MAX;

/// What all ranks together have done for a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions of the layer.
    pub positions: u64,
    /// Planes of scores.
    pub planes: u64,
    /// Sweeps.
    pub sweeps: u64,
    /// What was sent.
    pub traffic: Traffic,
    /// Bytes that the rank with most of them held of others' scores.
    pub ghosts: u64,
}

impl Work {
    /// Bytes sent for each position, plane and sweep.
    pub fn bytes_a_position(&self) -> f64 {
        let scores = (self.positions * self.planes * self.sweeps) as f64;
        if scores > 0.0 { self.traffic.sweeping() as f64 / scores } else { 0.0 }
    }
}

/// Solves the layers of one sheet together with others. One rank calls [`JointSolver::solve`] for
/// layer after layer and [`JointSolver::dismiss`] at the end, the others [`JointSolver::assist`].
pub struct JointSolver<'t> {
    team: Team<'t>,
    kernel: Kernel,
    plans: Plans,
    spreads: Spreads,
    strategies: bool,
    work: Work,
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
            work: Work::default(),
        }
    }

    /// Whether this rank is the one that has the layers.
    pub fn leads(&self) -> bool {
        self.team.leads()
    }

    /// What was done for the last layer.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Every position of the layer of `seeds` seeds, given all layers below. It goes on from a
    /// checkpoint if the observer has one, whatever the number of ranks was then.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it,
    /// [`Error::RankLost`](crate::error::Error::RankLost), and whatever `lower` fails with.
    ///
    /// # Panics
    /// If this is not the leader.
    pub fn solve(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        assert!(self.leads(), "rank 0 leads");
        observer.notice(Event::Started { seeds });
        self.team.hear(&[seeds.get() as u8], Purpose::Control)?;
        let solved = self.work_on(seeds, Some(Leader { lower, observer }))?;
        let solved = solved.expect("the leader has the layer");
        observer.notice(Event::Settled { seeds });
        Ok(solved)
    }

    /// Does what the leader asks for, until there is nothing left to do.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the leader is interrupted, and
    /// [`Error::RankLost`](crate::error::Error::RankLost).
    pub fn assist(&mut self) -> Result<()> {
        loop {
            let order = self.team.hear(&[GO_HOME], Purpose::Control)?;
            let Some(seeds) = Seeds::new(order[0].into()) else { return Ok(()) };
            self.work_on(seeds, None)?;
        }
    }

    /// Lets the others go.
    ///
    /// # Errors
    /// [`Error::RankLost`](crate::error::Error::RankLost) if one has gone already.
    pub fn dismiss(&mut self) -> Result<()> {
        self.team.hear(&[GO_HOME], Purpose::Control).map(drop)
    }

    fn work_on(&mut self, seeds: Seeds, leader: Option<Leader>) -> Result<Option<Solved>> {
        self.team.take_traffic();
        let plan = &self.plans.layer(seeds);
        let (rank, cut) = (self.team.rank(), &Cut::new(seeds.get(), self.team.ranks()));
        let lists = &PairLists::all(plan, cut, rank, &mut self.spreads);
        let mut seat = Seat {
            team: &self.team,
            plan,
            cut,
            lists,
            rank,
            kernel: self.kernel,
            strategies: self.strategies,
            leader,
            clock: 1,
            sweep: 0,
        };
        let bounds = match plan.rules.endless {
            Endless::EvenSplit => seat.even_split()?,
            Endless::Drawn => seat.drawn()?,
            Endless::OwnSide(_) => seat.own_side()?,
        };
        let sweeps = seat.sweep as u64;
        let planes = crate::solver::planes(plan.rules);
        let ghosts = lists.iter().map(|lists| lists.ghosts(planes as usize)).max().unwrap_or(0);
        let positions = plan.layer.positions();
        let work = Work { positions, planes, sweeps, ghosts, ..Work::default() };
        let rules = plan.rules;
        self.work = self.report(work)?;
        match (leader, bounds, rules.endless) {
            (Some(leader), Some(bounds), Endless::OwnSide(_)) => {
                exact::settle(rules, bounds, leader.lower, &Arena::default(), LIMITS).map(Some)
            }
            (_, bounds, _) => Ok(bounds),
        }
    }

    /// Adds up what all ranks have sent.
    fn report(&self, work: Work) -> Result<Work> {
        let words: Vec<u64> = self.team.take_traffic().words().collect();
        let mut traffic = Traffic::default();
        traffic.add(&self.team.sums(&words)?);
        let mut ghosts = work.ghosts;
        self.team.session(&mut |talk| {
            if !self.team.leads() {
                return talk.send(0, to_bytes(&[work.ghosts]), Purpose::Control);
            }
            for rank in self.team.others() {
                ghosts = ghosts.max(from_bytes(&talk.receive(rank, size_of::<u64>())?)[0]);
            }
            Ok(())
        })?;
        Ok(Work { traffic, ghosts, ..work })
    }
}
