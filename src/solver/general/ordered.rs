//! Children's Bao: one pass over the rows, in an order in which every placement comes after those
//! that its moves lead to.
//!
//! A quiet move stays within the mover's row and carries seeds to the right, so the row comes
//! earlier in lexicographic order afterwards. Let x be a row of k seeds and y one of n − k, and let
//! V(x, y) be what the placement is worth whose mover has x. Then V(x, y) rests on V(y, x') with x'
//! before x, and V(y, x) on V(x, y') with y' before y, which is the other way round the same: a pair
//! of rows rests on pairs in which one row is the same and the other an earlier one. So pairs are
//! cut into squares, and the squares on a diagonal from upper right to lower left, which do not rest
//! on each other, are solved side by side:
//!
//! ```text
//!           y0   y1   y2
//!     x0     1    2    3          a square rests on those to the left of it and above
//!     x1     2    3    4
//! ```
//!
//! Moves act on rows, not on placements. Where a move of x leads is one of 17 things that can happen
//! to y: nothing, a seed in each of the first 1 to 8 houses, or the loss of one of its 8 houses. Each
//! of them leads into a stretch of some layer that begins at a place of its own, in which the row
//! that x becomes counts on. So there are two lists for each row, made once: where it *leads* to as
//! a mover's, and where these 17 stretches begin if it is the opponent's. Moves of this many seeds
//! that they come back to the own row are made seed by seed; there are few.
//!
//! 16 seeds, 300,540,195 placements, take 3.8 to 5.2 s on two cores of a Xeon, 57 to 78 million a
//! second; made one by one and moved seed by seed they are 3 million a second and core.
//!
//! Invariant: a score is written once, and read only by squares of later diagonals, or by later
//! pairs of the same square. So the scores between two diagonals are a checkpoint.

use std::sync::atomic::{AtomicI8, Ordering::Relaxed};

use super::expand::LowerLayers;
use super::work::{Below, Keeper, Way, offer_each, unless_stopped};
use crate::error::Result;
use crate::game::mancala::placement::sum;
use crate::game::mancala::{Outcome, Placement};
use crate::layer::compositions::{advance, ways, ways_before};
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::parallel;

/// Houses of a row.
const ROW: usize = 8;

/// Rows of a square.
const SQUARE: usize = 256;

/// Bytes that are kept of a row, about.
pub const ROW_BYTES: u64 = 512;

/// What can happen to the opponent's row: nothing, seeds in its first houses, the loss of a house.
const FATES: usize = 1 + 2 * ROW;

/// Every placement of a layer of a game that never cycles.
pub fn solve(layer: GeneralLayer, below: &Below, keeper: &dyn Keeper) -> Result<GeneralSolved> {
    let lower = LowerLayers::of(layer, below);
    let (first, scores) = match keeper.resume(&layer, Way::Ordered, layer.positions()) {
        Some(kept) => (kept.stage, kept.bytes),
        None => ([0; 2], vec![0; layer.positions() as usize]),
    };
    let scores: Vec<AtomicI8> =
        scores.into_iter().map(|score| AtomicI8::new(score.cast_signed())).collect();
    let pass = Pass { layer, lower, scores: &scores };
    let [first_pair, first_diagonal] = first.map(|number| number as usize);
    for fewer in first_pair..=layer.seeds() / 2 {
        let diagonal = if fewer == first_pair { first_diagonal } else { 0 };
        pass.pair(fewer, diagonal, keeper)?;
    }
    let low = scores.into_iter().map(AtomicI8::into_inner).collect();
    Ok(GeneralSolved { layer, low, high: None, stamps: None })
}

/// Returns whether a solve comes to this diagonal of this pair.
pub fn has_stage(layer: &GeneralLayer, [fewer, diagonal]: [u64; 2]) -> bool {
    let seeds = layer.seeds() as u64;
    let rows = |seeds: u64| ways(ROW, seeds as usize) as usize;
    fewer <= seeds / 2 && diagonal < diagonals([fewer, seeds - fewer].map(rows).map(squares)) as u64
}

/// How many squares so many rows are cut into.
fn squares(rows: usize) -> usize {
    rows.div_ceil(SQUARE)
}

/// How many diagonals so many squares across and down have.
fn diagonals([across, down]: [usize; 2]) -> usize {
    across + down - 1
}

struct Pass<'a> {
    layer: GeneralLayer,
    lower: LowerLayers<'a>,
    scores: &'a [AtomicI8],
}

impl Pass<'_> {
    /// All placements in which one row has this many seeds and the other the rest, from a diagonal
    /// on.
    fn pair(&self, fewer: usize, diagonal: usize, keeper: &dyn Keeper) -> Result<()> {
        let more = self.layer.seeds() - fewer;
        let is_middle = fewer == more;
        let row = |counts| OrderedRow::new(counts, self.layer.seeds());
        let rows = |seeds| parallel::map_of(all_rows(seeds), row);
        let xs = rows(fewer);
        let more_rows = if is_middle { Vec::new() } else { rows(more) };
        let ys = if is_middle { &xs } else { &more_rows };
        let squares = [&xs, ys].map(|rows| squares(rows.len()));
        for diagonal in diagonal..diagonals(squares) {
            self.save(keeper, [fewer, diagonal]);
            unless_stopped(keeper)?;
            let first = (diagonal + 1).saturating_sub(squares[1]);
            let end = squares[0].min(diagonal + 1);
            parallel::each_of(first..end, |across| {
                let (x, y) = (across * SQUARE, (diagonal - across) * SQUARE);
                if !is_middle || x <= y {
                    self.square(part(&xs, x), part(ys, y), is_middle && x == y);
                }
            });
        }
        Ok(())
    }

    /// Offers a checkpoint from which the solve goes on with a diagonal of a pair.
    fn save(&self, keeper: &dyn Keeper, stage: [usize; 2]) {
        let (stage, scores) = (stage.map(|number| number as u64), (self.scores, 1));
        offer_each(keeper, &self.layer, Way::Ordered, stage, scores, |score, bytes| {
            bytes.push(score.load(Relaxed).cast_unsigned());
        });
    }

    /// All pairs of rows of a square, both ways round. On the middle of the board each pair occurs
    /// twice in a square that is its own mirror image.
    fn square(&self, xs: &[OrderedRow], ys: &[OrderedRow], is_mirrored: bool) {
        for (number, x) in xs.iter().enumerate() {
            let (first, second) = if is_mirrored { (number, number + 1) } else { (0, 0) };
            ys[first..].iter().for_each(|y| self.settle(x, y));
            ys[second..].iter().for_each(|y| self.settle(y, x));
        }
    }

    /// The score of one placement.
    fn settle(&self, mover: &OrderedRow, opponent: &OrderedRow) {
        let best = if mover.is_quick {
            let quick = mover.moves.iter().map(|step| self.quick(*step, opponent));
            let again = mover.again.iter().map(|&start| 1 + self.lower(1, start + opponent.rank));
            quick.chain(again).max().unwrap_or(-(opponent.seeds as i8))
        } else {
            self.slow(mover, opponent)
        };
        self.scores[mover.starts[0].1 + opponent.rank].store(best, Relaxed);
    }

    /// What a move brings that gives the opponent's row one of its fates.
    #[inline]
    fn quick(&self, RowMove { fate, rank }: RowMove, opponent: &OrderedRow) -> i8 {
        let (gain, start) = opponent.starts[usize::from(fate)];
        let at = start + rank as usize;
        match gain {
            0 => -self.scores[at].load(Relaxed),
            _ => gain as i8 - self.lower(gain.into(), at),
        }
    }

    #[inline]
    fn lower(&self, fewer: usize, at: usize) -> i8 {
        match self.lower.get(self.layer.seeds() - fewer) {
            Some(solved) => solved.low[at],
            // Nothing is left.
            None => 0,
        }
    }

    /// The score of a placement whose moves are made seed by seed.
    fn slow(&self, mover: &OrderedRow, opponent: &OrderedRow) -> i8 {
        let placement = Placement::new(&[mover.counts, opponent.counts].concat());
        let sheet = self.layer.sheet();
        let worth = |outcome: &Outcome| {
            if outcome.leaves_layer() {
                return self.lower.brings(outcome).0;
            }
            outcome.worth(self.scores[self.layer.rank(&outcome.next) as usize].load(Relaxed))
        };
        let best = sheet.outcomes(&placement).iter().map(worth).max();
        best.unwrap_or_else(|| sheet.game.final_score(&placement))
    }
}

fn part(rows: &[OrderedRow], first: usize) -> &[OrderedRow] {
    &rows[first..(first + SQUARE).min(rows.len())]
}

/// A row: where it leads to as the mover's, and what can happen to it as the opponent's.
struct OrderedRow {
    counts: [u8; ROW],
    seeds: usize,
    /// Its number among the rows of as many seeds, in lexicographic order.
    rank: usize,
    /// What can happen to it: the seeds that the opponent gets by that, and the first rank of the
    /// placements in which what is left of it is the mover's row.
    starts: [(u8, usize); FATES],
    /// Where moves lead to that end the turn.
    moves: Vec<RowMove>,
    /// The first ranks of the placements that it leads to if the same player moves again.
    again: Vec<usize>,
    /// Whether these are all its moves.
    is_quick: bool,
}

/// A move of a row: what happens to the other, and the rank of what this one becomes.
#[derive(Clone, Copy)]
struct RowMove {
    fate: u8,
    rank: u32,
}

impl OrderedRow {
    /// Looks at what a row can do and suffer in a layer.
    fn new(counts: [u8; ROW], layer: usize) -> OrderedRow {
        let mut row = OrderedRow {
            counts,
            seeds: sum(&counts),
            rank: rank(&counts),
            starts: [(0, 0); FATES],
            moves: Vec::new(),
            again: Vec::new(),
            is_quick: true,
        };
        row.suffer(layer);
        (0..ROW).filter(|&house| counts[house] > 0).for_each(|house| row.play(house, layer));
        row.moves.sort_by_key(|step| step.fate);
        row
    }

    fn suffer(&mut self, layer: usize) {
        let all = self.counts;
        // What this layer has too few seeds for does not happen, and begins anywhere.
        let begin = |counts: &[u8; ROW], gain: u8| {
            let beside = (layer - usize::from(gain)).checked_sub(sum(counts));
            (gain, beside.map_or(0, |beside| start(counts, beside)))
        };
        self.starts[0] = begin(&all, 0);
        for houses in 1..=ROW {
            let mut counts = all;
            counts[..houses].iter_mut().for_each(|count| *count += 1);
            self.starts[houses] = if layer > 0 { begin(&counts, 1) } else { (1, 0) };
        }
        for house in 0..ROW {
            let mut counts = all;
            let gain = std::mem::take(&mut counts[house]);
            self.starts[1 + ROW + house] = begin(&counts, gain);
        }
    }

    /// Adds the move of a house.
    fn play(&mut self, house: usize, layer: usize) {
        let mut after = self.counts;
        let seeds = usize::from(std::mem::take(&mut after[house]));
        let end = house + seeds;
        after[(house + 1).min(ROW)..(end + 1).min(ROW)].iter_mut().for_each(|count| *count += 1);
        let step = |fate: usize| RowMove { fate: fate as u8, rank: rank(&after) as u32 };
        if end > 2 * ROW {
            self.is_quick = false;
        } else if end > ROW {
            self.moves.push(step(end - ROW));
        } else if end == ROW {
            self.again.push(start(&after, layer - 1 - sum(&after)));
        } else if self.counts[end] == 0 {
            self.moves.push(step(1 + ROW + (ROW - 1 - end)));
        } else {
            self.moves.push(step(0));
        }
    }
}

/// The number of rows before one, among those of as many seeds.
fn rank(row: &[u8; ROW]) -> usize {
    ways_before(row, ROW, sum(row)) as usize
}

/// The number of placements before those whose first row is this one and whose second has `beside`
/// seeds.
fn start(row: &[u8; ROW], beside: usize) -> usize {
    ways_before(row, 2 * ROW, sum(row) + beside) as usize
}

/// All rows of this many seeds, in lexicographic order.
fn all_rows(seeds: usize) -> Vec<[u8; ROW]> {
    let mut row = [0; ROW];
    row[ROW - 1] = seeds as u8;
    let mut found = vec![row];
    while advance(&mut row) {
        found.push(row);
    }
    found
}
