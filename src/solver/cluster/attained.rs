//! What captures make of a solved layer: which scores they attain, and to what they raise others.

use super::beside::Beside;
use super::captures::{JointCaptures, Known, known};
use super::part::{MarkedPart, Part};
use super::seat::Seat;
use super::transport::{Purpose, Talk, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::line::{LINE, Line};
use crate::solver::kernel::Tile;
use crate::solver::plan::OUTSIDE;

impl Seat<'_> {
    /// What stands beside the own panels of block n/2, if there is such a block.
    fn beside(&self) -> Option<Beside<'_>> {
        let seeds = self.plan.layer.seeds().get();
        let Seat { plan, cut, rank, .. } = *self;
        seeds.is_multiple_of(2).then_some(Beside { plan, cut, half: seeds / 2, rank })
    }

    fn look_beside(&self, parts: &[Part]) -> Result<Option<Part>> {
        let Some(beside) = self.beside() else { return Ok(None) };
        let mut found = None;
        self.team.session(&mut |talk| {
            found = Some(beside.fetch(talk, &parts[beside.half], Purpose::Whole)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Finds out which of the own scores are just what captures are worth: by block.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn attained(&self, captures: &JointCaptures, parts: &[Part]) -> Result<Vec<MarkedPart>> {
        let beside = self.look_beside(parts)?;
        let of_part = |part: &Part| MarkedPart::new(part.panels.clone(), part.rows.clone());
        let mut marks: Vec<MarkedPart> = parts.iter().map(of_part).collect();
        let mut marks_beside = beside.as_ref().map(of_part);
        for known in known(self.plan, self.cut, self.rank) {
            let part = known.part(parts, &beside);
            let marks =
                if known.is_beside { marks_beside.as_mut() } else { marks.get_mut(known.own) };
            self.mark(&known, captures, part, marks.expect("a block of the layer"));
        }
        let (Some(lists), Some(beside)) = (self.beside(), marks_beside) else { return Ok(marks) };
        let own = &mut marks[lists.half];
        self.team.session(&mut |talk| exchange_marks(&lists, talk, &beside, own))?;
        Ok(marks)
    }

    fn mark(&self, known: &Known, captures: &JointCaptures, part: &Part, marks: &mut MarkedPart) {
        known.each_tile(self.plan, captures, |panel, rows, worth| {
            part.keep();
            let lines = part.panel(panel);
            let mut scores = [Line::of(0); LINE];
            for (line, &row) in scores.iter_mut().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
                *line = lines[row as usize - part.rows.start];
            }
            let (found, columns) = (self.kernel.opposite(worth, &scores), known.columns(panel));
            for (found, &row) in found.iter().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
                *marks.word_mut(panel, row as usize) = found & columns;
            }
        });
    }

    /// Raises scores to what captures are worth.
    ///
    /// # Errors
    /// As [`Seat::attained`].
    pub fn raise(&self, captures: &JointCaptures, parts: &mut [Part]) -> Result<()> {
        let mut beside = self.look_beside(parts)?;
        for known in known(self.plan, self.cut, self.rank) {
            let part = if known.is_beside { beside.as_mut() } else { parts.get_mut(known.own) };
            let part = part.expect("a block of the layer");
            known.each_tile(self.plan, captures, |panel, rows, worth| {
                raise(part, panel, rows, worth)
            });
        }
        let (Some(lists), Some(beside)) = (self.beside(), beside) else { return Ok(()) };
        self.team.session(&mut |talk| lists.give_back(talk, &beside, &mut parts[lists.half]))
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
        let start = beside.panels.start;
        let of_row =
            |row: &[u64]| row[panels(rank).start - start..panels(rank).end - start].to_vec();
        let rows = beside.words.chunks_exact(beside.panels.len());
        let words: Vec<u64> = rows.flat_map(of_row).collect();
        talk.send(rank, to_bytes(&words), Purpose::Whole)?;
    }
    for rank in lists.lower() {
        let (rows, width) = (lists.rows(rank), own.panels.len());
        let bytes = size_of::<u64>() * rows.len() * width;
        let words = from_bytes(&talk.receive(rank, bytes)?);
        let start = (rows.start - own.rows.start) * width;
        own.words[start..start + words.len()].copy_from_slice(&words);
    }
    Ok(())
}

fn raise(part: &mut Part, panel: usize, rows: &[u32], worth: &Tile) {
    let first = part.rows.start;
    part.keep();
    let lines = part.panel_mut(panel);
    for (worth, &row) in worth.0.iter().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
        let scores = lines[row as usize - first].0.iter_mut().zip(worth.0);
        scores.for_each(|(score, negated)| *score = (*score).max(-negated));
    }
}

impl Known {
    /// The scores that it is about.
    fn part<'p>(&self, parts: &'p [Part], beside: &'p Option<Part>) -> &'p Part {
        let part = if self.is_beside { beside.as_ref() } else { parts.get(self.own) };
        part.expect("a block of the layer")
    }
}
