//! The last open claims, one by one.
//!
//! After some sweeps few lanes of a strip are open, but hardly a strip has none, and most sweeps are
//! still to come. What is left then becomes a list. It holds the opponent's claims alone: the mover's
//! waits for one child's, so whoever waits for the mover's claim waits for that. Claims are numbered
//! in the order of the sweeps; in the list stands the number of each, marked, and behind it those of
//! the claims that it waits for. A round goes through the list and takes out what is met: first what
//! is waited for, then the claims that wait for nothing any more. It ends when a round finds nothing;
//! one more sweep then says which of the mover's claims are met.
//!
//! In the list are always those claims, and behind them those that they wait for, that were open when
//! they were last looked at. Which of them are met is a bit for each number; these few bits stay in
//! the processor's cache.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::claims::{MOVER, OPPONENT, OpenBlock, TileOf, add, load, numbers, shared, taken};
use super::search::Strip;
use super::sweeps::{Part, Sweeps};
use crate::error::Result;
use crate::layer::blocks::{LINE, set_lanes};
use crate::layer::index::{Cell, Layer};

/// What marks the number of a claim in the list.
const MARK: u32 = 1 << 31;

/// Positions of the layer for each entry that the list may have.
const POSITIONS: u64 = 6;

/// How many entries the list of a layer may have.
pub fn most(layer: Layer) -> u64 {
    layer.positions() / POSITIONS
}

/// Bytes that the list of a layer with so many strips takes.
pub fn memory(layer: Layer, strips: usize) -> u64 {
    let (numbers, entries) = (strips * size_of::<u32>(), most(layer));
    // Each claim waits for something.
    numbers as u64 + entries * size_of::<u32>() as u64 + entries / 16
}

/// Finds all open claims that are met if they take so many entries at most. Returns whether that has
/// been done.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for the list, and
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
pub fn finish(sweeps: &Sweeps, open: u64, most: u64) -> Result<bool> {
    // About half of the claims are the opponent's, and each of these waits for something.
    if open > most {
        return Ok(false);
    }
    let counts: Vec<Count> = sweeps.parts.par_iter().map(|part| sweeps.count(part)).collect();
    let entries: usize = counts.iter().map(|count| count.entries).sum();
    let words: usize = counts.iter().map(Count::words).sum();
    if entries as u64 > most || words * LINE >= MARK as usize {
        return Ok(false);
    }
    let (search, arena) = (sweeps.search, sweeps.search.means.arena);
    let strips = |own| OpenBlock::strips(search, own);
    let all: usize = search.blocks().map(strips).sum();
    let mut first = arena.take(all * size_of::<AtomicU32>(), 0)?;
    let mut met = arena.take(words * size_of::<AtomicU64>(), 0)?;
    let mut memory = arena.take(entries * size_of::<u32>(), 0)?;
    let mut first = shared(&mut first);
    let first = search.blocks().map(|own| taken(&mut first, strips(own))).collect();
    let list = List { sweeps, first, met: shared(&mut met) };
    let mut rest = numbers::<u32>(&mut memory);
    let (mut number, mut pieces) = (0, Vec::new());
    for (part, count) in sweeps.parts.iter().zip(&counts) {
        let entries = rest.split_off_mut(..count.entries).expect("as many as counted");
        list.number(part, number);
        pieces.push(Piece { part, entries, used: 0 });
        number += count.words() * LINE;
    }
    pieces.par_iter_mut().try_for_each(|piece| list.fill(piece))?;
    let has_changed = AtomicBool::new(true);
    while has_changed.swap(false, Ordering::Relaxed) {
        pieces.iter_mut().par_bridge().try_for_each(|piece| {
            search.go_on()?;
            has_changed.fetch_or(list.round(piece), Ordering::Relaxed);
            Ok(())
        })?;
    }
    sweeps.parts.par_iter().for_each(|part| list.close(part));
    sweeps.sweep()?;
    Ok(true)
}

/// How much of a part of the layer is open.
struct Count {
    claims: usize,
    /// Claims, and what they wait for.
    entries: usize,
}

impl Count {
    /// Words of a bit for each claim: no other part has bits in them.
    fn words(&self) -> usize {
        self.claims.div_ceil(LINE)
    }
}

impl Sweeps<'_> {
    fn count(&self, part: &Part) -> Count {
        let (mut claims, mut replies) = (0, 0);
        for tile in part.tiles() {
            let open = self.open(tile).map(|open| open[OPPONENT]);
            claims += open.iter().map(|lanes| lanes.count_ones() as usize).sum::<usize>();
            let looks = &self.looks[tile.own];
            let pulls = &looks.moves.of_columns(tile.columns).pulls;
            let tight = looks.tight(tile, self.words).chunks_exact(self.words);
            for (pull, tight) in pulls.iter().zip(tight) {
                let reply = load(&tight[self.words - 1]) & open[pull.place as usize];
                replies += reply.count_ones() as usize;
            }
        }
        Count { claims, entries: claims + replies }
    }

    /// Shows the children of a position of a strip by its default move, or by its tight replies.
    fn each_child(&self, strip: Strip, lane: usize, claim: usize, mut see: impl FnMut(Cell)) {
        let Strip { own, column, panel } = strip;
        let tight = self.looks[own].tight(strip.tile(), self.words);
        let by_house = &self.looks[own].moves.of_columns(column / LINE).by_house[column % LINE];
        let moves = self.search.plan.blocks[own].transits(column);
        for ((found, transit), &at) in moves.zip(by_house) {
            let word = usize::from(at) * self.words + claim * (self.words - 1);
            if load(&tight[word]) >> lane & 1 == 1 {
                let column = transit.quiet.column(panel * LINE + lane).expect("a quiet move");
                let own = self.search.plan.opponent(own) + transit.crossed;
                see(Cell { own, row: found.row as usize, column });
            }
        }
    }

    /// The strip of a position, and its lane there.
    fn strip_of(&self, Cell { own, row, column }: Cell) -> (Strip, usize) {
        let lane = self.search.plan.blocks[own].row_lanes[row] as usize;
        (Strip { own, column, panel: lane / LINE }, lane % LINE)
    }
}

/// The numbers of claims.
struct List<'a> {
    sweeps: &'a Sweeps<'a>,
    /// By block and strip: the number of the first claim.
    first: Vec<&'a [AtomicU32]>,
    /// By number: whether the claim is met.
    met: &'a [AtomicU64],
}

/// What is left of a part of the layer.
struct Piece<'a> {
    part: &'a Part,
    entries: &'a mut [u32],
    /// How many entries there are.
    used: usize,
}

impl List<'_> {
    /// Numbers the claims of a part.
    fn number(&self, part: &Part, mut next: usize) {
        for tile in part.tiles() {
            let first = &self.first[tile.own][self.sweeps.blocks[tile.own].place(tile)..];
            for ([_, open], first) in self.sweeps.open(tile).into_iter().zip(first) {
                first.store(next as u32, Ordering::Relaxed);
                next += open.count_ones() as usize;
            }
        }
    }

    /// The number of the first claim in a strip.
    fn first(&self, tile: TileOf, at: usize) -> u32 {
        let place = self.sweeps.blocks[tile.own].place(tile) + at;
        self.first[tile.own][place].load(Ordering::Relaxed)
    }

    /// Lists the claims of a part, and what they wait for.
    fn fill(&self, piece: &mut Piece) -> Result<()> {
        for tile in piece.part.tiles() {
            self.sweeps.search.go_on()?;
            for ((at, strip), [_, open]) in tile.strips().enumerate().zip(self.sweeps.open(tile)) {
                for (number, lane) in (self.first(tile, at)..).zip(set_lanes(open)) {
                    piece.push(MARK | number);
                    self.each_awaited(strip, lane, |awaited| piece.push(awaited));
                }
            }
        }
        Ok(())
    }

    /// Shows the numbers of the open claims that a claim waits for.
    fn each_awaited(&self, strip: Strip, lane: usize, mut see: impl FnMut(u32)) {
        self.sweeps.each_child(strip, lane, OPPONENT, |reply| {
            let (strip, lane) = self.sweeps.strip_of(reply);
            if self.sweeps.blocks[strip.own].strip(strip)[MOVER] >> lane & 1 == 1 {
                self.sweeps.each_child(strip, lane, MOVER, |child| {
                    self.number_of(child).into_iter().for_each(&mut see);
                });
            }
        });
    }

    /// The number of the opponent's claim; `None` if it is met.
    fn number_of(&self, cell: Cell) -> Option<u32> {
        let (strip, lane) = self.sweeps.strip_of(cell);
        let (open, bit) = (self.sweeps.blocks[strip.own].strip(strip)[OPPONENT], 1 << lane);
        let first = self.first(strip.tile(), strip.column % LINE);
        (open & bit != 0).then(|| first + (open & (bit - 1)).count_ones())
    }

    fn is_met(&self, number: u32) -> bool {
        load(&self.met[number as usize / LINE]) >> (number as usize % LINE) & 1 == 1
    }

    /// Takes out what is met. Returns whether any claim is.
    fn round(&self, piece: &mut Piece) -> bool {
        let (mut kept, mut at) = (0, 0);
        let before = piece.used;
        while at < before {
            let (claim, place) = (piece.entries[at], kept);
            piece.entries[kept] = claim;
            (kept, at) = (kept + 1, at + 1);
            while at < before && piece.entries[at] & MARK == 0 {
                let child = piece.entries[at];
                piece.entries[kept] = child;
                (kept, at) = (kept + usize::from(!self.is_met(child)), at + 1);
            }
            if kept == place + 1 {
                let number = (claim ^ MARK) as usize;
                add(&self.met[number / LINE], 1 << (number % LINE));
                kept = place;
            }
        }
        piece.used = kept;
        kept < before
    }

    /// Notes what is met of the claims of a part.
    fn close(&self, part: &Part) {
        for tile in part.tiles() {
            let open = self.sweeps.open(tile);
            let mut now = [[0; LINE]; 2];
            for (at, [_, open]) in open.into_iter().enumerate() {
                let numbered = (self.first(tile, at)..).zip(set_lanes(open));
                let met = numbered.filter(|&(number, _)| self.is_met(number));
                now[OPPONENT][at] = met.fold(0, |lanes, (_, lane)| lanes | 1 << lane);
            }
            self.sweeps.put(tile, &open, now);
        }
    }
}

impl Piece<'_> {
    fn push(&mut self, entry: u32) {
        self.entries[self.used] = entry;
        self.used += 1;
    }
}
