//! `oware verify`: what an engine's moves are worth.

mod engine;

use std::path::PathBuf;
use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::probe::{Prober, Tables};
use oware_db::verify::Judge;

use super::{DEFAULT_TABLES, RulesArg, access, output};

/// Cases that a report shows.
const WORST: usize = 10;

/// Judge the moves of an engine against the tables
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware verify --engine \"oware engine --no-tables\" --go \"movetime 20\"\n  \
                        oware verify --engine ./engine --sample 10000 --seed 7 --json")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    #[command(flatten)]
    asked: engine::Asked,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl Args {
    /// Judges.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let tables = Tables::open(&self.tables, access(self.no_mmap))?;
        let Some(command) = &self.asked.engine else {
            return Err(Error::Usage("say whom to judge: --engine CMD".to_owned()));
        };
        let rules = self.rules.rules;
        let mut report = self.asked.report(command, &tables, rules, WORST)?;
        report.add_lines(&mut Judge::new(Prober::new(&tables, rules)))?;
        match json {
            true => output::document(&report.document())?,
            false => output::text(&report.to_string())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
