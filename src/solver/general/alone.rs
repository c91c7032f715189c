//! Games that nothing leaves: won, drawn or lost, and after how many plies.
//!
//! Seeds stay on the board, so there is one layer and one level, and a placement is settled in the
//! round that is the number of plies to its end: who wins chooses the earliest child, and who loses
//! the last. Round 0 looks at every placement, and settles what is over, and what is seen to be won
//! by one move. Each later round goes through what is still *open*, makes its moves, and settles it
//! if one of them leads to a placement lost before, or all lead to placements won before. What is
//! open when a round settles nothing is drawn.
//!
//! No edges are kept. A layer is settled so soon that computing moves again in each round costs
//! little: of the 13,037,895 placements of 4 × 3 with 16 kete 61 % are open after the first look,
//! 19 % after five rounds and 2 % after twelve, and all rounds together make the moves of four
//! times as many placements as there are. So two bytes a placement do, and as many for the result:
//! 62 MB for that table where edges took 316, for 10.3 s of processor time instead of 6.5. Edges
//! among what is open after the first look were tried, too: they are 17 for ten open placements,
//! and took 253 MB and 9.6 s. What the moves of a batch of placements lead to is worked out before
//! any of it is looked up, for looking up is waiting for memory: 10.3 s instead of 13.6.
//!
//! Invariant: in a round a placement that is settled was settled before it, or in it and does not
//! count; so the order in which a round goes through placements does not matter, and what is
//! settled at any moment, with the round and how far it has come, is a checkpoint.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::work::{Keeper, PIECE, Resumed, Way, offer_each, unless_stopped};
use crate::error::Result;
use crate::game::mancala::{Outcomes, Placement};
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};
use crate::parallel;

/// Pieces between two moments at which a checkpoint can be taken.
const STRETCH: usize = 256;

/// Bytes of memory that a placement takes: what is known of it, and then its result and its plies.
pub const BYTES: u64 = 4;

/// Placements whose moves are made before anything is looked up.
const BATCH: usize = 64;

/// The next open placement is stepped to if it is at most so far away; else its number is read.
const NEAR: usize = 12;

/// More rounds than a layer takes: their numbers have 14 bits.
const ROUNDS: usize = 1 << 14;

/// The results of a layer.
pub fn solve(layer: GeneralLayer, keeper: &dyn Keeper) -> Result<GeneralSolved> {
    let mut rounds = Rounds::begin(layer, keeper);
    while rounds.go_on(keeper)? {}
    Ok(rounds.solved())
}

/// What is known of a placement: nothing, or its result and the round that has settled it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PlacementState(u16);

impl PlacementState {
    const OPEN: PlacementState = PlacementState(0);
    const WON: u16 = 1;
    const LOST: u16 = 2;
    const RESULT: u16 = 3;

    /// # Panics
    /// If there is no such round.
    fn new(result: u16, round: usize) -> PlacementState {
        assert!(round < ROUNDS, "a round has a number of 14 bits");
        PlacementState((round as u16) << 2 | result)
    }

    fn round(self) -> usize {
        usize::from(self.0 >> 2)
    }

    /// The result, if a round before this one has settled it.
    fn before(self, round: usize) -> Option<u16> {
        (self != PlacementState::OPEN && self.round() < round)
            .then_some(self.0 & PlacementState::RESULT)
    }

    fn score(self) -> i8 {
        match self.0 & PlacementState::RESULT {
            PlacementState::WON => 1,
            PlacementState::LOST => -1,
            _ => 0,
        }
    }

    fn plies(self) -> u8 {
        if self == PlacementState::OPEN { NEVER } else { self.round().min(NEVER.into()) as u8 }
    }
}

/// Returns whether a solve can have come so far in a round.
pub fn has_stage(layer: &GeneralLayer, round: u64, gone: u64) -> bool {
    round < ROUNDS as u64 && gone <= layer.positions()
}

/// Returns whether a checkpoint that was taken in a round can have these bytes of a placement. Round 0
/// sees wins of one ply.
pub fn is_possible(bytes: &[u8], round: u64) -> bool {
    let known = bytes.try_into().map(|bytes| PlacementState(u16::from_le_bytes(bytes)));
    known.is_ok_and(|known| known == PlacementState::OPEN || known.round() as u64 <= round.max(1))
}

/// A solve on its way.
struct Rounds {
    layer: GeneralLayer,
    known: Vec<AtomicU16>,
    round: usize,
    /// How many placements this round has gone through.
    gone: usize,
    /// Whether this round has settled anything.
    settles: bool,
    /// Placements between two moments at which a checkpoint can be taken.
    stretch: usize,
}

impl Rounds {
    /// Goes on from a checkpoint, or begins with nothing.
    fn begin(layer: GeneralLayer, keeper: &dyn Keeper) -> Rounds {
        let stretch = STRETCH * PIECE;
        let (stage, known) = match keeper.resume(&layer, Way::Alone, 2 * layer.positions()) {
            Some(Resumed { stage, bytes }) => {
                let known = bytes.as_chunks().0.iter();
                (stage, known.map(|&known| u16::from_le_bytes(known).into()).collect())
            }
            None => {
                let known = 0..layer.positions();
                ([0; 2], known.map(|_| AtomicU16::new(PlacementState::OPEN.0)).collect())
            }
        };
        let [stage, gone] = stage.map(|number| number as usize);
        Rounds { layer, known, round: stage / 2, gone, settles: stage % 2 == 1, stretch }
    }

    /// Goes through a stretch of the layer. Returns false if nothing is left to do.
    fn go_on(&mut self, keeper: &dyn Keeper) -> Result<bool> {
        let end = (self.gone + self.stretch).min(self.known.len());
        match self.go_through(self.gone..end, keeper) {
            Ok(settled) => self.settles |= settled > 0,
            Err(stopped) => {
                // What it has settled is settled, but not counted.
                self.settles = true;
                self.save(keeper);
                return Err(stopped);
            }
        }
        self.gone = end;
        if end == self.known.len() {
            // The first look has settled wins of one ply, which make losses of two.
            if self.round > 1 && !self.settles {
                return Ok(false);
            }
            (self.round, self.gone, self.settles) = (self.round + 1, 0, false);
        }
        self.save(keeper);
        Ok(true)
    }

    /// Offers a checkpoint. Its stage is twice the round, and one more if that has settled
    /// anything, and how far the round has come.
    fn save(&self, keeper: &dyn Keeper) {
        let stage = [2 * self.round + usize::from(self.settles), self.gone];
        let stage = stage.map(|number| number as u64);
        let known = (&self.known[..], size_of::<PlacementState>());
        offer_each(keeper, &self.layer, Way::Alone, stage, known, |known, bytes| {
            bytes.extend(known.load(Relaxed).to_le_bytes());
        });
    }

    /// Settles what the round settles of some placements. Returns how many these are.
    fn go_through(&self, ranks: Range<usize>, keeper: &dyn Keeper) -> Result<usize> {
        let (first, pieces) = (ranks.start, self.known[ranks].chunks(PIECE));
        let settled = parallel::map_of(pieces.enumerate(), |(number, piece)| {
            unless_stopped(keeper)?;
            Ok(self.piece(first + number * PIECE, piece))
        });
        settled.into_iter().sum()
    }

    /// Settles what the round settles of a piece. Returns how many these are.
    fn piece(&self, first: usize, piece: &[AtomicU16]) -> usize {
        let mut walk = Walk::new(self.layer, first);
        let (mut outcomes, mut batch, mut settled) = (Outcomes::new(), Batch::default(), 0);
        for (first, cells) in (first..).step_by(BATCH).zip(piece.chunks(BATCH)) {
            for (at, known) in cells.iter().enumerate() {
                if known.load(Relaxed) == PlacementState::OPEN.0 {
                    let placement = walk.to(first + at);
                    outcomes.clear();
                    self.layer.sheet().game.add_outcomes(placement, &mut outcomes);
                    match self.round {
                        0 => settled += settle(known, self.seen(placement, &outcomes)),
                        _ => batch.add(at, &outcomes, &self.layer),
                    }
                }
            }
            settled += batch.drain(|at, next| settle(&cells[at], self.follows(next)));
        }
        settled
    }

    /// What can be seen of a placement by its own moves.
    fn seen(&self, placement: &Placement, outcomes: &Outcomes) -> PlacementState {
        let game = self.layer.sheet().game;
        if outcomes.is_empty() {
            let is_won = game.final_score(placement) > 0;
            PlacementState::new(if is_won { PlacementState::WON } else { PlacementState::LOST }, 0)
        } else if outcomes.iter().any(|outcome| game.has_lost(&outcome.next)) {
            PlacementState::new(PlacementState::WON, 1)
        } else {
            PlacementState::OPEN
        }
    }

    /// What follows for a placement, given those that its moves lead to, from what was settled
    /// before the round.
    fn follows(&self, next: &[u64]) -> PlacementState {
        // Nothing is skipped: the processor is to wait for all of them at once.
        let (mut is_won, mut is_lost) = (false, true);
        for &rank in next {
            let before = PlacementState(self.known[rank as usize].load(Relaxed)).before(self.round);
            is_won |= before == Some(PlacementState::LOST);
            is_lost &= before == Some(PlacementState::WON);
        }
        match (is_won, is_lost) {
            (true, _) => PlacementState::new(PlacementState::WON, self.round),
            (false, true) => PlacementState::new(PlacementState::LOST, self.round),
            (false, false) => PlacementState::OPEN,
        }
    }

    fn solved(self) -> GeneralSolved {
        let (known, count) =
            (|rank: usize| PlacementState(self.known[rank].load(Relaxed)), self.known.len());
        let low = parallel::filled(count, PIECE, 0, |rank| known(rank).score());
        let stamps = parallel::filled(count, PIECE, 0, |rank| known(rank).plies());
        GeneralSolved { layer: self.layer, low, high: None, stamps: Some(stamps) }
    }
}

/// Says what has been found of a placement. Returns 1 if that is anything.
fn settle(known: &AtomicU16, found: PlacementState) -> usize {
    if found == PlacementState::OPEN {
        return 0;
    }
    known.store(found.0, Relaxed);
    1
}

/// What the moves of some placements lead to. These are far apart in memory, so all are worked out
/// before the first is looked at.
#[derive(Default)]
struct Batch {
    /// The placements, and where what they lead to ends.
    ends: Vec<(usize, usize)>,
    next: Vec<u64>,
}

impl Batch {
    fn add(&mut self, at: usize, outcomes: &Outcomes, layer: &GeneralLayer) {
        self.next.extend(outcomes.iter().map(|outcome| layer.rank(&outcome.next)));
        self.ends.push((at, self.next.len()));
    }

    /// Gives each placement away with what it leads to. Returns the sum of the answers.
    fn drain(&mut self, mut visit: impl FnMut(usize, &[u64]) -> usize) -> usize {
        let (mut begin, mut sum) = (0, 0);
        for (at, end) in self.ends.drain(..) {
            sum += visit(at, &self.next[begin..end]);
            begin = end;
        }
        self.next.clear();
        sum
    }
}

/// A way through some placements, in order of ranks.
struct Walk {
    layer: GeneralLayer,
    rank: usize,
    placement: Placement,
}

impl Walk {
    fn new(layer: GeneralLayer, rank: usize) -> Walk {
        Walk { layer, rank, placement: layer.placement(rank as u64) }
    }

    /// Goes to a rank that is not lower.
    fn to(&mut self, rank: usize) -> &Placement {
        let is_near = rank - self.rank <= NEAR
            && (self.rank..rank).all(|_| GeneralLayer::advance(&mut self.placement));
        if !is_near {
            self.placement = self.layer.placement(rank as u64);
        }
        self.rank = rank;
        &self.placement
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::game::mancala::KUJIFUNZA_2;
    use crate::solver::general::Snapshot;

    #[test]
    fn a_walk_comes_to_every_placement() {
        let layer = GeneralLayer::new(&KUJIFUNZA_2, 5);
        for step in 1..3 * NEAR {
            let mut walk = Walk::new(layer, 3);
            for rank in (3..layer.positions() as usize).step_by(step) {
                assert_eq!(*walk.to(rank), layer.placement(rank as u64), "{step}");
            }
        }
    }

    /// Has the last checkpoint.
    struct Last(Mutex<Option<Resumed>>);

    impl Keeper for Last {
        fn is_stopped(&self) -> bool {
            false
        }

        fn offer(&self, _: &GeneralLayer, snapshot: &Snapshot) {
            let mut bytes = Vec::new();
            (snapshot.write)(&mut bytes).unwrap();
            *self.0.lock().unwrap() = Some(Resumed { stage: snapshot.stage, bytes });
        }

        fn resume(&self, layer: &GeneralLayer, way: Way, _: u64) -> Option<Resumed> {
            let kept = self.0.lock().unwrap().clone();
            assert!(kept.as_ref().is_none_or(|kept| kept.is_possible(layer, way)));
            kept
        }
    }

    #[test]
    fn a_solve_goes_on_within_a_round() {
        let layer = GeneralLayer::new(&KUJIFUNZA_2, 9);
        let (last, mut within) = (Last(Mutex::new(None)), 0);
        let found = loop {
            let mut rounds = Rounds::begin(layer, &last);
            rounds.stretch = 1_000;
            within += usize::from(rounds.gone > 0);
            if !rounds.go_on(&last).unwrap() {
                break rounds.solved();
            }
        };
        assert!(within > 30, "{within}");
        assert!(found == solve(layer, &Last(Mutex::new(None))).unwrap());
    }
}
