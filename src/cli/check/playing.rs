//! `oware check --playout`: is what the tables promise also achieved?

use std::fmt;
use std::time::Instant;

use serde::Serialize;

use oware_db::certify::playout::{
    Certified, Claim, Plan, Shortfall, Summary, Trial, play_many, prove_layer,
};
use oware_db::error::Result;
use oware_db::game::Seeds;
use oware_db::probe::{Prober, Tables};

use super::sheet::{Findings, Problem, SheetLayers};
use crate::cli::output::Voice;
use crate::cli::progress;

/// Seeds up to which every position is tried against every defence.
const EVERY_DEFENCE: usize = 8;

/// What came of the games of a sheet.
#[derive(Serialize)]
pub struct PlayedSheet {
    /// Games played one by one.
    #[serde(flatten)]
    summary: Summary,
    /// Claims tried against every defence, and up to which layer.
    every_defence: Every,
}

#[derive(Serialize)]
struct Every {
    seeds: usize,
    claims: u64,
    shortfalls: u64,
}

/// What to play, and from which tables.
#[derive(Clone, Copy)]
pub struct PlayoutCheck<'a> {
    pub tables: &'a Tables,
    /// Number of games for each rule sheet.
    pub games: u64,
    pub seed: u64,
    pub voice: Voice,
}

impl PlayoutCheck<'_> {
    /// Plays in the layers of each sheet, which must have strategies.
    pub fn run(self, sheets: &[SheetLayers], problems: &mut Vec<Problem>) -> Result<Findings> {
        let mut played = Vec::new();
        for sheet in sheets {
            played.push(self.play(sheet, problems)?);
        }
        Ok(Findings::each(&played))
    }

    fn play(self, sheet: &SheetLayers, problems: &mut Vec<Problem>) -> Result<PlayedSheet> {
        let start = Instant::now();
        let adviser = || Certified(Prober::new(self.tables, sheet.rules));
        let every_defence = every_defence(&mut adviser(), &sheet.layers)?;
        let played = PlayedSheet { summary: self.many_games(sheet, adviser)?, every_defence };
        let file = self.tables.dir().display().to_string();
        let seconds = start.elapsed().as_secs_f64();
        self.voice.say(&format!("{file}: played `{}` in {seconds:.1} s", sheet.rules.id))?;
        let shortfalls = played.shortfalls().into_iter();
        problems.extend(shortfalls.map(|what| Problem { file: file.clone(), what }));
        Ok(played)
    }

    fn many_games(
        self,
        sheet: &SheetLayers,
        adviser: impl Fn() -> Certified + Sync,
    ) -> Result<Summary> {
        let bar = progress::share(self.games);
        bar.set_message(format!("playing `{}`", sheet.rules.id));
        let plan = Plan { games: self.games, seed: self.seed, layers: &sheet.layers };
        let summary = play_many(&plan, sheet.rules, adviser, |more| {
            bar.inc(more);
            true
        });
        bar.finish_and_clear();
        summary
    }
}

impl PlayedSheet {
    /// Returns the broken promises, if there are any: how many, and the first of them.
    fn shortfalls(&self) -> Vec<String> {
        let PlayedSheet { summary, every_defence } = self;
        let rules = summary.rules;
        let mut found = Vec::new();
        if every_defence.shortfalls > 0 {
            let Every { seeds, shortfalls, .. } = every_defence;
            found.push(format!(
                "`{rules}`: {shortfalls} claims of up to {seeds} seeds fall short against some \
                 defence"
            ));
        }
        if summary.shortfalls > 0 {
            let Summary { games, shortfalls, .. } = summary;
            found.push(format!(
                "`{rules}`: {shortfalls} of {games} games scored less than guaranteed"
            ));
            found.extend(summary.first.iter().map(shown));
        }
        found
    }
}

/// Tries all positions of the small layers.
fn every_defence(adviser: &mut Certified, layers: &[Seeds]) -> Result<Every> {
    let mut every = Every { seeds: 0, claims: 0, shortfalls: 0 };
    for &layer in layers.iter().filter(|layer| layer.get() <= EVERY_DEFENCE) {
        let Trial { claims, shortfalls, .. } = prove_layer(adviser, layer)?;
        every.seeds = layer.get();
        every.claims += claims;
        every.shortfalls += shortfalls.len() as u64;
    }
    Ok(every)
}

/// Returns a broken promise in a line.
fn shown(shortfall: &Shortfall) -> String {
    let Shortfall { number, game, promise, score, moves, .. } = shortfall;
    let Claim { board, player } = game.claim;
    format!(
        "game {number}, {board}, {player:?}: guaranteed {promise}, got {score} ({:?}, {:?}): \
         {moves}",
        game.cut, game.defence
    )
}

impl fmt::Display for PlayedSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayedSheet {
            summary: Summary { rules, seed, games, moves, cycles, shortfalls, .. },
            every_defence,
        } = self;
        writeln!(
            f,
            "Played `{rules}` with its stored strategy: every position up to {} seeds against \
             every defence, {} claims, {} shortfalls; {games} games (--seed {seed}) of {moves} \
             moves against six kinds of defence, {cycles} of them ended by a cycle, {shortfalls} \
             shortfalls.",
            every_defence.seeds, every_defence.claims, every_defence.shortfalls
        )
    }
}
