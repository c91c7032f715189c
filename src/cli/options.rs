//! Options that several commands have, and what they stand for if left out.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use oware_db::error::Result;
use oware_db::game::{ABAPA, Rules, SHEETS, Seeds};
use oware_db::probe::Tables;

/// The default rule sheet.
pub const DEFAULT_RULES: &Rules = &ABAPA;
/// The default directory of the tables.
pub const DEFAULT_TABLES: &str = "tables";
/// Seeds of the largest layer that `oware build` makes by default.
pub const DEFAULT_SEEDS: Seeds = Seeds::new(12).expect("fewer than 48");

/// The option that chooses a rule sheet.
#[derive(clap::Args)]
pub struct RulesArg {
    /// Rule sheet
    #[arg(long, value_name = "SHEET", default_value = DEFAULT_RULES.id, value_parser = sheets())]
    pub rules: &'static Rules,
}

/// The options of commands that read tables.
#[derive(clap::Args)]
pub struct TablesArgs {
    /// Directory of the tables
    #[arg(long = "tables", value_name = "DIR", default_value = DEFAULT_TABLES)]
    pub dir: PathBuf,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl TablesArgs {
    /// Opens the directory, which need not exist: it has no tables then.
    pub fn open(&self) -> Result<Tables> {
        open_tables(&self.dir, self.no_mmap)
    }
}

/// Opens a directory of tables, through memory maps unless `no_mmap` says otherwise.
#[allow(unsafe_code)]
pub fn open_tables(dir: impl Into<PathBuf>, no_mmap: bool) -> Result<Tables> {
    if no_mmap {
        return Tables::open(dir);
    }
    // SAFETY: this program never changes a table in place, it renames finished files; `--no-mmap`
    // is there for directories in which another program might.
    unsafe { Tables::open_mapped(dir) }
}

/// Returns the parser of `--rules`.
pub fn sheets() -> impl TypedValueParser<Value = &'static Rules> {
    let values = SHEETS.map(|rules| PossibleValue::new(rules.id).help(rules.title));
    PossibleValuesParser::new(values)
        .map(|id| Rules::by_id(&id).expect("one of the ids that are possible"))
}

/// Reads the value of `--seeds`.
pub fn parse_seeds(text: &str) -> std::result::Result<Seeds, String> {
    let count: usize =
        text.trim().parse().map_err(|_| "not a number of seeds, 0 to 48".to_owned())?;
    Seeds::new(count).ok_or_else(|| "the game has 48 seeds".to_owned())
}

/// Reads `NAME=VALUE`.
pub fn parse_option(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
