//! What captures are worth, each rank for what it computes: areas of
//! [`crate::solver::capture_area`], which lower layers are entered into block by block.
//!
//! A lower layer comes from the leader, one block of it at a time, and is forgotten. So no rank but
//! the leader ever holds more of a lower layer than a block.
//!
//! With that a rank finds out which scores of a solved layer captures attain, and raises others. In block
//! n/2 some of those stand with higher ranks: they come from there, and go back.

use std::collections::BTreeMap;

use super::beside::Beside;
use super::cut::{Area, ROLES, Role, area, rows_of_lanes};
use super::seat::Seat;
use super::transport::Purpose;
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::rows;
use crate::layer::line::LINE;
use crate::layer::solved::Marks;
use crate::solver::captures::{CapturePlane, KnownLines};

impl Seat<'_> {
    /// The constants of the rank that need no lower layer.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for them.
    pub fn constants(&self) -> Result<CapturePlane> {
        let Seat { plan, cut, rank, .. } = *self;
        let place = |small: usize, role: Role| {
            let Area { own, tiles, lines } = cut.area(small, rank, role);
            let end = rows(own).min(tiles.end * LINE);
            let against = rows_of_lanes(plan, own, lines);
            let panels = against.start / LINE..against.end.div_ceil(LINE);
            let panels = if against.is_empty() { 0..0 } else { panels };
            let rows = (tiles.start * LINE).min(end)..end;
            (area(plan, small, role), (Rectangle { panels, rows }, plan.layer.block_shape(own).0))
        };
        let pairs = 0..=plan.layer.seeds().get() / 2;
        let places = pairs.flat_map(|small| ROLES.map(|role| place(small, role)));
        let places: BTreeMap<usize, (Rectangle, usize)> = places.collect();
        CapturePlane::of_areas(plan, self.kernel, self.arena, places.into_values())
    }

    /// Where the rank knows what captures are worth, each position of the layer on one rank; and
    /// whether the scores are on the ranks of other columns of block n/2.
    fn known(&self) -> Vec<(KnownLines, bool)> {
        let Seat { plan, cut, rank, .. } = *self;
        let seeds = plan.layer.seeds().get();
        let mut all = Vec::new();
        for small in 0..=seeds / 2 {
            for role in ROLES {
                let Area { own, tiles, lines } = cut.area(small, rank, role);
                let is_beside = 2 * small == seeds && role == Role::Lead;
                // Where half-boards of the rank meet in block n/2, one role has them all.
                let first = if is_beside { cut.interval(small, rank).end } else { tiles.start };
                let (panels, rows) = (first..tiles.end, rows_of_lanes(plan, own, lines.clone()));
                if !panels.is_empty() && !rows.is_empty() {
                    let area = area(plan, small, role);
                    all.push((KnownLines { area, own, panels, lanes: lines }, is_beside));
                }
            }
        }
        all
    }

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
        for (known, is_beside) in self.known() {
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
        for (known, is_beside) in self.known() {
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
