//! The quiet moves of a block, as open claims are looked at: tile by tile, house by house, and passage
//! by passage.

use std::ops::Range;

use super::search::Search;
use crate::layer::blocks::LINE;
use crate::layer::index::rows;
use crate::solver::kernel::Pull;
use crate::solver::plan::{RowMove, Transit};

/// The moves of a block.
pub struct Moves<'a> {
    panels: usize,
    tiles: Vec<TileMoves<'a>>,
    /// By panel of columns: the moves before it.
    before: Vec<usize>,
}

/// The moves of 64 columns.
pub struct TileMoves<'a> {
    /// Those of one house that share a passage, house after house.
    pub groups: Vec<(&'a Transit, Range<usize>)>,
    /// Whose they are, and where they lead.
    pub pulls: Vec<Pull>,
}

impl<'a> Moves<'a> {
    /// The moves of a block.
    pub fn new(search: &Search<'a>, own: usize) -> Moves<'a> {
        let tiles: Vec<_> = (0..rows(own))
            .step_by(LINE)
            .map(|first| TileMoves::new(search, own, first..rows(own).min(first + LINE)))
            .collect();
        let mut before = vec![0];
        before.extend(tiles.iter().scan(0, |all, tile| {
            *all += tile.pulls.len();
            Some(*all)
        }));
        Moves { panels: search.panels(own), tiles, before }
    }

    /// The moves of a panel of columns.
    pub fn of_columns(&self, columns: usize) -> &TileMoves<'a> {
        &self.tiles[columns]
    }

    /// How many moves all tiles of a block have.
    pub fn count(search: &Search, own: usize) -> usize {
        let moves = (0..rows(own)).map(|row| search.plan.blocks[own].moves(row).len());
        moves.sum::<usize>() * search.panels(own)
    }

    /// The moves of a tile among those of all, as the pulls come.
    pub fn of_tile(&self, columns: usize, panel: usize) -> Range<usize> {
        let count = self.tiles[columns].pulls.len();
        let first = self.before[columns] * self.panels + panel * count;
        first..first + count
    }
}

impl<'a> TileMoves<'a> {
    fn new(search: &Search<'a>, own: usize, columns: Range<usize>) -> TileMoves<'a> {
        let block = &search.plan.blocks[own];
        let of_column = |(place, column)| {
            block.moves(column).iter().map(move |found: &RowMove| (place as u32, found))
        };
        let mut moves: Vec<_> = columns.enumerate().flat_map(of_column).collect();
        let shared = |&(_, found): &(u32, &RowMove)| (found.house, found.passage);
        moves.sort_by_key(shared);
        let pull = |&(place, found): &(u32, &RowMove)| Pull { place, row: found.row };
        let pulls = moves.iter().map(pull).collect();
        let mut groups = Vec::new();
        let mut first = 0;
        for group in moves.chunk_by(|one, other| shared(one) == shared(other)) {
            let next = first + group.len();
            groups.push((block.transit(group[0].1.passage), first..next));
            first = next;
        }
        TileMoves { groups, pulls }
    }
}
