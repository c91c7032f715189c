//! Open claims, 64 positions at a time.
//!
//! Moves are looked at in strips: one row of the mover and 64 of the opponent's rows. A first pass
//! notes, for each strip and move, in which lanes it is tight. Sweeps then look at open lanes alone,
//! and there at the first tight move of the mover's claim and at all tight replies. They go through
//! pairs of blocks as the solver's do ([`crate::solver::sweep`]), 64 rows of the larger half-board at
//! a time: in 13 seeds of `awari` that takes a third of the sweeps that whole blocks take.
//!
//! What is met is kept by line of the block, a bit for each column, for that is where children are
//! looked up. What is open in a tile of 64 strips are the other bits of 64 lines, turned round.
//!
//! A task is some panels of a pair; tasks are handed out in order, and none waits for the one
//! before. Threads share the words that say what is met: one that reads an old word only finds out
//! later.
//!
//! # Tried, did not pay
//!
//! To look only at lines where something has changed since the last sweep, at strips that have such
//! news, or at replies that were not met before: branches and marks cost more than they spare. To go
//! through 64 rows of a pair again while they change: half as many sweeps in the same time.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::lanes::{above, transpose};
use super::open::{MOVER, OPPONENT, Strip, TileOf, add, load, shared, taken};
use super::search::{Means, Search};
use crate::error::Result;
use crate::layer::arena::Memory;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::{Cell, rows};
use crate::layer::plane::Plane;
use crate::solver::kernel::{Children, Met, Window};
use crate::solver::plan::{LayerPlan, OUTSIDE, RowMove, Transit};

/// Panels of lanes that one task goes through.
const PANELS: usize = 4;

/// A layer whose open claims are looked for.
pub struct Sweeps<'a> {
    pub search: &'a Search<'a>,
    pub looks: Vec<Looks<'a>>,
    /// The tasks of a sweep, in order.
    pub parts: Vec<Part>,
}

/// What is known of a block while its open claims are looked for.
pub struct Looks<'a> {
    /// Its rows, as lines of a panel.
    pub rows: usize,
    tight: Tight<'a>,
    /// What is met, by panel of columns and row: the mover's claims, and the opponent's.
    pub met: &'a [Met],
}

/// In which lanes the moves of a block are tight.
pub struct Tight<'a> {
    panels: usize,
    /// Words of a move: where it keeps the mover's claim and where it is a tight reply, or both in
    /// one word if that is the same.
    words: usize,
    /// By column: the moves of those before it.
    before: Vec<usize>,
    lanes: &'a [AtomicU64],
}

/// Some panels of a pair of blocks: of the larger one lanes, of the smaller one columns.
pub struct Part {
    small: usize,
    large: usize,
    panels: Range<usize>,
}

/// What a sweep comes to.
pub struct Swept {
    /// Whether any claim is met now that was not.
    pub has_changed: bool,
    /// How many claims are open.
    pub open: u64,
}

impl Part {
    /// Its tiles, in the order in which they are looked at.
    pub fn tiles(&self) -> impl Iterator<Item = TileOf> {
        let &Part { small, large, ref panels } = self;
        (0..rows(large).div_ceil(LINE)).flat_map(move |strip| {
            let leads = panels.clone().map(move |panel| (large, strip, panel));
            let others = if small == large { 0..0 } else { panels.clone() };
            let follows = others.map(move |columns| (small, columns, strip));
            leads.chain(follows).map(|(own, columns, panel)| TileOf { own, columns, panel })
        })
    }
}

/// Words of a move of a strip.
pub fn words(search: &Search) -> usize {
    if search.is_exact() { 1 } else { 2 }
}

impl<'a> Tight<'a> {
    /// Takes its words from some, which lose them.
    fn new(search: &Search, own: usize, words: usize, all: &mut &'a [AtomicU64]) -> Tight<'a> {
        let before = moves_before(search.plan, own);
        let panels = search.panels(own);
        let count = before[before.len() - 1] * panels * words;
        Tight { panels, words, before, lanes: taken(all, count) }
    }

    /// The words of the moves of a strip, house after house.
    #[inline(always)]
    fn strip(&self, Strip { column, panel, .. }: Strip) -> impl Iterator<Item = &'a [AtomicU64]> {
        let (first, last) = (column / LINE * LINE, (column / LINE + 1) * LINE);
        let before = |column: usize| self.before[column.min(self.before.len() - 1)];
        // Tile by tile, and in a tile column by column.
        let tile = before(first) * self.panels + panel * (before(last) - before(first));
        let place = |column| (tile + before(column) - before(first)) * self.words;
        self.lanes[place(column)..place(column + 1)].chunks_exact(self.words)
    }
}

/// By column of a block: the moves of those before it, and then all.
fn moves_before(plan: &LayerPlan, own: usize) -> Vec<usize> {
    let mut before = vec![0];
    before.extend((0..rows(own)).scan(0, |all, column| {
        *all += plan.blocks[own].moves(column).len();
        Some(*all)
    }));
    before
}

/// Memory for the claims of a layer: for what is known of moves, and for what is met.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(search: &Search) -> Result<[Memory; 2]> {
    let moves = |own| moves_before(search.plan, own).pop().unwrap_or(0) * search.panels(own);
    let moves: usize = search.blocks().map(moves).sum();
    let lines: usize = search.blocks().map(|own| lines(search, own)).sum();
    let tight = moves * words(search) * size_of::<AtomicU64>();
    let Means { arena, near, .. } = search.means;
    Ok([arena.take(tight, 0)?, near.take(lines * size_of::<Met>(), 0)?])
}

/// How many lines a block has.
fn lines(search: &Search, own: usize) -> usize {
    let shape = search.low.blocks().shape(own);
    shape.rows() * shape.panels()
}

impl<'a> Sweeps<'a> {
    /// Nothing is known yet of what is met.
    pub fn new(search: &'a Search<'a>, room: &'a mut [Memory; 2]) -> Sweeps<'a> {
        let [mut tight, mut met] = room.each_mut().map(shared::<AtomicU64>);
        let words = words(search);
        let looks = search.blocks().map(|own| Looks {
            rows: search.low.blocks().shape(own).rows(),
            tight: Tight::new(search, own, words, &mut tight),
            met: taken(&mut met, 2 * lines(search, own)).as_chunks().0,
        });
        let looks = looks.collect();
        let seeds = search.layer.seeds().get();
        let parts = (0..=seeds / 2).flat_map(|small| {
            let (large, all) = (seeds - small, search.panels(seeds - small));
            let panels = (0..all).step_by(PANELS).map(move |at| at..all.min(at + PANELS));
            panels.map(move |panels| Part { small, large, panels })
        });
        Sweeps { search, looks, parts: parts.collect() }
    }

    /// Notes what is met before any sweep, and which moves are tight.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
    pub fn begin(&self) -> Result<()> {
        self.parts.par_iter().try_for_each(|part| {
            part.tiles().try_for_each(|tile| {
                self.search.go_on()?;
                self.begin_tile(tile);
                Ok(())
            })
        })
    }

    fn begin_tile(&self, tile: TileOf) {
        let Search { low, high, idle, .. } = *self.search;
        let of_low = self.search.columns(low, tile);
        let of_high = (!self.search.is_exact()).then(|| self.search.columns(high, tile));
        let of_both = [&of_low, of_high.as_ref().unwrap_or(&of_low)];
        let mut done = self.search.done(tile);
        transpose(&mut done);
        let rows = self.search.rows_of(tile.own, tile.panel).iter().enumerate();
        let lanes = rows.fold(0, |lanes, (lane, &row)| lanes | u64::from(row != OUTSIDE) << lane);
        let mut open = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            // Negated, as the children have them.
            let wanted = of_both.map(|tile| Line(tile.0[at].0.map(|score| -score)));
            open[MOVER][at] = !above(&wanted[MOVER], -idle - 1) & !done[at] & lanes;
            open[OPPONENT][at] = above(&wanted[OPPONENT], idle) & lanes;
            self.begin_strip(strip, &wanted, open.map(|open| open[at]));
        }
        self.note(tile, open.map(|open| open.map(|lanes| !lanes)));
    }

    /// Notes in which of the open lanes of a strip its moves are tight.
    fn begin_strip(&self, strip: Strip, wanted: &[Line; 2], open: [u64; 2]) {
        let Search { low, high, .. } = *self.search;
        for (tight, played) in self.tight(strip).zip(self.moves(strip)) {
            match tight {
                [both] => {
                    let lanes = open[MOVER] | open[OPPONENT];
                    let equal = self.equal(strip, played, low, &wanted[MOVER], lanes);
                    both.store(equal, Ordering::Relaxed);
                }
                words => {
                    for (claim, plane) in [high, low].into_iter().enumerate() {
                        let wanted = &wanted[claim];
                        let equal = self.equal(strip, played, plane, wanted, open[claim]);
                        words[claim].store(equal, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Of some lanes of a strip those whose child by a move has what is wanted in a plane.
    #[inline(always)]
    fn equal(
        &self,
        Strip { own, panel, .. }: Strip,
        (found, transit): (&RowMove, &Transit),
        plane: &Plane,
        wanted: &Line,
        lanes: u64,
    ) -> u64 {
        if lanes == 0 {
            return 0;
        }
        let own = self.search.plan.opponent(own) + transit.crossed;
        let (lines, rows) = (plane.blocks().block(own), self.looks[own].rows);
        let (row, windows) = (found.row as usize, transit.quiet.of_line(panel));
        let children = Children { lines, rows, first: 0, row, windows };
        self.search.means.kernel.equal(children, wanted, lanes)
    }

    /// The sowings of a strip's row, house after house.
    #[inline(always)]
    fn moves(&self, strip: Strip) -> impl Iterator<Item = (&'a RowMove, &'a Transit)> {
        self.search.plan.blocks[strip.own].transits(strip.column)
    }

    /// In which lanes of a strip they are tight, if a claim is open there.
    #[inline(always)]
    fn tight(&self, strip: Strip) -> impl Iterator<Item = &'a [AtomicU64]> {
        self.looks[strip.own].tight.strip(strip)
    }

    /// Notes what is met in the strips of a tile.
    pub fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2]) {
        let looks = &self.looks[tile.own];
        met.iter_mut().for_each(transpose);
        let [mover, opponent] = met;
        let first = tile.columns * looks.rows;
        let rows = self.search.rows_of(tile.own, tile.panel);
        for (&row, now) in rows.iter().zip(mover.into_iter().zip(opponent)) {
            if row != OUTSIDE && now != (0, 0) {
                let line = &looks.met[first + row as usize];
                add(&line[MOVER], now.0);
                add(&line[OPPONENT], now.1);
            }
        }
    }

    /// Goes once through the layer.
    ///
    /// # Errors
    /// As [`Sweeps::begin`].
    pub fn sweep(&self) -> Result<Swept> {
        let (changed, open) = (AtomicBool::new(false), AtomicU64::new(0));
        self.parts.iter().par_bridge().try_for_each(|part| {
            let (mut any, mut left) = (false, 0);
            for tile in part.tiles() {
                self.search.go_on()?;
                any |= self.visit(tile, &mut left);
            }
            changed.fetch_or(any, Ordering::Relaxed);
            open.fetch_add(left, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(Swept { has_changed: changed.into_inner(), open: open.into_inner() })
    }

    /// Shows the moves that the open claims of a tile wait for, window by window: the default moves
    /// of the mover's claims, or the tight replies of the opponent's. With each come its place in the
    /// tile, the lanes, and block and line of the children.
    pub fn each_move(
        &self,
        tile: TileOf,
        claim: usize,
        mut see: impl FnMut(usize, &Window, u64, (usize, usize)),
    ) {
        let open = self.open(tile)[claim];
        for (at, strip) in tile.strips().enumerate() {
            let mut wanted = open[at];
            if wanted == 0 {
                continue;
            }
            for (tight, (found, transit)) in self.tight(strip).zip(self.moves(strip)) {
                let tight = load(&tight[claim * (tight.len() - 1)]) & wanted;
                if claim == MOVER {
                    wanted &= !tight;
                }
                let own = self.search.plan.opponent(tile.own) + transit.crossed;
                let rows = self.looks[own].rows;
                for window in transit.quiet.of_line(tile.panel) {
                    let lanes = tight & window.lanes;
                    if lanes != 0 {
                        let line = window.panel as usize * rows + found.row as usize;
                        see(at, window, lanes, (own, line));
                    }
                }
            }
        }
    }

    /// What is open in the strips of a tile: the mover's claims, and the opponent's.
    pub fn open(&self, tile: TileOf) -> [[u64; LINE]; 2] {
        let (mut open, looks) = ([[0; LINE]; 2], &self.looks[tile.own]);
        let first = tile.columns * looks.rows;
        for (lane, &row) in self.search.rows_of(tile.own, tile.panel).iter().enumerate() {
            if row != OUTSIDE {
                let met = &looks.met[first + row as usize];
                (open[MOVER][lane], open[OPPONENT][lane]) =
                    (!load(&met[MOVER]), !load(&met[OPPONENT]));
            }
        }
        for open in open.iter_mut().filter(|open| **open != [0; LINE]) {
            transpose(open);
        }
        open
    }

    /// Whether a claim of a position is open.
    pub fn is_open(&self, at: Cell, claim: usize) -> bool {
        let looks = &self.looks[at.own];
        let line = at.column / LINE * looks.rows + at.row;
        load(&looks.met[line][claim]) >> (at.column % LINE) & 1 == 0
    }

    /// Looks at the open claims of a tile and counts those that stay open. Returns whether one is met
    /// now.
    fn visit(&self, tile: TileOf, left: &mut u64) -> bool {
        let [movers, opponents] = self.open(tile);
        if (movers, opponents) == ([0; LINE], [0; LINE]) {
            return false;
        }
        let mut now = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            let open = [movers[at], opponents[at]];
            if open == [0; 2] {
                continue;
            }
            let met = self.met(strip, open);
            for claim in [MOVER, OPPONENT] {
                now[claim][at] = met[claim];
                *left += u64::from((open[claim] & !met[claim]).count_ones());
            }
        }
        let has_changed = now != [[0; LINE]; 2];
        if has_changed {
            self.note(tile, now);
        }
        has_changed
    }

    /// Of the open claims of a strip those that are met.
    #[inline(always)]
    fn met(&self, strip: Strip, [mover, opponent]: [u64; 2]) -> [u64; 2] {
        let (mut undecided, mut met, mut replied) = (mover, 0, opponent);
        for (tight, (found, transit)) in self.tight(strip).zip(self.moves(strip)) {
            let default = load(&tight[0]) & undecided;
            let reply = load(&tight[tight.len() - 1]) & replied;
            undecided &= !default;
            if default | reply == 0 {
                continue;
            }
            let own = self.search.plan.opponent(strip.own) + transit.crossed;
            let Looks { rows, met: lines, .. } = self.looks[own];
            let (row, windows) = (found.row as usize, transit.quiet.of_line(strip.panel));
            let children = Children { lines, rows, first: 0, row, windows };
            let [movers, opponents] = self.search.means.kernel.met(children);
            met |= default & opponents;
            replied &= !reply | movers;
        }
        [met, replied]
    }

    /// Takes one claim from what is open.
    pub fn meet_one(&self, Cell { own, row, column }: Cell, claim: usize) {
        let looks = &self.looks[own];
        add(&looks.met[column / LINE * looks.rows + row][claim], 1 << (column % LINE));
    }
}
