//! `oware verify`: moves judged against the tables.

mod delivery;
mod engine;
mod games;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::Result;

use super::judging::{note_clamping, open_for_judging};
use super::options::{RulesArg, TablesArgs};
use super::threads;
use delivery::Delivery;

/// Judge the moves of recorded games or of an engine by the tables
///
/// A move is best if `query` lists it as best, it loses if it certainly gives away at least one
/// seed, and it is safe otherwise. A move that closes a cycle is scored by the rules. Moves
/// outside the tables are unknown and counted separately. If the record contains all captures, the
/// report says where a win or a draw is thrown away.
///
/// Games are in OGN (like PGN: tags, moves A..F by South and a..f by North, comments, variations),
/// or one per line: a position, the word `moves`, letters. A game whose Variant tag names a rule
/// sheet other than --rules is skipped and counted; other text in that tag is ignored.
///
/// An engine speaks the engine protocol (adapted from UCI) on its standard input and output. It is
/// asked for a move in many positions, half of them drawn from the layers, half from games of
/// random moves, with their history. Timeouts, crashes, illegal moves and endless output are
/// counted; an engine that dies is restarted, and no engine outlives this command.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("whom").required(true))]
#[command(after_help = "Examples:\n  oware verify --games club.ogn\n  \
                        oware verify --games club.ogn --html report.html --worst 20\n  \
                        oware verify --json --games - < games.txt\n  \
                        oware verify --games new.ogn --fail-on 2% --baseline figures.json\n  \
                        oware verify --engine ./engine --go \"movetime 20\"\n  \
                        oware verify --engine \"oware engine --no-tables\" --sample 10000 --seed 7 \
                        --seeds 10")]
pub struct Args {
    /// Files of recorded games; `-` for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., group = "whom")]
    games: Vec<PathBuf>,
    /// Engine command, split into words as a shell does, without expansion
    #[arg(long, value_name = "CMD", group = "whom")]
    engine: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    delivery: Delivery,
    #[command(flatten)]
    interview: engine::Args,
}

impl Args {
    /// Judges moves, and delivers the report.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        threads::start(None)?;
        let rules = self.rules.rules;
        let judged: Vec<_> = self.games.iter().chain(&self.interview.positions).collect();
        let delivery = self.delivery.prepared(rules, &judged)?;
        let worst = self.delivery.worst;
        let tables = match &self.engine {
            Some(_) => self.tables.open()?,
            None => open_for_judging(&self.tables, rules)?,
        };
        let game = note_clamping(&tables, rules);
        let (mut report, done) = match &self.engine {
            Some(command) => self.interview.report(command, &tables, rules, worst)?,
            None => games::judge(&tables, rules, &self.games, (game, worst)),
        };
        report.game = game;
        delivery.deliver(report, done, json)
    }
}
