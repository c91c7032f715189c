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
//! * [`Gather`]: for each number of opponent's seeds and each passage, which column of the child's
//!   row belongs to which opponent's row, *quiet* moves only, as vectors can use it;
//! * [`Captures`]: the same for moves that capture, as lists.
//!
//! [`Plans`] keeps them from layer to layer, for nothing in them depends on the layer;
//! [`LayerPlan`] is what one layer needs of them, by block.
//!
//! The opponent's rows are called *lanes* here: lane `l` of a vector stands for the `l`-th row.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::game::board::{Board, House, Seeds, Side};
use crate::game::moves::{self, Crossing, legal_moves, sow};
use crate::game::rules::{GrandSlam, Harvest, Rules};
use crate::layer::index::{Domain, Layer, row_at, row_rank, rows};
use crate::layer::plane::{LINE, PANEL};

/// Lanes that a sweep computes in one go: as many as the rows of a panel of captures hold.
pub const SPAN: usize = PANEL;

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

/// All sowings of all rows with the same number of seeds.
#[derive(Debug)]
pub struct HalfBoards {
    starts: Vec<u32>,
    moves: Vec<RowMove>,
    /// The different passages that occur.
    pub passages: Vec<Passage>,
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
        let domain = Domain::of(rules);
        let mut found = HalfBoards { starts: vec![0], moves: Vec::new(), passages: Vec::new() };
        for row in (0..rows(own)).map(|rank| row_at(own, rank)) {
            for house in houses(row) {
                let Some(sowing) = sow(rules, row, house) else { continue };
                let passage = found.passage(Passage::of(rules, sowing));
                let row = domain.row_rank(sowing.own).expect("a sowing leaves a row of the domain")
                    as u32;
                found.moves.push(RowMove { row, passage, house });
            }
            found.starts.push(found.moves.len() as u32);
        }
        found
    }

    fn passage(&mut self, passage: Passage) -> u16 {
        let known = self.passages.iter().position(|&known| known == passage);
        let index = known.unwrap_or_else(|| {
            self.passages.push(passage);
            self.passages.len() - 1
        });
        index as u16
    }

    /// The sowings of the row with this rank.
    pub fn moves(&self, rank: usize) -> &[RowMove] {
        &self.moves[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }
}

/// What a passage does to every row of some number of opponent's seeds.
#[derive(Debug)]
pub struct Transit {
    /// Seeds that cross.
    pub crossed: usize,
    /// The quiet lanes.
    pub gather: Gather,
    /// The capturing lanes.
    pub captures: Captures,
}

impl Transit {
    fn new(rules: &Rules, opponent: usize, passage: Passage) -> Transit {
        Transit {
            crossed: passage.crossing.seeds as usize,
            gather: Gather::new(rules, opponent, passage),
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

    /// The same, each with what it does to the opponent's rows.
    pub fn transits(&self, row: usize) -> impl Iterator<Item = (&'a RowMove, &'a Transit)> {
        self.moves(row).iter().map(|found| (found, self.transits[found.passage as usize]))
    }

    /// The quiet lanes of each passage.
    pub fn gathers(&self) -> impl Iterator<Item = &'a Gather> {
        self.transits.iter().map(|transit| &transit.gather)
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

    /// For each passage of block `own`, the block that quiet moves lead to.
    pub fn children(&self, own: usize) -> impl Iterator<Item = usize> {
        self.blocks[own].transits.iter().map(move |transit| self.opponent(own) + transit.crossed)
    }
}

/// All plans made so far.
#[derive(Debug)]
pub struct Plans {
    rules: &'static Rules,
    /// By seeds in the mover's row.
    halves: Vec<HalfBoards>,
    /// The same against a row without seeds, for the layer last planned.
    alone: HalfBoards,
    /// By opponent's seeds: the row of each lane.
    lane_rows: Vec<Vec<u32>>,
    /// By opponent's seeds and passage.
    transits: HashMap<(usize, Passage), Transit>,
}

/// The row of each lane in a block with `opponent` seeds in the opponent's row.
fn lane_rows(domain: Domain, opponent: usize) -> Vec<u32> {
    let row = |lane| domain.row_rank(row_at(opponent, lane)).map_or(OUTSIDE, |row| row as u32);
    (0..rows(opponent)).map(row).collect()
}

impl Plans {
    /// None yet.
    pub fn new(rules: &'static Rules) -> Plans {
        let alone = HalfBoards::against_empty_row(rules, 0);
        Plans { rules, halves: Vec::new(), alone, lane_rows: Vec::new(), transits: HashMap::new() }
    }

    /// The plan of a layer. What it shares with other layers is computed once.
    pub fn layer(&mut self, seeds: Seeds) -> LayerPlan<'_> {
        let (rules, total) = (self.rules, seeds.get());
        let missing = self.halves.len()..total + 1;
        self.lane_rows
            .extend(missing.clone().map(|opponent| lane_rows(Domain::of(rules), opponent)));
        self.halves.extend(
            missing.into_par_iter().map(|own| HalfBoards::new(rules, own)).collect::<Vec<_>>(),
        );
        self.alone = HalfBoards::against_empty_row(rules, total);
        self.transits.extend(self.missing_transits(total));
        let layer = Layer::of(rules, seeds);
        LayerPlan { rules, layer, blocks: (0..=total).map(|own| self.block(layer, own)).collect() }
    }

    fn half(&self, own: usize, opponent: usize) -> &HalfBoards {
        if opponent == 0 { &self.alone } else { &self.halves[own] }
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
        }
    }
}

/// For each lane of a line, where in its window the child is.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Picks(pub [u8; LINE]);

/// Where the quiet children of all lanes are in the child's row: in *windows* of 64 bytes. Each
/// holds the children of some lanes of one line and lies within one panel, except that a kernel may
/// load bytes on either side that no lane asks for.
#[derive(Debug)]
pub struct Gather {
    /// Where each line's windows begin; one more than there are lines.
    starts: Vec<u32>,
    /// The panel of each window, and its first byte counted from the panel's row. A window of
    /// single steps (see `picks`) may begin before the row, in lanes that are not its own.
    pub(super) windows: Vec<(u32, i32)>,
    /// Bit `l`: lane `l` of the line has its child in this window.
    pub(super) lanes: Vec<u64>,
    /// Where in the window. Empty where lane `l`'s child is byte `l`: if at most one seed crosses.
    pub(super) picks: Vec<Picks>,
    /// For each line of lanes, the parts of the child's row it reads, as [`dirt_bit`]s; whole spans.
    pub(super) line_dirt: Vec<u64>,
}

/// Which bit of a row's dirt word stands for `column`, in a row of `columns`.
pub fn dirt_bit(columns: usize, column: usize) -> u32 {
    let lines = columns.div_ceil(LINE);
    ((column / LINE) / lines.div_ceil(64)) as u32
}

impl Gather {
    /// The gather of `passage` against every row of `opponent` seeds.
    pub fn new(rules: &Rules, opponent: usize, passage: Passage) -> Gather {
        let columns = rows(opponent + passage.crossing.seeds as usize);
        let child = |lane| match passage.meet(rules, row_at(opponent, lane)) {
            Meeting::Quiet(landed) => Some(row_rank(landed)),
            Meeting::Capture { .. } | Meeting::Starving => None,
        };
        let children: Vec<Option<usize>> = (0..rows(opponent)).map(child).collect();
        let line_dirt = line_dirt(columns, &children);
        let (starts, windows) = (vec![0], Vec::new());
        let mut gather =
            Gather { starts, windows, lanes: Vec::new(), picks: Vec::new(), line_dirt };
        let steps = passage.crossing.seeds <= 1;
        for line in children.chunks(LINE) {
            let first = gather.windows.len();
            for (lane, child) in line.iter().enumerate() {
                child.iter().for_each(|&column| gather.add(first, lane, column, steps));
            }
            gather.starts.push(gather.windows.len() as u32);
        }
        gather
    }

    /// The windows of a line.
    pub fn of_line(&self, line: usize) -> std::ops::Range<usize> {
        self.starts[line] as usize..self.starts[line + 1] as usize
    }

    /// How many lines of lanes there are.
    pub fn lines(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds a lane to the line's last window, or to a new one where that does not reach. The line's
    /// windows are those from `first` on.
    fn add(&mut self, first: usize, lane: usize, column: usize, steps: bool) {
        let (panel, at) = ((column / PANEL) as u32, (column % PANEL) as i32);
        let reaches = |&&(last, start): &&(u32, i32)| last == panel && at - start < LINE as i32;
        if self.windows.get(first..).and_then(<[_]>::last).filter(reaches).is_none() {
            self.windows.push((panel, if steps { at - lane as i32 } else { at }));
            self.lanes.push(0);
            if !steps {
                self.picks.push(Picks([0; LINE]));
            }
        }
        let last = self.windows.len() - 1;
        self.lanes[last] |= 1 << lane;
        if !steps {
            self.picks[last].0[lane] = (at - self.windows[last].1) as u8;
        }
    }
}

fn line_dirt(columns: usize, children: &[Option<usize>]) -> Vec<u64> {
    let bits = |line: &[Option<usize>]| {
        line.iter().flatten().fold(0u64, |bits, &column| bits | 1 << dirt_bit(columns, column))
    };
    let mut dirt: Vec<u64> = children.chunks(LINE).map(bits).collect();
    dirt.resize(children.len().div_ceil(SPAN) * (SPAN / LINE), 0);
    dirt
}

/// One capturing lane: the opponent's row and the column of the position it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The lane.
    pub lane: u32,
    /// The column in the child's row.
    pub column: u32,
}

/// Capturing lanes that share what they capture.
#[derive(Debug, Default)]
pub struct TakenLanes {
    lanes: Vec<Taken>,
    /// Where the lanes of each panel begin.
    starts: Vec<u32>,
}

impl TakenLanes {
    fn push(&mut self, taken: Taken) {
        self.starts.resize(taken.lane as usize / PANEL + 1, self.lanes.len() as u32);
        self.lanes.push(taken);
    }

    /// The lanes within one panel.
    pub fn of_panel(&self, panel: usize) -> &[Taken] {
        let start =
            |panel| self.starts.get(panel).map_or(self.lanes.len(), |&start| start as usize);
        &self.lanes[start(panel)..start(panel + 1)]
    }
}

/// The capturing lanes of a passage against every row of some number of opponent's seeds.
#[derive(Debug, Default)]
pub struct Captures {
    /// Lanes that capture from the opponent's row, by the number of seeds captured.
    pub by_seeds: Vec<TakenLanes>,
    /// Where the harvest lies in the mover's own row instead: lanes by the number of hit houses.
    pub by_hits: Vec<TakenLanes>,
    /// Lanes whose harvest would starve the opponent, legal only when nothing else is.
    pub starving: Vec<u32>,
}

impl Captures {
    /// The captures of `passage` against every row of `opponent` seeds.
    pub fn new(rules: &Rules, opponent: usize, passage: Passage) -> Captures {
        let mut found = Captures::default();
        for lane in 0..rows(opponent) {
            match passage.meet(rules, row_at(opponent, lane)) {
                Meeting::Quiet(_) => {}
                Meeting::Starving => found.starving.push(lane as u32),
                Meeting::Capture { landed, hits } => {
                    found.take(rules, passage, lane as u32, landed, hits)
                }
            }
        }
        found
    }

    fn take(&mut self, rules: &Rules, passage: Passage, lane: u32, landed: Side, hits: usize) {
        let (list, key, row) = match rules.harvest {
            Harvest::LastHouses => {
                let spared = passage.spares(landed, hits);
                (&mut self.by_seeds, landed.seeds() - spared.seeds(), spared)
            }
            Harvest::Opposite => (&mut self.by_hits, hits, landed),
        };
        if list.len() <= key {
            list.resize_with(key + 1, TakenLanes::default);
        }
        list[key].push(Taken { lane, column: row_rank(row) as u32 });
    }
}
