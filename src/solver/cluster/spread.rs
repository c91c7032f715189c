//! A solved layer as ranks have it: of every plane the rectangles that are theirs.

use super::part::{MarkedPart, Part};
use super::shares::Shares;
use super::transport::Team;
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::Line;
use crate::layer::index::Layer;
use crate::layer::solved::{Attained, Solved, Strategy};
use crate::layer::strategy::Holds;
use crate::solver::observer::Bound;

/// One rank's part of a solved layer, and who has the others. Everything is by block.
pub struct SpreadLayer {
    /// Who has what.
    pub shares: Shares,
    /// The lower bounds, and the upper ones where they differ anywhere.
    pub bounds: Vec<Vec<Part>>,
    /// When claims settled, if strategies are kept.
    pub stamps: Option<Vec<Part>>,
    /// Which stamps are holds.
    pub holds: Holds,
    /// Where captures attain lower bounds, and upper ones where that is known apart.
    pub attained: Vec<Vec<MarkedPart>>,
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

    /// Puts the whole layer together, on the leader alone.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory), and those of [`Team`].
    pub fn gather(&self, team: &Team, arena: &Arena) -> Result<Option<Solved>> {
        let whole = |parts: &Vec<Part>| self.shares.gather(team, parts, arena);
        let planes = self.bounds.iter().map(whole).collect::<Result<Vec<_>>>()?;
        let stamps = self.stamps.as_ref().map(whole).transpose()?.flatten();
        let marks = |parts: &Vec<MarkedPart>| self.shares.gather_marks(team, parts);
        let marks = self.attained.iter().map(marks).collect::<Result<Vec<_>>>()?;
        let mut planes = planes.into_iter().flatten();
        let Some(low) = planes.next() else { return Ok(None) };
        let mut marks = marks.into_iter().flatten();
        let strategy = stamps.map(|stamps| Strategy { stamps, holds: self.holds });
        let attained = marks.next().map(|low| Attained { low, high: marks.next() });
        Ok(Some(Solved { low, high: planes.next(), strategy, attained, knots: None }))
    }

    /// Shows the leader the bounds block by block, and forgets each: all of the lower bounds, then of
    /// the upper ones if there are any.
    ///
    /// # Errors
    /// Those of [`Team`], and of `visit`.
    pub fn each_block(
        &self,
        team: &Team,
        visit: &mut dyn FnMut(Bound, &[Line]) -> Result<()>,
    ) -> Result<()> {
        let mut lines = Vec::new();
        for (bound, parts) in [Bound::Low, Bound::High].into_iter().zip(&self.bounds) {
            for block in 0..parts.len() {
                self.shares.gather_block(team, parts, block, team.leads().then_some(&mut lines))?;
                if team.leads() {
                    visit(bound, &lines)?;
                }
            }
        }
        Ok(())
    }
}
