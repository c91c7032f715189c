//! What home moves of smaller half-boards need from lower ranks: columns of one row, strip by strip.
//!
//! A sowing lowers the mover's own half-board, so home moves lead to the same rank or a lower one,
//! and ranks go through the strips like threads of a wavefront, each behind those below it.

use std::ops::Range;

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
    pub fn receive(
        &self,
        talk: &Talk,
        (planes, rows): (usize, usize),
        values: &mut Values,
    ) -> Result<()> {
        for (rank, columns) in self.from.iter().enumerate() {
            let size = packed_size(self.packing, columns.len() * rows * planes);
            let scores = unpacked(self.packing, talk.receive(rank, size)?);
            let mut parts = scores.chunks_exact(columns.len().max(1));
            for plane in 0..planes {
                for (at, part) in (0..rows).zip(&mut parts) {
                    let row = values.row_mut(plane, at).as_mut_bytes();
                    columns
                        .iter()
                        .zip(part)
                        .for_each(|(&column, &byte)| row[column as usize] = byte);
                }
            }
        }
        Ok(())
    }

    /// Sends what has been computed of a strip to those of higher ranks that are below `end`.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn send(
        &self,
        talk: &Talk,
        (planes, rows): (usize, usize),
        values: &Values,
        end: usize,
    ) -> Result<()> {
        for (rank, columns) in self.to.iter().enumerate().take(end) {
            let mut scores = Vec::with_capacity(columns.len() * rows * planes);
            for plane in 0..planes {
                for row in (0..rows).map(|at| values.row(plane, at).as_bytes()) {
                    scores.extend(columns.iter().map(|&column| row[column as usize]));
                }
            }
            talk.send(rank, packed(self.packing, scores), Purpose::Home)?;
        }
        Ok(())
    }

    /// Sends all panels of a strip that this rank has, row after row.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn send_all(
        &self,
        talk: &Talk,
        to: usize,
        (planes, panels): (usize, Range<usize>),
        values: &Values,
    ) -> Result<()> {
        let rows = (0..planes)
            .flat_map(|plane| (0..LINE).map(move |at| values.row(plane, at)))
            .map(|row| &row[panels.clone()]);
        let scores = rows.flat_map(|row| row.as_bytes().iter().copied()).collect();
        talk.send(to, packed(self.packing, scores), Purpose::Home)
    }

    /// Gets all panels of a strip that another rank has.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn receive_all(
        &self,
        talk: &Talk,
        from: usize,
        (planes, panels): (usize, Range<usize>),
        values: &mut Values,
    ) -> Result<()> {
        let width = panels.len() * LINE;
        let size = packed_size(self.packing, planes * LINE * width);
        let scores = unpacked(self.packing, talk.receive(from, size)?);
        let mut rows = scores.chunks_exact(width.max(1));
        for plane in 0..planes {
            for (at, row) in (0..LINE).zip(&mut rows) {
                values.row_mut(plane, at)[panels.clone()].as_mut_bytes().copy_from_slice(row);
            }
        }
        Ok(())
    }
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
