//! What captures make of a solved layer: which scores they attain, and to what they raise others.
//!
//! A rank knows what captures are worth for what it computes. In block n/2 some of that stands with
//! higher ranks: it comes from there, and goes back.

use super::beside::Beside;
use super::captures::known;
use super::seat::Seat;
use super::transport::Purpose;
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::solved::Marks;
use crate::solver::captures::CapturePlane;

impl Seat<'_> {
    /// What stands beside the own panels of block n/2, if there is such a block.
    fn beside(&self) -> Option<Beside<'_>> {
        Beside::of(self.plan, self.cut, self.rank)
    }

    fn look_beside(&self, plane: &Blocks) -> Result<Option<Blocks>> {
        let Some(beside) = self.beside() else { return Ok(None) };
        self.team.session(|talk| beside.fetch(talk, plane, Purpose::Whole)).map(Some)
    }

    /// Finds out which of the own scores are just what captures are worth.
    ///
    /// # Errors
    /// Those of [`Team`](super::transport::Team), and
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn attained(&self, captures: &CapturePlane, plane: &Blocks) -> Result<Marks> {
        let beside = self.look_beside(plane)?;
        let of_beside = |beside: &Blocks| Marks::of(&Arena::passing(), beside.rectangles());
        let mut marks_beside = beside.as_ref().map(of_beside).transpose()?;
        let mut marks = Marks::of(self.arena, plane.rectangles())?;
        for (known, is_beside) in known(self.plan, self.cut, self.rank) {
            let (plane, marks, block) = match (is_beside, &beside, &mut marks_beside) {
                (true, Some(beside), Some(marks)) => (beside, marks, 0),
                _ => (plane, &mut marks, known.own),
            };
            captures.mark(self.plan, &known, (plane, block), marks.words_mut(block));
        }
        let (Some(lists), Some(beside)) = (self.beside(), marks_beside) else { return Ok(marks) };
        let own = marks.blocks_mut();
        self.team.session(|talk| lists.give_back(talk, beside.blocks(), own))?;
        Ok(marks)
    }

    /// Raises scores to what captures are worth.
    ///
    /// # Errors
    /// Those of [`Team`](super::transport::Team).
    pub fn raise(&self, captures: &CapturePlane, plane: &mut Blocks) -> Result<()> {
        let mut beside = self.look_beside(plane)?;
        for (known, is_beside) in known(self.plan, self.cut, self.rank) {
            let (plane, block) = match (is_beside, &mut beside) {
                (true, Some(beside)) => (beside, 0),
                _ => (&mut *plane, known.own),
            };
            captures.raise_lines(self.plan, &known, (plane, block));
        }
        let (Some(lists), Some(beside)) = (self.beside(), beside) else { return Ok(()) };
        self.team.session(|talk| lists.give_back(talk, &beside, plane))
    }
}
