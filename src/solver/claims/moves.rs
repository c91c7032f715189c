//! The quiet moves of a block, as open claims are looked at: tile by tile, passage by passage.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::search::Search;
use crate::game::board::HOUSES;
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
    /// Those that share a passage.
    pub groups: Vec<(&'a Transit, Range<usize>)>,
    /// Whose they are, and where they lead.
    pub pulls: Vec<Pull>,
    /// By column: its moves, house after house, as places among the pulls.
    pub by_house: Vec<ArrayVec<u16, HOUSES>>,
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
        let places = columns.clone().enumerate();
        let mut moves: Vec<_> = places
            .flat_map(|(place, column)| {
                let moves = block.moves(column).iter().enumerate();
                moves.map(move |(nth, found)| (place, nth, found))
            })
            .collect();
        moves.sort_by_key(|(.., found)| found.passage);
        let pull = |&(place, _, found): &(usize, usize, &RowMove)| Pull {
            place: place as u32,
            row: found.row,
        };
        let pulls = moves.iter().map(pull).collect();
        let of_column = |column| ArrayVec::from_iter(block.moves(column).iter().map(|_| 0));
        let mut by_house: Vec<ArrayVec<u16, HOUSES>> = columns.map(of_column).collect();
        for (at, &(place, nth, _)) in moves.iter().enumerate() {
            by_house[place][nth] = at as u16;
        }
        let mut groups = Vec::new();
        let mut first = 0;
        for group in moves.chunk_by(|(.., one), (.., other)| one.passage == other.passage) {
            let next = first + group.len();
            groups.push((block.transit(group[0].2.passage), first..next));
            first = next;
        }
        TileMoves { groups, pulls, by_house }
    }
}
