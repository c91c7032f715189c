//! Half-boards: what the sowings of all rows with the same number of seeds do to those rows.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::passage::Passage;
use crate::game::board::{Board, HOUSES, House, Seeds, Side};
use crate::game::legal_moves;
use crate::game::rules::{Harvest, Rules};
use crate::game::sowing::{Sowing, harvest, sow};
use crate::layer::index::{Domain, row_rank};
use crate::layer::line::LINE;
use crate::solver::kernel::Pull;
use crate::solver::windows::Windows;
use crate::timeline::task;

/// Rows that one task sows: whole tiles.
const PART: usize = 1 << 12;

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

/// Rows of a tile whose sowings share a passage, and if they are grouped by harvests in their own
/// row, what these are.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// Index into [`HalfBoards::passages`].
    pub passage: u16,
    /// Of a harvest: houses hit.
    pub hits: u8,
    /// Of a harvest: seeds taken.
    pub captured: u8,
    /// The rows and those of their children, in the order of the latter.
    pub pulls: Range<u32>,
}

/// Rows by passage, houses hit and seeds taken.
type Grouped = BTreeMap<(u16, u8, u8), Vec<Pull>>;

/// All sowings of all rows with the same number of seeds.
#[derive(Debug)]
pub struct HalfBoards {
    starts: Vec<u32>,
    moves: Vec<RowMove>,
    /// The different passages that occur.
    pub passages: Vec<Passage>,
    pulls: Vec<Pull>,
    /// By tile: sowings that cross, by passage.
    pub groups: Vec<Vec<RowGroup>>,
    /// By tile: harvests, by kind; none unless they lie in the mover's own row.
    pub catches: Vec<Vec<RowGroup>>,
    /// The rows of the domain that sowings without crossing lead to, by row.
    home_rows: Vec<u32>,
    home_starts: Vec<u32>,
    /// The same as windows, among all rows.
    pub home: Windows,
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
        let parts: Vec<HalfBoards> = sides.par_chunks(PART).inspect(|_| task()).map(part).collect();
        let mut all = HalfBoards::none();
        parts.into_iter().for_each(|part| all.append(part));
        all.shrink();
        all
    }

    fn none() -> HalfBoards {
        HalfBoards {
            starts: vec![0],
            moves: Vec::new(),
            passages: Vec::new(),
            pulls: Vec::new(),
            groups: Vec::new(),
            catches: Vec::new(),
            home_rows: Vec::new(),
            home_starts: vec![0],
            home: Windows::new(0, []),
        }
    }

    /// The sowings of some rows, as if there were no others.
    fn part(rules: &Rules, sides: &[Side], counts: impl Fn(Side) -> [bool; HOUSES]) -> HalfBoards {
        let (mut found, domain) = (HalfBoards::none(), Domain::of(rules));
        let (mut passages, mut home) = (Passages::new(rules), Vec::new());
        for (rank, &side) in sides.iter().enumerate() {
            let counts = counts(side);
            for house in House::ALL.into_iter().filter(|house| counts[house.index()]) {
                let Some(sowing) = sow(rules, side, house) else { continue };
                let row = domain.row_rank(sowing.own).expect("a sowing leaves a row of the domain");
                let passage = passages.index(house, side[house], sowing);
                found.moves.push(RowMove { row: row as u32, passage, house });
                if sowing.crossing.seeds == 0 {
                    found.home_rows.push(row as u32);
                    home.push((rank, row_rank(sowing.own)));
                }
            }
            found.starts.push(found.moves.len() as u32);
            found.home_starts.push(found.home_rows.len() as u32);
        }
        found.passages = passages.found;
        found.home = Windows::new(sides.len(), home);
        found.group(sides.len());
        match rules.harvest {
            Harvest::LastHouses => {}
            Harvest::Opposite => found.note_catches(rules, sides),
        }
        found
    }

    /// Adds those of the rows behind; so far they fill whole tiles.
    fn append(&mut self, other: HalfBoards) {
        let number = |&passage: &Passage| number_of(&mut self.passages, passage);
        let numbers: Vec<u16> = other.passages.iter().map(number).collect();
        let behind = |starts: &mut Vec<u32>, more: &[u32]| {
            let first = *starts.last().expect("one more than rows");
            starts.extend(more[1..].iter().map(|start| first + start));
        };
        behind(&mut self.starts, &other.starts);
        behind(&mut self.home_starts, &other.home_starts);
        let renumbered = |passage: u16| numbers[usize::from(passage)];
        self.moves.extend(
            other
                .moves
                .iter()
                .map(|found| RowMove { passage: renumbered(found.passage), ..*found }),
        );
        let first = self.pulls.len() as u32;
        let group = |group: &RowGroup| RowGroup {
            passage: renumbered(group.passage),
            pulls: first + group.pulls.start..first + group.pulls.end,
            ..*group
        };
        for (all, more) in [(&mut self.groups, other.groups), (&mut self.catches, other.catches)] {
            all.extend(more.iter().map(|groups| groups.iter().map(group).collect::<Vec<_>>()));
        }
        self.pulls.extend(other.pulls);
        self.home_rows.extend(other.home_rows);
        self.home.append(other.home);
    }

    /// Gives back what lists have grown too large: half-boards are kept for all layers to come.
    fn shrink(&mut self) {
        self.moves.shrink_to_fit();
        self.pulls.shrink_to_fit();
        self.home_rows.shrink_to_fit();
        self.home.shrink();
    }

    /// Sorts the crossing sowings of each tile by passage.
    fn group(&mut self, count: usize) {
        for first in (0..count).step_by(LINE) {
            let mut grouped = Grouped::new();
            for row in first..count.min(first + LINE) {
                let crosses =
                    |found: &&RowMove| self.passages[found.passage as usize].crossing.seeds > 0;
                for found in self.moves(row).iter().filter(crosses) {
                    let pull = Pull { place: (row - first) as u32, row: found.row };
                    grouped.entry((found.passage, 0, 0)).or_default().push(pull);
                }
            }
            let groups = self.listed(grouped);
            self.groups.push(groups);
        }
    }

    /// The same for harvests in the mover's own row, which depend on that and on the houses hit.
    fn note_catches(&mut self, rules: &Rules, sides: &[Side]) {
        for (tile, sides) in sides.chunks(LINE).enumerate() {
            let mut grouped = Grouped::new();
            for (place, &side) in (0..).zip(sides) {
                for found in self.moves(tile * LINE + place as usize) {
                    let sowing = sow(rules, side, found.house).expect("a sowing");
                    let least = self.passages[found.passage as usize].capturing_hits as usize;
                    let most = sowing.crossing.last().map_or(0, |last| last.index() + 1);
                    for hits in least..=most {
                        let harvested = harvest(rules, sowing, Side::EMPTY, hits);
                        let child =
                            Domain::of(rules).row_rank(harvested.own).expect("a row of the domain");
                        let kind = (found.passage, hits as u8, harvested.captured);
                        let pull = Pull { place, row: child as u32 };
                        grouped.entry(kind).or_default().push(pull);
                    }
                }
            }
            let catches = self.listed(grouped);
            self.catches.push(catches);
        }
    }

    fn listed(&mut self, grouped: Grouped) -> Vec<RowGroup> {
        let group = |((passage, hits, captured), mut pulls): (_, Vec<Pull>)| {
            pulls.sort_by_key(|pull| pull.row);
            let start = self.pulls.len() as u32;
            self.pulls.extend(pulls);
            RowGroup { passage, hits, captured, pulls: start..self.pulls.len() as u32 }
        };
        grouped.into_iter().map(group).collect()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The sowings of the row with this rank.
    pub fn moves(&self, rank: usize) -> &[RowMove] {
        &self.moves[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// The rows of the domain that sowings without crossing lead to.
    pub fn home_rows(&self, rank: usize) -> &[u32] {
        &self.home_rows[self.home_starts[rank] as usize..self.home_starts[rank + 1] as usize]
    }

    /// The pulls of a group.
    pub fn pulls(&self, range: &Range<u32>) -> &[Pull] {
        &self.pulls[range.start as usize..range.end as usize]
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

/// The passages that have occurred so far, each once.
struct Passages<'a> {
    rules: &'a Rules,
    found: Vec<Passage>,
    /// By house and seeds, where the passage depends on nothing else.
    known: [[Option<u16>; Seeds::MAX.get() + 1]; HOUSES],
}

impl<'a> Passages<'a> {
    fn new(rules: &'a Rules) -> Passages<'a> {
        Passages { rules, found: Vec::new(), known: [[None; Seeds::MAX.get() + 1]; HOUSES] }
    }

    /// The number of the passage of a sowing from a house with this many seeds.
    fn index(&mut self, house: House, seeds: u8, sowing: Sowing) -> u16 {
        let known = &mut self.known[house.index()][usize::from(seeds)];
        if let Some(index) = *known {
            return index;
        }
        let index = number_of(&mut self.found, Passage::of(self.rules, sowing));
        match self.rules.harvest {
            Harvest::LastHouses => *known = Some(index),
            // What is harvested there depends on the mover's other houses.
            Harvest::Opposite => {}
        }
        index
    }
}

/// The number of a passage among some, to which it is added if it is new.
fn number_of(passages: &mut Vec<Passage>, passage: Passage) -> u16 {
    let known = passages.iter().position(|&known| known == passage);
    let number = known.unwrap_or_else(|| {
        passages.push(passage);
        passages.len() - 1
    });
    number as u16
}
