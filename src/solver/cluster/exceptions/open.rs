//! Open claims on all ranks: the twin of [`crate::solver::exceptions`]' first pass, with its sweeps
//! alone.
//!
//! Each rank has what it is to know of its tiles: of each move the lanes where it is the default move
//! and where it is a tight reply, which claims are open, and which are met. Before a pair is looked
//! at, ranks exchange what is met of its children, two bits a position, by the lists that bounds were
//! exchanged by. What is met only grows, and the order in which that is found out does not matter; so
//! it does not matter either that others' bits are those of the last look. Sweeps go on until no rank
//! finds anything; pairs in which nothing is open on any rank are left out.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::children::Seen;
use super::ground::{Ground, Others};
use super::met::MetClaims;
use super::moves::TileMoves;
use crate::error::Result;
use crate::layer::arena::{Arena, Memory};
use crate::layer::blocks::{LINE, Line};
use crate::solver::cluster::cut::Area;
use crate::solver::cluster::part::{MarkedPart, Part};
use crate::solver::exceptions::claims::{MOVER, OPPONENT, Strip, TileOf, add, load, shared, taken};
use crate::solver::exceptions::lanes::{above, transpose};
use crate::solver::kernel::{Meet, Met};
use crate::solver::plan::OUTSIDE;

/// Panels that one task goes through.
const PANELS: usize = 4;

/// The open claims of a rank's tiles in a block.
pub struct OpenBlock<'a> {
    area: Area,
    /// By tile and column: the lanes of the mover's claims and those of the opponent's.
    open: &'a [[AtomicU64; 2]],
}

impl OpenBlock<'_> {
    /// The place of a tile among those of the rank.
    fn tile(&self, TileOf { columns, panel, .. }: TileOf) -> usize {
        let Area { tiles, lines, .. } = &self.area;
        (columns - tiles.start) * lines.len() + panel - lines.start
    }

    fn words(&self, tile: TileOf) -> &[[AtomicU64; 2]] {
        &self.open[self.tile(tile) * LINE..][..LINE]
    }

    /// What is open in a strip.
    pub fn strip(&self, strip: Strip) -> [u64; 2] {
        self.words(strip.tile())[strip.column % LINE].each_ref().map(load)
    }

    fn copied(&self, tile: TileOf) -> [[u64; 2]; LINE] {
        let words = self.words(tile);
        std::array::from_fn(|at| words[at].each_ref().map(load))
    }
}

/// Memory for the open claims of a rank.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(ground: &Ground, arena: &Arena) -> Result<Memory> {
    let strips = |own| {
        let Area { tiles, lines, .. } = ground.area(own);
        tiles.len() * lines.len() * LINE
    };
    let strips: usize = (0..ground.plan.blocks.len()).map(strips).sum();
    arena.take(strips * size_of::<[u64; 2]>(), 0)
}

/// The blocks of a rank's open claims, in memory made for them.
pub fn blocks<'a>(ground: &Ground, room: &'a mut Memory) -> Vec<OpenBlock<'a>> {
    let mut words = shared::<AtomicU64>(room);
    let block = |own| {
        let area = ground.area(own);
        let count = 2 * area.tiles.len() * area.lines.len() * LINE;
        OpenBlock { area, open: taken(&mut words, count).as_chunks().0 }
    };
    (0..ground.plan.blocks.len()).map(block).collect()
}

/// What open claims are found by.
pub struct Given<'a> {
    /// By block: the moves of the rank's tiles.
    pub moves: &'a [Vec<TileMoves<'a>>],
    /// The lower bounds, and the upper ones where they differ.
    pub bounds: &'a [Vec<Part>],
    /// Where a capture, or the end of the game, brings what the mover claims.
    pub done: &'a [MarkedPart],
    /// The largest claim about which nothing need be done.
    pub idle: i8,
    /// Words of a move in a strip.
    pub words: usize,
    /// Where memory comes from.
    pub arena: &'a Arena,
}

/// What is known of a block meanwhile.
struct Looks<'a> {
    moves: &'a [TileMoves<'a>],
    /// By panel of columns: the moves before it.
    before: Vec<usize>,
    /// By tile and move: the lanes where it is the default move, and where it is a tight reply; or
    /// both in one word.
    tight: &'a [AtomicU64],
}

struct Sweeps<'a> {
    ground: &'a Ground<'a>,
    given: &'a Given<'a>,
    blocks: &'a [OpenBlock<'a>],
    looks: Vec<Looks<'a>>,
    met: MetClaims<'a>,
}

/// Finds the open claims of a rank's positions, while all others do the same. Returns how many there
/// are on all ranks, by pair.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory), and those of [`Others::go_on`].
pub fn find(
    ground: &Ground,
    others: Others,
    given: &Given,
    blocks: &[OpenBlock],
) -> Result<Vec<u64>> {
    let count = |own: usize| -> usize {
        let lines = blocks[own].area.lines.len();
        given.moves[own].iter().map(|moves| moves.count() * lines * given.words).sum()
    };
    let tight: usize = (0..blocks.len()).map(count).sum();
    let lines = MetClaims::count(ground);
    let mut tight = given.arena.take(tight * size_of::<AtomicU64>(), 0)?;
    let mut met = given.arena.take(lines * size_of::<Met>(), 0)?;
    let (mut tight, met) = (shared(&mut tight), MetClaims::new(ground, shared(&mut met)));
    let counts: Vec<usize> = (0..blocks.len()).map(count).collect();
    let looks = given.moves.iter().enumerate().map(|(own, moves)| {
        let mut before = vec![0];
        for moves in moves {
            before.push(before[before.len() - 1] + moves.count());
        }
        Looks { moves, before, tight: taken(&mut tight, counts[own]) }
    });
    let sweeps = Sweeps { ground, given, blocks, looks: looks.collect(), met };
    for small in 0..ground.pairs() {
        sweeps.begin(others, small)?;
    }
    let mut open = vec![1; ground.pairs()];
    loop {
        others.go_on()?;
        let found = others.team.sums(&sweeps.sweep(others, &open)?)?;
        open.copy_from_slice(&found[1..]);
        if found[0] == 0 {
            return Ok(open);
        }
    }
}

impl Sweeps<'_> {
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

    /// Notes what is met in a pair before any sweep, and what each move is.
    fn begin(&self, others: Others, small: usize) -> Result<()> {
        let planes: Vec<&[Part]> = self.given.bounds.iter().map(Vec::as_slice).collect();
        let ghosts = others.exchange(self.ground, small, &planes)?;
        let seen = |plane: usize| Seen { parts: planes[plane], ghosts: ghosts.plane(plane) };
        let bounds = [seen(0), seen(planes.len() - 1)];
        self.each_tile(small, |tile| self.begin_tile(tile, bounds));
        Ok(())
    }

    fn begin_tile(&self, tile: TileOf, bounds: [Seen; 2]) {
        let columns = bounds.map(|seen| self.ground.columns(seen.parts, tile));
        let (mut done, lanes) = self.done(tile);
        transpose(&mut done);
        let mut open = [[0; LINE]; 2];
        for (at, strip) in tile.strips().enumerate() {
            // Negated, as the children have them.
            let [low, high] = columns.each_ref().map(|tile| Line(tile.0[at].0.map(|score| -score)));
            let mover = !above(&low, -self.given.idle - 1) & !done[at] & lanes;
            let opponent = above(&high, self.given.idle) & lanes;
            self.note_moves(strip, bounds, [&low, &high], [mover, opponent]);
            (open[MOVER][at], open[OPPONENT][at]) = (mover, opponent);
        }
        self.met.note(tile, open.map(|open| open.map(|lanes| !lanes)));
        for (at, words) in self.blocks[tile.own].words(tile).iter().enumerate() {
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

    /// Notes what each move of a strip is, given its negated bounds and the lanes whose claims are
    /// open.
    fn note_moves(&self, strip: Strip, bounds: [Seen; 2], wanted: [&Line; 2], open: [u64; 2]) {
        let [mut undecided, opponent] = open;
        let tight = self.tight(strip.tile());
        for step in self.moves(strip.tile()).of_column(strip.column % LINE) {
            let tight_of = |plane: usize, lanes: u64| match lanes {
                0 => 0,
                _ => self.ground.equal(bounds[plane], (strip, step), wanted[1 - plane], lanes),
            };
            let (default, reply) = (tight_of(1, undecided), tight_of(0, opponent));
            undecided &= !default;
            let words = &tight[usize::from(step.at) * self.given.words..][..self.given.words];
            add(&words[0], default);
            add(&words[self.given.words - 1], reply);
        }
    }

    fn moves(&self, tile: TileOf) -> &TileMoves<'_> {
        &self.looks[tile.own].moves[tile.columns - self.blocks[tile.own].area.tiles.start]
    }

    /// The words of the moves of a tile.
    fn tight(&self, tile: TileOf) -> &[AtomicU64] {
        let (looks, Area { tiles, lines, .. }) =
            (&self.looks[tile.own], &self.blocks[tile.own].area);
        let (columns, words) = (tile.columns - tiles.start, self.given.words);
        let count = looks.moves[columns].count();
        let first = looks.before[columns] * lines.len() + (tile.panel - lines.start) * count;
        &looks.tight[first * words..(first + count) * words]
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
        let open = self.blocks[tile.own].copied(tile);
        if open == [[0; 2]; LINE] {
            return (false, 0);
        }
        let (mut met, mut held) = ([0; LINE], [0; LINE]);
        let (ground, words, links) =
            (self.ground, self.given.words, self.ground.links_of(tile.own));
        let tight = self.tight(tile);
        for haul in &self.moves(tile).hauls {
            let (share, place) = (ground.share(haul.block), (haul.transit, haul.block));
            let window;
            let (lines, rows, first, windows) = match haul.link {
                None => {
                    let windows = ground.here(haul.transit, haul.block, tile.panel);
                    let met = self.met.lines[haul.block];
                    (met, share.rows.len(), share.panels.start, windows)
                }
                Some(link) => {
                    window = ground.there((links, link), place, tile.panel);
                    (&ghosts[link][..], links.links[link].height(), 0, window.as_slice())
                }
            };
            let tight = &tight[haul.moves.start * words..haul.moves.end * words];
            let (pulls, open, met, held) = (&haul.pulls[..], &open, &mut met, &mut held);
            let meet = Meet { lines, rows, first, windows, pulls, tight, open, met, held };
            ground.kernel.meet(meet);
        }
        let (mut now, mut left) = ([[0; LINE]; 2], 0);
        for (at, [mover, opponent]) in open.into_iter().enumerate() {
            (now[MOVER][at], now[OPPONENT][at]) = (met[at], opponent & !held[at]);
            let open = [mover & !now[MOVER][at], opponent & !now[OPPONENT][at]];
            left += open.map(|open| u64::from(open.count_ones())).iter().sum::<u64>();
        }
        let has_changed = now != [[0; LINE]; 2];
        if has_changed {
            for (at, words) in self.blocks[tile.own].words(tile).iter().enumerate() {
                for claim in [MOVER, OPPONENT] {
                    words[claim].store(open[at][claim] & !now[claim][at], Ordering::Relaxed);
                }
            }
            self.met.note(tile, now);
        }
        (has_changed, left)
    }
}
