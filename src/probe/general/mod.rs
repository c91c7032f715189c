//! Probing the tables of the other games: scores, moves, and lines of best play.
//!
//! A finished game needs no table; any other position is looked up in that of its layer.

mod line;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use arrayvec::ArrayVec;

pub use line::GeneralLine;

use crate::error::Result;
use crate::game::mancala::outcome::MOST;
use crate::game::mancala::{Circling, Layers, Outcome, Placement, Sheet};
use crate::layer::general::{GeneralLayer, NEVER};
use crate::probe::tables::Tables;
use crate::table::Cache;
use crate::table::general::{Frame, GeneralTable};

/// Frames that a prober has at hand at most, without a look at the cache that all threads share: 13 MB.
const AT_HAND: usize = 1 << 8;

/// What a table says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What the mover secures.
    pub low: i8,
    /// What the mover cannot exceed.
    pub high: i8,
    /// When the claim against the mover settled, if that is kept.
    pub stamp: Option<u8>,
    /// Plies to the end, if they are kept and there is one.
    pub plies: Option<u8>,
}

/// A move and what it brings the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredOutcome {
    /// The move.
    pub outcome: Outcome,
    /// What it brings at least.
    pub low: i8,
    /// What it brings at most.
    pub high: i8,
    /// Whether `low` is secured by playing on as the tables say.
    pub certified: bool,
    /// Plies to the end of the game, this move counted, if they are kept and there is an end.
    pub plies: Option<u8>,
}

/// The moves of a position, best first.
pub type ScoredOutcomes = ArrayVec<ScoredOutcome, MOST>;

/// A position's score and its moves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GeneralAnswer {
    /// What is known of it.
    pub known: Known,
    /// The moves, best first; none if the game is over.
    pub moves: ScoredOutcomes,
}

impl GeneralAnswer {
    /// Returns whether a move secures the position's own lower bound.
    pub fn is_best(&self, scored: &ScoredOutcome) -> bool {
        scored.certified && scored.low == self.known.low
    }
}

/// Looks positions up; one for each thread.
#[derive(Debug)]
pub struct GeneralProber {
    tables: Tables,
    sheet: &'static Sheet,
    cache: Arc<Cache>,
    frames: HashMap<(u32, usize, u64), Frame>,
}

impl GeneralProber {
    /// Makes a prober for the tables of a sheet.
    pub fn new(tables: &Tables, sheet: &'static Sheet) -> GeneralProber {
        let cache = tables.cache();
        GeneralProber { tables: tables.clone(), sheet, cache, frames: HashMap::new() }
    }

    /// Returns the sheet.
    pub fn sheet(&self) -> &'static Sheet {
        self.sheet
    }

    /// Returns what is known of a position.
    ///
    /// # Errors
    /// [`Error::MissingTable`](crate::Error::MissingTable) if its layer has no table, and whatever is
    /// wrong with one.
    pub fn known(&mut self, placement: &Placement) -> Result<Known> {
        if let Some(score) = self.sheet.final_score(placement) {
            let plies = (self.sheet.layers == Layers::Alone).then_some(0);
            return Ok(Known { low: score, high: score, stamp: None, plies });
        }
        let layer = GeneralLayer::around(self.sheet, placement);
        let (number, place) = GeneralTable::frame_of(layer.rank(placement));
        let frame = self.frame(&layer, number)?;
        let stamp = frame.stamps().get(place).copied();
        let (low, high) = (frame.low()[place].cast_signed(), frame.high()[place].cast_signed());
        let (stamp, plies) = match self.sheet.layers {
            Layers::BySeeds => (stamp, None),
            Layers::Alone => (None, stamp.filter(|&plies| plies < NEVER)),
        };
        Ok(Known { low, high, stamp, plies })
    }

    fn frame(&mut self, layer: &GeneralLayer, number: u64) -> Result<&Frame> {
        let key = (layer.owners(), layer.seeds(), number);
        if self.frames.len() >= AT_HAND && !self.frames.contains_key(&key) {
            self.frames.clear();
        }
        Ok(match self.frames.entry(key) {
            Entry::Occupied(held) => held.into_mut(),
            Entry::Vacant(vacant) => {
                let table = self.tables.require(self.sheet, *layer)?;
                vacant.insert(table.cached_frame(number, &self.cache)?)
            }
        })
    }

    /// Returns what is known of a position and of its moves.
    ///
    /// # Errors
    /// As [`GeneralProber::known`].
    pub fn answer(&mut self, placement: &Placement) -> Result<GeneralAnswer> {
        let known = self.known(placement)?;
        let mut moves = ScoredOutcomes::new();
        let mut stamps = ArrayVec::<Option<u8>, MOST>::new();
        for outcome in self.sheet.outcomes(placement) {
            let next = self.known(&outcome.next)?;
            let (low, high) = outcome.bounds((next.low, next.high));
            let plies = next.plies.map(|plies| plies.saturating_add(1));
            moves.push(ScoredOutcome { outcome, low, high, certified: false, plies });
            stamps.push(next.stamp);
        }
        self.certify(&known, placement.seeds(), &mut moves, &stamps);
        // Stable: moves that are as good stay in order of places.
        moves.sort_by_key(|scored| std::cmp::Reverse((scored.low, scored.high, scored.certified)));
        Ok(GeneralAnswer { known, moves })
    }

    /// Marks the moves that the strategy may make.
    fn certify(
        &self,
        known: &Known,
        seeds: usize,
        moves: &mut ScoredOutcomes,
        stamps: &[Option<u8>],
    ) {
        if self.sheet.layers == Layers::Alone {
            let least =
                moves.iter().filter(|scored| scored.low > 0).map(|scored| scored.plies).min();
            for scored in moves {
                scored.certified = scored.low <= 0 || Some(scored.plies) == least;
            }
            return;
        }
        let needs_nothing = |low: i8| match self.sheet.circling {
            Circling::Never => true,
            Circling::EvenSplit => low <= 0 || i32::from(low) == -(seeds as i32),
            Circling::Drawn => i32::from(low) == -(seeds as i32),
        };
        for scored in moves.iter_mut() {
            let ends = self.sheet.final_score(&scored.outcome.next).is_some();
            scored.certified = ends || scored.outcome.leaves_layer() || needs_nothing(scored.low);
        }
        let keeps = |scored: &ScoredOutcome| scored.low == known.low;
        if moves.iter().any(|scored| keeps(scored) && scored.certified) {
            return;
        }
        let tight = || moves.iter().zip(stamps).filter(|(scored, _)| keeps(scored));
        let least = tight().filter_map(|(_, stamp)| *stamp).min().filter(|&least| least < NEVER);
        for (scored, stamp) in moves.iter_mut().zip(stamps) {
            if keeps(scored) && least.is_some() && *stamp == least {
                scored.certified = true;
            }
        }
    }
}
