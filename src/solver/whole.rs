//! A layer that one process solves: all planes as a whole, in memory or on disk.

use super::captures::CapturePlane;
use super::claims::{self, Alone, Asking, Certificate, Means, TightMoves};
use super::exact::leads_to_exact;
use super::fixpoint::{Holder, Settling};
use super::lower::Entering;
use super::observer::{Bound, Event};
use super::plan::LayerPlan;
use super::storage::Storage;
use super::sweep::Sweep;
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Marks, Solved};
use crate::layer::strategy::Exceptions;

/// The layer, and with what it is solved.
pub struct WholeLayer<'a> {
    /// How captures come by the layers below.
    pub entering: Entering<'a>,
    /// What sweeps share.
    pub settling: Settling<'a>,
    /// Where everything else is.
    pub storage: &'a Storage,
    /// Where cores are.
    pub core: Arena,
    /// Whether strategies are wanted.
    pub strategies: bool,
}

impl Holder for WholeLayer<'_> {
    type Planes = Vec<Plane>;
    type Captures = CapturePlane;
    type Marks = Marks;
    type Solved = Solved;

    fn plan(&self) -> &LayerPlan<'_> {
        self.settling.plan
    }

    fn keeps_strategies(&self) -> bool {
        self.strategies
    }

    fn notice(&self, event: Event) {
        self.settling.observer.notice(event);
    }

    fn resume(&mut self) -> Result<Option<Vec<Plane>>> {
        Ok(self.settling.resume())
    }

    fn leads_to_exact(&self) -> Result<bool> {
        leads_to_exact(self.entering.plan, self.entering.lower)
    }

    fn captures(&self, bounds: &[Bound]) -> Result<Vec<CapturePlane>> {
        let Entering { arena, plan, .. } = self.entering;
        let arena = self.storage.captures_arena(arena, plan.rules, bounds.len());
        self.entering.enter_all(bounds, &arena)
    }

    fn planes(&self, fills: &[i8]) -> Result<Vec<Plane>> {
        let Settling { arena, plan, .. } = self.settling;
        fills.iter().map(|&fill| Plane::in_arena(arena, plan.layer, fill)).collect()
    }

    fn count(planes: &Vec<Plane>) -> usize {
        planes.len()
    }

    fn settle(
        &mut self,
        captures: &[&CapturePlane],
        bounds: Option<&Vec<Plane>>,
        planes: &mut Vec<Plane>,
    ) -> Result<()> {
        let Settling { plan, kernel, observer, threads, arena, .. } = self.settling;
        let arena = if bounds.is_some() { &self.core } else { arena };
        let bounds = bounds.map(|bounds| [0, 1].map(|plane: usize| bounds[plane].blocks()));
        let sweep = Sweep { plan, kernel, captures, bounds, observer, threads, arena };
        self.settling.settle(&sweep, planes)
    }

    fn attained(
        &self,
        captures: &CapturePlane,
        planes: &Vec<Plane>,
        plane: usize,
    ) -> Result<Marks> {
        let arena = self.storage.marks_arena();
        captures.attained(self.settling.plan, &planes[plane], &arena)
    }

    fn last_attained(&self, captures: CapturePlane, planes: &Vec<Plane>) -> Result<Marks> {
        let arena = self.storage.marks_arena();
        captures.into_attained(self.settling.plan, &planes[0], &arena)
    }

    fn bounds_meet(&self, planes: &Vec<Plane>) -> Result<bool> {
        Ok(planes[0] == planes[1])
    }

    fn above_core(&self, captures: CapturePlane, proved: &Vec<Plane>) -> Result<Vec<Plane>> {
        let mut high = proved[0].copied_in(&self.core)?;
        captures.raise(self.settling.plan, &mut high);
        drop(captures);
        Ok(vec![proved[1].copied_in(&self.core)?, high])
    }

    fn add_core(&self, proved: &mut Vec<Plane>, core: Vec<Plane>) -> Result<bool> {
        let proves_more = core != *proved;
        // Cores may be where what is proved is not.
        if self.core.is_spilled() && !self.settling.arena.is_spilled() {
            proved.iter_mut().zip(&core).for_each(|(own, core)| own.copy(core));
        } else {
            *proved = core;
        }
        Ok(proves_more)
    }

    fn solved(&self, planes: Vec<Plane>, is_exact: bool, attained: Vec<Marks>) -> Solved {
        let (mut planes, mut marks) = (planes.into_iter(), attained.into_iter());
        let low = planes.next().expect("one plane or two");
        let high = planes.next().filter(|_| !is_exact);
        let attained = marks.next().map(|low| Attained::new(low, marks.next()));
        Solved { low, high, exceptions: None, attained, knots: None }
    }

    fn certificate(
        &mut self,
        solved: &Solved,
        planes: usize,
        play: TightMoves,
    ) -> Result<Certificate> {
        let Settling { plan, kernel, observer, arena: scores, threads, .. } = self.settling;
        let attained = solved.attained.as_ref().expect("it is known of what has just been solved");
        let (arena, near) = (&self.storage.claims_arena(scores), self.storage.near_arena());
        let entries = self.storage.list_entries(plan.layer);
        let asking = Asking::of(plan.rules, plan.layer.range(), play);
        let near = near.as_ref();
        let offer = &|| self.settling.offer(&solved.low, (planes > 1).then(|| solved.high()));
        let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
        claims::certify(plan, means, &Alone { offer }, (&solved.low, solved.high()), &attained.low)
    }

    fn with_exceptions(solved: Solved, exceptions: Exceptions) -> Solved {
        Solved { exceptions: Some(exceptions), ..solved }
    }
}
