//! The boards of a layer that no move leads to: those in which the player who waits has six filled
//! houses.
//!
//! Layers leave them out where the origin of a sowing stays empty ([`Domain::EmptyHouse`]), and
//! theses and papers count them. Each of them is one ply above positions of layers:
//!
//! ```text
//!     value  =  the largest of  captured − value of the child  over the mover's moves
//! ```
//!
//! None can recur, so what repetition makes of a child is what it makes of the board.
//!
//! What a sowing does to the waiting row depends on the mover's row in its `Crossing` alone. So the
//! filled rows are looked at once for each crossing, as a list of where they go; for
//! each of the mover's rows a list is then gone through from left to right, and the children lie in
//! one row of a block. Layers are looked at one after the other, each once, or some blocks of it at a
//! time if it is not in memory.
//!
//! Measured: `awari`, 20 seeds, 4.5 million boards, 0.1 s on two threads.

use crate::error::Result;
use crate::game::board::{Board, HOUSES, House, Seeds, Side};
use crate::game::moves::{final_score, legal_moves};
use crate::game::rules::{Harvest, Rules};
use crate::game::sowing::{Crossing, Sowing, harvest, sow};
use crate::layer::arena::Arena;
use crate::layer::index::{Domain, row_at, row_rank, rows};
use crate::layer::plane::{Plane, neighbours};
use crate::layer::stats::LayerStats;
use crate::parallel;
use crate::solver::lower::each_part;
use crate::solver::observer::{Bound, Layers};
use crate::solver::plan::{Meeting, Passage};

/// What a board is worth without a move.
const NONE: i8 = i8::MIN;

/// Returns the figures of the boards of this many seeds that no move leads to. At most `room` bytes are
/// held of what they are worth and as many of a layer that is not in memory, or of a single block.
///
/// # Errors
/// Whatever `layers` fails with.
pub fn stats(
    rules: &'static Rules,
    seeds: Seeds,
    layers: &dyn Layers,
    room: u64,
) -> Result<LayerStats> {
    Unreached { rules, seeds, layers, room }.stats()
}

/// The boards of a number of seeds that no move leads to.
struct Unreached<'a> {
    rules: &'static Rules,
    seeds: Seeds,
    layers: &'a dyn Layers,
    room: u64,
}

/// What the boards with this many seeds in the mover's row are worth, by that row, then the other.
struct Block {
    own: usize,
    best: Vec<i8>,
}

/// Boards whose worth is made of one bound of their children.
struct BoardValues {
    children: Bound,
    blocks: Vec<Block>,
}

/// Filled rows of which a sowing hits as many houses and takes as many seeds.
struct Landing {
    hits: usize,
    taken: usize,
    /// Which row, and the column of the row that is left.
    rows: Vec<(u32, u32)>,
}

impl Unreached<'_> {
    fn stats(&self) -> Result<LayerStats> {
        let range = self.layers.lower(self.seeds)?.layer().range();
        let mut all = LayerStats::of_bounds(range, &[], &[]);
        // Only for a long sowing that skips its origin boards are left out.
        let blocks = match Domain::of(self.rules) {
            Domain::EmptyHouse => (self.seeds.get() + 1).saturating_sub(HOUSES),
            Domain::All => 0,
        };
        let bounds = self.bounds()?;
        let size = |owns: std::ops::Range<usize>| owns.map(|own| self.boards(own) as u64).sum();
        for owns in neighbours(blocks, self.room / bounds.len() as u64, size) {
            let block = |own| Block { own, best: vec![NONE; self.boards(own)] };
            let target =
                |&children| BoardValues { children, blocks: owns.clone().map(block).collect() };
            let mut targets: Vec<BoardValues> = bounds.iter().map(target).collect();
            for into in self.seeds.up_to().rev() {
                self.enter(into, &mut targets)?;
            }
            for target in &mut targets {
                self.enter_ends(target);
                let worths = target.blocks.iter_mut().flat_map(|block| &mut block.best);
                worths.for_each(|worth| *worth = range.clamp(*worth));
            }
            let [low, high] = [0, bounds.len() - 1].map(|at| &targets[at].blocks);
            for (low, high) in low.iter().zip(high) {
                all = all.joined(&LayerStats::of_bounds(range, &low.best, &high.best));
            }
        }
        Ok(all)
    }

    /// Returns the bounds of children that count: of lower and upper ones, unless they are the same.
    fn bounds(&self) -> Result<Vec<Bound>> {
        for seeds in self.seeds.up_to() {
            if !self.layers.lower(seeds)?.is_exact() {
                return Ok(vec![Bound::High, Bound::Low]);
            }
        }
        Ok(vec![Bound::Low])
    }

    /// Returns how many boards have this many seeds in the mover's row.
    fn boards(&self, own: usize) -> usize {
        rows(own) * rows(self.seeds.get() - own - HOUSES)
    }

    /// Enters the moves that lead into a layer.
    fn enter(&self, into: Seeds, targets: &mut [BoardValues]) -> Result<()> {
        let (lower, arena, window) = (self.layers.lower(into)?, &Arena::default(), self.room);
        let all = &(0..into.get() + 1);
        targets.iter_mut().try_for_each(|BoardValues { children, blocks }| {
            each_part(&lower, *children, (all, window, arena), &mut |part| {
                self.enter_part(part, blocks);
                Ok(())
            })
        })
    }

    fn enter_part(&self, part: &Plane, blocks: &mut [Block]) {
        let captured = self.seeds.get() - part.seeds().get();
        for Block { own, best } in blocks {
            let opponents = self.seeds.get() - *own;
            let landings = self.landings(opponents, *own, captured);
            let columns = best.chunks_mut(rows(opponents - HOUSES));
            parallel::each_of(columns.enumerate(), |(column, best)| {
                let mover = row_at(*own, column);
                let sowings =
                    House::ALL.into_iter().filter_map(|house| sow(self.rules, mover, house));
                for sowing in sowings {
                    for landing in &landings[number(sowing.crossing)] {
                        enter_landing(self.rules, part, opponents, sowing, landing, best);
                    }
                }
            });
        }
    }

    /// Returns what each crossing does to the filled rows of this many seeds, by [`number`], as far
    /// as a capture of this many seeds may come of it.
    fn landings(&self, opponents: usize, own: usize, captured: usize) -> Vec<Vec<Landing>> {
        let filled: Vec<Side> = filled_rows(opponents).collect();
        let crossings = 0..2 * (own + 1);
        let of_number = |number: usize| {
            let crossing = Crossing { seeds: (number / 2) as u8, ends_there: number % 2 == 1 };
            // The last seed of none does not end there, nor does it end elsewhere in mid-row.
            let is_possible = match crossing.ends_there {
                true => crossing.seeds > 0,
                false => crossing.seeds.is_multiple_of(HOUSES as u8),
            };
            let mut found = Vec::new();
            for (row, &side) in (0..).zip(&filled).filter(|_| is_possible) {
                enter_row(self.rules, crossing, captured, row, side, &mut found);
            }
            found
        };
        parallel::map_of(crossings, of_number)
    }

    /// Enters what boards are worth whose moves all end the game, or that have none.
    fn enter_ends(&self, target: &mut BoardValues) {
        for Block { own, best } in &mut target.blocks {
            let filled: Vec<Side> = filled_rows(self.seeds.get() - *own).collect();
            parallel::each_of(best.chunks_mut(filled.len()).enumerate(), |(column, best)| {
                let mover = row_at(*own, column);
                for (best, &opponent) in
                    best.iter_mut().zip(&filled).filter(|(best, _)| **best == NONE)
                {
                    *best = worth_of_end(self.rules, &Board { mover, opponent });
                }
            });
        }
    }
}

/// Adds to the landings of a crossing what it does to a filled row.
fn enter_row(
    rules: &Rules,
    crossing: Crossing,
    captured: usize,
    row: u32,
    side: Side,
    found: &mut Vec<Landing>,
) {
    let (landed, hits) = match (Passage { crossing, capturing_hits: 1 }).meet(rules, side) {
        Meeting::Quiet(landed) => (landed, 0),
        Meeting::Capture { landed, hits } => (landed, hits),
        // If it is forced, it is the end of the game.
        Meeting::Starving => return,
    };
    // A harvest takes from each row what stands there, so of an empty row nothing.
    let reaped = harvest(rules, Sowing { own: Side::EMPTY, crossing }, landed, hits);
    let taken = usize::from(reaped.captured);
    let leads_there = match rules.harvest {
        Harvest::LastHouses => taken == captured,
        // What is taken stands in the mover's row.
        Harvest::Opposite => true,
    };
    if leads_there {
        let to = (row, row_rank(reaped.opponent) as u32);
        match found.iter_mut().find(|landing| (landing.hits, landing.taken) == (hits, taken)) {
            Some(landing) => landing.rows.push(to),
            None => found.push(Landing { hits, taken, rows: vec![to] }),
        }
    }
}

/// Enters a move of one row of the mover against all rows that it does the same to, if it leads into
/// the part of a layer.
fn enter_landing(
    rules: &Rules,
    part: &Plane,
    opponents: usize,
    sowing: Sowing,
    landing: &Landing,
    best: &mut [i8],
) {
    let reaped = harvest(rules, sowing, Side::EMPTY, landing.hits);
    let captured = landing.taken + usize::from(reaped.captured);
    let block = opponents + usize::from(sowing.crossing.seeds) - landing.taken;
    let seeds = block + reaped.own.seeds();
    if seeds != part.seeds().get() || !part.held().contains(&block) {
        return;
    }
    let row = part.layer().domain().row_rank(reaped.own).expect("moves lead into the layers");
    for &(against, column) in &landing.rows {
        let worth = captured as i8 - part.blocks().score(block, row, column as usize);
        let best = &mut best[against as usize];
        *best = worth.max(*best);
    }
}

/// Returns what a board is worth that has no move, or only such as leave the opponent nothing.
fn worth_of_end(rules: &Rules, board: &Board) -> i8 {
    let ends = legal_moves(rules, board);
    let worth = ends.iter().map(|found| {
        let end = final_score(rules, &found.next).expect("all other moves have been entered");
        end.after_capture(found.captured)
    });
    worth.max().unwrap_or(board.own_rows()).get()
}

/// The rows of this many seeds without an empty house.
fn filled_rows(seeds: usize) -> impl Iterator<Item = Side> {
    let more = seeds - HOUSES;
    (0..rows(more)).map(move |rank| Side(row_at(more, rank).0.map(|count| count + 1)))
}

/// A number for each crossing.
fn number(crossing: Crossing) -> usize {
    2 * usize::from(crossing.seeds) + usize::from(crossing.ends_there)
}
