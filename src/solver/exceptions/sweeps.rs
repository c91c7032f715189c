//! Open claims, 64 positions at a time.
//!
//! Moves are looked at in strips: one row of the mover and 64 of the opponent's rows. A first pass
//! notes, for each strip and move, in which lanes it is the default move and in which a tight reply.
//! Sweeps then look at open lanes alone, and there at one child of the mover's claim and at all tight
//! replies, without a branch. They go through pairs of blocks as the solver's do
//! ([`crate::solver::sweep`]), 64 rows of the larger half-board at a time: in 13 seeds of `awari`
//! that takes a third of the sweeps that whole blocks take.
//!
//! What is open is kept by strip, a bit for each lane; what is met by line of the block, a bit for
//! each column, for that is where children are looked up. A tile of 64 strips is 64 lines turned
//! round.
//!
//! A task is some panels of a pair; tasks are handed out in order, and none waits for the one
//! before. Threads share the words that say what is met: whoever reads an old one only finds out
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

use super::claims::{MOVER, OPPONENT, OpenBlock, TileOf, add, load};
use super::lanes::{above, transpose};
use super::moves::Moves;
use super::search::{Search, Strip};
use crate::error::Result;
use crate::game::board::HOUSES;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::rows;
use crate::layer::plane::Plane;
use crate::solver::kernel::{Equal, Meet, Met, Pull, Source, Window};
use crate::solver::plan::OUTSIDE;

/// Panels of lanes that one task goes through.
const PANELS: usize = 4;

/// Lanes, by move of a tile.
type Lanes = [u64; HOUSES * LINE];

/// A layer whose open claims are looked for.
pub struct Sweeps<'a> {
    pub search: &'a Search<'a>,
    /// Words of a move in a strip.
    pub words: usize,
    pub blocks: Vec<OpenBlock<'a>>,
    pub looks: Vec<Looks<'a>>,
    /// The tasks of a sweep, in order.
    pub parts: Vec<Part>,
}

/// What is known of a block while its open claims are looked for.
pub struct Looks<'a> {
    /// Its rows, as lines of a panel.
    pub rows: usize,
    pub moves: Moves<'a>,
    /// By tile and move: the lanes where it is the default move, and where it is a tight reply; or
    /// both in one word.
    pub tight: &'a [AtomicU64],
    /// What is met, by panel of columns and row: the mover's claims, and the opponent's.
    pub met: &'a [Met],
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

impl Looks<'_> {
    /// The words of the moves of a tile, as the pulls come.
    pub fn tight(&self, tile: TileOf, words: usize) -> &[AtomicU64] {
        let moves = self.moves.of_tile(tile.columns, tile.panel);
        &self.tight[moves.start * words..moves.end * words]
    }
}

impl<'a> Sweeps<'a> {
    /// Nothing is known yet of what is met.
    pub fn new(
        search: &'a Search<'a>,
        words: usize,
        blocks: Vec<OpenBlock<'a>>,
        looks: Vec<Looks<'a>>,
    ) -> Sweeps<'a> {
        let seeds = search.layer.seeds().get();
        let parts = (0..=seeds / 2).flat_map(|small| {
            let (large, all) = (seeds - small, search.panels(seeds - small));
            let panels = (0..all).step_by(PANELS).map(move |at| at..all.min(at + PANELS));
            panels.map(move |panels| Part { small, large, panels })
        });
        Sweeps { search, words, blocks, looks, parts: parts.collect() }
    }

    /// Notes what is met before any sweep, and what each move is.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
    pub fn begin(&self) -> Result<()> {
        self.tiles().try_for_each(|tiles| {
            tiles.try_for_each(|tile| {
                self.search.go_on()?;
                self.begin_tile(tile);
                Ok(())
            })
        })
    }

    /// The tiles of each block.
    fn tiles(&self) -> impl Iterator<Item = impl IndexedParallelIterator<Item = TileOf>> {
        self.blocks.iter().enumerate().map(|(own, block)| {
            let panels = block.panels;
            let tiles = (0..panels * rows(own).div_ceil(LINE)).into_par_iter();
            tiles.map(move |at| TileOf { own, columns: at / panels, panel: at % panels })
        })
    }

    /// Notes what is met in a tile before any sweep, and what each move is.
    fn begin_tile(&self, tile: TileOf) {
        let Search { low, high, .. } = *self.search;
        let first = tile.strips().next().expect("a column");
        // Negated, as the children have them.
        let wanted = [low, high].map(|plane| {
            let scores = self.search.columns(plane, first);
            scores.0.map(|line| Line(line.0.map(|score| -score)))
        });
        let defaults = self.equals(tile, high, &wanted[MOVER]);
        // Where all bounds are exact they are one plane.
        let replies = if std::ptr::eq(low, high) {
            defaults
        } else {
            self.equals(tile, low, &wanted[OPPONENT])
        };
        let mut done = self.done(tile);
        transpose(&mut done);
        let lanes = self.blocks[tile.own].lanes(self.search, tile);
        let mut open = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            let mover = !above(&wanted[MOVER][at], -self.search.idle - 1) & !done[at] & lanes;
            let opponent = above(&wanted[OPPONENT][at], self.search.idle) & lanes;
            self.note_moves(strip, [&defaults, &replies], [mover, opponent]);
            (open[MOVER][at], open[OPPONENT][at]) = (mover, opponent);
        }
        self.note(tile, open.map(|open| open.map(|lanes| !lanes)));
        for (at, words) in self.blocks[tile.own].tile(tile).iter().enumerate() {
            for claim in [MOVER, OPPONENT] {
                words[claim].store(open[claim][at], Ordering::Relaxed);
            }
        }
    }

    /// For each lane of a tile, the columns where a capture or the end of the game brings the
    /// mover's claim.
    fn done(&self, tile: TileOf) -> [u64; LINE] {
        let (words, done) = self.search.done.block(tile.own);
        let mut columns = [0; LINE];
        for (columns, &row) in columns.iter_mut().zip(self.search.rows_of(tile.own, tile.panel)) {
            if row != OUTSIDE {
                *columns = done[row as usize * words + tile.columns];
            }
        }
        columns
    }

    /// By move of a tile: the lanes where it leads to the score that is wanted.
    fn equals(&self, tile: TileOf, plane: &Plane, wanted: &[Line; LINE]) -> Lanes {
        let mut equal = [0; HOUSES * LINE];
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let source = Source {
                lines: plane.blocks().block(own),
                rows: self.looks[own].rows,
                first: 0,
                windows: transit.quiet.of_line(tile.panel),
                ahead: transit.quiet.of_line(tile.panel + 1),
                pulls: &of_columns.pulls[group.clone()],
                captured: 0,
            };
            let equal = &mut equal[group.clone()];
            self.search.means.kernel.equals(Equal { source, wanted, equal });
        }
        equal
    }

    /// Notes what each move of a strip is, given the lanes where the moves of its tile lead to what
    /// is wanted, and the lanes whose claims are open.
    fn note_moves(&self, strip: Strip, [defaults, replies]: [&Lanes; 2], open: [u64; 2]) {
        let [mut undecided, opponent] = open;
        let (columns, place) = (strip.column / LINE, strip.column % LINE);
        let looks = &self.looks[strip.own];
        let (tight_words, moves) = (looks.tight(strip.tile(), self.words), &looks.moves);
        let moves_of_strip = self.search.plan.blocks[strip.own].moves(strip.column).len();
        for &at in &moves.of_columns(columns).by_house[place][..moves_of_strip] {
            let at = usize::from(at);
            let (default, reply) = (defaults[at] & undecided, replies[at] & opponent);
            undecided &= !default;
            let words = &tight_words[at * self.words..][..self.words];
            add(&words[0], default);
            add(&words[self.words - 1], reply);
        }
    }

    /// Notes what is met in the strips of a tile.
    fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2]) {
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
    /// of the mover's claims, or the tight replies of the opponent's. With each come the lanes, and
    /// block and line of the children.
    pub fn each_move(
        &self,
        tile: TileOf,
        claim: usize,
        mut see: impl FnMut(&Pull, &Window, u64, (usize, usize)),
    ) {
        let (open, words) = (self.open(tile), self.words);
        if open == [[0; 2]; LINE] {
            return;
        }
        let looks = &self.looks[tile.own];
        let tight = looks.tight(tile, words);
        let of_columns = looks.moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let rows = self.looks[own].rows;
            for window in transit.quiet.of_line(tile.panel) {
                for at in group.clone() {
                    let (pull, tight) = (&of_columns.pulls[at], &tight[at * words..][..words]);
                    let tight = load(&tight[claim * (words - 1)]);
                    let lanes = tight & open[pull.place as usize][claim] & window.lanes;
                    if lanes != 0 {
                        let line = window.panel as usize * rows + pull.row as usize;
                        see(pull, window, lanes, (own, line));
                    }
                }
            }
        }
    }

    /// What is open in the strips of a tile.
    pub fn open(&self, tile: TileOf) -> [[u64; 2]; LINE] {
        let words = self.blocks[tile.own].tile(tile);
        std::array::from_fn(|at| words[at].each_ref().map(load))
    }

    /// Looks at the open claims of a tile and counts those that stay open. Returns whether one is met
    /// now.
    fn visit(&self, tile: TileOf, left: &mut u64) -> bool {
        let open = self.open(tile);
        if open == [[0; 2]; LINE] {
            return false;
        }
        let (mut met, mut held) = ([0; LINE], [0; LINE]);
        let tight = self.looks[tile.own].tight(tile, self.words);
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let child = &self.looks[own];
            self.search.means.kernel.meet(Meet {
                lines: child.met,
                rows: child.rows,
                first: 0,
                windows: transit.quiet.of_line(tile.panel),
                pulls: &of_columns.pulls[group.clone()],
                tight: &tight[group.start * self.words..group.end * self.words],
                open: &open,
                met: &mut met,
                held: &mut held,
            });
        }
        let mut now = [[0; LINE]; 2];
        for (at, [mover, opponent]) in open.into_iter().enumerate() {
            (now[MOVER][at], now[OPPONENT][at]) = (met[at], opponent & !held[at]);
            let open = [mover & !now[MOVER][at], opponent & !now[OPPONENT][at]];
            *left += open.map(|open| u64::from(open.count_ones())).iter().sum::<u64>();
        }
        let has_changed = now != [[0; LINE]; 2];
        if has_changed {
            self.put(tile, &open, now);
        }
        has_changed
    }

    /// Takes what is met now from what was open in a tile.
    pub fn put(&self, tile: TileOf, open: &[[u64; 2]; LINE], now: [[u64; LINE]; 2]) {
        for (at, words) in self.blocks[tile.own].tile(tile).iter().enumerate() {
            for claim in [MOVER, OPPONENT] {
                words[claim].store(open[at][claim] & !now[claim][at], Ordering::Relaxed);
            }
        }
        self.note(tile, now);
    }
}
