//! What each half-board's moves do to whole rows, computed once from single sowings and harvests
//! (`game::sowing`), and against a row without seeds from [`crate::game::legal_moves`].
//!
//! Fix the mover's row and a house to sow. The mover's row becomes another one and some seeds
//! cross over; neither depends on the opponent. The opponent's row `b` becomes `b` plus a fixed
//! pattern, and adding a constant keeps the lexicographic order of rows. So as `b` runs through
//! all opponent's rows in order, the child positions lie *in order* in one row of one block, with
//! gaps. Two kinds of facts follow, and the sweeps work from them alone:
//!
//! * [`HalfBoards`]: for each row of the mover and each of its sowings, the row of the child block
//!   and the [`Passage`], what the sowing looks like from the opponent's side;
//! * [`Transit`]: for each number of opponent's seeds and each passage, which column of the child's
//!   row belongs to which opponent's row, as `Windows` that vectors can use: quiet moves, and
//!   those that capture. A capture that takes fixed twos and threes from fixed houses adds a
//!   constant to the row, too, so its children come in windows just as well.
//!
//! [`Plans`] keeps them from layer to layer, for nothing in them depends on the layer but what is
//! legal against a row without seeds; [`LayerPlan`] is what one layer needs of them, by block.
//!
//! The opponent's rows are called *lanes* here: lane `l` of a vector stands for the `l`-th row. Not
//! all of them are rows of a block, and the values of captures are kept for those alone: their
//! windows go by the rows of the block. Rows of the mover are handled in tiles of 64, those of a
//! tile that share a passage together, sorted by the child's row (in a prototype that was worth 5
//! to 8 % of a sweep's time).

mod half_boards;
mod passage;

use std::collections::{HashMap, HashSet};

use crate::game::board::{Seeds, Side};
use crate::game::rules::Rules;
use crate::game::score_range::ScoreRange;
use crate::layer::index::{Cell, Domain, Layer, row_at, rows};
use crate::layer::line::LINE;
use crate::parallel;
use crate::solver::kernel::Pull;
use crate::solver::windows::Windows;
use crate::timeline::{region, task};
pub use half_boards::{HalfBoards, RowMove, quiet_against_empty_row};
pub use passage::{Meeting, Passage, Transit};

/// Everything about one block of a layer.
#[derive(Debug)]
pub struct BlockPlan<'a> {
    /// The sowings of the mover's rows. In block n, where the opponent has no seeds, only the legal
    /// ones that capture nothing.
    pub half: &'a HalfBoards,
    /// By number of the passage.
    transits: Vec<Option<&'a Transit>>,
    /// For each lane, its row in the block; [`OUTSIDE`] where the layer has none.
    pub lane_rows: &'a [u32],
    /// For each row of the block, its lane.
    pub row_lanes: &'a [u32],
    /// For each line of lanes, where their rows are among the rows of the block.
    pub spread: &'a Windows,
}

/// The row of a lane that lies outside the layer.
pub const OUTSIDE: u32 = u32::MAX;

impl<'a> BlockPlan<'a> {
    /// The sowings of a row, each with what it does to the opponent's rows.
    pub fn transits(&self, row: usize) -> impl Iterator<Item = (&'a RowMove, &'a Transit)> {
        self.half.moves(row).iter().map(|found| (found, self.transit(found.passage)))
    }

    /// What a passage of the block does to the opponent's rows.
    pub fn transit(&self, passage: Passage) -> &'a Transit {
        self.transits[passage.number()].expect("a passage of the block")
    }

    /// What the passages of the block do to the opponent's rows.
    pub fn all_transits(&self) -> impl Iterator<Item = &'a Transit> {
        self.transits.iter().flatten().copied()
    }

    /// For each passage with which rows of a tile cross, what it does and whose it is.
    pub fn groups(&self, tile: usize) -> impl Iterator<Item = (&'a Transit, &'a [Pull])> {
        let groups = self.half.groups[tile].each();
        groups.map(|(group, pulls)| (self.transit(group.passage), pulls))
    }

    /// For each kind of harvest in the rows of a tile that takes this many seeds: the passage,
    /// houses hit, whose.
    pub fn catches(
        &self,
        tile: usize,
        captured: usize,
    ) -> impl Iterator<Item = (&'a Transit, usize, &'a [Pull])> {
        self.half.catches[tile]
            .each()
            .filter(move |(catch, _)| usize::from(catch.captured) == captured)
            .map(|(catch, pulls)| (self.transit(catch.passage), catch.hits.into(), pulls))
    }
}

/// Everything about one layer.
#[derive(Debug)]
pub struct LayerPlan<'a> {
    /// The sheet.
    pub rules: &'static Rules,
    /// The layer.
    pub layer: Layer,
    /// By seeds in the mover's row.
    pub blocks: Vec<BlockPlan<'a>>,
    lanes: &'a [SeedLanes],
}

impl<'a> LayerPlan<'a> {
    /// Returns the plan for scores of a range.
    pub fn with_range(self, range: ScoreRange) -> LayerPlan<'a> {
        LayerPlan { layer: self.layer.with_range(range), ..self }
    }

    /// Seeds in the opponent's row where the mover has `own`.
    pub fn opponent(&self, own: usize) -> usize {
        self.layer.seeds().get() - own
    }

    /// The pair that a block belongs to.
    pub fn pair(&self, own: usize) -> usize {
        own.min(self.opponent(own))
    }

    /// The rows of a block that the lanes of a panel stand for; [`OUTSIDE`] for those it has not.
    pub fn rows_of(&self, own: usize, panel: usize) -> &'a [u32] {
        let rows = self.blocks[own].lane_rows;
        &rows[panel * LINE..rows.len().min((panel + 1) * LINE)]
    }

    /// Where a move of a position leads, if it is quiet.
    pub fn child(&self, at: Cell, (found, transit): (&RowMove, &Transit)) -> Option<Cell> {
        let lane = self.blocks[at.own].row_lanes[at.row] as usize;
        let (own, row) = (self.opponent(at.own) + transit.crossed, found.row as usize);
        Some(Cell { own, row, column: transit.quiet.column(lane)? })
    }

    /// What the opponent has in a row of a block.
    pub fn opponent_side(&self, own: usize, row: usize) -> Side {
        self.sides(self.opponent(own))[self.blocks[own].row_lanes[row] as usize]
    }

    /// All rows with this many seeds, in order.
    pub fn sides(&self, seeds: usize) -> &'a [Side] {
        &self.lanes[seeds].sides
    }
}

/// All rows with the same number of seeds, as a layer's blocks see them.
#[derive(Debug)]
struct SeedLanes {
    sides: Vec<Side>,
    /// The row of each lane in a block against it.
    rows: Vec<u32>,
    /// The lane of each row.
    lanes: Vec<u32>,
    /// The row of each lane that has one.
    spread: Windows,
}

impl SeedLanes {
    fn new(domain: Domain, seeds: usize) -> SeedLanes {
        let sides: Vec<Side> = (0..rows(seeds)).map(|rank| row_at(seeds, rank)).collect();
        let row = |&side| domain.row_rank(side).map_or(OUTSIDE, |row| row as u32);
        let rows: Vec<u32> = sides.iter().map(row).collect();
        let inside = rows.iter().zip(0..).filter(|(row, _)| **row != OUTSIDE);
        let lanes: Vec<u32> = inside.map(|(_, lane)| lane).collect();
        let children = lanes.iter().enumerate().map(|(row, &lane)| (lane as usize, row));
        let spread = Windows::new(rows.len(), children);
        SeedLanes { sides, rows, lanes, spread }
    }
}

/// All plans made so far.
#[derive(Debug)]
pub struct Plans {
    rules: &'static Rules,
    /// By seeds.
    lanes: Vec<SeedLanes>,
    /// By seeds in the mover's row.
    half_boards: Vec<HalfBoards>,
    /// The same against a row without seeds, for the layer last planned.
    alone: HalfBoards,
    /// By opponent's seeds and passage.
    transits: HashMap<(usize, Passage), Transit>,
}

impl Plans {
    /// None yet.
    pub fn new(rules: &'static Rules) -> Plans {
        let (lanes, half_boards, transits) = (Vec::new(), Vec::new(), HashMap::new());
        let alone = HalfBoards::against_empty_row(rules, &[]);
        Plans { rules, lanes, half_boards, alone, transits }
    }

    /// The sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The plan of a layer. What it shares with other layers is computed once.
    pub fn layer(&mut self, seeds: Seeds) -> LayerPlan<'_> {
        let (rules, total) = (self.rules, seeds.get());
        let region = region("plans");
        let missing = self.half_boards.len()..total + 1;
        let lanes = |own| SeedLanes::new(Domain::of(rules), own);
        self.lanes.extend(parallel::map_of(missing.clone(), lanes));
        let sides = |own: usize| &*self.lanes[own].sides;
        let (alone, half_boards) = rayon::join(
            || HalfBoards::against_empty_row(rules, sides(total)),
            || parallel::map_of(missing, |own| HalfBoards::new(rules, sides(own))),
        );
        self.half_boards.extend(half_boards);
        self.alone = alone;
        self.transits.extend(self.missing_transits(total));
        drop(region);
        let layer = Layer::of(rules, seeds);
        let blocks = (0..=total).map(|own| self.block(layer, own)).collect();
        LayerPlan { rules, layer, blocks, lanes: &self.lanes }
    }

    fn half(&self, own: usize, opponent: usize) -> &HalfBoards {
        if opponent == 0 { &self.alone } else { &self.half_boards[own] }
    }

    fn missing_transits(&self, total: usize) -> Vec<((usize, Passage), Transit)> {
        let keys = |own| {
            self.half(own, total - own).passages.iter().map(move |&passage| (total - own, passage))
        };
        let missing: HashSet<_> =
            (0..=total).flat_map(keys).filter(|key| !self.transits.contains_key(key)).collect();
        let transit = |(opponent, passage): (usize, Passage)| {
            task();
            let SeedLanes { sides, rows, .. } = &self.lanes[opponent];
            let row = |&row: &u32| (row != OUTSIDE).then_some(row as usize);
            let sides = sides.iter().copied().zip(rows.iter().map(row));
            ((opponent, passage), Transit::new(self.rules, sides, passage))
        };
        parallel::map_of(missing, transit)
    }

    fn block(&self, layer: Layer, own: usize) -> BlockPlan<'_> {
        let opponent = layer.seeds().get() - own;
        let half = self.half(own, opponent);
        let mut transits = vec![None; Passage::NUMBERS];
        for &passage in &half.passages {
            transits[passage.number()] = Some(&self.transits[&(opponent, passage)]);
        }
        BlockPlan {
            half,
            transits,
            lane_rows: &self.lanes[opponent].rows,
            row_lanes: &self.lanes[opponent].lanes,
            spread: &self.lanes[opponent].spread,
        }
    }
}
