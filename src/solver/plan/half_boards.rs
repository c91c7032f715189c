//! Half-boards: what the sowings of all rows with the same number of seeds do to those rows.

use std::collections::BTreeMap;
use std::mem::replace;
use std::ops::Range;

use super::passage::Passage;
use crate::game::board::{Board, HOUSES, House, Side};
use crate::game::legal_moves;
use crate::game::rules::{Harvest, Rules};
use crate::game::sowing::{harvest, sow};
use crate::layer::index::{Domain, row_rank};
use crate::layer::line::LINE;
use crate::parallel;
use crate::solver::kernel::Pull;
use crate::solver::windows::{Windows, begin_behind};
use crate::timeline::task;

/// Rows that one task sows: whole tiles.
const PART: usize = 1 << 12;

/// One sowing of one row of the mover.
#[derive(Clone, Copy, Debug)]
pub struct RowMove {
    /// Which row of the child's block the mover's row becomes.
    pub row: u32,
    /// What the opponent's row sees of it.
    pub passage: Passage,
    /// The house sown.
    pub house: House,
}

/// Rows of a tile whose sowings share a passage, and if they are grouped by harvests in their own
/// row, what these are.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// What they share.
    pub passage: Passage,
    /// Of a harvest: houses hit.
    pub hits: u8,
    /// Of a harvest: seeds taken.
    pub captured: u8,
    /// Which of the tile's pulls: the rows and those of their children, in the order of the latter.
    pub pulls: Range<u16>,
}

/// The groups of a tile.
#[derive(Debug)]
pub struct TileGroups {
    /// Ordered by passage, houses hit and seeds taken.
    groups: Vec<RowGroup>,
    pulls: Vec<Pull>,
}

/// Rows by passage, houses hit and seeds taken.
type Grouped = BTreeMap<(Passage, u8, u8), Vec<Pull>>;

/// All sowings of all rows with the same number of seeds.
#[derive(Debug)]
pub struct HalfBoards {
    starts: Vec<u32>,
    moves: Vec<RowMove>,
    /// The different passages that occur.
    pub passages: Vec<Passage>,
    /// By tile: sowings that cross, by passage.
    pub groups: Vec<TileGroups>,
    /// By tile: harvests, by kind; none unless they lie in the mover's own row.
    pub catches: Vec<TileGroups>,
    /// The rows of the domain that sowings without crossing lead to, by row.
    home_rows: Vec<u32>,
    home_starts: Vec<u32>,
    /// The same as windows, among all rows.
    pub home: Windows,
}

impl TileGroups {
    fn of(grouped: Grouped) -> TileGroups {
        let mut all = Vec::with_capacity(grouped.values().map(Vec::len).sum());
        let group = |((passage, hits, captured), mut pulls): (_, Vec<Pull>)| {
            pulls.sort_by_key(|pull| pull.row);
            let start = all.len() as u16;
            all.extend(pulls);
            RowGroup { passage, hits, captured, pulls: start..all.len() as u16 }
        };
        TileGroups { groups: grouped.into_iter().map(group).collect(), pulls: all }
    }

    /// Each group with its pulls.
    pub fn each(&self) -> impl Iterator<Item = (&RowGroup, &[Pull])> {
        let pulls = |range: &Range<u16>| &self.pulls[range.start.into()..range.end.into()];
        self.groups.iter().map(move |group| (group, pulls(&group.pulls)))
    }
}

impl HalfBoards {
    /// The sowings of `sides`, all rows with some number of seeds in order, with seeds in the
    /// opponent's row.
    pub fn new(rules: &Rules, sides: &[Side]) -> HalfBoards {
        HalfBoards::with(rules, sides, |_| [true; HOUSES])
    }

    /// The sowings that are legal when the opponent has no seeds, captures left out.
    pub fn against_empty_row(rules: &Rules, sides: &[Side]) -> HalfBoards {
        HalfBoards::with(rules, sides, |row| quiet_against_empty_row(rules, row))
    }

    fn with(
        rules: &Rules,
        sides: &[Side],
        counts: impl Fn(Side) -> [bool; HOUSES] + Sync,
    ) -> HalfBoards {
        let part = |sides: &[Side]| HalfBoards::part(rules, sides, &counts);
        let parts = parallel::map_of(sides.chunks(PART), |sides| {
            task();
            part(sides)
        });
        let mut all = part(&[]);
        parts.into_iter().for_each(|part| all.append(part));
        all.passages = all.occurring();
        // Half-boards are kept for all layers to come.
        all.moves.shrink_to_fit();
        all.home_rows.shrink_to_fit();
        all.home.shrink();
        all
    }

    /// The sowings of some rows, as if there were no others.
    fn part(rules: &Rules, sides: &[Side], counts: impl Fn(Side) -> [bool; HOUSES]) -> HalfBoards {
        let (mut starts, mut moves, mut home_starts) = (vec![0], Vec::new(), vec![0]);
        let (mut home_rows, mut home, domain) = (Vec::new(), Vec::new(), Domain::of(rules));
        for (rank, &side) in sides.iter().enumerate() {
            let counts = counts(side);
            for house in House::ALL.into_iter().filter(|house| counts[house.index()]) {
                let Some(sowing) = sow(rules, side, house) else { continue };
                let row = domain.row_rank(sowing.own).expect("a sowing leaves a row of the domain");
                let (row, passage) = (row as u32, Passage::of(rules, sowing));
                moves.push(RowMove { row, passage, house });
                if sowing.crossing.seeds == 0 {
                    home_rows.push(row);
                    home.push((rank, row_rank(sowing.own)));
                }
            }
            starts.push(moves.len() as u32);
            home_starts.push(home_rows.len() as u32);
        }
        let home = Windows::new(sides.len(), home);
        let (passages, groups, catches) = (Vec::new(), Vec::new(), Vec::new());
        let mut found =
            HalfBoards { starts, moves, passages, groups, catches, home_rows, home_starts, home };
        found.groups = found.by_tile(sides, |_, place, found, grouped| {
            if found.passage.crossing.seeds > 0 {
                let pull = Pull { place, row: found.row };
                grouped.entry((found.passage, 0, 0)).or_default().push(pull);
            }
        });
        match rules.harvest {
            Harvest::LastHouses => {}
            Harvest::Opposite => found.catches = found.find_catches(rules, sides),
        }
        found
    }

    /// Groups the sowings of each tile: `enter` is called with each of them, and with its row and
    /// the place of that in the tile.
    fn by_tile(
        &self,
        sides: &[Side],
        enter: impl Fn(Side, u32, &RowMove, &mut Grouped),
    ) -> Vec<TileGroups> {
        let tile = |(tile, sides): (usize, &[Side])| {
            let mut grouped = Grouped::new();
            for (place, &side) in (0..).zip(sides) {
                let moves = self.moves(tile * LINE + place as usize).iter();
                moves.for_each(|found| enter(side, place, found, &mut grouped));
            }
            TileGroups::of(grouped)
        };
        sides.chunks(LINE).enumerate().map(tile).collect()
    }

    /// Harvests in the mover's own row, which depend on that and on the houses hit.
    fn find_catches(&self, rules: &Rules, sides: &[Side]) -> Vec<TileGroups> {
        self.by_tile(sides, |side, place, found, grouped| {
            let sowing = sow(rules, side, found.house).expect("a sowing");
            let most = sowing.crossing.last().map_or(0, |last| last.index() + 1);
            for hits in usize::from(found.passage.capturing_hits)..=most {
                let harvested = harvest(rules, sowing, Side::EMPTY, hits);
                let child = Domain::of(rules).row_rank(harvested.own);
                let row = child.expect("a row of the domain") as u32;
                let kind = (found.passage, hits as u8, harvested.captured);
                grouped.entry(kind).or_default().push(Pull { place, row });
            }
        })
    }

    /// Adds those of the rows behind; so far they fill whole tiles.
    fn append(&mut self, other: HalfBoards) {
        begin_behind(&mut self.starts, &other.starts);
        begin_behind(&mut self.home_starts, &other.home_starts);
        self.moves.extend(other.moves);
        self.groups.extend(other.groups);
        self.catches.extend(other.catches);
        self.home_rows.extend(other.home_rows);
        self.home.append(other.home);
    }

    /// The passages of all sowings, each once.
    fn occurring(&self) -> Vec<Passage> {
        let mut known = [false; Passage::NUMBERS];
        let passages = self.moves.iter().map(|found| found.passage);
        passages.filter(|passage| !replace(&mut known[passage.number()], true)).collect()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The sowings of the row with this rank.
    pub fn moves(&self, rank: usize) -> &[RowMove] {
        &self.moves[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// The rows of the domain that the home moves of a row lead to: sowings that stay in the row.
    pub fn home_rows(&self, rank: usize) -> &[u32] {
        &self.home_rows[self.home_starts[rank] as usize..self.home_starts[rank + 1] as usize]
    }
}

/// By house: whether its sowing is legal when the opponent has no seeds, and captures nothing.
pub fn quiet_against_empty_row(rules: &Rules, row: Side) -> [bool; HOUSES] {
    let mut quiet = [false; HOUSES];
    let moves = legal_moves(rules, &Board { mover: row, opponent: Side::EMPTY });
    for found in moves.iter().filter(|found| found.captured == 0) {
        quiet[found.house.index()] = true;
    }
    quiet
}
