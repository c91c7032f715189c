//! A pair of blocks on one rank, strip after strip.

use std::ops::Range;

use rayon::prelude::*;

use super::crossing::{Crossing, Haul};
use super::cut::Role;
use super::homes::{Homes, receive_all, send_all};
use super::links::Ghosts;
use super::part::{Field, Part};
use super::task::JointSweep;
use super::transport::Talk;
use crate::error::Result;
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::kernel::{Log, Tile};
use crate::solver::sweep::cross::{Buffer, Out, Values, tile_of};
use crate::solver::sweep::rows::{Buffers, Panels, Row, Rows};
use crate::solver::sweep::strips;

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
    pub beside: Vec<[Part; 2]>,
}

/// The smaller block, taken out of the field: by plane.
pub struct Small(Vec<Part>);

impl Small {
    fn keep(&self) {
        self.0.iter().for_each(Part::keep);
    }
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

    /// The first own panels of the smaller block, this many.
    fn panels<'p>(&self, small: &'p mut Small, count: usize) -> Panels<'p>
    where
        'a: 'p,
    {
        let bounds = self.sweep.bounds.into_iter().flatten();
        Panels {
            first: self.interval.start,
            count,
            rows: small.0[0].height(),
            planes: small.0.iter_mut().map(|part| LinesMut::Byte(&mut part.lines)).collect(),
            bounds: bounds.map(|plane| Lines::Byte(&plane[self.small].lines)).collect(),
        }
    }

    /// Sweeps two blocks that differ.
    pub fn run(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (planes, panels) = (field.planes.len(), self.interval.clone());
        let mut small = self.take_small(field);
        let mut buffers = Buffers::new(self.sweep.is_of_core(), planes, &panels);
        let mut lines = vec![Line::of(0); Values::lines(planes, strips(self.small))];
        let mut values = Values { panels: strips(self.small), lines: &mut lines };
        let wanted = strips(self.large) * planes * LINE * panels.len();
        let mut late = std::mem::take(&mut field.late);
        if late.len() < wanted {
            drop(late);
            late = super::part::lines(wanted, 0)?;
        }
        let mut aside = late.chunks_exact_mut(panels.len());
        for strip in 0..strips(self.large) {
            let height = self.rows().of_strip(strip).count();
            small.keep();
            self.cross(strip, panels.clone(), field, &mut buffers);
            self.look_back(strip, field, &mut buffers);
            self.homes().receive(talk, (planes, height), &mut values)?;
            let mut here = self.panels(&mut small, panels.len());
            for (at, rank) in self.rows().of_strip(strip) {
                let row = Row { at, rank, columns: rows(self.small) };
                self.rows().both(row, &mut values, &buffers, &mut here, log);
            }
            self.homes().send(talk, (planes, height), &values, usize::MAX)?;
            for plane in 0..planes {
                for (at, aside) in (0..LINE).zip(&mut aside) {
                    aside.copy_from_slice(&values.row(plane, at)[panels.clone()]);
                }
            }
        }
        self.put_small(field, small);
        self.settle(&late, field, log);
        field.late = late;
        Ok(())
    }

    /// Sweeps block n/2 with itself: a strip is 64 shells, and belongs to the rank that has its panel.
    pub fn run_alone(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (JointSweep { cut, rank, .. }, half) = (*self.sweep, self.small);
        let planes = field.planes.len();
        let mut small = self.take_small(field);
        let mut buffers = Buffers::new(self.sweep.is_of_core(), planes, &self.interval);
        let mut lines = vec![Line::of(0); Values::lines(planes, strips(half))];
        let mut values = Values { panels: strips(half), lines: &mut lines };
        // No lower rank's panels are in the way of the first strips.
        for strip in self.interval.start..strips(half) {
            let (height, owner) = (self.rows().of_strip(strip).count(), cut.owner(half, strip));
            small.keep();
            let meets = owner == rank;
            let panels = self.interval.start..self.interval.end.min(strip + 1);
            self.cross(strip, panels.clone(), field, &mut buffers);
            self.look_back_alone(strip, panels.clone(), &small, &mut buffers);
            if meets {
                for lower in 0..rank {
                    receive_all(talk, lower, (planes, cut.interval(half, lower)), &mut values)?;
                }
            } else {
                self.homes().receive(talk, (planes, height), &mut values)?;
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
                self.homes().send(talk, (planes, height), &values, owner)?;
                send_all(talk, owner, (planes, self.interval.clone()), &values)?;
            }
        }
        self.put_small(field, small);
        Ok(())
    }

    fn take_small(&self, field: &mut Field) -> Small {
        let take =
            |plane: &mut Vec<Part>| std::mem::replace(&mut plane[self.small], Part::nothing());
        Small(field.planes.iter_mut().map(take).collect())
    }

    fn put_small(&self, field: &mut Field, small: Small) {
        for (plane, part) in field.planes.iter_mut().zip(small.0) {
            plane[self.small] = part;
        }
    }

    /// The first stage of a strip, in some of the own panels.
    fn cross(&self, strip: usize, panels: Range<usize>, field: &Field, buffers: &mut Buffers) {
        let leaders = self.crossing(Role::Lead).hauls(strip);
        for here in 0..field.planes.len() {
            let there = field.planes.len() - 1 - here;
            let plane = (here, &field.planes[there][..], self.ghosts.plane(there));
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
    fn look_back(&self, strip: usize, field: &Field, buffers: &mut Buffers) {
        let Some(bounds) = self.sweep.bounds else { return };
        for (plane, old) in buffers.old.iter_mut().enumerate() {
            let parts = [&field.planes[plane][self.large], &bounds[plane][self.large]];
            self.look_at(strip, self.interval.clone(), parts, old);
        }
    }

    /// The same in block n/2, where it may stand beside.
    fn look_back_alone(
        &self,
        strip: usize,
        panels: Range<usize>,
        small: &Small,
        buffers: &mut Buffers,
    ) {
        let Some(bounds) = self.sweep.bounds else { return };
        for (plane, old) in buffers.old.iter_mut().enumerate() {
            let parts = if self.interval.contains(&strip) {
                [&small.0[plane], &bounds[plane][self.small]]
            } else {
                self.beside[plane].each_ref()
            };
            self.look_at(strip, panels.clone(), parts, old);
        }
    }

    /// Turns what stands in a strip's panel, and its bounds, as its rows are computed.
    fn look_at(
        &self,
        strip: usize,
        lines: Range<usize>,
        parts: [&Part; 2],
        buffers: &mut [Buffer; 2],
    ) {
        for (part, buffer) in parts.into_iter().zip(buffers) {
            let panel = Lines::Byte(part.panel(strip));
            for (at, line) in lines.clone().enumerate() {
                buffer.out().put(at, &self.rows().turned(panel, part.rows.start, line));
            }
        }
    }

    /// Stores the own rows of the larger block, strip by strip and plane by plane as they were kept.
    fn settle(&self, late: &[Line], field: &mut Field, log: &mut Log) {
        let width = self.interval.len();
        let mut kept = late.chunks_exact(LINE * width);
        for strip in 0..strips(self.large) {
            for plane in 0..field.planes.len() {
                let lines = kept.next().expect("all strips and planes");
                for (at, panel) in self.interval.clone().enumerate() {
                    let mut tile = Tile::of(0);
                    let lines = lines.chunks_exact(width);
                    tile.0.iter_mut().zip(lines).for_each(|(line, row)| *line = row[at]);
                    let part = &mut field.planes[plane][self.large];
                    self.settle_tile((plane, strip, panel), tile, part, log);
                }
            }
        }
    }

    /// Stores the columns of a strip of block n/2: its own panel.
    fn settle_alone(&self, strip: usize, values: &Values, small: &mut Small, log: &mut Log) {
        for (plane, part) in small.0.iter_mut().enumerate() {
            for panel in 0..strip + 1 {
                let tile = tile_of(values.plane(plane), values.panels, panel);
                self.settle_tile((plane, strip, panel), tile, part, log);
            }
        }
    }

    fn settle_tile(
        &self,
        place: (usize, usize, usize),
        tile: Tile,
        part: &mut Part,
        log: &mut Log,
    ) {
        part.keep();
        let first = part.rows.start;
        let panel = LinesMut::Byte(part.panel_mut(place.1));
        self.rows().settle(place, tile, (panel, first), log);
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
