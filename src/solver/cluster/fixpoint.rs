//! The fixpoints of [`crate::solver::fixpoint`] on all ranks: what endless play is worth decides
//! which one. Each is its twin there step by step; what they compute and why is said there.

use super::captures::JointCaptures;
use super::part::{Field, MarkedPart, Part};
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::task::JointSweep;
use crate::error::Result;
use crate::layer::index::rows;
use crate::solver::fixpoint::repetition::UNBOUNDED;
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
    fn begin(&mut self, fills: &[i8]) -> Result<Field> {
        let kept = self.resume()?;
        let Seat { arena, plan, cut, rank, .. } = *self;
        kept.map_or_else(|| Field::new(arena, plan, cut, rank, fills), Ok)
    }

    /// Endless play halves what is left.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted), and those of
    /// [`Team`](super::transport::Team).
    pub fn even_split(&mut self) -> Result<SpreadLayer> {
        let captures = [self.captures()?];
        let mut field = self.begin(&[0])?;
        let sweep = self.sweep(&captures);
        self.settle(&sweep, &mut field)?;
        let low = self.attained(&captures[0], &field.planes[0])?;
        drop(captures);
        Ok(self.solved(field, true, vec![low]))
    }

    /// Endless play is a drawn game.
    ///
    /// # Errors
    /// As [`Seat::even_split`].
    pub fn drawn(&mut self) -> Result<SpreadLayer> {
        let captures = self.capture_bounds()?;
        let all = self.plan.layer.seeds().get() as i8;
        let mut field = self.begin(&[-all, all])?;
        let sweep = self.sweep(&captures);
        self.settle(&sweep, &mut field)?;
        let marks = self.both_attained(&captures, &field)?;
        drop(captures);
        let is_exact = self.is_exact(&field)?;
        Ok(self.solved(field, is_exact, marks))
    }

    /// Endless play leaves each player their own row.
    ///
    /// # Errors
    /// As [`Seat::even_split`].
    pub fn own_side(&mut self) -> Result<SpreadLayer> {
        // Lower layers are in the leader's memory while captures are entered.
        let mut first = Some(self.capture_bounds()?);
        let mut field = self.begin(&[-UNBOUNDED, UNBOUNDED])?;
        loop {
            let captures = first.take().map_or_else(|| self.capture_bounds(), Ok)?;
            let sweep = self.sweep(&captures);
            self.settle(&sweep, &mut field)?;
            let marks = self.both_attained(&captures, &field)?;
            if self.is_exact(&field)? {
                drop(captures);
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
        SpreadLayer { shares: self.shares.clone(), bounds, attained, settled: None }
    }
}
