//! The quiet moves of a rank's positions, tile by tile, and where their children are: here, or among
//! what others sent.

use std::ops::Range;

use super::ground::Ground;
use crate::game::board::HOUSES;
use crate::layer::blocks::LINE;
use crate::layer::index::rows;
use crate::solver::kernel::Pull;
use crate::solver::plan::{RowMove, Transit};

/// The moves of 64 columns.
pub struct TileMoves<'a> {
    /// Those that share a passage, and the place of their children.
    pub hauls: Vec<Haul<'a>>,
    /// By column, house after house.
    steps: Vec<Step<'a>>,
    /// Where each column's begin; one more than columns.
    starts: Vec<u16>,
}

/// One move of a column.
pub struct Step<'a> {
    /// What it does to the mover's row.
    pub found: &'a RowMove,
    /// What it does to the opponent's.
    pub transit: &'a Transit,
    /// The row of children that others have: link, and row there.
    there: Option<(u32, u32)>,
    /// Its place among the moves of the tile, as hauls come.
    pub at: u16,
    block: u8,
}

impl Step<'_> {
    /// The block of its children.
    pub fn block(&self) -> usize {
        self.block.into()
    }

    /// The row of children that others have: link, and row there.
    pub fn there(&self) -> Option<(usize, usize)> {
        self.there.map(|(link, row)| (link as usize, row as usize))
    }
}

/// Moves that share a passage and the place of their children.
pub struct Haul<'a> {
    /// The passage.
    pub transit: &'a Transit,
    /// The block of the children.
    pub block: usize,
    /// Where they are: in the rank's part of the block, or in a link.
    pub link: Option<usize>,
    /// Which moves of the tile.
    pub moves: Range<usize>,
    /// Whose they are, and the row there.
    pub pulls: Vec<Pull>,
}

impl<'a> TileMoves<'a> {
    /// Bytes that a column takes: six moves, each here and there, and some that begin a haul.
    pub const BYTES: usize = HOUSES * (size_of::<Step>() + 2 * size_of::<Pull>() + 8);

    /// The moves of a tile's columns.
    pub fn new(ground: &Ground<'a>, own: usize, tile: usize) -> TileMoves<'a> {
        let (block, opponent) = (&ground.plan.blocks[own], ground.plan.opponent(own));
        let links = ground.links_of(own);
        let link_of = |crossed| links.find(ground.role(own), crossed);
        let by_crossing: Vec<Option<usize>> = (0..=own).map(link_of).collect();
        let (mut steps, mut starts, mut places) = (Vec::new(), vec![0], Vec::new());
        for (place, column) in (tile * LINE..rows(own).min((tile + 1) * LINE)).enumerate() {
            for (found, transit) in block.transits(column) {
                let link = by_crossing[transit.crossed];
                let row = |link: usize| links.links[link].place(found.row);
                let there = link.and_then(|link| Some((link as u32, row(link)? as u32)));
                let block = (opponent + transit.crossed) as u8;
                steps.push(Step { found, transit, block, at: 0, there });
                places.push(place as u32);
            }
            starts.push(steps.len() as u16);
        }
        let mut order: Vec<usize> = (0..steps.len()).collect();
        let is_here = |step: &Step| ground.has_row(step.block(), step.found.row as usize);
        order.sort_by_key(|&at| {
            let step = &steps[at];
            (step.found.passage, !is_here(step), step.found.row)
        });
        for (at, &step) in order.iter().enumerate() {
            steps[step].at = at as u16;
        }
        let mut hauls = Vec::new();
        for group in order.chunk_by(|&a, &b| steps[a].found.passage == steps[b].found.passage) {
            let (first, transit) = (usize::from(steps[group[0]].at), steps[group[0]].transit);
            let block = steps[group[0]].block();
            let mut haul = |link: Option<usize>, row: &dyn Fn(&Step) -> Option<usize>| {
                let chosen = group.iter().filter_map(|&at| Some((at, row(&steps[at])?)));
                let pull = |(at, row): (usize, usize)| Pull { place: places[at], row: row as u32 };
                let pulls: Vec<Pull> = chosen.clone().map(pull).collect();
                let Some((at, _)) = chosen.clone().next() else { return };
                // Children here come first in their group, and those elsewhere last.
                let start = usize::from(steps[at].at);
                let ends = [start == first, start + pulls.len() == first + group.len()];
                debug_assert!(ends.contains(&true));
                hauls.push(Haul { transit, block, link, moves: start..start + pulls.len(), pulls });
            };
            let first_row = ground.share(block).rows.start;
            haul(None, &|step| is_here(step).then(|| step.found.row as usize - first_row));
            haul(by_crossing[transit.crossed], &|step| Some(step.there()?.1));
        }
        TileMoves { hauls, steps, starts }
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// The moves of a column, house after house.
    pub fn of_column(&self, place: usize) -> &[Step<'a>] {
        &self.steps[usize::from(self.starts[place])..usize::from(self.starts[place + 1])]
    }
}
