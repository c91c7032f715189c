//! Tables for commands that judge moves as far as there are tables.

use crate::error::{Error, Result};
use crate::game::record::{Contradiction, Record};
use crate::game::{Rules, Seat, Seeds};
use crate::probe::{Prober, Tables};

use super::options::{DEFAULT_SEEDS, TablesArgs};
use super::{failure, output};

/// Opens the directory of the tables, and says so if it has none of the sheet, since it may be another
/// directory than the user thinks, or if there are gaps below the largest.
pub fn open_for_judging(tables: &TablesArgs, rules: &Rules) -> Result<Tables> {
    let tables = tables.open()?;
    if tables.available(rules)?.is_empty() {
        let missing = tables.missing(rules, DEFAULT_SEEDS);
        output::note(&format!("oware: no move is judged: {}", failure::message(&missing)));
    }
    note_gaps(&tables, rules)?;
    Ok(tables)
}

/// Names the layers without a table below the largest that has one.
pub fn note_gaps(tables: &Tables, rules: &Rules) -> Result<()> {
    let available = tables.available(rules)?;
    let below = available.last().into_iter().flat_map(|largest| largest.up_to());
    let gaps: Vec<Seeds> = below.filter(|seeds| !available.contains(seeds)).collect();
    if let (Some(last), Some(largest)) = (gaps.last(), available.last()) {
        let names: Vec<String> = gaps.iter().map(ToString::to_string).collect();
        let names = names.join(", ");
        let remedy = failure::remedy(&tables.missing(rules, *last)).unwrap_or_default();
        output::note(&format!(
            "oware: layers below {largest} seeds are missing, and moves that need them are not \
             judged: {names}; {remedy}"
        ));
    }
    Ok(())
}

/// Says so if the tables are clamped to what decides games of so many seeds, and returns that number.
pub fn note_clamping(tables: &Tables, rules: &'static Rules) -> Option<Seeds> {
    // A damaged table is an error when it is needed.
    let game = Prober::new(tables, rules).game().ok().flatten()?;
    output::note(&format!(
        "oware: the tables keep what decides games of {game} seeds; seeds that a move may lose \
         beyond that count only as lost at most"
    ));
    Some(game)
}

/// Games that are named as they are read: those that cannot be read, and those whose record contradicts
/// itself or the rules.
pub struct NamedGames {
    rules: &'static Rules,
    /// The seeds of the games that clamped tables decide.
    game: Option<Seeds>,
    unreadable: u64,
    contradicted: u64,
}

impl NamedGames {
    /// Games of either kind that are named one by one.
    const NAMED: u64 = 20;

    /// None so far.
    pub fn new(rules: &'static Rules, game: Option<Seeds>) -> NamedGames {
        NamedGames { rules, game, unreadable: 0, contradicted: 0 }
    }

    /// Names a game that cannot be read, and returns what is said of it.
    ///
    /// # Errors
    /// Any other error of reading.
    pub fn refuse(&mut self, file: &str, error: Error) -> Result<String> {
        match error {
            Error::Record { .. } => {
                let what = output::with_command(&error);
                self.unreadable += 1;
                if self.unreadable <= NamedGames::NAMED {
                    output::note(&format!("oware: {file}: {what}"));
                }
                Ok(what)
            }
            Error::Io { doing, source, .. } => Err(Error::Io { doing, path: file.into(), source }),
            error => Err(error),
        }
    }

    /// Names what does not hold in a game. One of another sheet is skipped.
    pub fn look(&mut self, file: &str, game: usize, record: &Record) {
        if record.sheet().is_some_and(|sheet| sheet != self.rules) {
            return;
        }
        let found = record.contradictions(self.rules, self.game);
        self.contradicted += u64::from(!found.is_empty());
        if self.contradicted <= NamedGames::NAMED {
            for Contradiction { at, what } in found {
                let first = usize::from(record.start.seat == Seat::North);
                let place =
                    at.map_or_else(String::new, |at| format!("move {}, ", (first + at) / 2 + 1));
                output::note(&format!("oware: {file}: game {game}: {place}{what}"));
            }
        }
    }

    /// Says how many were not named.
    pub fn finish(&self) {
        for (games, what) in [
            (self.unreadable, "could not be read"),
            (self.contradicted, "contradict themselves or the rules"),
        ] {
            let more = games.saturating_sub(NamedGames::NAMED);
            if more > 0 {
                output::note(&format!("oware: {more} more games {what}"));
            }
        }
    }
}
