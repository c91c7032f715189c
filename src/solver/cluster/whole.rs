//! Whole planes, which the leader alone has: for checkpoints and tables.

use zerocopy::IntoBytes;

use super::beside::Beside;
use super::captures::{JointCaptures, Known, known};
use super::part::{Part, as_lines};
use super::seat::Seat;
use super::transport::{Purpose, Talk, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::blocks::{LINE, Line};
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::solver::kernel::Tile;
use crate::solver::plan::OUTSIDE;

impl Seat<'_> {
    /// Shows the leader a whole plane, given each rank's parts: block by block.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn gather(&self, parts: &[Part]) -> Result<Option<Plane>> {
        let plane = || Plane::new(self.plan.layer, 0);
        let mut plane = self.team.leads().then(plane).transpose()?;
        for (block, part) in parts.iter().enumerate() {
            self.team.session(&mut |talk| {
                let Some(plane) = &mut plane else {
                    return talk.send(0, part.bytes().to_vec(), Purpose::Whole);
                };
                self.put(plane, block, self.rank, &part.lines);
                for rank in self.team.others() {
                    let lines = as_lines(&talk.receive(rank, self.size(block, rank))?);
                    self.put(plane, block, rank, &lines);
                }
                Ok(())
            })?;
        }
        Ok(plane)
    }

    /// The other way round: gives each rank its parts of the leader's plane.
    ///
    /// # Errors
    /// As [`Seat::gather`].
    pub fn scatter(&self, plane: Option<&Plane>) -> Result<Vec<Part>> {
        let mut parts = super::part::parts(self.plan, self.cut, self.rank, 0)?;
        for (block, part) in parts.iter_mut().enumerate() {
            self.team.session(&mut |talk| {
                let Some(plane) = plane else {
                    part.set_bytes(&talk.receive(0, self.size(block, self.rank))?);
                    return Ok(());
                };
                part.lines = self.cut_out(plane, block, self.rank);
                self.team.others().try_for_each(|rank| {
                    let lines = self.cut_out(plane, block, rank);
                    talk.send(rank, lines.as_bytes().to_vec(), Purpose::Whole)
                })
            })?;
        }
        Ok(parts)
    }

    /// Bytes of a rank's part of a block.
    fn size(&self, block: usize, rank: usize) -> usize {
        let [panels, rows] = self.cut.share(self.plan, block, rank);
        panels.len() * rows.len() * LINE
    }

    fn put(&self, plane: &mut Plane, block: usize, rank: usize, lines: &[Line]) {
        let [panels, rows] = self.cut.share(self.plan, block, rank);
        let height = plane.blocks().shape(block).rows();
        let all = plane.blocks_mut().block_mut(block);
        for (panel, lines) in panels.zip(lines.chunks_exact(rows.len().max(1))) {
            all[panel * height..][rows.clone()].copy_from_slice(lines);
        }
    }

    fn cut_out(&self, plane: &Plane, block: usize, rank: usize) -> Vec<Line> {
        let [panels, rows] = self.cut.share(self.plan, block, rank);
        let height = plane.blocks().shape(block).rows();
        let all = plane.blocks().block(block);
        panels.flat_map(|panel| all[panel * height..][rows.clone()].iter().copied()).collect()
    }

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

    /// Shows the leader which scores are just what captures are worth.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn attained(&self, captures: &JointCaptures, parts: &[Part]) -> Result<Option<Marks>> {
        let beside = self.look_beside(parts)?;
        let mut words = Vec::new();
        for known in known(self.plan, self.cut, self.rank) {
            let part = known.part(parts, &beside);
            words.extend(self.marks(&known, captures, part));
        }
        let mut marks = self.team.leads().then(|| Marks::none(self.plan.layer));
        self.team.session(&mut |talk| {
            let Some(marks) = &mut marks else {
                return talk.send(0, to_bytes(&words), Purpose::Whole);
            };
            self.mark(marks, self.rank, &words);
            self.team.others().try_for_each(|rank| self.hear_marks(talk, rank, marks))
        })?;
        Ok(marks)
    }

    fn hear_marks(&self, talk: &Talk, rank: usize, marks: &mut Marks) -> Result<()> {
        let words: usize = known(self.plan, self.cut, rank).iter().map(Known::words).sum();
        self.mark(marks, rank, &from_bytes(&talk.receive(rank, words * size_of::<u64>())?));
        Ok(())
    }

    /// By panel and row: the marks of a line.
    fn marks(&self, known: &Known, captures: &JointCaptures, part: &Part) -> Vec<u64> {
        let (height, kernel) = (known.rows.len(), self.kernel);
        let mut words = vec![0; known.words()];
        known.each_tile(self.plan, captures, |panel, rows, worth| {
            let lines = part.panel(panel);
            let mut scores = [Line::of(0); LINE];
            for (line, &row) in scores.iter_mut().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
                *line = lines[row as usize - part.rows.start];
            }
            let (found, columns) = (kernel.opposite(worth, &scores), known.columns(panel));
            let words = &mut words[(panel - known.panels.start) * height..][..height];
            for (found, &row) in found.iter().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
                words[row as usize - known.rows.start] = found & columns;
            }
        });
        words
    }

    fn mark(&self, marks: &mut Marks, rank: usize, words: &[u64]) {
        let mut words = words.iter();
        for known in known(self.plan, self.cut, rank) {
            let (width, all) = marks.block_mut(known.own);
            for panel in known.panels.clone() {
                for (row, &word) in known.rows.clone().zip(&mut words) {
                    all[row * width + panel] = word;
                }
            }
        }
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

fn raise(part: &mut Part, panel: usize, rows: &[u32], worth: &Tile) {
    let first = part.rows.start;
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
