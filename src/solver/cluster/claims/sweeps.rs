//! Open claims on all ranks: the twin of [`crate::solver::claims`]' sweeps.
//!
//! Each rank has what it is to know of its tiles: of each move the lanes where it is tight, which claims
//! are open, and which are met. Before a pair is looked at, ranks exchange what is met of its children,
//! two bits a position, by the lists that bounds were exchanged by. What is met only grows, and the
//! order in which that is found out does not matter; so it does not matter either that others' bits are
//! those of the last look. Sweeps go on until no rank finds anything; pairs in which nothing is open on
//! any rank are left out.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::ground::{Ground, Others};
use super::met::MetClaims;
use super::moves::{Step, TileMoves};
use crate::error::Result;
use crate::layer::arena::{Arena, Memory};
use crate::layer::blocks::{LINE, Line, set_lanes};
use crate::layer::index::Cell;
use crate::solver::claims::open::{Asking, MOVER, OPPONENT, Strip, TileOf, load, shared, taken};
use crate::solver::cluster::cut::Area;
use crate::solver::cluster::part::{MarkedPart, Part};
use crate::solver::kernel::Met;
use crate::solver::plan::OUTSIDE;

/// Panels that one task goes through.
const PANELS: usize = 4;

/// What claims are closed by.
pub struct Given<'a> {
    /// By block: the moves of the rank's tiles.
    pub moves: &'a [Vec<TileMoves<'a>>],
    /// The lower bounds, and the upper ones where they differ.
    pub bounds: &'a [Vec<Part>],
    /// Where a capture, or the end of the game, brings what the mover claims.
    pub done: &'a [MarkedPart],
    /// Which claims ask for something.
    pub asking: Asking,
    /// Where memory comes from.
    pub arena: &'a Arena,
}

impl Given<'_> {
    /// Words of a move in a strip: one if both bounds are the same.
    fn words(&self) -> usize {
        self.bounds.len()
    }
}

/// What is known of a rank's tiles in a block.
struct Looks<'a> {
    area: Area,
    moves: &'a [TileMoves<'a>],
    /// By panel of columns: the moves before it.
    before: Vec<usize>,
    /// By strip and move: the lanes where it keeps the mover's claim and where it is a tight reply, or
    /// both in one word.
    tight: &'a [AtomicU64],
    /// By tile and column: the lanes of the mover's claims and those of the opponent's.
    open: &'a [[AtomicU64; 2]],
}

impl<'a> Looks<'a> {
    /// The place of a tile among those of the rank.
    fn place(&self, TileOf { columns, panel, .. }: TileOf) -> usize {
        let Area { tiles, lines, .. } = &self.area;
        (columns - tiles.start) * lines.len() + panel - lines.start
    }

    /// What is open in the strips of a tile.
    fn open(&self, tile: TileOf) -> &'a [[AtomicU64; 2]] {
        &self.open[self.place(tile) * LINE..][..LINE]
    }

    /// The moves of a strip, house after house, each with its words.
    fn moves(&self, strip: Strip) -> impl Iterator<Item = (&'a [AtomicU64], &'a Step<'a>)> {
        let (tile, Area { tiles, lines, .. }) = (strip.tile(), &self.area);
        let columns = tile.columns - tiles.start;
        let (moves, place) = (&self.moves[columns], strip.column % LINE);
        let words = self.tight.len() / (self.before[self.moves.len()] * lines.len()).max(1);
        let first = self.before[columns] * lines.len()
            + (tile.panel - lines.start) * moves.count()
            + moves.before(place);
        let steps = moves.of_column(place);
        let tight = &self.tight[first * words..(first + steps.len()) * words];
        tight.chunks_exact(words.max(1)).zip(steps)
    }
}

/// The claims of a rank's positions while they are closed.
pub struct Sweeps<'a> {
    ground: &'a Ground<'a>,
    given: &'a Given<'a>,
    looks: Vec<Looks<'a>>,
    pub met: MetClaims<'a>,
}

/// Memory for the claims of a rank.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(ground: &Ground, given: &Given) -> Result<Memory> {
    let words = |own: usize| {
        let Area { tiles, lines, .. } = ground.area(own);
        let moves: usize = given.moves[own].iter().map(TileMoves::count).sum();
        lines.len() * (moves * given.words() + tiles.len() * LINE * 2)
    };
    let words: usize = (0..ground.plan.blocks.len()).map(words).sum();
    let words = words + 2 * MetClaims::count(ground);
    given.arena.take(words * size_of::<AtomicU64>(), 0)
}

impl<'a> Sweeps<'a> {
    /// Nothing is known yet of what is met.
    pub fn new(ground: &'a Ground<'a>, given: &'a Given<'a>, room: &'a mut Memory) -> Sweeps<'a> {
        let mut words = shared::<AtomicU64>(room);
        let met = MetClaims::new(ground, taken(&mut words, 2 * MetClaims::count(ground)));
        let looks = given.moves.iter().enumerate().map(|(own, moves)| {
            let (area, mut before) = (ground.area(own), vec![0]);
            before.extend(moves.iter().scan(0, |all, moves| {
                *all += moves.count();
                Some(*all)
            }));
            let moves_of_all = before[moves.len()] * area.lines.len();
            let tight = taken(&mut words, moves_of_all * given.words());
            let strips = area.tiles.len() * area.lines.len() * LINE;
            let open = taken(&mut words, 2 * strips).as_chunks().0;
            Looks { area, moves, before, tight, open }
        });
        let looks = looks.collect();
        Sweeps { ground, given, looks, met }
    }

    /// Notes what is met before any sweep, and which moves are tight, while all ranks do the same.
    ///
    /// # Errors
    /// Those of [`Others::go_on`].
    pub fn begin(&self, others: Others) -> Result<()> {
        let planes: Vec<&[Part]> = self.given.bounds.iter().map(Vec::as_slice).collect();
        for small in 0..self.ground.pairs() {
            let ghosts = others.exchange(self.ground, small, &planes)?;
            let ghosts: Vec<_> = (0..planes.len()).map(|plane| ghosts.plane(plane)).collect();
            self.each_tile(small, |tile| self.begin_tile(tile, &planes, &ghosts));
        }
        Ok(())
    }

    /// Sweeps until no rank finds anything.
    ///
    /// # Errors
    /// As [`Sweeps::begin`].
    pub fn close(&self, others: Others) -> Result<()> {
        let mut open = vec![1; self.ground.pairs()];
        loop {
            others.go_on()?;
            let found = others.team.sums(&self.sweep(others, &open)?)?;
            open.copy_from_slice(&found[1..]);
            if found[0] == 0 {
                return Ok(());
            }
        }
    }

    /// Calls `visit` with all tiles of a pair, some panels in a task.
    fn each_tile(&self, small: usize, visit: impl Fn(TileOf) + Sync) {
        let interval = self.ground.interval(small);
        let starts: Vec<usize> = interval.clone().step_by(PANELS).collect();
        starts.into_iter().par_bridge().for_each(|start| {
            let panels = start..interval.end.min(start + PANELS);
            for tile in self.ground.tiles(small, panels) {
                self.given.arena.keep();
                visit(tile);
            }
        });
    }

    fn begin_tile(&self, tile: TileOf, planes: &[&[Part]], ghosts: &[&[Vec<Line>]]) {
        let columns: Vec<_> = planes.iter().map(|parts| self.ground.columns(parts, tile)).collect();
        let (mut done, lanes) = self.done(tile);
        self.ground.kernel.turn(&mut done);
        let (last, asking) = (planes.len() - 1, self.given.asking);
        let mut open = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            // Negated, as the children have them.
            let wanted = [0, last].map(|plane| Line(columns[plane].0[at].0.map(|score| -score)));
            open[MOVER][at] = asking.lanes(MOVER, &wanted[MOVER]) & !done[at] & lanes;
            open[OPPONENT][at] = asking.lanes(OPPONENT, &wanted[OPPONENT]) & lanes;
            let open = open.map(|open| open[at]);
            for (tight, step) in self.looks[tile.own].moves(strip) {
                let equal = |claim: usize, lanes: u64| {
                    // The mover's claim is held by what the child's upper bound is.
                    let plane = if claim == MOVER { last } else { 0 };
                    let (here, there) = (&planes[plane][step.block()].lines[..], ghosts[plane]);
                    let (kernel, mut equal) = (self.ground.kernel, 0);
                    self.ground.each_place((strip, step), (here, there), |children| {
                        equal |= kernel.equal(children, &wanted[claim], lanes);
                    });
                    equal
                };
                match tight {
                    [both] => {
                        both.store(equal(MOVER, open[MOVER] | open[OPPONENT]), Ordering::Relaxed)
                    }
                    words => [MOVER, OPPONENT].into_iter().for_each(|claim| {
                        words[claim].store(equal(claim, open[claim]), Ordering::Relaxed);
                    }),
                }
            }
        }
        self.met.note(tile, open.map(|open| open.map(|lanes| !lanes)));
        for (at, words) in self.looks[tile.own].open(tile).iter().enumerate() {
            for claim in [MOVER, OPPONENT] {
                words[claim].store(open[claim][at], Ordering::Relaxed);
            }
        }
    }

    /// For each lane of a tile, the columns where a capture or the end of the game brings the mover's
    /// claim; and the lanes that are positions.
    fn done(&self, TileOf { own, columns, panel }: TileOf) -> ([u64; LINE], u64) {
        let part = &self.given.done[own];
        let (mut done, mut lanes) = ([0; LINE], 0);
        for (lane, &row) in self.ground.rows_of(own, panel).iter().enumerate() {
            if row != OUTSIDE {
                let row = (row as usize - part.rows.start) * part.panels.len();
                done[lane] = part.words[row + columns - part.panels.start];
                lanes |= 1 << lane;
            }
        }
        (done, lanes)
    }

    /// Goes once through the pairs in which something is open. Returns whether anything is met now
    /// that was not, and what stays open, by pair.
    fn sweep(&self, others: Others, open: &[u64]) -> Result<Vec<u64>> {
        let mut found = vec![0; 1 + open.len()];
        for small in (0..open.len()).filter(|&small| open[small] > 0) {
            let ghosts = self.met.exchange(others.team, small)?;
            let (changed, left) = (AtomicBool::new(false), AtomicU64::new(0));
            self.each_tile(small, |tile| {
                let (has_changed, open) = self.visit(tile, &ghosts);
                changed.fetch_or(has_changed, Ordering::Relaxed);
                left.fetch_add(open, Ordering::Relaxed);
            });
            found[0] |= u64::from(changed.into_inner());
            found[1 + small] = left.into_inner();
        }
        Ok(found)
    }

    /// Looks at the open claims of a tile. Returns whether one is met now, and how many stay open.
    fn visit(&self, tile: TileOf, ghosts: &[Vec<Met>]) -> (bool, u64) {
        let words = self.looks[tile.own].open(tile);
        let (mut now, mut left) = ([[0; LINE]; 2], 0);
        for (at, strip) in tile.strips().enumerate() {
            let open = words[at].each_ref().map(load);
            if open == [0; 2] {
                continue;
            }
            let met = self.met_in(strip, open, ghosts);
            for claim in [MOVER, OPPONENT] {
                now[claim][at] = met[claim];
                let open = open[claim] & !met[claim];
                words[at][claim].store(open, Ordering::Relaxed);
                left += u64::from(open.count_ones());
            }
        }
        let has_changed = now != [[0; LINE]; 2];
        if has_changed {
            self.met.note(tile, now);
        }
        (has_changed, left)
    }

    /// Of the open claims of a strip those that are met.
    fn met_in(&self, strip: Strip, [mover, opponent]: [u64; 2], ghosts: &[Vec<Met>]) -> [u64; 2] {
        let (mut undecided, mut met, mut replied) = (mover, 0, opponent);
        for (tight, step) in self.looks[strip.own].moves(strip) {
            let default = load(&tight[0]) & undecided;
            let reply = load(&tight[tight.len() - 1]) & replied;
            undecided &= !default;
            if default | reply == 0 {
                continue;
            }
            let (here, kernel) = (self.met.lines[step.block()], self.ground.kernel);
            let [mut movers, mut opponents] = [0; 2];
            self.ground.each_place((strip, step), (here, ghosts), |children| {
                let met = kernel.met(children);
                movers |= met[MOVER];
                opponents |= met[OPPONENT];
            });
            met |= default & opponents;
            replied &= !reply | movers;
        }
        [met, replied]
    }

    /// Shows the open claims of the rank's positions, each with the children that it waits for: the
    /// one by the default move, or those after all tight replies.
    pub fn each_open(&self, mut see: impl FnMut(usize, Cell, &[Cell])) {
        let pairs = 0..self.ground.pairs();
        let tiles = pairs.flat_map(|small| self.ground.tiles(small, self.ground.interval(small)));
        for strip in tiles.flat_map(TileOf::strips) {
            let open = &self.looks[strip.own].open(strip.tile())[strip.column % LINE];
            for claim in [MOVER, OPPONENT] {
                let rows = self.ground.rows_of(strip.own, strip.panel);
                for lane in set_lanes(load(&open[claim])) {
                    let (own, column) = (strip.own, strip.column);
                    let here = Cell { own, row: rows[lane] as usize, column };
                    let wanted = if claim == MOVER { 1 } else { usize::MAX };
                    let is_tight = |(tight, _): &(&[AtomicU64], _)| {
                        load(&tight[claim * (tight.len() - 1)]) >> lane & 1 == 1
                    };
                    let child = |(_, step): (_, &Step)| {
                        let column = step.transit.quiet.column(strip.panel * LINE + lane);
                        let (own, row) = (step.block(), step.found.row as usize);
                        Some(Cell { own, row, column: column? })
                    };
                    let moves = self.looks[strip.own].moves(strip).filter(is_tight);
                    let children: Vec<Cell> = moves.take(wanted).filter_map(child).collect();
                    see(claim, here, &children);
                }
            }
        }
    }

    /// Takes a claim of a position from those that are open, if the position is here.
    pub fn meet(&self, at: Cell, claim: usize) {
        if !self.has(at) {
            return;
        }
        self.met.meet(at, claim);
        let lane = self.ground.plan.blocks[at.own].row_lanes[at.row] as usize;
        let strip = Strip { own: at.own, column: at.column, panel: lane / LINE };
        let open = &self.looks[at.own].open(strip.tile())[at.column % LINE][claim];
        open.store(load(open) & !(1 << (lane % LINE)), Ordering::Relaxed);
    }

    /// Whether a position is the rank's.
    pub fn has(&self, Cell { own, row, column }: Cell) -> bool {
        let share = self.ground.share(own);
        share.rows.contains(&row) && share.panels.contains(&(column / LINE))
    }

    /// The lower and the upper bound of a position that is here.
    pub fn bounds(&self, Cell { own, row, column }: Cell) -> [i8; 2] {
        let bounds = self.given.bounds;
        [0, bounds.len() - 1].map(|plane| {
            let part = &bounds[plane][own];
            part.panel(column / LINE)[row - part.rows.start].0[column % LINE]
        })
    }
}
