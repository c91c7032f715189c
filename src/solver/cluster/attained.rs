//! What captures make of a solved layer: which scores they attain, and to what they raise others.

use super::beside::Beside;
use super::captures::{Known, known};
use super::field::MarkedPart;
use super::seat::Seat;
use super::transport::{Purpose, Talk, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::solver::captures::{CapturePlane, attained_tile, raise_tile};
use crate::solver::plan::OUTSIDE;

impl Seat<'_> {
    /// What stands beside the own panels of block n/2, if there is such a block.
    fn beside(&self) -> Option<Beside<'_>> {
        let seeds = self.plan.layer.seeds().get();
        let Seat { plan, cut, rank, .. } = *self;
        seeds.is_multiple_of(2).then_some(Beside { plan, cut, half: seeds / 2, rank })
    }

    fn look_beside(&self, plane: &Blocks) -> Result<Option<Blocks>> {
        let Some(beside) = self.beside() else { return Ok(None) };
        let mut found = None;
        self.team.session(&mut |talk| {
            found = Some(beside.fetch(talk, plane, Purpose::Whole)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Finds out which of the own scores are just what captures are worth: by block.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn attained(&self, captures: &CapturePlane, plane: &Blocks) -> Result<Vec<MarkedPart>> {
        let beside = self.look_beside(plane)?;
        let of_block = |blocks: &Blocks, block| MarkedPart::new(blocks.shape(block).rectangle());
        let mut marks: Vec<MarkedPart> =
            (0..plane.count()).map(|block| of_block(plane, block)).collect();
        let mut marks_beside = beside.as_ref().map(|beside| of_block(beside, 0));
        for known in known(self.plan, self.cut, self.rank) {
            let (scores, marks) = match (known.is_beside, &beside, &mut marks_beside) {
                (true, Some(beside), Some(marks)) => ((beside, 0), marks),
                _ => ((plane, known.own), &mut marks[known.own]),
            };
            self.mark(&known, captures, scores, marks);
        }
        let (Some(lists), Some(beside)) = (self.beside(), marks_beside) else { return Ok(marks) };
        let own = &mut marks[lists.half];
        self.team.session(&mut |talk| exchange_marks(&lists, talk, &beside, own))?;
        Ok(marks)
    }

    fn mark(
        &self,
        known: &Known,
        captures: &CapturePlane,
        (plane, block): (&Blocks, usize),
        marks: &mut MarkedPart,
    ) {
        known.each_tile(self.plan, captures, |panel, rows, worth| {
            plane.keep();
            let found = attained_tile(self.kernel, worth, (plane, block, panel), rows);
            for (found, &row) in found.iter().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
                *marks.word_mut(panel, row as usize) = *found;
            }
        });
    }

    /// Raises scores to what captures are worth.
    ///
    /// # Errors
    /// As [`Seat::attained`].
    pub fn raise(&self, captures: &CapturePlane, plane: &mut Blocks) -> Result<()> {
        let mut beside = self.look_beside(plane)?;
        for known in known(self.plan, self.cut, self.rank) {
            let (plane, block) = match (known.is_beside, &mut beside) {
                (true, Some(beside)) => (beside, 0),
                _ => (&mut *plane, known.own),
            };
            let first = plane.shape(block).first_row();
            known.each_tile(self.plan, captures, |panel, rows, worth| {
                plane.keep();
                let mut lines = plane.panels_mut(block, panel..panel + 1);
                raise_tile(worth, (&mut lines, first), rows);
            });
        }
        let (Some(lists), Some(beside)) = (self.beside(), beside) else { return Ok(()) };
        self.team.session(&mut |talk| lists.give_back(talk, &beside, plane))
    }
}

/// Gives others the marks beside one's own panels, and gets one's own from those who have them.
fn exchange_marks(
    lists: &Beside,
    talk: &Talk,
    beside: &MarkedPart,
    own: &mut MarkedPart,
) -> Result<()> {
    let panels = |rank| lists.cut.interval(lists.half, rank);
    for rank in lists.higher().filter(|_| !beside.words.is_empty()) {
        let start = beside.rectangle.panels.start;
        let of_row =
            |row: &[u64]| row[panels(rank).start - start..panels(rank).end - start].to_vec();
        let rows = beside.words.chunks_exact(beside.rectangle.panels.len());
        let words: Vec<u64> = rows.flat_map(of_row).collect();
        talk.send(rank, to_bytes(&words), Purpose::Whole)?;
    }
    for rank in lists.lower() {
        let (rows, width) = (lists.rows(rank), own.rectangle.panels.len());
        let bytes = size_of::<u64>() * rows.len() * width;
        let words = from_bytes(&talk.receive(rank, bytes)?);
        let start = (rows.start - own.rectangle.rows.start) * width;
        own.words[start..start + words.len()].copy_from_slice(&words);
    }
    Ok(())
}
