//! Which claims default moves alone leave open: where exceptions may be needed.
//!
//! A claim is *met* if nothing need be done about it, if a capture or the end of the game brings it,
//! or if all that follows it is met: of the mover's claim that is the opponent's in the child which
//! the default move leads to, of the opponent's the mover's after each tight quiet reply. All others
//! are *open*. From what is met nobody comes to what is open, neither by default moves nor by
//! replies; so no cycle passes both, and where a claim is met there need be no exception.
//!
//! # How it is done
//!
//! Moves are looked at in strips: one row of the mover and 64 of the opponent's rows. A first pass
//! notes, for each strip and move, in which lanes it is the default move and in which a tight reply.
//! Sweeps then look at open lanes alone, and there at one child of the mover's claim and at those
//! tight replies that were not met before, and only in lines where something has changed since the
//! last sweep. They go through pairs of blocks as the solver's do ([`crate::solver::sweep`]), 64 rows
//! of the larger half-board at a time: in 13 seeds of `awari` that takes a third of the sweeps that
//! whole blocks take.
//!
//! Threads share the bytes that say what is met: whoever reads an old one only finds out later. What
//! is met in the end does not depend on the order.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::lanes::{equal_lanes, picked, set};
use super::search::{Search, Strip};
use crate::error::{Error, Result};
use crate::game::rules::Endless;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::{Layer, rows};
use crate::layer::plane::Plane;
use crate::solver::kernel::Window;
use crate::solver::plan::OUTSIDE;

/// The mover's claim is met.
const MOVER: u8 = 1;
/// The opponent's claim is met.
const OPPONENT: u8 = 2;

/// Panels of lanes that one task goes through.
const PANELS: usize = 4;

/// The open claims of a layer.
pub struct OpenClaims {
    blocks: Vec<OpenBlock>,
}

/// The open claims of a block: by column and panel of lanes.
struct OpenBlock {
    panels: usize,
    strips: Vec<[AtomicU64; 2]>,
}

impl OpenClaims {
    /// Returns the lanes of a strip whose mover's and whose opponent's claim is open.
    pub fn lanes(&self, strip: Strip) -> [u64; 2] {
        let block = &self.blocks[strip.own];
        let strip = &block.strips[strip.column * block.panels + strip.panel];
        strip.each_ref().map(|lanes| lanes.load(Ordering::Relaxed))
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        let mut strips = self.blocks.iter().flat_map(|block| &block.strips).flatten();
        strips.all(|lanes| lanes.load(Ordering::Relaxed) == 0)
    }
}

/// Bytes that finding the open claims of a layer takes, beside what is solved.
pub fn memory(layer: Layer, endless: Endless) -> u64 {
    let seeds = layer.seeds().get();
    let strips = |own: usize| (rows(own) * rows(seeds - own).div_ceil(LINE)) as u64;
    // Of six houses five hold seeds, in the half-boards of layers that are large.
    let masks = 2 + 5 * masks(endless) as u64;
    let met = Plane::memory(layer);
    met + met / 16 + (0..=seeds).map(|own| 8 * masks * strips(own)).sum::<u64>()
}

/// Masks of a move in a strip. Under an even split at most one of two claims needs anything, so one
/// mask says of each lane what it asks.
fn masks(endless: Endless) -> usize {
    match endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) | Endless::Drawn => 2,
    }
}

/// Finds the open claims of a layer.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for it.
pub fn find(search: &Search) -> Result<OpenClaims> {
    let sweeps = Sweeps::new(search)?;
    sweeps.begin();
    let mut number = 1;
    while sweeps.sweep(number) {
        number += 1;
    }
    Ok(OpenClaims { blocks: sweeps.open })
}

struct Sweeps<'a> {
    search: &'a Search<'a>,
    seeds: usize,
    masks: usize,
    /// By block: its first line, and how many lines a panel has.
    places: Vec<(usize, usize)>,
    /// By block: lower bounds, and upper bounds.
    bounds: Vec<[&'a [Line]; 2]>,
    /// What is met, a byte for each position, laid out as a plane.
    met: Vec<AtomicU8>,
    /// By line: the last sweep that changed it.
    changed: Vec<AtomicU32>,
    open: Vec<OpenBlock>,
    moves: Vec<Moves>,
}

/// What each move is in each strip of a block.
struct Moves {
    /// By column: the moves of those before it.
    before: Vec<u32>,
    /// By column, panel and move: the lanes where it is the default move, and where it is a tight
    /// reply after which the mover's claim was open when it was last looked at.
    tight: Vec<AtomicU64>,
}

/// So many zeros.
fn zeros<T: Default>(count: usize) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let bytes = (count * size_of::<T>()) as u64;
    all.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    all.resize_with(count, T::default);
    Ok(all)
}

impl<'a> Sweeps<'a> {
    fn new(search: &'a Search<'a>) -> Result<Sweeps<'a>> {
        let seeds = search.layer.seeds().get();
        let masks = masks(search.plan.rules.endless);
        let (low, high) = (search.low.blocks(), search.high.blocks());
        let (mut places, mut end) = (Vec::new(), 0);
        for own in 0..=seeds {
            let shape = low.shape(own);
            places.push((end, shape.rows()));
            end += shape.rows() * shape.panels();
        }
        let bounds = (0..=seeds).map(|own| [low.block(own), high.block(own)]).collect();
        let open = (0..=seeds).map(|own| OpenBlock::new(search, own)).collect::<Result<_>>()?;
        let moves = (0..=seeds).map(|own| Moves::new(search, own, masks)).collect::<Result<_>>()?;
        let (met, changed) = (zeros(end * LINE)?, zeros(end)?);
        Ok(Sweeps { search, seeds, masks, places, bounds, met, changed, open, moves })
    }

    /// Notes what is met before any sweep, and what each move is.
    fn begin(&self) {
        for own in 0..=self.seeds {
            self.begin_block(own);
            (0..rows(own)).into_par_iter().for_each(|column| {
                for panel in 0..self.open[own].panels {
                    self.begin_strip(Strip { own, column, panel });
                }
            });
        }
    }

    /// Notes what is met in a block before any sweep.
    fn begin_block(&self, own: usize) {
        let ((first, rows), [low, high]) = (self.places[own], self.bounds[own]);
        let (words, done) = self.search.done.block(own);
        let idle = self.search.idle;
        let met = self.met[first * LINE..][..low.len() * LINE].par_chunks(LINE).enumerate();
        met.for_each(|(line, met)| {
            let done = done[line % rows * words + line / rows];
            for (lane, met) in met.iter().enumerate() {
                let mover = low[line].0[lane] <= idle || done >> lane & 1 == 1;
                let opponent = high[line].0[lane].wrapping_neg() <= idle;
                met.store(claims(mover, opponent), Ordering::Relaxed);
            }
        });
    }

    fn begin_strip(&self, strip: Strip) {
        let (Strip { own, column, panel }, (first, rows)) = (strip, self.places[strip.own]);
        let (skipped, at) = (column / LINE * rows, column % LINE);
        let met = &self.met[(first + skipped) * LINE..];
        let [lows, highs] = self.bounds[own].map(|lines| &lines[skipped..]);
        let [mut low, mut high] = [[0; LINE]; 2];
        let [mut mover, mut opponent] = [0; 2];
        for (lane, &row) in self.search.rows_of(strip).iter().enumerate() {
            if row != OUTSIDE {
                let row = row as usize;
                // Negated, as the children have them.
                (low[lane], high[lane]) = (-lows[row].0[at], -highs[row].0[at]);
                let met = met[row * LINE + at].load(Ordering::Relaxed);
                mover |= u64::from(met & MOVER == 0) << lane;
                opponent |= u64::from(met & OPPONENT == 0) << lane;
            }
        }
        self.note_moves(strip, [&low, &high], [mover, opponent]);
        let open = &self.open[own].strips[column * self.open[own].panels + panel];
        open[0].store(mover, Ordering::Relaxed);
        open[1].store(opponent, Ordering::Relaxed);
    }

    /// Notes what each move of a strip is, given its negated bounds and the lanes whose claims are
    /// open.
    fn note_moves(&self, strip: Strip, [low, high]: [&[i8; LINE]; 2], open: [u64; 2]) {
        let Strip { own, column, panel } = strip;
        let [mut undecided, opponent] = open;
        for (at, (found, transit)) in self.search.plan.blocks[own].transits(column).enumerate() {
            let child = self.search.plan.opponent(own) + transit.crossed;
            let (rows, [lows, highs]) = (self.places[child].1, self.bounds[child]);
            let [mut default, mut reply] = [0; 2];
            for window in transit.quiet.of_line(panel) {
                let line = window.panel as usize * rows + found.row as usize;
                if window.lanes & undecided != 0 {
                    default |= equal_lanes(&picked(&highs[line], window), low) & window.lanes;
                }
                if window.lanes & opponent != 0 {
                    reply |= equal_lanes(&picked(&lows[line], window), high) & window.lanes;
                }
            }
            (default, reply) = (default & undecided, reply & opponent);
            undecided &= !default;
            let masks = self.masks_of(strip, at);
            masks[0].fetch_or(default, Ordering::Relaxed);
            masks[self.masks - 1].fetch_or(reply, Ordering::Relaxed);
        }
    }

    /// The masks of a strip's move.
    fn masks_of(&self, Strip { own, column, panel }: Strip, at: usize) -> &[AtomicU64] {
        let moves = &self.moves[own];
        let [first, next] = [moves.before[column], moves.before[column + 1]].map(|at| at as usize);
        let place = first * self.open[own].panels + panel * (next - first) + at;
        &moves.tight[place * self.masks..][..self.masks]
    }

    /// Notes what is met in a strip, and in which sweep that has come out.
    fn note(&self, strip: Strip, [mover, opponent]: [u64; 2], number: u32) {
        let Strip { own, column, .. } = strip;
        let (first, lines) = self.places[own];
        let (first, rows) = (first + column / LINE * lines, self.search.rows_of(strip));
        for lane in set(mover | opponent) {
            let line = first + rows[lane] as usize;
            let at = line * LINE + column % LINE;
            let now = claims(mover >> lane & 1 == 1, opponent >> lane & 1 == 1);
            // Nobody else writes here.
            let was = self.met[at].load(Ordering::Relaxed);
            self.met[at].store(was | now, Ordering::Relaxed);
            self.changed[line].store(number, Ordering::Relaxed);
        }
    }

    /// Goes once through the layer. Returns whether any claim is met now that was not.
    fn sweep(&self, number: u32) -> bool {
        let mut changed = false;
        for small in 0..=self.seeds / 2 {
            changed |= self.sweep_pair(small, self.seeds - small, number);
        }
        changed
    }

    /// Goes through a pair of blocks: the rows of the larger half-board in order, 64 at a time.
    fn sweep_pair(&self, small: usize, large: usize, number: u32) -> bool {
        let panels = self.open[large].panels;
        let parts = (0..panels).into_par_iter().step_by(PANELS);
        let changed = AtomicBool::new(false);
        parts.for_each(|first| {
            let panels = first..panels.min(first + PANELS);
            let mut any = false;
            for strip in 0..rows(large).div_ceil(LINE) {
                for column in strip * LINE..rows(large).min((strip + 1) * LINE) {
                    for panel in panels.clone() {
                        any |= self.visit(Strip { own: large, column, panel }, number);
                    }
                }
                if small == large {
                    continue;
                }
                for column in panels.start * LINE..rows(small).min(panels.end * LINE) {
                    any |= self.visit(Strip { own: small, column, panel: strip }, number);
                }
            }
            changed.fetch_or(any, Ordering::Relaxed);
        });
        changed.into_inner()
    }

    /// Looks at the open claims of a strip. Returns whether one is met now.
    fn visit(&self, strip: Strip, number: u32) -> bool {
        let Strip { own, column, panel } = strip;
        let open = &self.open[own].strips[column * self.open[own].panels + panel];
        let [mover, opponent] = open.each_ref().map(|lanes| lanes.load(Ordering::Relaxed));
        if mover | opponent == 0 {
            return false;
        }
        let (mut met, mut held) = (0, 0);
        for (at, (found, transit)) in self.search.plan.blocks[own].transits(column).enumerate() {
            let masks = self.masks_of(strip, at);
            let default = masks[0].load(Ordering::Relaxed) & mover;
            let reply = masks[self.masks - 1].load(Ordering::Relaxed) & opponent;
            if default | reply == 0 {
                continue;
            }
            let (child, row) = (self.search.plan.opponent(own) + transit.crossed, found.row);
            let mut done = 0;
            for window in transit.quiet.of_line(panel) {
                let found = self.met_in(window, [default, reply], (child, row), number);
                (met, done) = (met | found[0], done | found[1]);
            }
            held |= reply & !done;
            if done != 0 {
                masks[self.masks - 1].fetch_and(!done, Ordering::Relaxed);
            }
        }
        let now = [met, opponent & !held];
        if now == [0, 0] {
            return false;
        }
        self.note(strip, now, number);
        open[0].store(mover & !now[0], Ordering::Relaxed);
        open[1].store(opponent & !now[1], Ordering::Relaxed);
        true
    }

    /// Of the default moves and replies that lead to a window those where what follows is met. In a
    /// line that has not changed since the last sweep there are none that are new.
    #[inline(always)]
    fn met_in(
        &self,
        window: &Window,
        [default, reply]: [u64; 2],
        (block, row): (usize, u32),
        number: u32,
    ) -> [u64; 2] {
        let (first, rows) = self.places[block];
        let line = first + window.panel as usize * rows + row as usize;
        if self.changed[line].load(Ordering::Relaxed) + 1 < number {
            return [0; 2];
        }
        let line = &self.met[line * LINE..][..LINE];
        let is_met = |claim: u8, lane: usize| {
            let child = line[usize::from(window.picks.0[lane]) % LINE].load(Ordering::Relaxed);
            u64::from(child & claim != 0) << lane
        };
        let of = |claim: u8, lanes: u64| {
            set(window.lanes & lanes).fold(0, |all, lane| all | is_met(claim, lane))
        };
        [of(OPPONENT, default), of(MOVER, reply)]
    }
}

/// The bits of some claims.
#[inline(always)]
fn claims(mover: bool, opponent: bool) -> u8 {
    (if mover { MOVER } else { 0 }) | (if opponent { OPPONENT } else { 0 })
}

impl OpenBlock {
    fn new(search: &Search, own: usize) -> Result<OpenBlock> {
        let panels = search.panels(own);
        Ok(OpenBlock { panels, strips: zeros(rows(own) * panels)? })
    }
}

impl Moves {
    fn new(search: &Search, own: usize, masks: usize) -> Result<Moves> {
        let block = &search.plan.blocks[own];
        let mut before = vec![0];
        for column in 0..rows(own) {
            before.push(before[column] + block.moves(column).len() as u32);
        }
        let count = before[rows(own)] as usize * search.panels(own) * masks;
        Ok(Moves { before, tight: zeros(count)? })
    }
}
