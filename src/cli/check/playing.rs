//! `oware check --playout`: is what the tables promise also achieved?

use std::time::Instant;

use serde::Serialize;
use serde_json::json;

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

/// Claims tried against every defence, and up to which layer.
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
    pub fn run(self, sheets: &[SheetLayers], problems: &mut Vec<Problem>) -> Result<Vec<Findings>> {
        sheets.iter().map(|sheet| self.play(sheet, problems)).collect()
    }

    fn play(self, sheet: &SheetLayers, problems: &mut Vec<Problem>) -> Result<Findings> {
        let start = Instant::now();
        let adviser = || Certified(Prober::new(self.tables, sheet.rules));
        let every = every_defence(&mut adviser(), &sheet.layers)?;
        let summary = self.many_games(sheet, adviser)?;
        let file = self.tables.dir().display().to_string();
        let seconds = start.elapsed().as_secs_f64();
        self.voice.say(&format!("{file}: played `{}` in {seconds:.1} s", sheet.rules.id))?;
        let shortfalls = shortfalls(&summary, &every).into_iter();
        problems.extend(shortfalls.map(|what| Problem { file: file.clone(), what }));
        let (mut fields, text) = (json!(summary), text(&summary, &every));
        fields["every_defence"] = json!(every);
        Ok(Findings { fields, text })
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

/// Returns the broken promises, if there are any: how many, and the first of them.
fn shortfalls(summary: &Summary, every: &Every) -> Vec<String> {
    let Summary { rules, games, shortfalls, first, .. } = summary;
    let mut found = Vec::new();
    if every.shortfalls > 0 {
        let Every { seeds, shortfalls, .. } = every;
        found.push(format!(
            "`{rules}`: {shortfalls} claims of up to {seeds} seeds fall short against some defence"
        ));
    }
    if *shortfalls > 0 {
        found.push(format!("`{rules}`: {shortfalls} of {games} games scored less than guaranteed"));
        found.extend(first.iter().map(shown));
    }
    found
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

/// Says what came of the games of a sheet.
fn text(summary: &Summary, every: &Every) -> String {
    let Summary { rules, seed, games, moves, cycles, shortfalls, .. } = summary;
    format!(
        "Played `{rules}` with its stored strategy: every position up to {} seeds against every \
         defence, {} claims, {} shortfalls; {games} games (--seed {seed}) of {moves} moves against \
         six kinds of defence, {cycles} of them ended by a cycle, {shortfalls} shortfalls.\n",
        every.seeds, every.claims, every.shortfalls
    )
}
