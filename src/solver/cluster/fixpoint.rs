//! A layer that several processes solve: each has its part of every plane.

use super::claims;
use super::field::{self, Field};
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::task::JointSweep;
use crate::error::Result;
use crate::layer::solved::Marks;
use crate::layer::strategy::Exceptions;
use crate::solver::captures::CapturePlane;
use crate::solver::claims::{Certificate, TightMoves};
use crate::solver::exact::leads_to_exact;
use crate::solver::fixpoint::Holder;
use crate::solver::observer::{Bound, Event};
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::Sweep;

impl Holder for Seat<'_> {
    type Planes = Field;
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

    fn resume(&mut self) -> Result<Option<Field>> {
        Seat::resume(self)
    }

    /// The leader knows.
    fn leads_to_exact(&self) -> Result<bool> {
        let is_exact = self.lower.map(|lower| leads_to_exact(self.plan, lower)).transpose()?;
        Ok(self.say(is_exact.unwrap_or(false).into())? == 1)
    }

    fn captures(&self, bounds: &[Bound]) -> Result<Vec<CapturePlane>> {
        Seat::captures(self, bounds)
    }

    fn planes(&self, fills: &[i8]) -> Result<Field> {
        let plane = |&fill: &i8| field::plane(self.arena, self.plan, self.own(), fill);
        fills.iter().map(plane).collect::<Result<_>>().map(Field::of)
    }

    fn count(planes: &Field) -> usize {
        planes.planes.len()
    }

    fn settle(
        &mut self,
        captures: &[CapturePlane],
        bounds: Option<&Field>,
        planes: &mut Field,
    ) -> Result<()> {
        let Seat { plan, cut, rank, shares, lists, kernel, arena, observer, .. } = *self;
        let bounds = bounds.map(|bounds| [0, 1].map(|plane| &bounds.planes[plane]));
        let threads = rayon::current_num_threads();
        let sweep = Sweep { plan, kernel, captures, bounds, observer, threads, arena };
        let joint = JointSweep { sweep, cut, rank, shares: shares.of_rank(rank), lists };
        Seat::settle(self, &joint, planes)
    }

    fn attained(&self, captures: &CapturePlane, planes: &Field, plane: usize) -> Result<Marks> {
        Seat::attained(self, captures, &planes.planes[plane])
    }

    fn bounds_meet(&self, planes: &Field) -> Result<bool> {
        Ok(!self.team.any(planes.planes[0] != planes.planes[1])?)
    }

    fn above_core(&self, captures: CapturePlane, proved: &Field) -> Result<Field> {
        let mut high = proved.planes[0].copied_in(self.arena)?;
        self.raise(&captures, &mut high)?;
        drop(captures);
        let low = proved.planes[1].copied_in(self.arena)?;
        Ok(Field::of(vec![low, high]))
    }

    fn add_core(&self, proved: &mut Field, core: Field) -> Result<bool> {
        let proves_more = self.team.any(core.planes != proved.planes)?;
        proved.planes = core.planes;
        Ok(proves_more)
    }

    fn solved(&self, planes: Field, is_exact: bool, attained: Vec<Marks>) -> SpreadLayer {
        let mut bounds = planes.planes;
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
