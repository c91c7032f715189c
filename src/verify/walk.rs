//! The moves of a record, one after the other.

use crate::error::Result;
use crate::game::Game;
use crate::game::record::Record;

use super::counts::Counts;
use super::judge::{Judge, Judgement};
use super::report::Report;
use super::worst::Location;

/// Judges the moves of a record by the judge's sheet, and calls `each` with the number of a move,
/// from 0 on, the game before it and its judgement. The first move that is not legal, or is made by
/// a player who is not to move, is the last.
///
/// # Errors
/// As [`Judge::judge`].
pub fn judge_record(
    judge: &mut Judge,
    record: &Record,
    mut each: impl FnMut(usize, &Game, &Judgement),
) -> Result<()> {
    let mut game = Game::new(judge.rules(), record.start);
    for (number, played) in record.moves.iter().enumerate() {
        let judgement = if played.ply.seat == game.seat() {
            judge.judge(&game, played.ply.house)?
        } else {
            Judgement::Illegal
        };
        each(number, &game, &judgement);
        if judgement == Judgement::Illegal {
            return Ok(());
        }
        // If it closes a cycle, and the record goes on, history is fresh.
        game.play(played.ply)?;
        game.go_on();
    }
    Ok(())
}

impl Report {
    /// Adds the moves of a record, the game number `game` of source number `source`. A record of
    /// another sheet is counted and skipped.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn add_record(
        &mut self,
        judge: &mut Judge,
        record: &Record,
        source: usize,
        game: usize,
    ) -> Result<()> {
        if record.sheet().is_some_and(|sheet| sheet != self.rules) {
            self.foreign += 1;
            return Ok(());
        }
        self.games += 1;
        let mut counts = [Counts::default(), Counts::default()];
        judge_record(judge, record, |number, before, judgement| {
            let location = Location { source, game, ply: number + 1 };
            self.add(before.position(), record.moves[number].ply.house, location, judgement);
            counts[before.seat() as usize].add(judgement);
        })?;
        for (tag, counts) in ["South", "North"].into_iter().zip(&counts) {
            let player = record.tag(tag).map(str::trim).filter(|name| !["", "?"].contains(name));
            player.into_iter().for_each(|player| self.add_player(player, counts));
        }
        if let Some(end) = record.end(self.rules) {
            let location = Location { source, game, ply: record.moves.len() };
            self.add_end(location, record.claimed_result(), end);
        }
        Ok(())
    }
}
