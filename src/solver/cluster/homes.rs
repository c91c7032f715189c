//! What home moves of smaller half-boards need from lower ranks: columns of one row, strip by strip.
//!
//! A sowing lowers the mover's own half-board, so home moves lead to the same rank or a lower one,
//! and ranks go through the strips like threads of a wavefront, each behind those below it.

use zerocopy::IntoBytes;

use super::cut::Cut;
use super::field::{packed, packed_size, unpacked};
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::layer::line::LINE;
use crate::layer::packing::Packing;
use crate::simd::set_lanes;
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::cross::Values;
use crate::solver::sweep::strips;

/// Columns of the smaller half-board that travel in one pair.
#[derive(Debug)]
pub struct Homes {
    /// By rank: the columns that come from it.
    from: Vec<Vec<u32>>,
    /// By rank: the columns that it gets.
    to: Vec<Vec<u32>>,
    /// How scores travel.
    packing: Packing,
}

impl Homes {
    /// The lists of one pair for one rank.
    pub fn new(plan: &LayerPlan, cut: &Cut, small: usize, rank: usize) -> Homes {
        let wanted = |to: usize, from: usize| {
            if to <= from { Vec::new() } else { columns(plan, cut, small, to, from) }
        };
        let ranks = 0..cut.ranks();
        Homes {
            from: ranks.clone().map(|from| wanted(rank, from)).collect(),
            to: ranks.map(|to| wanted(to, rank)).collect(),
            packing: Packing::of(plan.layer.range()),
        }
    }

    /// Puts what lower ranks have computed of a strip of this many rows where home moves look for it.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn receive(&self, talk: &Talk, size: (usize, usize), values: &mut Values) -> Result<()> {
        self.from.iter().enumerate().try_for_each(|(rank, columns)| {
            self.receive_columns(talk, rank, columns.len(), size, |plane, at, part| {
                let row = values.row_mut(plane, at).as_mut_bytes();
                columns.iter().zip(part).for_each(|(&column, &byte)| row[column as usize] = byte);
            })
        })
    }

    /// Sends what has been computed of a strip to those of higher ranks that are below `end`.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn send(
        &self,
        talk: &Talk,
        size: (usize, usize),
        values: &Values,
        end: usize,
    ) -> Result<()> {
        self.to.iter().enumerate().take(end).try_for_each(|(rank, columns)| {
            self.send_columns(talk, rank, columns.len(), size, |plane, at, scores| {
                let row = values.row(plane, at).as_bytes();
                scores.extend(columns.iter().map(|&column| row[column as usize]));
            })
        })
    }

    /// Gets so many columns of a strip that another rank has, and hands what comes of each row to `put`.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn receive_columns(
        &self,
        talk: &Talk,
        from: usize,
        width: usize,
        (planes, rows): (usize, usize),
        mut put: impl FnMut(usize, usize, &[u8]),
    ) -> Result<()> {
        let size = packed_size(self.packing, planes * rows * width);
        let scores = unpacked(self.packing, talk.receive(from, size)?);
        let parts = all_rows(planes, rows).zip(scores.chunks_exact(width.max(1)));
        parts.for_each(|((plane, at), part)| put(plane, at, part));
        Ok(())
    }

    /// Sends so many columns of a strip that this rank has, row after row, of which `add` adds them.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn send_columns(
        &self,
        talk: &Talk,
        to: usize,
        width: usize,
        (planes, rows): (usize, usize),
        add: impl Fn(usize, usize, &mut Vec<u8>),
    ) -> Result<()> {
        let mut scores = Vec::with_capacity(planes * rows * width);
        all_rows(planes, rows).for_each(|(plane, at)| add(plane, at, &mut scores));
        talk.send(to, packed(self.packing, scores), Purpose::Home)
    }
}

/// The rows of a strip, plane by plane.
pub fn all_rows(planes: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..planes).flat_map(move |plane| (0..rows).map(move |at| (plane, at)))
}

/// The columns of rank `from` that home moves of rank `to` lead to.
fn columns(plan: &LayerPlan, cut: &Cut, small: usize, to: usize, from: usize) -> Vec<u32> {
    let source = cut.interval(small, from);
    let mut marks = vec![0u64; strips(small)];
    for line in cut.interval(small, to) {
        for window in plan.blocks[small].half.home.of_line(line) {
            if source.contains(&(window.panel as usize)) {
                let mark = &mut marks[window.panel as usize];
                set_lanes(window.lanes).for_each(|lane| *mark |= 1 << window.picks.0[lane]);
            }
        }
    }
    let columns = |(panel, &word): (usize, &u64)| {
        set_lanes(word).map(move |lane| (panel * LINE + lane) as u32)
    };
    marks.iter().enumerate().flat_map(columns).collect()
}
