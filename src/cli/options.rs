//! Options that several commands have, and what they stand for if left out.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use oware_db::error::{Error, Result};
use oware_db::game::mancala::{MANCALAS, Sheet};
use oware_db::game::{ABAPA, Rules, SHEETS, Seeds};
use oware_db::probe::Tables;

pub use oware_db::json::words::parse_bytes;

/// The default rule sheet.
pub const DEFAULT_RULES: &Rules = &ABAPA;
/// The directory of the tables where neither an option nor the environment names one.
const DEFAULT_TABLES: &str = "tables";
/// The variable of the environment that names the directory of the tables.
pub const TABLES_VARIABLE: &str = "OWARE_TABLES";
/// Seeds of the largest layer that `oware build` makes by default.
pub const DEFAULT_SEEDS: Seeds = Seeds::new(12).expect("fewer than 48");

/// A sheet of any game.
#[derive(Clone, Copy)]
pub enum AnySheet {
    /// One of Oware.
    Oware(&'static Rules),
    /// One of the games beside Oware.
    Other(&'static Sheet),
}

/// The option that chooses a sheet, for commands that all games have.
#[derive(clap::Args)]
pub struct SheetArg {
    /// Rule sheet
    #[arg(long = "rules", value_name = "SHEET", default_value = DEFAULT_RULES.id,
          value_parser = any_sheet())]
    pub sheet: AnySheet,
}

/// The option that chooses a sheet of Oware, for commands that are about Oware alone.
#[derive(clap::Args)]
pub struct RulesArg {
    /// Rule sheet
    #[arg(long, value_name = "SHEET", default_value = DEFAULT_RULES.id, value_parser = sheets())]
    pub rules: &'static Rules,
}

/// The options of commands that read tables.
#[derive(clap::Args)]
pub struct TablesArgs {
    /// Table directory [env: OWARE_TABLES]
    #[arg(long = "tables", value_name = "DIR", default_value_os_t = usual_tables())]
    pub dir: PathBuf,
}

impl TablesArgs {
    /// Opens the directory, which need not exist: it has no tables then.
    pub fn open(&self) -> Result<Tables> {
        open_tables(&self.dir)
    }
}

/// Returns the directory of the tables where no option names one. To clap's `env` an empty variable
/// is a mistake, and one that is set conflicts with `--no-tables`.
pub fn usual_tables() -> PathBuf {
    let named = std::env::var_os(TABLES_VARIABLE).filter(|dir| !dir.is_empty());
    named.map_or_else(|| DEFAULT_TABLES.into(), PathBuf::from)
}

/// Opens a directory of tables, which need not exist, through memory maps.
#[allow(unsafe_code)]
pub fn open_tables(dir: impl Into<PathBuf>) -> Result<Tables> {
    let tables = Tables::open_early(dir)?;
    // SAFETY: this program never changes a table in place, it renames finished files, and the guide
    // asks the same of others.
    Ok(unsafe { tables.mapped() })
}

/// Returns the parser of `--rules` of commands that all games have.
pub fn any_sheet() -> impl TypedValueParser<Value = AnySheet> {
    ids(false).map(|id| match Rules::by_id(&id) {
        Some(rules) => AnySheet::Oware(rules),
        None => AnySheet::Other(Sheet::by_id(&id).expect("one of the ids that are possible")),
    })
}

/// Returns the parser of `--rules` of commands that are about Oware alone.
fn sheets() -> impl TypedValueParser<Value = &'static Rules> {
    // The others are not offered, but whoever asks for one is told where it is known.
    ids(true).try_map(|id| {
        Rules::by_id(&id).ok_or_else(|| {
            format!(
                "`{id}` is no sheet of Oware, and this command is about Oware alone; build, query, \
                 moves, perft, stats, check, export, index, unindex and serve know it"
            )
        })
    })
}

/// Returns the parser of the ids of all sheets, those of the games beside Oware perhaps hidden.
fn ids(hides_others: bool) -> PossibleValuesParser {
    let values = SHEETS.iter().map(|rules| PossibleValue::new(rules.id).help(rules.title));
    let others = MANCALAS
        .iter()
        .map(move |sheet| PossibleValue::new(sheet.id).help(sheet.title).hide(hides_others));
    PossibleValuesParser::new(values.chain(others))
}

/// Refuses options that a game beside Oware does not have: those that have been given.
///
/// # Errors
/// [`Error::Usage`] that names the first of them.
pub fn refuse(sheet: &Sheet, options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Error::Usage(format!(
            "{option} is about Oware alone; leave it out with --rules {}",
            sheet.id
        ))),
    }
}

/// Reads the value of `--seeds`.
pub fn parse_seeds(text: &str) -> std::result::Result<Seeds, String> {
    let count: usize =
        text.trim().parse().map_err(|_| "not a number of seeds, 0 to 48".to_owned())?;
    Seeds::new(count).ok_or_else(|| "the game has 48 seeds".to_owned())
}

/// Reads a whole number that is not 0.
#[cfg(feature = "serve")]
pub fn parse_positive(text: &str) -> std::result::Result<usize, String> {
    let number = text.trim().parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "not a whole number from 1 on".to_owned())
}

/// Reads `NAME=VALUE`.
pub fn parse_option(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
