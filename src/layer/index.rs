//! Positions as dense numbers.
//!
//! A row with `k` seeds is a *composition* of k into six houses. Compositions are numbered in
//! lexicographic order, the first house most significant; there are C(k+5, 5). A layer, all
//! positions with `n` seeds on the board, is a sequence of *blocks*, one for each number `k` of
//! seeds in the mover's row:
//!
//! ```text
//!   layer n:  | block 0 | block 1 | ... | block k | ... | block n |
//!
//!   block k:            columns = the mover's row, compositions of k  →
//!     rows =          +------------------------------------------------+
//!     the opponent's  |                                                |
//!     row, comps of   |   rank = start of block k + row × columns + column
//!     n - k       ↓   +------------------------------------------------+
//! ```
//!
//! Where the origin of a sowing stays empty, every position that can arise after a move has an
//! empty house in the opponent's row. A layer of such a sheet leaves the other rows out
//! ([`Domain::EmptyHouse`]), which makes C(n+11, 11) − C(n+5, 11) positions; summed over the game
//! that is the published 889,063,398,406. Positions outside are one move away from positions
//! inside. Where the origin is sown the layer has all C(n+11, 11) positions ([`Domain::All`]).
//!
//! Invariant: `position(rank(p)) == p` for every position of a layer, and ranks run from 0 to
//! [`Layer::positions`] − 1 without a gap. A rank takes a few table look-ups for each house; the
//! position of a rank takes a search for its block, and one through each row.

use crate::error::{Error, Result};
use crate::game::{Board, HOUSES, Origin, Rules, ScoreRange, Seeds, Side};
use crate::layer::compositions::{advance, ways, ways_before};

/// By seeds and block: the rank of the block's first position. Adding up takes too long for a
/// probe.
type Starts = [[u64; Seeds::MAX.get() + 2]; Seeds::MAX.get() + 1];

/// By domain.
static STARTS: [Starts; 2] = [starts(Domain::EmptyHouse), starts(Domain::All)];

const fn starts(domain: Domain) -> Starts {
    let mut starts = [[0; Seeds::MAX.get() + 2]; Seeds::MAX.get() + 1];
    let mut seeds = 0;
    while seeds < starts.len() {
        let mut own = 0;
        while own <= seeds {
            let size = domain.rows(seeds - own) as u64 * rows(own) as u64;
            starts[seeds][own + 1] = starts[seeds][own] + size;
            own += 1;
        }
        seeds += 1;
    }
    starts
}

/// Returns the number of ways that put at least one seed into each house.
const fn full_ways(houses: usize, seeds: usize) -> u64 {
    if seeds < houses { 0 } else { ways(houses, seeds - houses) }
}

/// Returns the number of a row among all rows with as many seeds.
pub fn row_rank(row: Side) -> usize {
    // The last house holds what is left.
    ways_before(&row.0[..HOUSES - 1], HOUSES, row.seeds()) as usize
}

/// Returns how many rows there are with `seeds` seeds: C(seeds+5, 5).
pub const fn rows(seeds: usize) -> usize {
    ways(HOUSES, seeds) as usize
}

/// Returns the row with this number among the rows with `seeds` seeds.
pub fn row_at(seeds: usize, rank: usize) -> Side {
    Domain::All.row_at(seeds, rank)
}

/// Which positions a layer holds: all, or those that a move can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Rows with at least one empty house: all that can stand there after a move.
    EmptyHouse,
    /// All rows.
    All,
}

impl Domain {
    /// Returns the domain of a sheet's tables.
    pub const fn of(rules: &Rules) -> Domain {
        match rules.origin {
            Origin::Skipped => Domain::EmptyHouse,
            Origin::Sown => Domain::All,
        }
    }

    /// Returns how many opponent's rows with `seeds` seeds there are.
    pub const fn rows(self, seeds: usize) -> usize {
        self.completions(HOUSES, seeds, true) as usize
    }

    /// Returns the number of rows that complete a prefix: `seeds` left for `houses` houses, `full`
    /// when no house so far is empty.
    const fn completions(self, houses: usize, seeds: usize, full: bool) -> u64 {
        match self {
            Domain::EmptyHouse if full => ways(houses, seeds) - full_ways(houses, seeds),
            Domain::EmptyHouse | Domain::All => ways(houses, seeds),
        }
    }

    /// Returns the number of an opponent's row among the rows of the domain with as many seeds;
    /// `None` outside.
    pub fn row_rank(self, row: Side) -> Option<usize> {
        match self {
            Domain::All => Some(row_rank(row)),
            Domain::EmptyHouse if !row.has_empty_house() => None,
            Domain::EmptyHouse => Some(row_rank(row) - full_rows_before(row)),
        }
    }

    /// Returns the row with this number, the inverse of [`Domain::row_rank`].
    pub fn row_at(self, seeds: usize, rank: usize) -> Side {
        let (mut left, mut rest, mut full) = (seeds, rank as u64, true);
        let mut row = Side::EMPTY;
        for house in 0..HOUSES {
            let houses = HOUSES - house - 1;
            let count = (0..=left).find(|&count| {
                let block = self.completions(houses, left - count, full && count > 0);
                if rest < block {
                    return true;
                }
                rest -= block;
                false
            });
            let count = count.expect("a rank within the layer");
            row.0[house] = count as u8;
            left -= count;
            full &= count > 0;
        }
        row
    }
}

/// Returns the number of rows without an empty house that come before `row` among the rows with as
/// many seeds.
fn full_rows_before(row: Side) -> usize {
    let mut left = row.seeds();
    let mut before = 0;
    for (house, &count) in row.0.iter().enumerate() {
        let (houses, count) = (HOUSES - house, count as usize);
        if count == 0 {
            break;
        }
        before += full_ways(houses, left) - full_ways(houses, left + 1 - count);
        left -= count;
    }
    before as usize
}

/// A position's number in its layer, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u64);

/// A position's coordinates in its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The block: seeds in the mover's row.
    pub own: usize,
    /// The row of the block: the number of the opponent's row in the domain.
    pub row: usize,
    /// The column of the block: the number of the mover's row.
    pub column: usize,
}

/// All positions with the same number of seeds: how they are numbered, and which of their scores are
/// kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    seeds: Seeds,
    domain: Domain,
    range: ScoreRange,
}

impl Layer {
    /// Returns the layer of `seeds` seeds over a domain, with full scores.
    pub const fn new(seeds: Seeds, domain: Domain) -> Layer {
        Layer { seeds, domain, range: ScoreRange::full(seeds) }
    }

    /// Returns the layer that tables of this sheet hold, with full scores.
    pub const fn of(rules: &Rules, seeds: Seeds) -> Layer {
        Layer::new(seeds, Domain::of(rules))
    }

    /// Returns the layer with scores of a range of its own.
    pub const fn with_range(self, range: ScoreRange) -> Layer {
        Layer { range, ..self }
    }

    /// Makes sure that the layer tells apart what captures from another one ask of it.
    ///
    /// # Errors
    /// [`Error::NarrowRange`] if it does not.
    pub fn make_sure_it_serves(self, above: Layer) -> Result<()> {
        if self.range.is_enough_for(above.range) {
            return Ok(());
        }
        let (seeds, below) = (above.seeds.get(), self.seeds.get());
        Err(Error::NarrowRange { seeds, below, end: self.range.end() })
    }

    /// Returns which scores are kept apart.
    pub const fn range(self) -> ScoreRange {
        self.range
    }

    /// Returns the number of seeds on the board.
    pub const fn seeds(self) -> Seeds {
        self.seeds
    }

    /// Returns which opponent's rows are in it.
    pub const fn domain(self) -> Domain {
        self.domain
    }

    /// Returns the shape of the block of positions with `own` seeds in the mover's row, as (rows,
    /// columns).
    pub const fn block_shape(self, own: usize) -> (usize, usize) {
        (self.domain.rows(self.seeds.get() - own), rows(own))
    }

    /// Returns the rank of the first position of block `own`; for block n+1, the number of
    /// positions.
    pub fn block_start(self, own: usize) -> u64 {
        self.starts()[own]
    }

    /// The rank of the first position of each block, and behind them the number of positions.
    const fn starts(self) -> &'static [u64; Seeds::MAX.get() + 2] {
        &STARTS[self.domain as usize][self.seeds.get()]
    }

    /// Returns how many positions the layer has.
    pub fn positions(self) -> u64 {
        self.block_start(self.seeds.get() + 1)
    }

    /// Returns the cell of `board`; `None` if it has another number of seeds or lies outside the
    /// domain.
    pub fn cell(self, board: &Board) -> Option<Cell> {
        if board.seeds() != self.seeds {
            return None;
        }
        let row = self.domain.row_rank(board.opponent)?;
        Some(Cell { own: board.mover.seeds(), row, column: row_rank(board.mover) })
    }

    /// Returns the rank of `board`; `None` where it has no cell.
    pub fn rank(self, board: &Board) -> Option<Rank> {
        Some(self.rank_at(self.cell(board)?))
    }

    /// The rank of the position in a cell.
    pub(crate) fn rank_at(self, Cell { own, row, column }: Cell) -> Rank {
        Rank(self.block_start(own) + row as u64 * rows(own) as u64 + column as u64)
    }

    /// Returns the cell with this rank; `None` beyond the last.
    pub fn cell_at(self, rank: Rank) -> Option<Cell> {
        if rank.0 >= self.positions() {
            return None;
        }
        // Of blocks without positions none begins behind the rank.
        let starts = &self.starts()[..=self.seeds.get()];
        let own = starts.partition_point(|&start| start <= rank.0) - 1;
        let (place, columns) = ((rank.0 - starts[own]) as usize, rows(own));
        Some(Cell { own, row: place / columns, column: place % columns })
    }

    /// Returns the position with this rank; `None` beyond the last.
    pub fn position(self, rank: Rank) -> Option<Board> {
        let Cell { own, row, column } = self.cell_at(rank)?;
        let opponent = self.domain.row_at(self.seeds.get() - own, row);
        Some(Board { mover: row_at(own, column), opponent })
    }

    /// Returns the positions of the layer in rank order, from the one with rank `first` on; nothing
    /// beyond the last. From one to the next it takes one step of the mover's row, and a search for
    /// the position only where a row of the block ends.
    pub fn boards(self, first: Rank) -> impl Iterator<Item = Board> {
        let mut next = None;
        (first.0..self.positions()).map_while(move |rank| {
            let board = next.or_else(|| self.position(Rank(rank)))?;
            let mut after = board;
            next = advance(&mut after.mover.0).then_some(after);
            Some(board)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seeds;

    fn layer(seeds: usize, domain: Domain) -> Layer {
        Layer::new(Seeds::new(seeds).unwrap(), domain)
    }

    #[test]
    fn published_number_of_positions() {
        let counted = |seeds| layer(seeds, Domain::EmptyHouse).positions();
        let total: u64 = (0..=46).chain([48]).map(counted).sum();
        assert_eq!(total + 1, 889_063_398_406);
        // C(n, k)
        let binomial = |n: u64, k: u64| (0..k).fold(1, |b, i| b * n.saturating_sub(i) / (i + 1));
        for n in 0..=48 {
            let all = binomial(n + 11, 11);
            assert_eq!(counted(n as usize), all - binomial(n + 5, 11));
            assert_eq!(layer(n as usize, Domain::All).positions(), all);
        }
    }

    #[test]
    fn every_rank_comes_back_and_a_walk_visits_all_in_order_from_anywhere_to_the_end() {
        for domain in [Domain::EmptyHouse, Domain::All] {
            for seeds in 0..=9 {
                let layer = layer(seeds, domain);
                let ranks = (0..layer.positions()).map(Rank);
                let all: Vec<_> = ranks.map(|rank| layer.position(rank).unwrap()).collect();
                for (rank, board) in (0..).map(Rank).zip(&all) {
                    assert_eq!(board.seeds().get(), seeds);
                    assert_eq!(layer.rank(board), Some(rank), "{board}");
                }
                assert_eq!(layer.position(Rank(layer.positions())), None);
                assert_eq!(layer.boards(Rank(0)).collect::<Vec<_>>(), all);
                for first in (0..=all.len()).step_by(997).chain([all.len()]) {
                    let found = layer.boards(Rank(first as u64)).take(100);
                    assert!(found.eq(all[first..].iter().copied().take(100)));
                }
            }
        }
    }

    #[test]
    fn ranks_follow_the_order_of_rows() {
        for seeds in 0..=12 {
            let all: Vec<Side> = (0..rows(seeds)).map(|rank| row_at(seeds, rank)).collect();
            assert!(all.is_sorted_by(|a, b| a < b));
            let kept: Vec<Side> = all.iter().copied().filter(|row| row.has_empty_house()).collect();
            for (rank, row) in kept.iter().enumerate() {
                assert_eq!(Domain::EmptyHouse.row_rank(*row), Some(rank));
                assert_eq!(Domain::EmptyHouse.row_at(seeds, rank), *row);
            }
            assert_eq!(kept.len(), Domain::EmptyHouse.rows(seeds));
        }
    }

    #[test]
    fn positions_outside_have_no_rank() {
        assert_eq!(layer(48, Domain::EmptyHouse).rank(&Board::INITIAL), None);
        assert!(layer(48, Domain::All).rank(&Board::INITIAL).is_some());
        assert_eq!(layer(47, Domain::All).rank(&Board::INITIAL), None);
    }
}
