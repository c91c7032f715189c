//! The [`Holder`] of a layer that several processes solve: each rank has its part of every plane.
//!
//! All ranks call the same methods in the same order. What decides the next step, such as the
//! number of scores that a sweep has changed, is added up over all ranks or told by the leader,
//! so that all of them decide alike.

use super::claims;
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::tail::JointTail;
use super::task::JointSweep;
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::solved::Marks;
use crate::layer::strategy::Exceptions;
use crate::solver::captures::CapturePlane;
use crate::solver::claims::{Certificate, TightMoves};
use crate::solver::exact::leads_to_exact;
use crate::solver::fixpoint::{Holder, TAIL_ON_DISK, few_changes};
use crate::solver::kernel::Log;
use crate::solver::observer::{Bound, Event};
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::Sweep;

impl Holder for Seat<'_> {
    type Plane = Blocks;
    type Solved = SpreadLayer;

    fn plan(&self) -> &LayerPlan<'_> {
        self.plan
    }

    fn keeps_strategies(&self) -> bool {
        self.strategies
    }

    fn notice(&self, event: Event) {
        self.observer.notice(event);
    }

    fn resume(&mut self) -> Result<Option<Vec<Blocks>>> {
        Seat::resume(self)
    }

    /// The leader knows.
    fn leads_to_exact(&self) -> Result<bool> {
        let is_exact = self.lower.map(|lower| leads_to_exact(self.plan, lower)).transpose()?;
        Ok(self.say(is_exact.unwrap_or(false).into())? == 1)
    }

    fn captures(&self, bounds: &[Bound]) -> Result<Vec<CapturePlane>> {
        let all = bounds.iter().map(|_| self.constants());
        let (mut all, seeds) = (all.collect::<Result<Vec<_>>>()?, self.plan.layer.seeds());
        for into in seeds.below() {
            self.go_on()?;
            if all[0].reached(self.plan, seeds.get() - into.get()).is_some() {
                self.enter(into, bounds, &mut all)?;
            }
            self.notice(Event::Captures { seeds, into });
        }
        Ok(all)
    }

    fn planes(&self, fills: &[i8]) -> Result<Vec<Blocks>> {
        fills.iter().map(|&fill| self.shares.plane(self.arena, self.rank, fill)).collect()
    }

    fn settle(
        &mut self,
        captures: &[CapturePlane],
        bounds: Option<&[Blocks]>,
        planes: &mut [Blocks],
    ) -> Result<()> {
        let Seat { team, plan, cut, rank, shares, lists, kernel, arena, observer, .. } = *self;
        let bounds = bounds.map(|bounds| [0, 1].map(|plane: usize| &bounds[plane]));
        let threads = rayon::current_num_threads();
        let sweep = Sweep { plan, kernel, captures, bounds, observer, threads, arena };
        let sweep = &JointSweep { sweep, cut, rank, shares: shares.of_rank(rank), lists };
        let few = self.few(planes.len())?;
        let (mut changes, mut late) = (None, Vec::new());
        let changes = loop {
            let mut log = Log { count: 0, changes };
            sweep.run(team, planes, &mut late, &mut log)?;
            let changed = self.ended(log.count, sweep, planes)?;
            if changed == 0 {
                return Ok(());
            }
            if let Some(changes) = log.changes {
                break changes;
            }
            changes = (changed < few).then(Vec::new);
        };
        drop(late);
        let mut tail = JointTail::new(sweep, planes.len(), changes);
        while self.ended(tail.sweep(team, planes)?, sweep, planes)? > 0 {}
        Ok(())
    }

    fn attained(&self, captures: &CapturePlane, plane: &Blocks) -> Result<Marks> {
        Seat::attained(self, captures, plane)
    }

    fn bounds_meet(&self, planes: &[Blocks]) -> Result<bool> {
        Ok(!self.team.any(planes[0] != planes[1])?)
    }

    fn above_core(&self, captures: CapturePlane, proved: &[Blocks]) -> Result<Vec<Blocks>> {
        let mut high = proved[0].copied_in(self.arena)?;
        self.raise(&captures, &mut high)?;
        drop(captures);
        Ok(vec![proved[1].copied_in(self.arena)?, high])
    }

    fn add_core(&self, proved: &mut Vec<Blocks>, core: Vec<Blocks>) -> Result<bool> {
        let proves_more = self.team.any(core != *proved)?;
        *proved = core;
        Ok(proves_more)
    }

    fn solved(&self, mut bounds: Vec<Blocks>, is_exact: bool, attained: Vec<Marks>) -> SpreadLayer {
        bounds.truncate(if is_exact { 1 } else { 2 });
        let (shares, exceptions) = (self.shares.clone(), None);
        SpreadLayer { shares, bounds, attained, exceptions, settled: None }
    }

    fn certificate(
        &mut self,
        solved: &SpreadLayer,
        planes: usize,
        play: TightMoves,
    ) -> Result<Certificate> {
        claims::certify(self, solved, planes, play)
    }

    fn with_exceptions(solved: SpreadLayer, exceptions: Exceptions) -> SpreadLayer {
        SpreadLayer { exceptions: Some(exceptions), ..solved }
    }
}

impl Seat<'_> {
    /// How many changed scores in all are few.
    fn few(&self, planes: usize) -> Result<u64> {
        let scores = self.plan.layer.positions() * planes as u64;
        let is_on_disk = self.team.any(self.arena.is_spilled())?;
        let tail = if is_on_disk { self.tail.max(TAIL_ON_DISK) } else { self.tail };
        Ok(few_changes(scores, tail))
    }

    /// Tells that a sweep has ended. After any but the last, the observer is offered what there is,
    /// unless that is a core, which a solve that goes on makes again. Returns how many scores have
    /// changed on all ranks.
    fn ended(&mut self, changed: u64, swept: &JointSweep, planes: &[Blocks]) -> Result<u64> {
        let changed = self.team.sums(&[changed])?[0];
        if !swept.sweep.is_of_core() {
            self.settled = self.sweep + usize::from(changed > 0);
        }
        self.sweep += 1;
        let (seeds, sweep) = (self.plan.layer.seeds(), self.sweep);
        self.notice(Event::Swept { seeds, sweep, changed });
        match changed {
            0 => {}
            _ if !swept.sweep.is_of_core() => self.offer(&planes.iter().collect::<Vec<_>>())?,
            _ => self.go_on()?,
        }
        Ok(changed)
    }
}
