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
//! What is open is kept by strip, a bit for each lane; what is met by line of the block, a bit for
//! each column, for that is where children are looked up. A tile of 64 strips is 64 lines turned
//! round.
//!
//! Threads share the words that say what is met: whoever reads an old one only finds out later. What
//! is met in the end does not depend on the order.
//!
//! # Tried, did not pay
//!
//! Marks on strips that have news, made from lists of the moves to each row: in 20 seeds of `abapa`
//! a quarter less is spent on looking, and as much more on marks. To go through 64 rows of a pair
//! again while they change: half as many sweeps in the same time. A bound for whole rows instead of
//! lines in front of each strip: it lets too many pass.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use rayon::prelude::*;
use zerocopy::{FromBytes, IntoBytes};

use super::lanes::{above, transpose};
use super::moves::{Moves, TileMoves};
use super::search::{Search, Strip};
use crate::error::Result;
use crate::game::rules::Endless;
use crate::layer::arena::Memory;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::{Layer, rows};
use crate::layer::plane::Plane;
use crate::solver::kernel::{Children, Meet, Met};
use crate::solver::plan::OUTSIDE;

/// Whose claim: the mover's, or the opponent's.
const MOVER: usize = 0;
const OPPONENT: usize = 1;

/// Panels of lanes that one task goes through.
const PANELS: usize = 4;

/// The open claims of a layer.
pub struct OpenClaims<'a> {
    blocks: Vec<OpenBlock<'a>>,
}

/// The claims of a block.
struct OpenBlock<'a> {
    /// Its rows, as lines of a panel.
    rows: usize,
    /// Panels of lanes.
    panels: usize,
    /// What is met, by panel of columns and row: the mover's claims, and the opponent's.
    met: &'a [Met],
    /// What is open, by panel of columns, panel of lanes and column: likewise.
    open: &'a [[AtomicU64; 2]],
}

impl OpenClaims<'_> {
    /// Returns the lanes of a strip whose mover's and whose opponent's claim is open.
    pub fn lanes(&self, strip: Strip) -> [u64; 2] {
        let column = strip.column % LINE;
        self.blocks[strip.own].open(tile_of(strip))[column].each_ref().map(load)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        let mut strips = self.blocks.iter().flat_map(|block| block.open).flatten();
        strips.all(|lanes| load(lanes) == 0)
    }
}

/// 64 columns of a block and 64 of its lanes.
#[derive(Clone, Copy)]
struct TileOf {
    own: usize,
    columns: usize,
    panel: usize,
}

fn tile_of(strip: Strip) -> TileOf {
    TileOf { own: strip.own, columns: strip.column / LINE, panel: strip.panel }
}

impl TileOf {
    /// Its strips.
    fn strips(self) -> impl Iterator<Item = Strip> {
        let TileOf { own, columns, panel } = self;
        let columns = columns * LINE..rows(own).min((columns + 1) * LINE);
        columns.map(move |column| Strip { own, column, panel })
    }
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

/// Adds lanes to a word that nobody else writes to meanwhile.
fn add(word: &AtomicU64, lanes: u64) {
    word.store(load(word) | lanes, Ordering::Relaxed);
}

/// Bytes that the open claims of a layer take, and how many more while they are looked for.
pub fn memory(layer: Layer, endless: Endless) -> (u64, u64) {
    let lines = Plane::memory(layer) / LINE as u64;
    let panels = |own: usize| rows(layer.seeds().get() - own).div_ceil(LINE);
    let open = |own: usize| (padded(rows(own)) * panels(own) * size_of::<[u64; 2]>()) as u64;
    // Of six houses five hold seeds, in the half-boards of layers that are large.
    let tight = |own: usize| 5 * words(endless) * size_of::<u64>() * rows(own) * panels(own);
    let moves = |own: usize| (tight(own) + TileMoves::BYTES * rows(own)) as u64;
    let blocks = || 0..=layer.seeds().get();
    (
        lines * size_of::<Met>() as u64 + blocks().map(open).sum::<u64>(),
        lines * size_of::<u16>() as u64 + blocks().map(moves).sum::<u64>(),
    )
}

/// So many columns in whole panels.
fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LINE)
}

/// Words of a move in a strip. Under an even split at most one of two claims needs anything, so one
/// word says of each lane what it asks.
fn words(endless: Endless) -> usize {
    match endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) | Endless::Drawn => 2,
    }
}

/// Memory for the open claims of a layer.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(search: &Search) -> Result<Memory> {
    let words = |own| 2 * (OpenBlock::lines(search, own) + OpenBlock::strips(search, own));
    let words: usize = search.blocks().map(words).sum();
    search.means.arena.take(words * size_of::<AtomicU64>(), 0)
}

/// Finds the open claims of a layer, in memory made for them.
///
/// # Errors
/// As [`room`], and [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for
/// it.
pub fn find<'a>(search: &Search, room: &'a mut Memory) -> Result<OpenClaims<'a>> {
    let mut room = shared::<AtomicU64>(room);
    let blocks: Vec<_> =
        search.blocks().map(|own| OpenBlock::new(search, own, &mut room)).collect();
    let moves: Vec<_> = search.blocks().map(|own| Moves::new(search, own)).collect();
    let words = words(search.plan.rules.endless);
    let count: usize = moves.iter().map(Moves::count).sum();
    let mut tight = search.means.arena.take(count * words * size_of::<AtomicU64>(), 0)?;
    let lines: usize = blocks.iter().map(|block| block.met.len()).sum();
    let mut grown = search.means.arena.take(lines * size_of::<AtomicU16>(), 0)?;
    let (mut tight, mut grown) = (shared::<AtomicU64>(&mut tight), shared(&mut grown));
    let looks = moves.into_iter().zip(&blocks).map(|(moves, block)| Looks {
        tight: taken(&mut tight, moves.count() * words),
        grown: taken(&mut grown, block.met.len()),
        moves,
    });
    let sweeps = Sweeps { search, words, blocks: &blocks, looks: looks.collect() };
    for tile in sweeps.tiles() {
        tile.try_for_each(|tile| {
            search.go_on()?;
            sweeps.begin(tile);
            Ok(())
        })?;
    }
    let mut number = 1;
    while sweeps.sweep(number)? {
        // At the highest number every line that ever grew is looked at.
        number = number.saturating_add(1);
    }
    drop(sweeps);
    Ok(OpenClaims { blocks })
}

/// Memory as numbers that threads share.
fn shared<T: FromBytes + IntoBytes>(memory: &mut Memory) -> &[T] {
    <[T]>::mut_from_bytes(memory.bytes_mut()).expect("whole numbers, at the beginning of a page")
}

/// The first so many of some numbers, which lose them.
fn taken<'a, T>(numbers: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = numbers.split_at(count);
    *numbers = rest;
    first
}

struct Sweeps<'a> {
    search: &'a Search<'a>,
    words: usize,
    blocks: &'a [OpenBlock<'a>],
    looks: Vec<Looks<'a>>,
}

/// What is known of a block while its open claims are looked for.
struct Looks<'a> {
    moves: Moves<'a>,
    /// By tile and move: the lanes where it is the default move, and where it is a tight reply after
    /// which the mover's claim was open when it was last looked at; or both in one word.
    tight: &'a [AtomicU64],
    /// By panel of columns and row: the last sweep in which more was met.
    grown: &'a [AtomicU16],
}

impl Looks<'_> {
    /// The words of the moves of a tile, as the pulls come.
    fn tight(&self, tile: TileOf, words: usize) -> &[AtomicU64] {
        let moves = self.moves.of_tile(tile.columns, tile.panel);
        &self.tight[moves.start * words..moves.end * words]
    }
}

impl Sweeps<'_> {
    /// The tiles of each block.
    fn tiles(&self) -> impl Iterator<Item = impl IndexedParallelIterator<Item = TileOf>> {
        self.blocks.iter().enumerate().map(|(own, block)| {
            let panels = block.panels;
            let tiles = (0..panels * rows(own).div_ceil(LINE)).into_par_iter();
            tiles.map(move |at| TileOf { own, columns: at / panels, panel: at % panels })
        })
    }

    /// Notes what is met in a tile before any sweep, and what each move is.
    fn begin(&self, tile: TileOf) {
        let first = tile.strips().next().expect("a column");
        let bounds =
            [self.search.low, self.search.high].map(|plane| self.search.columns(plane, first));
        let mut done = self.done(tile);
        transpose(&mut done);
        let lanes = self.blocks[tile.own].lanes(self.search, tile);
        let mut open = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            // Negated, as the children have them.
            let [low, high] = bounds.each_ref().map(|tile| Line(tile.0[at].0.map(|score| -score)));
            let mover = !above(&low, -self.search.idle - 1) & !done[at] & lanes;
            let opponent = above(&high, self.search.idle) & lanes;
            self.note_moves(strip, [&low, &high], [mover, opponent]);
            (open[MOVER][at], open[OPPONENT][at]) = (mover, opponent);
        }
        self.note(tile, open.map(|open| open.map(|lanes| !lanes)), 0);
        self.blocks[tile.own].put_open(tile, &open);
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

    /// Notes what each move of a strip is, given its negated bounds and the lanes whose claims are
    /// open.
    fn note_moves(&self, strip: Strip, [low, high]: [&Line; 2], open: [u64; 2]) {
        let Strip { own, column, panel } = strip;
        let [mut undecided, opponent] = open;
        let (columns, place) = (column / LINE, column % LINE);
        let tight_words = self.looks[own].tight(tile_of(strip), self.words);
        let by_house = &self.looks[own].moves.of_columns(columns).by_house[place];
        let moves = self.search.plan.blocks[own].transits(column);
        for ((found, transit), &at) in moves.zip(by_house) {
            let child = self.search.plan.opponent(own) + transit.crossed;
            let (row, windows) = (found.row as usize, transit.quiet.of_line(panel));
            let tight = |plane: &Plane, wanted: &Line, lanes: u64| {
                let (rows, lines) = (self.blocks[child].rows, plane.blocks().block(child));
                let children = Children { lines, rows, row, windows };
                self.search.means.kernel.equal(children, wanted, lanes)
            };
            let default = if undecided == 0 { 0 } else { tight(self.search.high, low, undecided) };
            let reply = if opponent == 0 { 0 } else { tight(self.search.low, high, opponent) };
            undecided &= !default;
            let words = &tight_words[usize::from(at) * self.words..][..self.words];
            add(&words[0], default);
            add(&words[self.words - 1], reply);
        }
    }

    /// Notes what is met in the strips of a tile, and in which sweep that has come out.
    fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2], number: u16) {
        let block = &self.blocks[tile.own];
        met.iter_mut().for_each(transpose);
        let [mover, opponent] = met;
        let first = tile.columns * block.rows;
        let rows = self.search.rows_of(tile.own, tile.panel);
        for (&row, now) in rows.iter().zip(mover.into_iter().zip(opponent)) {
            if row != OUTSIDE && now != (0, 0) {
                let line = first + row as usize;
                add(&block.met[line][MOVER], now.0);
                add(&block.met[line][OPPONENT], now.1);
                self.looks[tile.own].grown[line].store(number, Ordering::Relaxed);
            }
        }
    }

    /// Goes once through the layer. Returns whether any claim is met now that was not.
    fn sweep(&self, number: u16) -> Result<bool> {
        let (mut changed, seeds) = (false, self.search.layer.seeds().get());
        for small in 0..=seeds / 2 {
            changed |= self.sweep_pair(small, seeds - small, number)?;
        }
        Ok(changed)
    }

    /// Goes through a pair of blocks: the rows of the larger half-board in order, 64 at a time.
    fn sweep_pair(&self, small: usize, large: usize, number: u16) -> Result<bool> {
        let panels = self.blocks[large].panels;
        let parts = (0..panels).into_par_iter().step_by(PANELS);
        let changed = AtomicBool::new(false);
        parts.try_for_each(|first| {
            let panels = first..panels.min(first + PANELS);
            let mut any = false;
            for strip in 0..rows(large).div_ceil(LINE) {
                self.search.go_on()?;
                for panel in panels.clone() {
                    any |= self.visit(TileOf { own: large, columns: strip, panel }, number);
                }
                if small != large {
                    for columns in panels.clone() {
                        any |= self.visit(TileOf { own: small, columns, panel: strip }, number);
                    }
                }
            }
            changed.fetch_or(any, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(changed.into_inner())
    }

    /// Looks at the open claims of a tile. Returns whether one is met now.
    fn visit(&self, tile: TileOf, number: u16) -> bool {
        let words = self.blocks[tile.own].open(tile);
        let open: [[u64; 2]; LINE] = std::array::from_fn(|at| words[at].each_ref().map(load));
        if open == [[0; 2]; LINE] {
            return false;
        }
        let (mut met, mut held) = ([0; LINE], [0; LINE]);
        let tight = self.looks[tile.own].tight(tile, self.words);
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let child = &self.blocks[own];
            self.search.means.kernel.meet(Meet {
                lines: child.met,
                grown: self.looks[own].grown,
                since: number - 1,
                rows: child.rows,
                windows: transit.quiet.of_line(tile.panel),
                pulls: &of_columns.pulls[group.clone()],
                tight: &tight[group.start * self.words..group.end * self.words],
                open: &open,
                met: &mut met,
                held: &mut held,
            });
        }
        let mut now = [[0; LINE]; 2];
        for (at, [_, opponent]) in open.into_iter().enumerate() {
            (now[MOVER][at], now[OPPONENT][at]) = (met[at], opponent & !held[at]);
        }
        if now == [[0; LINE]; 2] {
            return false;
        }
        for (at, word) in words.iter().enumerate() {
            for claim in [MOVER, OPPONENT] {
                word[claim].store(open[at][claim] & !now[claim][at], Ordering::Relaxed);
            }
        }
        self.note(tile, now, number);
        true
    }
}

impl<'a> OpenBlock<'a> {
    /// Takes its words from some, which lose them.
    fn new(search: &Search, own: usize, words: &mut &'a [AtomicU64]) -> OpenBlock<'a> {
        let rows = search.low.blocks().shape(own).rows();
        let mut pairs = |count: usize| taken(words, 2 * count).as_chunks().0;
        OpenBlock {
            rows,
            panels: search.panels(own),
            met: pairs(OpenBlock::lines(search, own)),
            open: pairs(OpenBlock::strips(search, own)),
        }
    }

    /// How many lines a block has.
    fn lines(search: &Search, own: usize) -> usize {
        let shape = search.low.blocks().shape(own);
        shape.rows() * shape.panels()
    }

    /// How many strips, with those that its last tiles have too much.
    fn strips(search: &Search, own: usize) -> usize {
        padded(rows(own)) * search.panels(own)
    }

    /// What is open in the strips of a tile.
    fn open(&self, TileOf { columns, panel, .. }: TileOf) -> &[[AtomicU64; 2]] {
        &self.open[(columns * self.panels + panel) * LINE..][..LINE]
    }

    fn put_open(&self, tile: TileOf, lanes: &[[u64; LINE]; 2]) {
        for (at, open) in self.open(tile).iter().enumerate() {
            for claim in [MOVER, OPPONENT] {
                open[claim].store(lanes[claim][at], Ordering::Relaxed);
            }
        }
    }

    /// The lanes of a tile that are positions.
    fn lanes(&self, search: &Search, tile: TileOf) -> u64 {
        let rows = search.rows_of(tile.own, tile.panel).iter().enumerate();
        rows.fold(0, |lanes, (lane, &row)| lanes | u64::from(row != OUTSIDE) << lane)
    }
}
