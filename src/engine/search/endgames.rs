//! What the tables tell the search: exact scores below it, and the whole play within their range.

use std::sync::Arc;

use super::{Found, Line, Worth, written};
use crate::error::{Error, Result};
use crate::game::{Game, House, Interval, Move, Rules, Score, Seat, Seeds};
use crate::probe::{Prober, Tables, best_of, of_strategy};

/// Moves of the line that is shown.
const SHOWN: usize = 12;

/// One thread's view of the tables. Without tables it knows nothing, and a table that is damaged is
/// as good as none.
pub struct Endgames {
    prober: Option<Prober>,
    /// Layers that can be asked.
    layers: [bool; Seeds::MAX.get() + 1],
    hits: u64,
    trouble: Option<Arc<Error>>,
}

/// The move that the strategy makes in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The move.
    pub played: Move,
    /// What the position is worth to the mover with fresh history.
    pub interval: Interval,
    /// What the mover is ahead by.
    ahead: Score,
    /// The move, and what is expected after it.
    line: Vec<House>,
}

impl Advice {
    /// The same as the result of a search.
    pub(super) fn found(&self, seat: Seat) -> Found {
        Found {
            line: written(seat, &self.line),
            worth: Worth::within(self.ahead, self.interval),
            depth: 1,
            nodes: 1,
            hits: 1,
            trouble: None,
        }
    }
}

impl Endgames {
    /// The tables of a sheet, if there are any.
    pub fn new(tables: Option<&Tables>, rules: &'static Rules) -> Endgames {
        let mut endgames = Endgames {
            prober: tables.map(|tables| Prober::new(tables, rules)),
            layers: [false; _],
            hits: 0,
            trouble: None,
        };
        match tables.map(|tables| tables.available(rules)) {
            Some(Ok(available)) => {
                available.iter().for_each(|seeds| endgames.layers[seeds.get()] = true)
            }
            Some(Err(error)) => endgames.trouble = Some(Arc::new(error)),
            None => {}
        }
        endgames
    }

    /// The greatest layer for which there is a table, as are all below it.
    pub fn range(&self) -> Option<Seeds> {
        let whole = self.layers.iter().take_while(|there| **there).count();
        Seeds::new(whole.checked_sub(1)?)
    }

    /// What went wrong first, if anything did: a table that could not be read is not asked again.
    pub fn trouble(&self) -> Option<&Arc<Error>> {
        self.trouble.as_ref()
    }

    /// How often a position was found, since this was asked last.
    pub(super) fn take_hits(&mut self) -> u64 {
        std::mem::take(&mut self.hits)
    }

    /// What the game is worth if the position is within range; it must not have come about by quiet
    /// moves from another that is. Without `patience` only if that takes no reading of files.
    pub(super) fn worth(&mut self, line: &Line, patience: bool) -> Option<Worth> {
        let seeds = line.board().seeds();
        let prober = self.prober.as_mut().filter(|_| self.layers[seeds.get()])?;
        let found = match prober.cached(line.board()) {
            Ok(None) if patience => prober.interval(line.board()).map(Some),
            found => found,
        };
        let interval = self.believed(seeds, found)??;
        self.hits += 1;
        Some(Worth::within(line.ahead(), interval))
    }

    /// The result, or what went wrong noted.
    fn believed<T>(&mut self, seeds: Seeds, found: Result<T>) -> Option<T> {
        let trouble = match found {
            Ok(found) => return Some(found),
            Err(trouble) => trouble,
        };
        self.layers[seeds.get()] = false;
        self.trouble.get_or_insert_with(|| Arc::new(trouble));
        None
    }

    /// The move that collects what the tables promise, if the game is within their range: all
    /// layers from 0 to that of the position are there.
    pub fn advise(&mut self, game: &Game) -> Option<Advice> {
        let seeds = game.board().seeds();
        if self.range().is_none_or(|range| range < seeds) {
            return None;
        }
        let advice = advise(self.prober.as_mut()?, game);
        self.believed(seeds, advice)?
    }
}

/// The strategy's move, unless history makes another one better.
///
/// A cycle that a move closes ends the game with what is known. The strategy alone never closes one
/// that pays less than was promised; but it need not have been followed all the time, and an
/// opponent may have gone where a cycle pays more.
fn advise(prober: &mut Prober, game: &Game) -> Result<Option<Advice>> {
    let moves = prober.moves(game.board())?;
    let strategy = of_strategy(&moves);
    let brings = |interval: Interval, played: &Move| {
        game.worth_of_repetition(played).unwrap_or(interval.low)
    };
    let is_strategy = |played: &Move| Some(*played) == strategy;
    // Of equals the first, which is the best by the tables: `max_by_key` takes the last one.
    let best = moves.iter().rev().max_by_key(|scored| {
        (brings(scored.interval, &scored.played), is_strategy(&scored.played))
    });
    let Some((played, interval)) = best.map(|scored| scored.played).zip(best_of(&moves)) else {
        return Ok(None);
    };
    let expected = prober.line(&played.next, SHOWN - 1)?;
    let line = [played.house].into_iter().chain(expected.moves.iter().map(|step| step.0)).collect();
    Ok(Some(Advice { played, interval, ahead: game.ahead(), line }))
}
