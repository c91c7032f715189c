//! The fixpoints of [`crate::solver::fixpoint`] on all ranks: what endless play is worth decides
//! which one. Each is its twin there step by step; what they compute and why is said there.

use super::captures::JointCaptures;
use super::claims::{self, Task};
use super::part::{Field, MarkedPart, Part};
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::task::JointSweep;
use super::transport::Purpose;
use crate::error::{Error, Result};
use crate::layer::index::rows;
use crate::solver::claims::{Asking, Certificate, Play, certified};
use crate::solver::exact::leads_to_exact;
use crate::solver::fixpoint::unbounded;
use crate::solver::observer::Event;

impl<'a> Seat<'a> {
    fn sweep<'s>(&self, captures: &'s [JointCaptures]) -> JointSweep<'s>
    where
        'a: 's,
    {
        let Seat { plan, cut, rank, lists, kernel, .. } = *self;
        JointSweep { plan, cut, rank, lists, kernel, captures, bounds: None }
    }

    /// Where an interrupted solve was, or else these numbers everywhere.
    fn begin(&self, kept: Option<Field>, fills: &[i8]) -> Result<Field> {
        let Seat { arena, plan, cut, rank, .. } = *self;
        kept.map_or_else(|| Field::new(arena, plan, cut, rank, fills), Ok)
    }

    /// Endless play halves what is left.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted), and those of
    /// [`Team`](super::transport::Team).
    pub fn even_split(&mut self) -> Result<SpreadLayer> {
        let kept = self.resume()?;
        let solved = self.scores(kept)?;
        self.with_strategy(solved)
    }

    /// The scores that the equations have from 0 on.
    fn scores(&mut self, kept: Option<Field>) -> Result<SpreadLayer> {
        let captures = [self.captures()?];
        let mut field = self.begin(kept, &[0])?;
        let sweep = self.sweep(&captures);
        self.settle(&sweep, &mut field)?;
        let low = self.attained(&captures[0], &field.planes[0])?;
        Ok(self.solved(field, true, vec![low]))
    }

    /// Endless play is a drawn game.
    ///
    /// # Errors
    /// As [`Seat::even_split`].
    pub fn drawn(&mut self) -> Result<SpreadLayer> {
        let kept = self.resume()?;
        let captures = self.capture_bounds()?;
        let all = self.plan.layer.seeds().get() as i8;
        let mut field = self.begin(kept, &[-all, all])?;
        let sweep = self.sweep(&captures);
        self.settle(&sweep, &mut field)?;
        let marks = self.both_attained(&captures, &field)?;
        drop(captures);
        let is_exact = self.is_exact(&field)?;
        let solved = self.solved(field, is_exact, marks);
        self.with_strategy(solved)
    }

    /// Endless play leaves each player their own row: one plane if all claims are met, two if not.
    ///
    /// # Errors
    /// As [`Seat::even_split`].
    pub fn own_side(&mut self) -> Result<SpreadLayer> {
        let mut kept = self.resume()?;
        let has_one_plane = kept.as_ref().is_none_or(|field| field.planes.len() == 1);
        if has_one_plane && self.leads_to_exact()? {
            let solved = self.scores(kept.take())?;
            let (layer, strategy) = (solved.layer(), self.strategies);
            let close = |play| self.certificate(&solved, play);
            if let Some(exceptions) = certified(layer, strategy, close)? {
                return Ok(SpreadLayer { exceptions, ..solved });
            }
        }
        let solved = self.bounds(kept)?;
        self.with_strategy(solved)
    }

    /// Both bounds where play that goes round leaves each player their own row.
    fn bounds(&mut self, kept: Option<Field>) -> Result<SpreadLayer> {
        // Lower layers are in the leader's memory while captures are entered.
        let mut first = Some(self.capture_bounds()?);
        let most = unbounded(self.plan.layer);
        let mut field = self.begin(kept, &[-most, most])?;
        loop {
            let captures = first.take().map_or_else(|| self.capture_bounds(), Ok)?;
            let sweep = self.sweep(&captures);
            self.settle(&sweep, &mut field)?;
            let marks = self.both_attained(&captures, &field)?;
            if self.is_exact(&field)? {
                return Ok(self.solved(field, true, marks));
            }
            let core = self.safe_core(captures, &field)?;
            let proves_more = self.differ(&core, &field.planes)?;
            field.planes = core;
            let seeds = self.plan.layer.seeds();
            self.notice(Event::Core { seeds, proves_more });
            if !proves_more {
                return Ok(self.solved(field, false, marks));
            }
        }
    }

    /// Whether all layers that captures may lead into have one score for each position: the leader
    /// knows.
    fn leads_to_exact(&self) -> Result<bool> {
        let is_exact = match self.leader {
            Some(leader) => leads_to_exact(self.plan, leader.lower)?,
            None => false,
        };
        Ok(self.team.hear(&[u8::from(is_exact)], Purpose::Control)? == [1])
    }

    /// Finds the strategy of a layer whose bounds are proved, if it is wanted.
    fn with_strategy(&mut self, solved: SpreadLayer) -> Result<SpreadLayer> {
        if !self.strategies {
            return Ok(solved);
        }
        let found = self.certificate(&solved, Play::ByDefault)?;
        // Only of what comes from a wrong checkpoint or table.
        if !found.claims_are_met {
            return Err(Error::Unproved { seeds: self.plan.layer.seeds().get() });
        }
        Ok(SpreadLayer { exceptions: Some(found.exceptions), ..solved })
    }

    fn certificate(&mut self, solved: &SpreadLayer, play: Play) -> Result<Certificate> {
        let asking = Asking::of(self.plan.rules, self.plan.layer.range(), play);
        let Seat { team, plan, cut, shares, kernel, arena, leader, .. } = *self;
        let interrupted = &|| leader.is_some_and(|leader| leader.observer.interrupted());
        let task = Task { team, plan, cut, shares, kernel, arena, asking, play, interrupted };
        claims::certify(task, self.spreads, &solved.bounds, &solved.attained[0])
    }

    /// The greatest bounds that players can keep for ever or until they reach what is proved.
    fn safe_core(&mut self, captures: [JointCaptures; 2], field: &Field) -> Result<Vec<Vec<Part>>> {
        let [low, high] = captures;
        drop(low);
        let copied = |parts: &[Part]| {
            parts.iter().map(|part| part.copied_in(self.arena)).collect::<Result<Vec<_>>>()
        };
        let mut core_high = copied(&field.planes[0])?;
        self.raise(&high, &mut core_high)?;
        drop(high);
        let planes = vec![copied(&field.planes[1])?, core_high];
        let mut core = Field { planes, late: Vec::new() };
        let sweep = JointSweep { bounds: Some(&field.planes), ..self.sweep(&[]) };
        self.settle(&sweep, &mut core)?;
        Ok(core.planes)
    }

    fn both_attained(
        &self,
        captures: &[JointCaptures; 2],
        field: &Field,
    ) -> Result<Vec<Vec<MarkedPart>>> {
        captures
            .iter()
            .zip(&field.planes)
            .map(|(worth, parts)| self.attained(worth, parts))
            .collect()
    }

    fn is_exact(&self, field: &Field) -> Result<bool> {
        Ok(!self.differ(&field.planes[..1], &field.planes[1..])?)
    }

    /// Whether planes differ on any rank.
    fn differ(&self, some: &[Vec<Part>], others: &[Vec<Part>]) -> Result<bool> {
        let blocks = |(one, other): (&Vec<Part>, &Vec<Part>)| {
            let mut both = one.iter().zip(other).enumerate();
            both.any(|(block, (one, other))| one.differs(other, rows(block)))
        };
        self.team.any(some.iter().zip(others).any(blocks))
    }

    /// The own part of the layer.
    fn solved(&self, field: Field, is_exact: bool, attained: Vec<Vec<MarkedPart>>) -> SpreadLayer {
        let mut bounds = field.planes;
        bounds.truncate(if is_exact { 1 } else { 2 });
        let (shares, exceptions) = (self.shares.clone(), None);
        SpreadLayer { shares, bounds, attained, exceptions, settled: None }
    }
}
