//! What the search takes from the tables: at its leaves, scores that decide the game, and within
//! the tables' range every move.

use std::sync::Arc;

use super::result::{SearchResult, plies};
use super::worth::Worth;
use crate::error::{Error, Result};
use crate::game::{Endless, Game, House, Interval, Move, Rules, Seeds};
use crate::probe::{Prober, ScoredMove, Tables, best_of, of_strategy};

/// Moves of the line that is shown.
const SHOWN: usize = 12;

/// The tables as one thread of the search sees them. Without tables it knows nothing, and a table
/// that is damaged is as good as none.
pub struct Endgames {
    prober: Option<Prober>,
    /// Layers that can be asked: they have a table, and no question has failed.
    layers: [bool; Seeds::MAX.get() + 1],
    hits: u64,
    trouble: Option<Arc<Error>>,
}

/// A move within the tables' range.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The move.
    pub played: Move,
    /// What the position is worth to the mover with fresh history; of a move that is not the best,
    /// what it brings.
    interval: Interval,
    /// What the game is worth to the mover, and what is expected after the move.
    pub(super) found: SearchResult,
}

impl Advice {
    /// Returns a move of a game that brings `brought`, with the line that is expected after it.
    fn of(
        prober: &mut Prober,
        game: &Game,
        played: Move,
        interval: Interval,
        brought: Interval,
    ) -> Result<Advice> {
        let expected = prober.line(&played.next, SHOWN - 1)?;
        let line = [played.house].into_iter().chain(expected.moves.iter().map(|step| step.0));
        let found = SearchResult {
            line: plies(game.seat(), line),
            worth: Worth::within(game.rules(), game.ahead(), brought),
            depth: 1,
            longest: 1,
            nodes: 1,
            hits: 1,
            ..SearchResult::default()
        };
        Ok(Advice { played, interval, found })
    }
}

impl Endgames {
    /// Looks for the tables of a rule sheet.
    pub fn new(tables: Option<&Tables>, rules: &'static Rules) -> Endgames {
        let mut endgames = Endgames {
            prober: tables.map(|tables| Prober::new(tables, rules)),
            layers: [false; _],
            hits: 0,
            trouble: None,
        };
        match tables.map_or(Ok(Vec::new()), |tables| tables.available(rules)) {
            Ok(there) => there.iter().for_each(|seeds| endgames.layers[seeds.get()] = true),
            Err(error) => endgames.trouble = Some(Arc::new(error)),
        }
        endgames
    }

    /// Returns the greatest layer such that it and all layers below it can be asked.
    pub fn range(&self) -> Option<Seeds> {
        let whole = self.layers.iter().take_while(|there| **there).count();
        Seeds::new(whole.checked_sub(1)?)
    }

    /// Returns what went wrong first, if anything did: a layer of which a position could not be
    /// found is not asked again, whichever of the tables that it takes was at fault.
    pub fn trouble(&self) -> Option<&Arc<Error>> {
        self.trouble.as_ref()
    }

    /// Returns how often a position was found since the last call.
    pub(super) fn take_hits(&mut self) -> u64 {
        std::mem::take(&mut self.hits)
    }

    /// Returns what the game is worth if the position is within range; it must not have come about
    /// by quiet moves from another that is. Without `patience` no file is read for it.
    pub(super) fn worth(&mut self, game: &Game, patience: bool) -> Option<Worth> {
        let (board, seeds) = (game.board(), game.board().seeds());
        let prober = self.prober.as_mut().filter(|_| self.layers[seeds.get()])?;
        let found = match prober.cached(board) {
            Ok(None) if patience => prober.interval(board).map(Some),
            found => found,
        };
        let interval = self.believed(seeds, found)??;
        if !self.decides(game, interval) {
            return None;
        }
        self.hits += 1;
        Some(Worth::within(game.rules(), game.ahead(), interval))
    }

    /// Returns whether what the tables say of its position decides a game. An end of the range of a
    /// clamped table does so in games of no more seeds than it was built for.
    fn decides(&mut self, game: &Game, interval: Interval) -> bool {
        let layer = game.board().seeds();
        let seeds = layer.get() + game.stores().seeds();
        let range = |prober: &mut Prober| prober.range(layer).ok()?.game();
        interval.value().is_some()
            || self.prober.as_mut().and_then(range).is_none_or(|most| seeds <= most.get())
    }

    /// Returns what was found, or notes what went wrong.
    fn believed<T>(&mut self, seeds: Seeds, found: Result<T>) -> Option<T> {
        let trouble = match found {
            Ok(found) => return Some(found),
            Err(trouble) => trouble,
        };
        self.layers[seeds.get()] = false;
        self.trouble.get_or_insert_with(|| Arc::new(trouble));
        None
    }

    /// Returns the move that achieves what the tables promise, if the game is within their range:
    /// all layers from 0 to that of the position are there, and what they say decides a game of so many
    /// seeds.
    pub fn advise(&mut self, game: &Game) -> Option<Advice> {
        let seeds = game.board().seeds();
        if self.range().is_none_or(|range| range < seeds) {
            return None;
        }
        let advice = advise(self.prober.as_mut()?, game);
        let advice = self.believed(seeds, advice)??;
        self.decides(game, advice.interval).then_some(advice)
    }

    /// Returns what [`Endgames::advise`] does, and after it the other moves, best first, `most` of
    /// them in all, without those that are excluded; nothing outside the tables' range.
    pub(super) fn advise_best(
        &mut self,
        game: &Game,
        most: usize,
        excluded: &[House],
    ) -> Vec<Advice> {
        let Some(best) = self.advise(game) else { return Vec::new() };
        let chosen = best.played.house;
        let mut advice = vec![best];
        if most > 1 || !excluded.is_empty() {
            let others = self.prober.as_mut().map(|prober| others(prober, game, chosen));
            let others = others.and_then(|others| self.believed(game.board().seeds(), others));
            advice.extend(others.into_iter().flatten());
        }
        advice.retain(|advice| !excluded.contains(&advice.played.house));
        advice.truncate(most);
        advice
    }
}

/// Returns the moves that do not empty `chosen`, best first, each with what it brings.
fn others(prober: &mut Prober, game: &Game, chosen: House) -> Result<Vec<Advice>> {
    let mut found = Vec::new();
    for scored in prober.moves_in_game(game.history())? {
        if scored.played.house != chosen {
            let brought = brings(game, &scored);
            found.push(Advice::of(prober, game, scored.played, brought, brought)?);
        }
    }
    found.sort_by_key(|advice| {
        let Interval { low, high } = advice.interval;
        std::cmp::Reverse((wins(game, advice.interval), low, high))
    });
    Ok(found)
}

/// Returns what a move brings: what is paid at once if it closes a cycle, else what the tables say.
fn brings(game: &Game, scored: &ScoredMove) -> Interval {
    let closes = game.worth_of_repetition(&scored.played);
    closes.map_or(scored.interval, Interval::exact)
}

/// Returns who wins where endless play is drawn, whatever else is gained: 1 for the mover, 0 for
/// neither. On other sheets what is secured says it all.
fn wins(game: &Game, rest: Interval) -> i32 {
    match game.rules().endless {
        Endless::Drawn => Worth::within(game.rules(), game.ahead(), rest).hundredths().signum(),
        Endless::EvenSplit | Endless::OwnSide(_) => 0,
    }
}

/// Returns the move that achieves what the tables promise in a game, with its scores where history
/// is fresh; `None` if the game is over.
///
/// # Errors
/// Whatever the prober fails with, as where a table is missing.
pub fn best_move(prober: &mut Prober, game: &Game) -> Result<Option<ScoredMove>> {
    if game.over().is_some() {
        return Ok(None);
    }
    let played = advise(prober, game)?.map(|advice| advice.played);
    let moves = prober.moves(game.board())?;
    Ok(moves.into_iter().find(|scored| Some(scored.played) == played))
}

/// Returns the strategy's move in a game, unless history makes another one better; `None` if there
/// is no move.
///
/// A move that closes a cycle ends the game with a known result. The strategy alone never closes a
/// cycle that pays less than was promised; but it need not have been followed all the time, and an
/// opponent may have gone where a cycle pays more.
///
/// Where endless play is drawn, a draw is kept by any move after which the opponent cannot win; the
/// strategy alone looks for seeds, and may give it away for them.
///
/// # Errors
/// Whatever the prober fails with, as where a table is missing.
fn advise(prober: &mut Prober, game: &Game) -> Result<Option<Advice>> {
    let moves = prober.moves_in_game(game.history())?;
    let strategy = of_strategy(&moves);
    let is_strategy = |played: &Move| Some(*played) == strategy;
    // Of equal moves the first, which is the best by the tables: `max_by_key` takes the last.
    let best = moves.iter().rev().max_by_key(|scored| {
        let brought = brings(game, scored);
        (wins(game, brought), brought.low, is_strategy(&scored.played))
    });
    let Some((played, interval)) = best.map(|scored| scored.played).zip(best_of(&moves)) else {
        return Ok(None);
    };
    let closes = game.worth_of_repetition(&played).map(Interval::exact);
    Advice::of(prober, game, played, interval, closes.unwrap_or(interval)).map(Some)
}
