//! A pair of blocks on one rank, strip after strip.

use std::ops::Range;

use rayon::prelude::*;

use super::crossing::{Crossing, Haul};
use super::cut::Role;
use super::field::{self, Field};
use super::homes::Homes;
use super::links::Ghosts;
use super::task::JointSweep;
use super::transport::Talk;
use crate::error::Result;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut};
use crate::layer::spill::Spill;
use crate::solver::kernel::{Log, Tile};
use crate::solver::sweep::cross::{Buffer, Out, Values, tile_of};
use crate::solver::sweep::rows::{Buffers, Panels, Row, Rows};
use crate::solver::sweep::{Apart, Stream, Views, apart, streams, strips, views};

/// A pair on one rank.
pub struct Pair<'a> {
    pub sweep: &'a JointSweep<'a>,
    pub small: usize,
    pub large: usize,
    /// Panels of the smaller half-board that are here.
    pub interval: Range<usize>,
    /// By tile of the interval: crossing moves of the smaller block.
    pub followers: Vec<Vec<Haul<'a>>>,
    pub ghosts: Ghosts,
    /// In block n/2, if there are limits: by plane, what stands beside, and its bounds.
    pub beside: Vec<[Blocks; 2]>,
}

impl<'a> Pair<'a> {
    /// Where crossing moves of a role find scores.
    pub fn crossing(&self, role: Role) -> Crossing<'a> {
        let links = &self.sweep.lists[self.small].links;
        Crossing { sweep: self.sweep, small: self.small, role, links }
    }

    fn homes(&self) -> &'a Homes {
        &self.sweep.lists[self.small].homes
    }

    /// Its rows.
    pub fn rows(&self) -> Rows<'a> {
        let JointSweep { plan, kernel, .. } = *self.sweep;
        let (has_bounds, small, large) = (self.sweep.is_of_core(), self.small, self.large);
        Rows { plan, kernel, has_bounds, small, large }
    }

    fn rectangle(&self, block: usize) -> &'a Rectangle {
        &self.sweep.shares[block]
    }

    /// The first own panels of the smaller block, this many.
    fn panels<'p>(&self, small: &'p mut [LinesMut], count: usize) -> Panels<'p>
    where
        'a: 'p,
    {
        let bounds = self.sweep.bounds.into_iter().flatten();
        Panels {
            first: self.interval.start,
            count,
            rows: self.rectangle(self.small).rows.len(),
            planes: small.iter_mut().map(LinesMut::reborrow).collect(),
            bounds: bounds.map(|plane| plane.block(self.small)).collect(),
        }
    }

    /// Sweeps two blocks that differ.
    pub fn run(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (count, panels) = (field.planes.len(), self.interval.clone());
        let mut buffers = Buffers::new(self.sweep.is_of_core(), count, &panels);
        let mut lines = vec![Line::of(0); Values::lines(count, strips(self.small))];
        let mut values = Values { panels: strips(self.small), lines: &mut lines };
        let wanted = strips(self.large) * count * LINE * panels.len();
        if field.late.len() < wanted {
            field.late = Vec::new();
            field.late = field::lines(wanted, 0)?;
        }
        let Field { planes, late } = field;
        let spill = planes[0].spill();
        let mut planes = apart(planes);
        let mut small = self.take_small(&mut planes);
        let views = views(&planes);
        let mut aside = late.chunks_exact_mut(panels.len());
        for strip in 0..strips(self.large) {
            let height = self.rows().of_strip(strip).count();
            spill.iter().for_each(Spill::keep);
            self.cross(strip, panels.clone(), &views, &mut buffers);
            self.look_back(strip, &views, &mut buffers);
            self.homes().receive(talk, (count, height), &mut values)?;
            let mut here = self.panels(&mut small, panels.len());
            for (at, rank) in self.rows().of_strip(strip) {
                let row = Row { at, rank, columns: rows(self.small) };
                self.rows().both(row, &mut values, &buffers, &mut here, log);
            }
            self.homes().send(talk, (count, height), &values, usize::MAX)?;
            for plane in 0..count {
                for (at, aside) in (0..LINE).zip(&mut aside) {
                    aside.copy_from_slice(&values.row(plane, at)[panels.clone()]);
                }
            }
        }
        drop(views);
        self.settle(late, &mut planes, spill.as_ref(), log);
        Ok(())
    }

    /// Sweeps block n/2 with itself: a strip is 64 shells, and belongs to the rank that has its panel.
    pub fn run_alone(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (JointSweep { cut, rank, .. }, half) = (*self.sweep, self.small);
        let count = field.planes.len();
        let mut buffers = Buffers::new(self.sweep.is_of_core(), count, &self.interval);
        let mut lines = vec![Line::of(0); Values::lines(count, strips(half))];
        let mut values = Values { panels: strips(half), lines: &mut lines };
        let spill = field.planes[0].spill();
        let mut planes = apart(&mut field.planes);
        let mut small = self.take_small(&mut planes);
        let views = views(&planes);
        // No lower rank's panels are in the way of the first strips.
        for strip in self.interval.start..strips(half) {
            let (height, owner) = (self.rows().of_strip(strip).count(), cut.owner(half, strip));
            spill.iter().for_each(Spill::keep);
            let meets = owner == rank;
            let panels = self.interval.start..self.interval.end.min(strip + 1);
            self.cross(strip, panels.clone(), &views, &mut buffers);
            self.look_back_alone(strip, panels.clone(), &small, &mut buffers);
            if meets {
                for lower in 0..rank {
                    let panels = cut.interval(half, lower);
                    self.homes().receive_all(talk, lower, (count, panels), &mut values)?;
                }
            } else {
                self.homes().receive(talk, (count, height), &mut values)?;
            }
            let below = panels.len() - usize::from(meets);
            let mut here = self.panels(&mut small, panels.len());
            for (at, rank) in self.rows().of_strip(strip) {
                let row = Row { at, rank, columns: rank };
                self.rows().shell(row, (below, meets), &mut values, &buffers, &mut here, log);
            }
            if meets {
                self.settle_alone(strip, &values, &mut small, log);
            } else {
                self.homes().send(talk, (count, height), &values, owner)?;
                self.homes().send_all(talk, owner, (count, self.interval.clone()), &values)?;
            }
        }
        Ok(())
    }

    /// The smaller block of all planes.
    fn take_small<'p>(&self, planes: &mut [Apart<'p>]) -> Vec<LinesMut<'p>> {
        planes.iter_mut().map(|blocks| std::mem::take(&mut blocks[self.small])).collect()
    }

    /// The first stage of a strip, in some of the own panels.
    fn cross(&self, strip: usize, panels: Range<usize>, views: &Views, buffers: &mut Buffers) {
        let leaders = self.crossing(Role::Lead).hauls(strip);
        for Stream { here, there } in streams(views.len()) {
            let plane = (here, &views[there][..], self.ghosts.plane(there));
            each_tile(panels.clone(), &mut buffers.lead[here].out(), |line, out| {
                self.crossing(Role::Lead).tile((&leaders, strip, line), plane, out);
            });
            each_tile(panels.clone(), &mut buffers.follow[here].out(), |tile, out| {
                let hauls = &self.followers[tile - self.interval.start];
                self.crossing(Role::Follow).tile((hauls, tile, strip), plane, out);
                self.sweep.kernel.transpose(out);
            });
        }
    }

    /// If there are limits: what the own rows of the strip's panel were, and their bounds.
    fn look_back(&self, strip: usize, views: &Views, buffers: &mut Buffers) {
        let (Some(bounds), own) = (self.sweep.bounds, self.rectangle(self.large)) else { return };
        for (plane, old) in buffers.old.iter_mut().enumerate() {
            let both = [views[plane][self.large], bounds[plane].block(self.large)];
            self.look_at(strip, self.interval.clone(), (both, own), old);
        }
    }

    /// The same in block n/2, where it may stand beside.
    fn look_back_alone(
        &self,
        strip: usize,
        panels: Range<usize>,
        small: &[LinesMut],
        buffers: &mut Buffers,
    ) {
        let (Some(bounds), own) = (self.sweep.bounds, self.rectangle(self.small)) else { return };
        for (plane, old) in buffers.old.iter_mut().enumerate() {
            if self.interval.contains(&strip) {
                let both = [small[plane].as_lines(), bounds[plane].block(self.small)];
                self.look_at(strip, panels.clone(), (both, own), old);
            } else {
                let beside = self.beside[plane].each_ref();
                let both = beside.map(|beside| beside.block(0));
                self.look_at(strip, panels.clone(), (both, &beside[0].shape(0).rectangle()), old);
            }
        }
    }

    /// Turns what stands in a strip's panel of a rectangle, and its bounds, as its rows are computed.
    fn look_at(
        &self,
        strip: usize,
        lines: Range<usize>,
        (both, own): ([Lines; 2], &Rectangle),
        buffers: &mut [Buffer; 2],
    ) {
        let height = own.rows.len();
        let first = (strip - own.panels.start) * height;
        for (all, buffer) in both.into_iter().zip(buffers) {
            let panel = all.range(first..first + height);
            for (at, line) in lines.clone().enumerate() {
                buffer.out().put(at, &self.rows().turned(panel, own.rows.start, line));
            }
        }
    }

    /// Stores the own rows of the larger block, strip by strip and plane by plane as they were kept.
    fn settle(&self, late: &[Line], planes: &mut [Apart], spill: Option<&Spill>, log: &mut Log) {
        let width = self.interval.len();
        let mut kept = late.chunks_exact(LINE * width);
        for strip in 0..strips(self.large) {
            for (plane, blocks) in planes.iter_mut().enumerate() {
                let lines = kept.next().expect("all strips and planes");
                for (at, panel) in self.interval.clone().enumerate() {
                    let mut tile = Tile::of(0);
                    let lines = lines.chunks_exact(width);
                    tile.0.iter_mut().zip(lines).for_each(|(line, row)| *line = row[at]);
                    spill.into_iter().for_each(Spill::keep);
                    let large = blocks[self.large].reborrow();
                    self.settle_tile((plane, strip, panel), tile, (large, self.large), log);
                }
            }
        }
    }

    /// Stores the columns of a strip of block n/2: its own panel.
    fn settle_alone(&self, strip: usize, values: &Values, small: &mut [LinesMut], log: &mut Log) {
        for (plane, lines) in small.iter_mut().enumerate() {
            for panel in 0..strip + 1 {
                let tile = tile_of(values.plane(plane), values.panels, panel);
                let lines = (lines.reborrow(), self.small);
                self.settle_tile((plane, strip, panel), tile, lines, log);
            }
        }
    }

    fn settle_tile(
        &self,
        place: (usize, usize, usize),
        tile: Tile,
        (lines, block): (LinesMut, usize),
        log: &mut Log,
    ) {
        let Rectangle { panels, rows } = self.rectangle(block);
        let first = (place.1 - panels.start) * rows.len();
        let panel = lines.range(first..first + rows.len());
        self.rows().settle(place, tile, (panel, rows.start), log);
    }
}

/// Computes tiles, on several threads if there are any to spare, and puts them into a buffer whose
/// panels begin with these.
fn each_tile(
    panels: Range<usize>,
    buffer: &mut Out,
    compute: impl Fn(usize, &mut Tile) + Sync + Send,
) {
    if rayon::current_num_threads() == 1 || panels.len() == 1 {
        let mut tile = Tile::of(0);
        return panels.enumerate().for_each(|(at, panel)| {
            compute(panel, &mut tile);
            buffer.put(at, &tile);
        });
    }
    let mut tiles = vec![Tile::of(0); panels.len()];
    panels.into_par_iter().zip(&mut tiles).for_each(|(panel, tile)| compute(panel, tile));
    tiles.iter().enumerate().for_each(|(at, tile)| buffer.put(at, tile));
}
