//! Pairs of blocks with few panels for many threads: rows in order of their depth.
//!
//! Strips that follow each other through chunks of panels keep no more threads busy than there are
//! panels. But rows wait for few others: row b of the larger half-board for those that its home moves
//! lead to. The *depth* of a row is the most home moves that it can make in a row, 25 at most; rows of
//! a depth wait for lesser depths only, and not for each other:
//!
//! ```text
//!   all threads   strips: what captures and crossing moves leave, for all rows
//!   all threads   depth 0, rows in any order
//!   all threads   depth 1 ...
//!   all threads   what rows have found is written to both blocks
//! ```
//!
//! What is found lies by *place*, that is by depth and then by rank. So what is read of lesser depths
//! and what is written lie apart, and the compiler sees that no thread reads what another one writes.
//! Each score is computed from the same children as in [`super::pair`], so it is the same.
//!
//! What captures and crossing moves leave has to wait for its row, which takes memory; panels are done
//! a few at a time where that would be much ([`room`]). With few threads strips are faster, for what
//! they compute first is still in the cache when they go on.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::cross::{CrossingTiles, Out, Values, stride};
use super::ground::{Apart, Stream, apart, finished, spot, streams, strips, views};
use super::pair::{empty_like, join};
use super::rows::Pair;
use super::wavefront::{Tasks, crew};
use crate::error::Result;
use crate::game::board::Seeds;
use crate::layer::blocks::Blocks;
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::layer::lines::{Lines, LinesMut};
use crate::layer::plane::Plane;
use crate::parallel;
use crate::solver::kernel::{Follow, Lead, Limit, LineTile, Log, Settle};
use crate::solver::plan::{LayerPlan, OUTSIDE};
use crate::timeline::{region, task};

/// So many threads for each panel are too many for chunks: they would wait for each other.
const MANY: usize = 4;

/// Tasks for each thread of what is cut into equal parts.
const TASKS: usize = 4;

/// Lines that a task computes at least: a few microseconds.
const LEAST: usize = 128;

/// What lines waiting for their rows may take, as a part of what the largest pair keeps aside.
const PART: usize = 2;

/// The rows of a larger block by depth.
#[derive(Debug)]
pub struct Depths {
    /// By rank: how many rows are less deep, or as deep and before it.
    places: Vec<u32>,
    /// By place: the rank.
    ranks: Vec<u32>,
    /// By depth: the first place; and the number of rows.
    starts: Vec<usize>,
}

impl Depths {
    /// Those of a pair.
    fn new(plan: &LayerPlan, small: usize, large: usize) -> Depths {
        let lanes = plan.blocks[small].row_lanes;
        let mut depths = vec![0; rows(large)];
        for rank in 0..depths.len() {
            let below = plan.blocks[large].half.home_rows(rank).iter();
            let below = below.map(|&row| depths[lanes[row as usize] as usize] + 1);
            depths[rank] = below.max().unwrap_or(0);
        }
        let mut ranks: Vec<u32> = (0..depths.len() as u32).collect();
        ranks.sort_by_key(|&rank| depths[rank as usize]);
        let mut places = vec![0; ranks.len()];
        ranks.iter().zip(0..).for_each(|(&rank, place)| places[rank as usize] = place);
        let deepest: usize = depths.iter().copied().max().unwrap_or(0);
        let start = |depth| ranks.partition_point(|&rank| depths[rank as usize] < depth);
        let starts = (0..=deepest + 1).map(start).collect();
        Depths { places, ranks, starts }
    }

    /// The places of each depth.
    fn all(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }
}

/// The smaller blocks of the pairs that this many threads do by depth.
pub fn narrow(seeds: Seeds, threads: usize) -> Range<usize> {
    let is_narrow = |small: &usize| strips(*small) * MANY <= threads;
    0..(0..seeds.get().div_ceil(2)).take_while(is_narrow).count()
}

/// The depths of those pairs.
pub fn depths(plan: &LayerPlan, threads: usize) -> Vec<Depths> {
    let seeds = plan.layer.seeds();
    let _region = region("depths");
    parallel::map_of(narrow(seeds, threads), |small| {
        task();
        Depths::new(plan, small, seeds.get() - small)
    })
}

/// Lines of memory for each plane that this many threads want beside what pairs keep aside, of which the
/// largest takes `late` lines.
pub fn room(seeds: Seeds, threads: usize, late: usize) -> usize {
    let pairs = narrow(seeds, threads);
    let room = |small| KINDS * height(seeds.get() - small) * panels_at_once(seeds, small, late);
    pairs.map(room).max().unwrap_or(0)
}

/// Lines wait of both blocks, and what is found of the smaller one.
const KINDS: usize = 3;

/// How many panels of a pair are done at once.
fn panels_at_once(seeds: Seeds, small: usize, late: usize) -> usize {
    (late / PART / (KINDS * height(seeds.get() - small))).clamp(1, strips(small))
}

/// Rows of all strips of a block.
fn height(seeds: usize) -> usize {
    strips(seeds) * LINE
}

/// Some panels of a pair while they are done.
struct Batch<'b> {
    pair: Pair<'b>,
    depths: &'b Depths,
    /// The panels.
    panels: Range<usize>,
    /// Lines of a row of what is found in the larger block: all panels.
    stride: usize,
}

/// Some places of a depth: what is found there in both blocks, by plane.
struct DepthPlaces<'p> {
    first: usize,
    large: Vec<LinesMut<'p>>,
    small: Vec<&'p mut [Line]>,
}

impl Pair<'_> {
    /// Sweeps both blocks of two that differ, by depth. Scores have no limits.
    pub fn run_by_depth(
        self,
        depths: &Depths,
        planes: &mut [Plane],
        (late, waiting): (&mut Blocks, &mut Blocks),
        log: &mut Log,
    ) -> Result<()> {
        let LinesMut::Byte(waiting) = waiting.block_mut(0) else {
            unreachable!("what waits is not packed")
        };
        let planes = &mut *apart(planes.iter_mut().map(Plane::blocks_mut));
        let (panels, count) = (strips(self.small), planes.len());
        let (stride, height) = (stride(panels), height(self.large));
        let largest = late.block(0).count() / count;
        let at_once = panels_at_once(self.sweep.plan.layer.seeds(), self.small, largest);
        let found = late.block_mut(0).range(0..count * height * stride);
        let mut found = found.pieces(height * stride);
        let logs = Mutex::new(log);
        let mut small = self.take_small(planes);
        for first in (0..panels).step_by(at_once) {
            let batch_panels = first..panels.min(first + at_once);
            let batch = Batch { pair: self, depths, panels: batch_panels, stride };
            batch.run(planes, &mut found, &mut small, waiting, &logs)?;
        }
        drop(small);
        self.settle_by_depth(depths, planes, &found, stride, &logs);
        Ok(())
    }

    /// Writes what rows have found into the larger block.
    fn settle_by_depth(
        self,
        depths: &Depths,
        planes: &mut [Apart],
        found: &[LinesMut],
        stride: usize,
        logs: &Mutex<&mut Log>,
    ) {
        let panels = strips(self.small);
        self.settle_all(
            planes,
            logs,
            |_| (),
            |plane, strip, values| {
                values.resize(Values::lines(1, panels), Line::of(0));
                let ranks = strip * LINE..rows(self.large).min((strip + 1) * LINE);
                for (&place, values) in depths.places[ranks].iter().zip(values.chunks_mut(stride)) {
                    let first = place as usize * stride;
                    let lines = found[plane].as_lines().range(first..first + stride);
                    self.sweep.kernel.unpack(lines, values);
                }
                None
            },
        );
    }
}

impl Batch<'_> {
    fn run(
        &self,
        planes: &[Apart],
        large: &mut [LinesMut],
        small: &mut [LinesMut],
        aside: &mut [Line],
        logs: &Mutex<&mut Log>,
    ) -> Result<()> {
        let (stopped, count) = (AtomicBool::new(false), planes.len());
        let size = height(self.pair.large) * self.panels.len();
        let (waiting, mut rest) = aside.split_at_mut(2 * count * size);
        self.cross(planes, waiting, &stopped);
        let waiting = &*waiting;
        let mut found: Vec<&mut [Line]> = Vec::new();
        for _ in 0..count {
            found.push(rest.split_off_mut(..size).expect("room for both blocks and what is found"));
        }
        for places in self.depths.all() {
            self.find(places, waiting, large, &mut found, &stopped);
        }
        finished(stopped)?;
        self.write(small, &found, logs);
        Ok(())
    }

    fn threads(&self) -> usize {
        self.pair.sweep.threads
    }

    /// Finds what captures and crossing moves leave: strip by strip, for each the lines of each plane of
    /// the larger block and of the smaller.
    fn cross(&self, planes: &[Apart], waiting: &mut [Line], stopped: &AtomicBool) {
        let Pair { sweep, small, large } = self.pair;
        let (views, stride) = (views(planes), self.panels.len());
        let strips = waiting.chunks_mut(2 * planes.len() * LINE * stride).enumerate();
        let tasks = Tasks::new(strips);
        crew("strips by depth", self.threads(), || {
            while sweep.goes_on(stopped) {
                let Some((strip, lines)) = tasks.next() else { break };
                let mut lines = lines.chunks_mut(LINE * stride);
                let mut out = || Out { stride, lines: lines.next().expect("both of each plane") };
                for stream in streams(planes.len()) {
                    let lead = CrossingTiles { own: large, stream, views: &views };
                    sweep.cross_lead(lead, strip, self.panels.clone(), out());
                    let follow = CrossingTiles { own: small, stream, views: &views };
                    sweep.cross_follow(follow, strip, self.panels.clone(), out());
                }
            }
        });
    }

    /// What waits for a row in a plane of the larger block, or of the smaller.
    fn waiting<'w>(
        &self,
        waiting: &'w [Line],
        (planes, plane): (usize, usize),
        is_small: bool,
        rank: usize,
    ) -> &'w [Line] {
        let stride = self.panels.len();
        let piece = (rank / LINE * planes + plane) * 2 + usize::from(is_small);
        &waiting[(piece * LINE + rank % LINE) * stride..][..stride]
    }

    /// Finds the scores of all rows of a depth.
    fn find(
        &self,
        places: Range<usize>,
        waiting: &[Line],
        large: &mut [LinesMut],
        small: &mut [&mut [Line]],
        stopped: &AtomicBool,
    ) {
        let (width, sweep) = (self.panels.len(), self.pair.sweep);
        let part = places.len().div_ceil(TASKS * self.threads()).max(LEAST.div_ceil(width));
        let (mut lesser, mut parts) = (Vec::new(), Vec::new());
        for small in small {
            let (below, here) = small.split_at_mut(places.start * width);
            lesser.push(&*below);
            parts.push(here[..places.len() * width].chunks_mut(part * width));
        }
        let large = large.iter_mut().map(|lines| {
            let lines =
                lines.reborrow().range(places.start * self.stride..places.end * self.stride);
            lines.pieces(part * self.stride).into_iter()
        });
        let mut large: Vec<_> = large.collect();
        let tasks = places.step_by(part).map(|first| DepthPlaces {
            first,
            large: large.iter_mut().filter_map(Iterator::next).collect(),
            small: parts.iter_mut().filter_map(Iterator::next).collect(),
        });
        let tasks: Vec<DepthPlaces> = tasks.collect();
        let crew_size = self.threads().min(tasks.len());
        let tasks = Tasks::new(tasks.into_iter());
        crew("depths of a pair", crew_size, || {
            let mut values = vec![Line::of(0); self.panels.end];
            while sweep.goes_on(stopped) {
                let Some(mut places) = tasks.next() else { break };
                self.find_rows(&mut places, waiting, &lesser, &mut values);
            }
        });
    }

    fn find_rows(
        &self,
        DepthPlaces { first, large, small }: &mut DepthPlaces,
        waiting: &[Line],
        lesser: &[&[Line]],
        unpacked: &mut [Line],
    ) {
        let Pair { sweep, small: small_block, large: large_block } = self.pair;
        let (kernel, count, width) = (sweep.kernel, large.len(), self.panels.len());
        let [small_plan, large_plan] =
            [small_block, large_block].map(|block| &sweep.plan.blocks[block]);
        let (windows, starts) = small_plan.half.home.all();
        let (mut nobody, mut home) = (Log::default(), Vec::new());
        for at in 0..small[0].len() / width {
            let rank = self.depths.ranks[*first + at] as usize;
            let lanes = large_plan.half.home_rows(rank).iter();
            let lanes = lanes.map(|&row| small_plan.row_lanes[row as usize] as usize);
            home.clear();
            home.extend(lanes.map(|lane| self.depths.places[lane]));
            for Stream { here, there } in streams(count) {
                let row = at * self.stride..at * self.stride + self.panels.end;
                let mut packed = large[here].reborrow().range(row);
                let values = match &mut packed {
                    LinesMut::Byte(lines) => &mut **lines,
                    packed => {
                        kernel.unpack(packed.as_lines(), unpacked);
                        &mut *unpacked
                    }
                };
                kernel.lead(Lead {
                    values: &mut values[self.panels.clone()],
                    constants: self.waiting(waiting, (count, here), false, rank),
                    lines: Lines::Byte(lesser[there]),
                    panel_step: 1,
                    row_step: width,
                    home: &home,
                    limit: Limit::Free,
                    old: &[],
                    bounds: &[],
                });
                if small_plan.lane_rows[rank] != OUTSIDE {
                    let follow = Follow {
                        panels: LinesMut::Byte(&mut small[there][at * width..(at + 1) * width]),
                        rows: 1,
                        row: 0,
                        first: self.panels.start,
                        constants: self.waiting(waiting, (count, there), true, rank),
                        values,
                        windows,
                        starts,
                        columns: rows(small_block),
                        limit: Limit::Free,
                        bounds: Lines::default(),
                        spot: spot(there, small_block),
                    };
                    kernel.follow(follow, &mut nobody);
                }
                if !matches!(packed, LinesMut::Byte(_)) {
                    kernel.pack(packed, unpacked);
                }
            }
        }
    }

    /// Writes what is found into the smaller block: panels of each plane, some strips at a time.
    fn write(&self, small: &mut [LinesMut], found: &[&mut [Line]], logs: &Mutex<&mut Log>) {
        let Pair { sweep, small: block, large } = self.pair;
        let (lanes, width) = (sweep.plan.blocks[block].row_lanes, self.panels.len());
        let all = self.panels.len() * small.len() * strips(large);
        let part = all.div_ceil(TASKS * self.threads()).max(LEAST / LINE);
        let mut tasks = Vec::new();
        for (plane, lines) in small.iter_mut().enumerate() {
            for panel in self.panels.clone() {
                let mut panel_rows = lines.take_first(lanes.len());
                let mut first = 0;
                for strip in (0..strips(large)).step_by(part) {
                    let end = (strip + part) * LINE;
                    let behind = lanes.partition_point(|&lane| (lane as usize) < end);
                    let rows = panel_rows.take_first(behind - first);
                    tasks.push((plane, panel, strip, first, rows));
                    first = behind;
                }
            }
        }
        let tasks = Tasks::new(tasks.into_iter());
        crew("depths settle", self.threads(), || {
            let mut log = empty_like(logs);
            let mut tile = LineTile::of(0);
            while let Some((plane, panel, strip, first, mut lines)) = tasks.next() {
                for strip in strip..strips(large).min(strip + part) {
                    let ranks = strip * LINE..rows(large).min((strip + 1) * LINE);
                    let places = &self.depths.places[ranks];
                    for (line, &place) in tile.0.iter_mut().zip(places) {
                        *line = found[plane][place as usize * width + panel - self.panels.start];
                    }
                    let column = panel * LINE;
                    let settle = Settle {
                        tile: &tile,
                        rows: sweep.plan.rows_of(block, strip),
                        panel: lines.reborrow(),
                        first,
                        column,
                        lanes: first_lanes((rows(block) - column).min(LINE)),
                        corner: false,
                        spot: spot(plane, block),
                    };
                    sweep.kernel.settle(settle, &mut log);
                }
            }
            join(logs, log);
        });
    }
}
