//! `oware check --playout`: is what the tables promise also achieved?

use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use crate::certify::playout::{
    Certified, Claim, Plan, Shortfall, Summary, Trial, play_many, prove_layer,
};
use crate::error::Result;
use crate::game::Seeds;
use crate::probe::Prober;

use super::findings::{Findings, Look, Problem, SheetLayers};
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

/// Plays this many games in the layers of a sheet, which have strategies.
pub fn run(
    Look { tables, seed, voice }: Look,
    sheet: &SheetLayers,
    games: u64,
    problems: &mut Vec<Problem>,
) -> Result<Findings> {
    let (start, rules) = (Instant::now(), sheet.rules);
    let adviser = || Certified(Prober::new(tables, rules));
    let every = every_defence(&mut adviser(), &sheet.layers)?;
    let bar = progress::share(games);
    bar.set_message(format!("playing `{}`", rules.id));
    let plan = Plan { games, seed, layers: &sheet.layers };
    let summary = play_many(&plan, rules, adviser, |more| {
        bar.inc(more);
        true
    });
    bar.finish_and_clear();
    let (summary, file) = (summary?, tables.dir().display().to_string());
    let seconds = start.elapsed().as_secs_f64();
    voice.say(&format!("{file}: played `{}` in {seconds:.1} s", rules.id))?;
    let shortfalls = shortfalls(&summary, &every).into_iter();
    problems.extend(shortfalls.map(|what| Problem { file: file.clone(), what }));
    let (mut fields, text) = (json!(summary), text(&summary, &every));
    fields["every_defence"] = json!(every);
    Ok(Findings { fields, text })
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
