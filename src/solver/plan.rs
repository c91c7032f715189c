//! What each half-board's moves do to whole rows, computed once from [`crate::game::legal_moves`].
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
//!   row belongs to which opponent's row, as [`Windows`] that vectors can use: quiet moves, and
//!   those that capture. A capture that takes fixed twos and threes from fixed houses adds a
//!   constant to the row, too, so its children come in windows just as well.
//!
//! [`Plans`] keeps them from layer to layer, for nothing in them depends on the layer;
//! [`LayerPlan`] is what one layer needs of them, by block.
//!
//! The opponent's rows are called *lanes* here: lane `l` of a vector stands for the `l`-th row.
//! Rows of the mover are handled in tiles of 64, those of a tile that share a passage together,
//! sorted by the child's row (in a prototype that was worth 5 to 8 % of a sweep's time).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use crate::game::board::{Board, House, Seeds, Side};
use crate::game::moves::{self, Crossing, legal_moves, sow};
use crate::game::rules::{GrandSlam, Harvest, Rules};
use crate::layer::index::{Domain, Layer, row_at, row_rank, rows};
use crate::layer::plane::LINE;
use crate::solver::kernel::Pull;
use crate::solver::windows::Windows;

/// A sowing as the opponent's row sees it: everything that decides which lanes are quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passage {
    /// The seeds that cross.
    pub crossing: Crossing,
    /// The smallest number of hit houses that brings a harvest; 7 where none does. It is 1 unless
    /// the harvest lies in the mover's own row, where hit houses may face empty ones.
    pub capturing_hits: u8,
}

impl Passage {
    fn of(rules: &Rules, sowing: moves::Sowing) -> Passage {
        let takes = |&hits: &usize| moves::harvest(rules, sowing, Side([2; 6]), hits).captured > 0;
        let most = sowing.crossing.last().map_or(0, |last| last.index() + 1);
        let capturing_hits = (1..=most).find(takes).unwrap_or(7) as u8;
        Passage { crossing: sowing.crossing, capturing_hits }
    }

    /// What happens to `row` of the opponent.
    fn meet(self, rules: &Rules, row: Side) -> Meeting {
        let landed = self.crossing.land(row);
        let hits = self.crossing.hits(landed);
        let slam = hits > 0
            && rules.harvest == Harvest::LastHouses
            && self.spares(landed, hits).is_empty();
        match rules.grand_slam {
            _ if hits < self.capturing_hits as usize => Meeting::Quiet(landed),
            GrandSlam::CapturesNothing if slam => Meeting::Quiet(landed),
            GrandSlam::IllegalUnlessForced if slam => Meeting::Starving,
            GrandSlam::CapturesNothing | GrandSlam::Captures | GrandSlam::IllegalUnlessForced => {
                Meeting::Capture { landed, hits }
            }
        }
    }

    /// The opponent's row once the hit houses are emptied.
    fn spares(self, landed: Side, hits: usize) -> Side {
        let mut row = landed;
        self.crossing.hit_houses(hits).for_each(|house| row[house] = 0);
        row
    }
}

/// What a passage does to one row of the opponent.
enum Meeting {
    /// Nothing is harvested; the row is now this.
    Quiet(Side),
    /// Hit houses bring a harvest.
    Capture { landed: Side, hits: usize },
    /// A harvest of everything, where the sheet forbids that while another move exists.
    Starving,
}

/// One sowing of one row of the mover.
#[derive(Clone, Copy, Debug)]
pub struct RowMove {
    /// Which row of the child's block the mover's row becomes.
    pub row: u32,
    /// Index into [`HalfBoards::passages`].
    pub passage: u16,
    /// The house sown.
    pub house: House,
}

/// Rows of a tile whose sowings share a passage.
#[derive(Clone, Debug)]
pub struct Group {
    /// Index into [`HalfBoards::passages`].
    pub passage: u16,
    /// The rows and those of their children, in the order of the latter.
    pub pulls: Range<u32>,
}

/// Rows of a tile whose harvest in their own row is the same.
#[derive(Clone, Debug)]
pub struct Catch {
    /// Index into [`HalfBoards::passages`].
    pub passage: u16,
    /// Houses hit.
    pub hits: usize,
    /// Seeds taken.
    pub captured: usize,
    /// The rows and those of their children.
    pub pulls: Range<u32>,
}

/// A sowing seen from the row that it leaves.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The row it starts from.
    pub row: u32,
    /// Index into [`HalfBoards::passages`].
    pub passage: u16,
}

/// All sowings of all rows with the same number of seeds.
#[derive(Debug)]
pub struct HalfBoards {
    starts: Vec<u32>,
    moves: Vec<RowMove>,
    /// The different passages that occur.
    pub passages: Vec<Passage>,
    pulls: Vec<Pull>,
    /// By tile.
    groups: Vec<Vec<Group>>,
    /// By tile; none unless harvests lie in the mover's own row.
    catches: Vec<Vec<Catch>>,
    /// The rows of the domain that sowings without crossing lead to, by row.
    home_rows: Vec<u32>,
    home_starts: Vec<u32>,
    /// The same as windows, among all rows.
    home: Windows,
    /// By seeds left in the row: where the origins of each of its rows begin.
    origin_starts: Vec<Vec<u32>>,
    origins: Vec<Origin>,
}

impl HalfBoards {
    /// The sowings of every row with `own` seeds, with seeds in the opponent's row.
    pub fn new(rules: &Rules, own: usize) -> HalfBoards {
        HalfBoards::with(rules, own, |_| House::ALL.to_vec())
    }

    /// The sowings that are legal when the opponent has no seeds, captures left out.
    pub fn against_empty_row(rules: &Rules, own: usize) -> HalfBoards {
        HalfBoards::with(rules, own, |row| {
            let moves = legal_moves(rules, &Board { mover: row, opponent: Side::EMPTY });
            moves.iter().filter(|found| found.captured == 0).map(|found| found.house).collect()
        })
    }

    fn with(rules: &Rules, own: usize, houses: impl Fn(Side) -> Vec<House>) -> HalfBoards {
        let mut found = HalfBoards {
            starts: vec![0],
            moves: Vec::new(),
            passages: Vec::new(),
            pulls: Vec::new(),
            groups: Vec::new(),
            catches: Vec::new(),
            home_rows: Vec::new(),
            home_starts: vec![0],
            home: Windows::default(),
            origin_starts: Vec::new(),
            origins: Vec::new(),
        };
        let domain = Domain::of(rules);
        let mut home = Vec::new();
        for (rank, row) in (0..rows(own)).map(|rank| row_at(own, rank)).enumerate() {
            for house in houses(row) {
                let Some(sowing) = sow(rules, row, house) else { continue };
                let passage = found.passage(Passage::of(rules, sowing));
                let row = domain.row_rank(sowing.own).expect("a sowing leaves a row of the domain")
                    as u32;
                found.moves.push(RowMove { row, passage, house });
                if sowing.crossing.seeds == 0 {
                    found.home_rows.push(row);
                    home.push((rank, row_rank(sowing.own)));
                }
            }
            found.starts.push(found.moves.len() as u32);
            found.home_starts.push(found.home_rows.len() as u32);
        }
        found.home = Windows::new(rows(own), home);
        found.group(own);
        found.note_origins(domain, own);
        match rules.harvest {
            Harvest::LastHouses => {}
            Harvest::Opposite => found.note_catches(rules, own),
        }
        found.shrink();
        found
    }

    /// Gives back what lists have grown too large: half-boards are kept for all layers to come.
    fn shrink(&mut self) {
        self.moves.shrink_to_fit();
        self.pulls.shrink_to_fit();
        self.home_rows.shrink_to_fit();
        self.origins.shrink_to_fit();
    }

    fn passage(&mut self, passage: Passage) -> u16 {
        let known = self.passages.iter().position(|&known| known == passage);
        let index = known.unwrap_or_else(|| {
            self.passages.push(passage);
            self.passages.len() - 1
        });
        index as u16
    }

    /// Sorts the sowings of each tile by passage.
    fn group(&mut self, own: usize) {
        for first in (0..rows(own)).step_by(LINE) {
            let mut by_passage = BTreeMap::<u16, Vec<Pull>>::new();
            for row in first..rows(own).min(first + LINE) {
                for found in self.moves(row) {
                    let pull = Pull { place: (row - first) as u32, row: found.row };
                    by_passage.entry(found.passage).or_default().push(pull);
                }
            }
            let groups = by_passage.into_iter();
            let groups = groups
                .map(|(passage, pulls)| Group { passage, pulls: self.push_pulls(pulls) })
                .collect();
            self.groups.push(groups);
        }
    }

    /// The same for harvests in the mover's own row, which depend on that and on the houses hit.
    fn note_catches(&mut self, rules: &Rules, own: usize) {
        for first in (0..rows(own)).step_by(LINE) {
            let mut by_kind = BTreeMap::<(u16, usize, usize), Vec<Pull>>::new();
            for row in first..rows(own).min(first + LINE) {
                for found in self.moves(row) {
                    let sowing = sow(rules, row_at(own, row), found.house).expect("a sowing");
                    let least = self.passages[found.passage as usize].capturing_hits as usize;
                    let most = sowing.crossing.last().map_or(0, |last| last.index() + 1);
                    for hits in least..=most {
                        let harvested = moves::harvest(rules, sowing, Side::EMPTY, hits);
                        let child =
                            Domain::of(rules).row_rank(harvested.own).expect("a row of the domain");
                        let kind = (found.passage, hits, usize::from(harvested.captured));
                        let pull = Pull { place: (row - first) as u32, row: child as u32 };
                        by_kind.entry(kind).or_default().push(pull);
                    }
                }
            }
            let catch = |((passage, hits, captured), pulls)| {
                let pulls = self.push_pulls(pulls);
                Catch { passage, hits, captured, pulls }
            };
            let catches = by_kind.into_iter().map(catch).collect();
            self.catches.push(catches);
        }
    }

    fn push_pulls(&mut self, mut pulls: Vec<Pull>) -> Range<u32> {
        pulls.sort_by_key(|pull| pull.row);
        let start = self.pulls.len() as u32;
        self.pulls.extend(pulls);
        start..self.pulls.len() as u32
    }

    /// Turns the sowings round.
    fn note_origins(&mut self, domain: Domain, own: usize) {
        let mut by_child: Vec<Vec<(u32, Origin)>> = vec![Vec::new(); own + 1];
        for row in 0..rows(own) {
            for found in self.moves(row) {
                let crossed = self.passages[found.passage as usize].crossing.seeds as usize;
                let origin = Origin { row: row as u32, passage: found.passage };
                by_child[own - crossed].push((found.row, origin));
            }
        }
        for (left, mut found) in by_child.into_iter().enumerate() {
            found.sort_by_key(|(row, _)| *row);
            let first = self.origins.len();
            let start =
                |row: usize| first + found.partition_point(|(child, _)| (*child as usize) < row);
            let starts = if found.is_empty() { 0..0 } else { 0..domain.rows(left) + 1 };
            self.origin_starts.push(starts.map(|row| start(row) as u32).collect());
            self.origins.extend(found.into_iter().map(|(_, origin)| origin));
        }
    }

    /// The sowings of the row with this rank.
    pub fn moves(&self, rank: usize) -> &[RowMove] {
        &self.moves[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// The sowings that leave `left` seeds in the row, as row `row` of the domain.
    pub fn origins(&self, left: usize, row: usize) -> &[Origin] {
        match self.origin_starts.get(left).and_then(|starts| starts.get(row..row + 2)) {
            Some(&[start, end]) => &self.origins[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// What a passage does to every row of some number of opponent's seeds.
#[derive(Debug)]
pub struct Transit {
    /// Seeds that cross.
    pub crossed: usize,
    /// The quiet lanes.
    pub quiet: Windows,
    /// The capturing lanes.
    pub captures: Captures,
}

impl Transit {
    fn new(rules: &Rules, opponent: usize, passage: Passage) -> Transit {
        let lanes = 0..rows(opponent);
        let quiet = lanes.filter_map(|lane| match passage.meet(rules, row_at(opponent, lane)) {
            Meeting::Quiet(landed) => Some((lane, row_rank(landed))),
            Meeting::Capture { .. } | Meeting::Starving => None,
        });
        Transit {
            crossed: passage.crossing.seeds as usize,
            quiet: Windows::new(rows(opponent), quiet),
            captures: Captures::new(rules, opponent, passage),
        }
    }
}

/// Everything about one block of a layer.
#[derive(Debug)]
pub struct BlockPlan<'a> {
    half: &'a HalfBoards,
    transits: Vec<&'a Transit>,
    /// For each lane, its row in the block; [`OUTSIDE`] where the layer has none.
    pub lane_rows: &'a [u32],
    /// For each row of the block, its lane.
    pub row_lanes: &'a [u32],
}

/// The row of a lane that lies outside the layer.
pub const OUTSIDE: u32 = u32::MAX;

impl<'a> BlockPlan<'a> {
    /// How many rows of the mover there are.
    pub fn rows(&self) -> usize {
        self.half.starts.len() - 1
    }

    /// The sowings of the mover's row `row`. In block n, where the opponent has no seeds, only
    /// the legal ones that capture nothing.
    pub fn moves(&self, row: usize) -> &'a [RowMove] {
        self.half.moves(row)
    }

    /// The sowings of a row, each with what it does to the opponent's rows.
    pub fn transits(&self, row: usize) -> impl Iterator<Item = (&'a RowMove, &'a Transit)> {
        self.moves(row).iter().map(|found| (found, self.transits[found.passage as usize]))
    }

    /// What a passage of the block does to the opponent's rows.
    pub fn transit(&self, passage: u16) -> &'a Transit {
        self.transits[passage as usize]
    }

    /// For each passage of a tile of the mover's rows, what it does and whose it is.
    pub fn groups(&self, tile: usize) -> impl Iterator<Item = (&'a Transit, &'a [Pull])> {
        let half = self.half;
        half.groups[tile]
            .iter()
            .map(|group| (self.transit(group.passage), half.pulls_of(&group.pulls)))
    }

    /// For each kind of harvest in the rows of a tile: the passage, houses hit, seeds taken, whose.
    pub fn catches(
        &self,
        tile: usize,
    ) -> impl Iterator<Item = (&'a Transit, usize, usize, &'a [Pull])> {
        let half = self.half;
        half.catches[tile].iter().map(|catch| {
            (self.transit(catch.passage), catch.hits, catch.captured, half.pulls_of(&catch.pulls))
        })
    }

    /// The rows of the domain that the home moves of a row lead to: sowings that stay in the row.
    pub fn home_rows(&self, row: usize) -> &'a [u32] {
        &self.half.home_rows
            [self.half.home_starts[row] as usize..self.half.home_starts[row + 1] as usize]
    }

    /// The same of all rows as windows, among all rows.
    pub fn home(&self) -> &'a Windows {
        &self.half.home
    }

    /// The sowings that leave `left` seeds as row `row` of the domain.
    pub fn origins(&self, left: usize, row: usize) -> &'a [Origin] {
        self.half.origins(left, row)
    }
}

impl HalfBoards {
    fn pulls_of(&self, range: &Range<u32>) -> &[Pull] {
        &self.pulls[range.start as usize..range.end as usize]
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
}

impl LayerPlan<'_> {
    /// Seeds in the opponent's row where the mover has `own`.
    pub fn opponent(&self, own: usize) -> usize {
        self.layer.seeds().get() - own
    }
}

/// All plans made so far.
#[derive(Debug)]
pub struct Plans {
    rules: &'static Rules,
    /// By seeds in the mover's row.
    half_boards: Vec<HalfBoards>,
    /// The same against a row without seeds, for the layer last planned.
    alone: HalfBoards,
    /// By opponent's seeds: the row of each lane.
    lane_rows: Vec<Vec<u32>>,
    /// The other way round.
    row_lanes: Vec<Vec<u32>>,
    /// By opponent's seeds and passage.
    transits: HashMap<(usize, Passage), Transit>,
}

/// The row of each lane in a block with `opponent` seeds in the opponent's row.
fn lane_rows(domain: Domain, opponent: usize) -> Vec<u32> {
    let row = |lane| domain.row_rank(row_at(opponent, lane)).map_or(OUTSIDE, |row| row as u32);
    (0..rows(opponent)).map(row).collect()
}

/// The lane of each row.
fn row_lanes(lane_rows: &[u32]) -> Vec<u32> {
    let lanes = lane_rows.iter().zip(0..).filter(|(row, _)| **row != OUTSIDE);
    lanes.map(|(_, lane)| lane).collect()
}

impl Plans {
    /// None yet.
    pub fn new(rules: &'static Rules) -> Plans {
        let alone = HalfBoards::against_empty_row(rules, 0);
        Plans {
            rules,
            half_boards: Vec::new(),
            alone,
            lane_rows: Vec::new(),
            row_lanes: Vec::new(),
            transits: HashMap::new(),
        }
    }

    /// The plan of a layer. What it shares with other layers is computed once.
    pub fn layer(&mut self, seeds: Seeds) -> LayerPlan<'_> {
        let (rules, total) = (self.rules, seeds.get());
        let missing = self.half_boards.len()..total + 1;
        self.lane_rows
            .extend(missing.clone().map(|opponent| lane_rows(Domain::of(rules), opponent)));
        let lanes = &self.lane_rows[missing.start..];
        self.row_lanes.extend(lanes.iter().map(|rows| row_lanes(rows)));
        let (alone, half_boards) = rayon::join(
            || HalfBoards::against_empty_row(rules, total),
            || missing.into_par_iter().map(|own| HalfBoards::new(rules, own)).collect::<Vec<_>>(),
        );
        self.half_boards.extend(half_boards);
        self.alone = alone;
        self.transits.extend(self.missing_transits(total));
        let layer = Layer::of(rules, seeds);
        LayerPlan { rules, layer, blocks: (0..=total).map(|own| self.block(layer, own)).collect() }
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
        missing.into_par_iter().map(|key| (key, Transit::new(self.rules, key.0, key.1))).collect()
    }

    fn block(&self, layer: Layer, own: usize) -> BlockPlan<'_> {
        let opponent = layer.seeds().get() - own;
        let half = self.half(own, opponent);
        BlockPlan {
            half,
            transits: half
                .passages
                .iter()
                .map(|&passage| &self.transits[&(opponent, passage)])
                .collect(),
            lane_rows: &self.lane_rows[opponent],
            row_lanes: &self.row_lanes[opponent],
        }
    }
}

/// The capturing lanes of a passage against every row of some number of opponent's seeds.
#[derive(Debug, Default)]
pub struct Captures {
    /// Lanes that capture from the opponent's row, by the number of seeds captured.
    pub by_seeds: Vec<Windows>,
    /// Where the harvest lies in the mover's own row instead: lanes by the number of hit houses.
    pub by_hits: Vec<Windows>,
    /// Lanes whose harvest would starve the opponent, legal only when nothing else is.
    pub starving: Vec<u32>,
}

impl Captures {
    /// The captures of `passage` against every row of `opponent` seeds.
    pub fn new(rules: &Rules, opponent: usize, passage: Passage) -> Captures {
        let (mut starving, mut by_seeds, mut by_hits) = (Vec::new(), Vec::new(), Vec::new());
        for lane in 0..rows(opponent) {
            match passage.meet(rules, row_at(opponent, lane)) {
                Meeting::Quiet(_) => {}
                Meeting::Starving => starving.push(lane as u32),
                Meeting::Capture { landed, hits } => match rules.harvest {
                    Harvest::LastHouses => {
                        let spared = passage.spares(landed, hits);
                        note(
                            &mut by_seeds,
                            landed.seeds() - spared.seeds(),
                            (lane, row_rank(spared)),
                        );
                    }
                    Harvest::Opposite => note(&mut by_hits, hits, (lane, row_rank(landed))),
                },
            }
        }
        let windows = |children: Vec<(usize, usize)>| Windows::new(rows(opponent), children);
        Captures {
            by_seeds: by_seeds.into_iter().map(windows).collect(),
            by_hits: by_hits.into_iter().map(windows).collect(),
            starving,
        }
    }
}

/// Adds a lane and its column to the list of a key.
fn note(lists: &mut Vec<Vec<(usize, usize)>>, key: usize, child: (usize, usize)) {
    if lists.len() <= key {
        lists.resize_with(key + 1, Vec::new);
    }
    lists[key].push(child);
}
