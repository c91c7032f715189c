//! The quiet moves of a block, as open claims are looked at: tile by tile, house by house, and passage
//! by passage.

use std::ops::Range;

use super::search::{ClaimSearch, Elsewhere};
use crate::game::board::House;
use crate::layer::index::rows;
use crate::layer::line::LINE;
use crate::parallel;
use crate::solver::kernel::Pull;
use crate::solver::plan::Transit;
use crate::solver::sweep::strips;
use crate::timeline::task;

/// The moves of a block.
pub struct BlockMoves<'a> {
    /// The first panel of columns, and the panels of lanes.
    first: usize,
    lines: Range<usize>,
    tiles: Vec<TileMoves<'a>>,
    /// By panel of columns: the moves before it.
    before: Vec<usize>,
}

/// The moves of 64 columns.
pub struct TileMoves<'a> {
    /// Those of one house that share a passage, house after house.
    pub groups: Vec<MoveGroup<'a>>,
    /// Whose they are, and where they lead.
    pub pulls: Vec<Pull>,
}

/// Moves of one house that share a passage.
pub struct MoveGroup<'a> {
    /// The house.
    pub house: House,
    /// What they do to the opponent's rows.
    pub transit: &'a Transit,
    /// Over which link their children come that others have; none for those that are here.
    pub link: Option<usize>,
    /// Which of the pulls, at most one for each column.
    pub pulls: Range<usize>,
    /// The columns that have such a move.
    pub columns: u64,
    /// By column: which of these pulls is its.
    pub places: [u8; LINE],
}

impl<'a> BlockMoves<'a> {
    /// The moves of what is here of a block.
    pub fn new(search: &ClaimSearch<'a>, own: usize) -> BlockMoves<'a> {
        let (panels, opponent) = (&search.shares[own].panels, search.plan.opponent(own));
        // A rank has some panels of the smaller half-board of a pair, and all of the larger one.
        let lines = match own > opponent {
            true => search.shares[opponent].panels.clone(),
            false => 0..strips(opponent),
        };
        let tiles = parallel::map_of(panels.clone(), |panel| {
            task();
            TileMoves::new(search, own, panel)
        });
        let mut before = vec![0];
        before.extend(tiles.iter().scan(0, |all, tile| {
            *all += tile.pulls.len();
            Some(*all)
        }));
        BlockMoves { first: panels.start, lines, tiles, before }
    }

    /// The moves of a panel of columns.
    pub fn of_columns(&self, columns: usize) -> &TileMoves<'a> {
        &self.tiles[columns - self.first]
    }

    /// How many moves all tiles have.
    pub fn count(&self) -> usize {
        self.before[self.tiles.len()] * self.lines.len()
    }

    /// The moves of a tile among those of all, as the pulls come.
    pub fn of_tile(&self, columns: usize, panel: usize) -> Range<usize> {
        let columns = columns - self.first;
        let count = self.tiles[columns].pulls.len();
        let first = self.before[columns] * self.lines.len() + (panel - self.lines.start) * count;
        first..first + count
    }
}

impl<'a> TileMoves<'a> {
    fn new(search: &ClaimSearch<'a>, own: usize, panel: usize) -> TileMoves<'a> {
        let (plan, block) = (search.plan, &search.plan.blocks[own]);
        let columns = panel * LINE..rows(own).min((panel + 1) * LINE);
        let mut moves = Vec::new();
        for (place, column) in (0..).zip(columns) {
            for (found, transit) in block.transits(column) {
                let share = &search.shares[plan.opponent(own) + transit.crossed];
                let kind = (found.house, found.passage);
                if !share.panels.is_empty() && share.rows.contains(&(found.row as usize)) {
                    let row = found.row - share.rows.start as u32;
                    moves.push((kind, None, Pull { place, row }));
                }
                let there =
                    |elsewhere: &dyn Elsewhere| elsewhere.there(own, transit.crossed, found.row);
                if let Some((link, row)) = search.elsewhere.and_then(there) {
                    moves.push((kind, Some(link), Pull { place, row }));
                }
            }
        }
        moves.sort_by_key(|&(kind, link, _)| (kind, link));
        let pulls = moves.iter().map(|&(.., pull)| pull).collect();
        let mut groups = Vec::new();
        let mut first = 0;
        for group in moves.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let ((house, passage), link, _) = group[0];
            let pulls = first..first + group.len();
            first = pulls.end;
            let (mut columns, mut places) = (0, [0; LINE]);
            for (at, (.., pull)) in (0..).zip(group) {
                columns |= 1 << pull.place;
                places[pull.place as usize] = at;
            }
            let transit = block.transit(passage);
            groups.push(MoveGroup { house, transit, link, pulls, columns, places });
        }
        TileMoves { groups, pulls }
    }
}
