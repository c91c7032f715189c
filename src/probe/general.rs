//! Probing the tables of the other games: scores, moves, and lines of best play.
//!
//! A finished game needs no table; any other position is looked up in that of its layer.

use std::sync::Arc;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::game::mancala::outcome::MOST;
use crate::game::mancala::{Circling, Label, Layers, Outcome, Placement, Sheet};
use crate::layer::general::{GeneralLayer, NEVER};
use crate::probe::LineEnd;
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

/// A line of best play from a position: the moves, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneralLine {
    /// What each move is called, and whether the player makes it who was first to move.
    pub moves: Vec<(Label, bool)>,
    /// Why there is no further move.
    pub ends: LineEnd,
}

impl GeneralLine {
    /// Returns the moves as text: letters of houses in lower case where the other player moves.
    pub fn texts(&self) -> Vec<String> {
        let text = |&(label, is_first): &(Label, bool)| match label {
            Label::House(_) if !is_first => label.to_string().to_lowercase(),
            _ => label.to_string(),
        };
        self.moves.iter().map(text).collect()
    }
}

/// Looks positions up; one for each thread.
#[derive(Debug)]
pub struct GeneralProber {
    tables: Tables,
    sheet: &'static Sheet,
    cache: Arc<Cache>,
    frames: FxHashMap<(u32, usize, u64), Frame>,
}

impl GeneralProber {
    /// Makes a prober for the tables of a sheet.
    pub fn new(tables: &Tables, sheet: &'static Sheet) -> GeneralProber {
        let cache = tables.cache();
        GeneralProber { tables: tables.clone(), sheet, cache, frames: FxHashMap::default() }
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
        if !self.frames.contains_key(&key) {
            let table = self.tables.require(self.sheet, *layer)?;
            if self.frames.len() >= AT_HAND {
                self.frames.clear();
            }
            self.frames.insert(key, table.cached_frame(number, &self.cache)?);
        }
        Ok(&self.frames[&key])
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

    /// Returns a line of best play, at most `limit` moves long. Where plies are kept, who wins goes
    /// the shortest way and who loses the longest.
    ///
    /// # Errors
    /// As [`GeneralProber::known`].
    pub fn line(&mut self, placement: &Placement, limit: usize) -> Result<GeneralLine> {
        let (mut moves, mut at, mut is_first) = (Vec::new(), *placement, true);
        let mut visited = vec![(at, is_first)];
        while moves.len() < limit {
            let answer = self.answer(&at)?;
            let Some(best) = chosen(&answer, self.sheet().layers) else {
                return Ok(GeneralLine { moves, ends: LineEnd::GameOver });
            };
            moves.push((best.outcome.label, is_first));
            (at, is_first) = (best.outcome.next, is_first == best.outcome.again);
            if let Some(after) = visited.iter().position(|seen| *seen == (at, is_first)) {
                return Ok(GeneralLine { moves, ends: LineEnd::Cycle { after } });
            }
            visited.push((at, is_first));
        }
        let is_over = self.sheet().final_score(&at).is_some();
        let ends = if is_over { LineEnd::GameOver } else { LineEnd::Limit };
        Ok(GeneralLine { moves, ends })
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

/// The move that a line goes on with.
fn chosen(answer: &GeneralAnswer, layers: Layers) -> Option<ScoredOutcome> {
    let best = || answer.moves.iter().filter(|scored| answer.is_best(scored));
    let found = match layers {
        Layers::Alone if answer.known.low < 0 => best().rev().max_by_key(|scored| scored.plies),
        Layers::BySeeds | Layers::Alone => best().next(),
    };
    found.or(answer.moves.first()).copied()
}
