//! The [`Holder`] of a layer that one process solves: all planes as a whole, in memory or on
//! disk.
//!
//! After each sweep but the last, and after one that is interrupted, the observer is offered the
//! planes unless they are a core: scores move only towards the fixpoint, so a solve goes on from
//! any of these states to the same result.

use super::captures::CapturePlane;
use super::checkpoint::{Checkpoint, ShownPlane};
use super::claims::{self, Alone, Asking, Certificate, ClaimSearch, Means, TightMoves};
use super::exact::leads_to_exact;
use super::fixpoint::{
    Holder, TAIL, TAIL_ON_DISK, TAIL_THREADS, believe, few_changes, last_is_possible,
};
use super::kernel::Log;
use super::lower::Entering;
use super::observer::{Bound, Event, Observer};
use super::plan::LayerPlan;
use super::storage::Storage;
use super::sweep::{Aside, Sweep};
use super::tail::Tail;
use crate::error::{Error, Result};
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Marks, Solved};
use crate::layer::strategy::Exceptions;

/// The layer, and with what it is solved.
pub struct WholeLayer<'a> {
    /// How captures come by the layers below; sweeps go by the same plan, and have planes in the
    /// same arena.
    pub entering: Entering<'a>,
    /// Where everything else is.
    pub storage: &'a Storage,
    /// Where cores are.
    pub core: Arena,
    /// Whether strategies are wanted.
    pub strategies: bool,
    /// How many threads may work.
    pub threads: usize,
    /// How far sweeps have come.
    pub settling: Settling,
}

/// What the sweeps of a layer, towards whichever fixpoint, have in common.
pub struct Settling {
    /// The tail begins when fewer than one in this many scores changed; at the usual time for
    /// where scores are if left out.
    pub tail: Option<u64>,
    /// Sweeps of this layer so far.
    pub sweep: usize,
    /// The one after which planes without bounds were as they are now.
    pub settled: usize,
}

impl Holder for WholeLayer<'_> {
    type Plane = Plane;
    type Solved = Solved;

    fn plan(&self) -> &LayerPlan<'_> {
        self.entering.plan
    }

    fn keeps_strategies(&self) -> bool {
        self.strategies
    }

    fn notice(&self, event: Event) {
        self.entering.observer.notice(event);
    }

    fn resume(&mut self) -> Result<Option<Vec<Plane>>> {
        let (Entering { plan, arena, observer, .. }, mut planes) = (self.entering, Vec::new());
        let kept = observer.resume(plan.layer.seeds(), &mut |mut input| {
            planes.push(Plane::read_from(arena, plan.layer, &mut input)?);
            let read: Vec<&Blocks> = planes.iter().map(Plane::blocks).collect();
            believe(last_is_possible(plan.layer, &read))
        });
        // Counting goes on where it was then.
        let Some(kept) = kept else { return Ok(None) };
        self.settling.sweep = kept.sweep;
        Ok(Some(planes))
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
        let Entering { arena, plan, .. } = self.entering;
        fills.iter().map(|&fill| Plane::in_arena(arena, plan.layer, fill)).collect()
    }

    fn settle(
        &mut self,
        captures: &[CapturePlane],
        bounds: Option<&[Plane]>,
        planes: &mut [Plane],
    ) -> Result<()> {
        let (Entering { plan, kernel, observer, arena, .. }, threads) =
            (self.entering, self.threads);
        let arena = if bounds.is_some() { &self.core } else { arena };
        let bounds = bounds.map(|bounds| [0, 1].map(|plane: usize| bounds[plane].blocks()));
        let sweep = Sweep { plan, kernel, captures, bounds, observer, threads, arena };
        // On a thread of the pool: to be woken from outside takes long.
        rayon::scope(|_| self.settling.settle(&sweep, planes))
    }

    fn attained(&self, captures: &CapturePlane, plane: &Plane) -> Result<Marks> {
        let arena = self.storage.marks_arena();
        captures.attained(self.entering.plan, plane, &arena)
    }

    fn last_attained(&self, captures: CapturePlane, plane: &Plane) -> Result<Marks> {
        let arena = self.storage.marks_arena();
        captures.into_attained(self.entering.plan, plane, &arena)
    }

    fn bounds_meet(&self, planes: &[Plane]) -> Result<bool> {
        Ok(planes[0] == planes[1])
    }

    fn above_core(&self, captures: CapturePlane, proved: &[Plane]) -> Result<Vec<Plane>> {
        let mut high = proved[0].copied_in(&self.core)?;
        captures.raise(self.entering.plan, &mut high);
        drop(captures);
        Ok(vec![proved[1].copied_in(&self.core)?, high])
    }

    fn add_core(&self, proved: &mut Vec<Plane>, core: Vec<Plane>) -> Result<bool> {
        let proves_more = core != *proved;
        // Cores may be where what is proved is not.
        if self.core.is_spilled() && !self.entering.arena.is_spilled() {
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
        let (Entering { plan, kernel, observer, arena: scores, .. }, threads) =
            (self.entering, self.threads);
        let attained = solved.attained.as_ref().expect("it is known of what has just been solved");
        let (arena, near) = (&self.storage.claims_arena(scores), self.storage.near_arena());
        let entries = self.storage.list_entries(plan.layer);
        let asking = Asking::of(plan.rules, plan.layer.range(), play);
        let near = near.as_ref();
        let high = (planes > 1).then(|| solved.high());
        let settling = &self.settling;
        let offer = &|| settling.offer(observer, &solved.low, high);
        let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
        let bounds = [&solved.low, solved.high()].map(Plane::blocks);
        // As sweeps do.
        rayon::scope(|_| {
            let search = ClaimSearch::new(plan, means, bounds, &attained.low, None);
            claims::close(&search, &Alone { offer })
        })
    }

    fn with_exceptions(solved: Solved, exceptions: Exceptions) -> Solved {
        Solved { exceptions: Some(exceptions), ..solved }
    }
}

impl Settling {
    /// Offers planes that are settled, and asks about interruption.
    fn offer(&self, observer: &dyn Observer, low: &Plane, high: Option<&Plane>) -> Result<()> {
        let checkpoint = Checkpoint { low, high, sweep: self.settled };
        observer.offer(&checkpoint.map(|plane: &Plane| plane as &dyn ShownPlane));
        observer.go_on()
    }

    /// Sweeps until nothing changes. After each sweep but the last, planes are offered to the
    /// observer, unless they are those of a core, which a solve that goes on makes again.
    fn settle(&mut self, sweep: &Sweep, planes: &mut [Plane]) -> Result<()> {
        let scores = sweep.plan.layer.positions() * planes.len() as u64;
        let in_memory = TAIL * (sweep.threads as u64 / TAIL_THREADS).max(1);
        let usual = if sweep.arena.is_spilled() { TAIL_ON_DISK } else { in_memory };
        let few = few_changes(scores, self.tail.unwrap_or(usual));
        let (mut changes, mut aside) = (None, Aside::of(sweep, planes)?);
        let changes = loop {
            let mut log = Log { count: 0, changes };
            let swept = sweep.run(planes, &mut aside, &mut log);
            if self.ended(swept.map(|()| log.count), sweep, planes)? {
                return Ok(());
            }
            if let Some(changes) = log.changes {
                break changes;
            }
            changes = (log.count < few).then(Vec::new);
        };
        drop(aside);
        let mut tail = Tail::new(sweep, planes.len(), &changes);
        drop(changes);
        while !self.ended(tail.sweep(planes), sweep, planes)? {}
        Ok(())
    }

    /// Tells that a sweep has ended in which so many scores have changed. Returns whether it was
    /// the last.
    fn ended(&mut self, changed: Result<u64>, swept: &Sweep, planes: &[Plane]) -> Result<bool> {
        let (observer, is_of_core) = (swept.observer, swept.is_of_core());
        let (low, high) = (&planes[0], planes.get(1));
        if matches!(changed, Err(Error::Interrupted)) && !is_of_core {
            // Scores only move towards the limit, in whatever order they are computed: a solve may
            // go on from what a part of a sweep has found as from what all of it has.
            self.settled = self.sweep + 1;
            let _ = self.offer(observer, low, high);
        }
        let changed = changed?;
        if !is_of_core {
            self.settled = self.sweep + usize::from(changed > 0);
        }
        self.sweep += 1;
        let (seeds, sweep) = (swept.plan.layer.seeds(), self.sweep);
        observer.notice(Event::Swept { seeds, sweep, changed });
        match changed {
            0 => return Ok(true),
            _ if !is_of_core => self.offer(observer, low, high)?,
            _ => observer.go_on()?,
        }
        Ok(false)
    }
}
