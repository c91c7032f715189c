//! `oware check --playout`: is what the tables promise also collected?

use std::fmt;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use oware_db::certify::playout::{
    Certified, Plan, Proved, Shortfall, Summary, play_many, prove_layer,
};
use oware_db::error::Result;
use oware_db::game::Seeds;
use oware_db::probe::{Prober, Tables};

use super::{Problem, Sheet, Voice};

/// Seeds up to which every position is tried against every defence.
const EVERY_DEFENCE: usize = 8;

/// What came of the games of a sheet.
#[derive(Serialize)]
pub struct Played {
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

/// Plays in the layers of each sheet, which must have strategies.
pub fn run(
    tables: &Tables,
    sheets: &[Sheet],
    games: u64,
    seed: u64,
    voice: &Voice,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Played>> {
    sheets.iter().map(|sheet| play_sheet(tables, sheet, games, seed, voice, problems)).collect()
}

fn play_sheet(
    tables: &Tables,
    sheet: &Sheet,
    games: u64,
    seed: u64,
    voice: &Voice,
    problems: &mut Vec<Problem>,
) -> Result<Played> {
    let rules = sheet.rules;
    let start = Instant::now();
    let adviser = || Certified(Prober::new(tables, rules));
    let every = every_defence(&mut adviser(), &sheet.layers)?;
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  playing {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(format!("`{}`", rules.id));
    let progress = |more| {
        bar.inc(more);
        true
    };
    let summary =
        play_many(&Plan { games, seed, layers: &sheet.layers }, rules, adviser, progress)?;
    bar.finish_and_clear();
    let directory = tables.dir().display().to_string();
    let mut fail = |what: String| problems.push(Problem { file: directory.clone(), what });
    if every.shortfalls > 0 {
        let Every { seeds, shortfalls, .. } = every;
        fail(format!(
            "`{}`: {shortfalls} claims to {seeds} seeds fall short against some defence",
            rules.id
        ));
    }
    if summary.shortfalls > 0 {
        fail(format!(
            "`{}`: {} of {games} games brought less than promised",
            rules.id, summary.shortfalls
        ));
        summary.first.iter().map(told).for_each(&mut fail);
    }
    let played = Played { summary, every_defence: every };
    voice.say(&format!(
        "{directory}: played `{}` in {:.1} s",
        rules.id,
        start.elapsed().as_secs_f64()
    ))?;
    Ok(played)
}

/// Tries all positions of the small layers.
fn every_defence(adviser: &mut Certified, layers: &[Seeds]) -> Result<Every> {
    let mut every = Every { seeds: 0, claims: 0, shortfalls: 0 };
    for &layer in layers.iter().filter(|layer| layer.get() <= EVERY_DEFENCE) {
        let Proved { claims, shortfalls, .. } = prove_layer(adviser, layer)?;
        every.seeds = layer.get();
        every.claims += claims;
        every.shortfalls += shortfalls.len() as u64;
    }
    Ok(every)
}

/// A broken promise in a line.
fn told(shortfall: &Shortfall) -> String {
    let Shortfall { number, game, promise, score, moves, .. } = shortfall;
    let (board, player) = (game.claim.board, game.claim.player);
    format!(
        "game {number}, {board}, {player:?}: promised {promise}, got {score} ({:?}, {:?}): {moves}",
        game.cut, game.defence
    )
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played {
            summary: Summary { rules, seed, games, moves, cycles, shortfalls, .. },
            every_defence,
        } = self;
        writeln!(
            f,
            "Played with sheet `{rules}` and its strategy: every position to {} seeds against every defence, {} claims, \
             {} shortfalls; {games} games (--seed {seed}) of {moves} moves against six kinds of defence, {cycles} of \
             them cut on a cycle, {shortfalls} shortfalls.",
            every_defence.seeds, every_defence.claims, every_defence.shortfalls
        )
    }
}
