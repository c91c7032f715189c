//! A pair of blocks on one rank, strip after strip.

use std::ops::Range;

use super::crossing::{Crossing, Haul};
use super::cut::{Role, strips};
use super::homes::{Homes, receive_all, send_all};
use super::links::Ghosts;
use super::part::{Field, Part};
use super::sheet::{Sheet, each_tile};
use super::task::JointSweep;
use super::transport::Talk;
use crate::error::Result;
use crate::layer::index::rows;
use crate::layer::line::LINE;
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::kernel::{Follow, Lead, Log, Spot, Tile};
use crate::solver::plan::OUTSIDE;

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

/// What strips work on, one after the other: by plane.
pub struct Sheets {
    /// What captures and crossing moves leave in the larger block.
    pub lead: Vec<Sheet>,
    /// The same in the smaller block.
    pub follow: Vec<Sheet>,
    /// If there are limits: what stands in the larger block, and its bounds.
    pub old: Vec<[Sheet; 2]>,
    /// What becomes of the larger block, in all panels.
    pub values: Vec<Sheet>,
}

/// The smaller block, taken out of the field: by plane.
pub struct Small {
    pub planes: Vec<Part>,
}

impl Small {
    fn keep(&self) {
        self.planes.iter().for_each(Part::keep);
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

    fn sheets(&self, planes: usize) -> Sheets {
        let limits = if self.sweep.bounds.is_some() { planes } else { 0 };
        let own = |count| vec![Sheet::new(&self.interval); count];
        let old = || [(); 2].map(|()| Sheet::new(&self.interval));
        Sheets {
            lead: own(planes),
            follow: own(planes),
            old: (0..limits).map(|_| old()).collect(),
            values: vec![Sheet::new(&(0..strips(self.small))); planes],
        }
    }

    /// Rows of a strip.
    fn ranks(&self, strip: usize) -> Range<usize> {
        strip * LINE..rows(self.large).min((strip + 1) * LINE)
    }

    /// Sweeps two blocks that differ.
    pub fn run(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (planes, panels) = (field.planes.len(), self.interval.clone());
        let mut small = self.take_small(field);
        let mut sheets = self.sheets(planes);
        let size = LINE * panels.len();
        let wanted = strips(self.large) * planes * size;
        let mut late = std::mem::take(&mut field.late);
        if late.len() < wanted {
            drop(late);
            late = super::part::lines(wanted, 0)?;
        }
        for (strip, late) in late[..wanted].chunks_exact_mut(planes * size).enumerate() {
            let ranks = self.ranks(strip);
            small.keep();
            self.cross(strip, panels.clone(), field, &mut sheets);
            self.look_back(strip, field, &mut sheets);
            self.homes().receive(talk, ranks.len(), &mut sheets.values)?;
            for rank in ranks.clone() {
                self.row(
                    rank,
                    panels.len(),
                    rows(self.small),
                    &mut sheets,
                    &mut small,
                    log,
                    |_, _| {},
                );
            }
            self.homes().send(talk, ranks.len(), &sheets.values, usize::MAX)?;
            for (sheet, late) in sheets.values.iter().zip(late.chunks_exact_mut(size)) {
                for (at, late) in late.chunks_exact_mut(panels.len()).enumerate() {
                    late.copy_from_slice(&sheet.row(at)[panels.clone()]);
                }
            }
        }
        self.put_small(field, small);
        self.settle(&late[..wanted], field, log);
        field.late = late;
        Ok(())
    }

    /// Sweeps block n/2 with itself: a strip is 64 shells, and belongs to whoever has its panel.
    pub fn run_alone(&self, talk: &Talk, field: &mut Field, log: &mut Log) -> Result<()> {
        let (JointSweep { cut, rank, .. }, half) = (*self.sweep, self.small);
        let planes = field.planes.len();
        let mut small = self.take_small(field);
        let mut sheets = self.sheets(planes);
        // No lower rank's panels are in the way of the first strips.
        for strip in self.interval.start..strips(half) {
            let (ranks, owner) = (self.ranks(strip), cut.owner(half, strip));
            small.keep();
            let meets = owner == rank;
            let panels = self.interval.start..self.interval.end.min(strip + 1);
            self.cross(strip, panels.clone(), field, &mut sheets);
            self.look_back_alone(strip, panels.clone(), &small, &mut sheets);
            if meets {
                for lower in 0..rank {
                    receive_all(talk, lower, cut.interval(half, lower), &mut sheets.values)?;
                }
            } else {
                self.homes().receive(talk, ranks.len(), &mut sheets.values)?;
            }
            let below = panels.len() - usize::from(meets);
            for number in ranks.clone() {
                self.row(number, below, number, &mut sheets, &mut small, log, |sheets, small| {
                    if meets {
                        self.corner(strip, number - ranks.start, sheets, small);
                    }
                });
            }
            if meets {
                self.settle_alone(strip, &sheets.values, &mut small, log);
            } else {
                self.homes().send(talk, ranks.len(), &sheets.values, owner)?;
                send_all(talk, owner, self.interval.clone(), &sheets.values)?;
            }
        }
        self.put_small(field, small);
        Ok(())
    }

    fn take_small(&self, field: &mut Field) -> Small {
        let take =
            |plane: &mut Vec<Part>| std::mem::replace(&mut plane[self.small], Part::nothing());
        Small { planes: field.planes.iter_mut().map(take).collect() }
    }

    fn put_small(&self, field: &mut Field, small: Small) {
        for (plane, part) in field.planes.iter_mut().zip(small.planes) {
            plane[self.small] = part;
        }
    }

    /// The first stage of a strip, in some of the own panels.
    fn cross(&self, strip: usize, panels: Range<usize>, field: &Field, sheets: &mut Sheets) {
        let leaders = self.crossing(Role::Lead).hauls(strip);
        for here in 0..field.planes.len() {
            let there = field.planes.len() - 1 - here;
            let plane = (here, &field.planes[there][..], self.ghosts.plane(there));
            each_tile(panels.clone(), &mut sheets.lead[here], |line, out| {
                self.crossing(Role::Lead).tile((&leaders, strip, line), plane, out);
            });
            each_tile(panels.clone(), &mut sheets.follow[here], |tile, out| {
                let hauls = &self.followers[tile - self.interval.start];
                self.crossing(Role::Follow).tile((hauls, tile, strip), plane, out);
                self.sweep.kernel.transpose(out);
            });
        }
    }

    /// If there are limits: what the own rows of the strip's panel were, and their bounds.
    fn look_back(&self, strip: usize, field: &Field, sheets: &mut Sheets) {
        let Some(bounds) = self.sweep.bounds else { return };
        for (plane, [old, bound]) in sheets.old.iter_mut().enumerate() {
            for panel in self.interval.clone() {
                old.put(panel, &self.turned(&field.planes[plane][self.large], strip, panel));
                bound.put(panel, &self.turned(&bounds[plane][self.large], strip, panel));
            }
        }
    }

    /// The same in block n/2, where it may stand beside.
    fn look_back_alone(
        &self,
        strip: usize,
        panels: Range<usize>,
        small: &Small,
        sheets: &mut Sheets,
    ) {
        let Some(bounds) = self.sweep.bounds else { return };
        for (plane, [old, bound]) in sheets.old.iter_mut().enumerate() {
            let here = [&small.planes[plane], &bounds[plane][self.small]];
            let stands = if self.interval.contains(&strip) {
                here
            } else {
                [&self.beside[plane][0], &self.beside[plane][1]]
            };
            for panel in panels.clone() {
                old.put(panel, &self.turned(stands[0], strip, panel));
                bound.put(panel, &self.turned(stands[1], strip, panel));
            }
        }
    }

    /// Lanes of a line of the larger block's rows, turned round as its rows are computed.
    fn turned(&self, part: &Part, panel: usize, line: usize) -> Tile {
        let (mut tile, lines) = (Tile::of(0), part.panel(panel));
        let lane_rows = &self.sweep.plan.blocks[self.large].lane_rows[line * LINE..];
        for (slot, &row) in tile.0.iter_mut().zip(lane_rows).filter(|(_, row)| **row != OUTSIDE) {
            *slot = lines[row as usize - part.rows.start];
        }
        self.sweep.kernel.transpose(&mut tile);
        tile
    }

    /// The second stage of one row: of the larger block in the first `count` own panels, then what
    /// is `between`, then of the smaller block as far as `columns`.
    #[expect(clippy::too_many_arguments, reason = "what a row reads and writes")]
    fn row(
        &self,
        rank: usize,
        count: usize,
        columns: usize,
        sheets: &mut Sheets,
        small: &mut Small,
        log: &mut Log,
        between: impl FnOnce(&mut Sheets, &Small),
    ) {
        let (at, planes) = (rank % LINE, small.planes.len());
        let is_alone = self.small == self.large;
        if is_alone {
            (0..planes).for_each(|here| self.lead(rank, here, count, sheets, small));
            between(sheets, small);
        }
        for here in 0..planes {
            if !is_alone {
                self.lead(rank, here, count, sheets, small);
            }
            self.follow(
                rank,
                planes - 1 - here,
                columns,
                &sheets.values[here],
                &sheets.follow,
                small,
                log,
            );
        }
        debug_assert!(at < LINE);
    }

    fn lead(&self, rank: usize, here: usize, count: usize, sheets: &mut Sheets, small: &Small) {
        let (at, first) = (rank % LINE, self.interval.start);
        let part = &small.planes[small.planes.len() - 1 - here];
        let old = |which: usize| sheets.old.get(here).map_or(&[][..], |old| old[which].row(at));
        self.sweep.kernel.lead(Lead {
            values: &mut sheets.values[here].row_mut(at)[first..first + count],
            constants: sheets.lead[here].row(at),
            lines: Lines::Byte(&part.lines),
            panel_step: part.height(),
            row_step: 1,
            home: self.sweep.plan.blocks[self.large].home_rows(rank),
            limit: self.sweep.limit(here, self.large),
            old: old(0),
            bounds: old(1),
        });
    }

    #[expect(clippy::too_many_arguments, reason = "what a kernel reads and writes")]
    fn follow(
        &self,
        rank: usize,
        there: usize,
        columns: usize,
        values: &Sheet,
        constants: &[Sheet],
        small: &mut Small,
        log: &mut Log,
    ) {
        let block = &self.sweep.plan.blocks[self.small];
        let number = block.lane_rows[rank];
        if number == OUTSIDE {
            return;
        }
        let (at, (windows, starts)) = (rank % LINE, block.home().all());
        let part = &mut small.planes[there];
        let follow = Follow {
            rows: part.height(),
            row: number as usize,
            first: self.interval.start,
            constants: &constants[there].row(at)[..self.interval.len()],
            values: values.row(at),
            windows,
            starts,
            columns,
            limit: self.sweep.limit(there, self.small),
            bounds: self.sweep.bounds.map_or_else(Lines::default, |bounds| {
                Lines::Byte(&bounds[there][self.small].lines)
            }),
            spot: Spot { block: self.small as u8, plane: there as u8 },
            panels: LinesMut::Byte(&mut part.lines),
        };
        self.sweep.kernel.follow(follow, log);
    }
}
