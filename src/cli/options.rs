//! Options that several commands have, and their default values.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::engine::search::Endgames;
use crate::error::{Error, Result};
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{ABAPA, Rules, SHEETS, Seeds};
use crate::probe::{Tabled, Tables, address, directories};
use crate::table::Table;

pub use crate::json::AnySheet;
pub use crate::json::words::parse_bytes;

/// The default rule sheet.
pub const DEFAULT_RULES: &Rules = &ABAPA;
/// The directory of the tables where neither an option nor the environment names one.
pub const DEFAULT_TABLES: &str = "tables";
/// The variable of the environment that names the directory of the tables.
pub const TABLES_VARIABLE: &str = "OWARE_TABLES";
/// Seeds of the largest layer that `oware build` makes by default.
pub const DEFAULT_SEEDS: Seeds = Seeds::new(12).expect("fewer than 48");

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
    /// Table directory; may be repeated, or name several separated as in PATH [env: OWARE_TABLES]
    ///
    /// If several hold a table, the first is used.
    #[arg(long = "tables", value_name = "DIR", default_values_os_t = [usual_tables()])]
    dirs: Vec<PathBuf>,
}

impl TablesArgs {
    /// Those of these directories; of the usual one if there are none.
    pub fn or_usual(mut dirs: Vec<PathBuf>) -> TablesArgs {
        if dirs.is_empty() {
            dirs.push(usual_tables());
        }
        TablesArgs { dirs }
    }

    /// Opens the directories, which need not exist: they have no tables then.
    pub fn open(&self) -> Result<Tables> {
        Tables::open_early(self.dir()?)
    }

    /// Returns the directory, or the path that names all.
    pub fn dir(&self) -> Result<PathBuf> {
        if let [dir] = &self.dirs[..] {
            return Ok(dir.clone());
        }
        let joined = std::env::join_paths(self.dirs.iter().flat_map(|dir| directories(dir)));
        joined.map(PathBuf::from).map_err(|_| {
            let text = "a directory whose name contains the separator of PATH must be the only one";
            Error::Usage(text.to_owned())
        })
    }
}

/// Returns the parser of the directory that a command writes tables to: one.
pub fn single_directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|dir| match &directories(&dir)[..] {
        [_] if address(&dir).is_some() => {
            Err("tables are written to a directory, not to a web host".to_owned())
        }
        [_] => Ok(dir),
        [first, ..] => Err(format!(
            "tables are written to one directory; choose it, as in `--tables {}`",
            first.display()
        )),
        [] => unreachable!("a path names one directory at least"),
    })
}

/// Returns the directory of the tables that the environment names. To clap's `env` an empty variable
/// is a mistake, and one that is set conflicts with `--no-tables`.
pub fn named_tables() -> Option<PathBuf> {
    std::env::var_os(TABLES_VARIABLE).filter(|dir| !dir.is_empty()).map(PathBuf::from)
}

/// Returns the directory of the tables where no option names one.
pub fn usual_tables() -> PathBuf {
    named_tables().unwrap_or_else(|| DEFAULT_TABLES.into())
}

/// Returns the parser of `--rules` of commands that all games have.
pub fn any_sheet() -> impl TypedValueParser<Value = AnySheet> {
    ids(false).map(|id| AnySheet::by_id(&id).expect("one of the ids that are possible"))
}

/// Returns the parser of `--rules` of commands that are about Oware alone.
fn sheets() -> impl TypedValueParser<Value = &'static Rules> {
    // The others are not offered, but the error for one names the commands that accept it.
    ids(true).try_map(|id| {
        Rules::by_id(&id).ok_or_else(|| {
            format!(
                "`{id}` is not a sheet of Oware, which is all this command handles; build, query, \
                 moves, perft, stats, check, export, index, unindex and serve accept it"
            )
        })
    })
}

/// Returns the parser of the ids of all sheets, those of the other games perhaps hidden.
fn ids(hides_others: bool) -> PossibleValuesParser {
    let values = SHEETS.iter().map(|rules| PossibleValue::new(rules.id).help(rules.title));
    let others = MANCALAS
        .iter()
        .map(move |sheet| PossibleValue::new(sheet.id).help(sheet.title).hide(hides_others));
    PossibleValuesParser::new(values.chain(others))
}

/// Refuses options that another game does not have: those that have been given.
///
/// # Errors
/// [`Error::Usage`] that names the first of them.
pub fn refuse(sheet: &Sheet, options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Error::Usage(format!(
            "{option} is for Oware only; omit it with --rules {}",
            sheet.id
        ))),
    }
}

/// Returns the layers of a sheet that have a table, as far as they were asked for.
///
/// # Errors
/// [`Error::MissingTable`] if there is none, of as many seeds as usual unless it was said how many.
pub fn layers<G: Tabled>(
    tables: &Tables,
    sheet: &G,
    most: Option<Seeds>,
    usual: usize,
) -> Result<Vec<G::Layer>> {
    let is_asked = |seeds| most.is_none_or(|most| seeds <= most.get());
    tables.available_where(sheet, is_asked, most.map_or(usual, Seeds::get))
}

/// Returns the largest layer to draw from: the one asked for, or the last that the tables know. All up
/// to it have a table.
pub fn largest_layer(
    tables: &Tables,
    rules: &'static Rules,
    asked: Option<Seeds>,
) -> Result<Seeds> {
    let known = Endgames::new(Some(tables), rules).range();
    let most = asked.or(known).unwrap_or(DEFAULT_SEEDS);
    // From above, so that the command in an error builds all that is missing.
    most.up_to().rev().try_for_each(|seeds| tables.require(rules, seeds).map(drop))?;
    Ok(most)
}

/// Makes sure that all layers of 0 to `most` seeds have a table, and none is clamped, for `what` takes
/// full scores.
pub fn require_full(tables: &Tables, rules: &'static Rules, most: Seeds, what: &str) -> Result<()> {
    for seeds in most.up_to() {
        let table = tables.require(rules, seeds)?;
        if !table.range().is_full() {
            return Err(Error::Usage(format!(
                "{what} require full scores, and {} is clamped; use a smaller --seeds, or tables \
                 built without --game-seeds",
                table.path().display()
            )));
        }
    }
    Ok(())
}

/// Makes sure that some layers have tables with strategies, for lines follow them. The largest one
/// without is named: it is rebuilt with those below.
pub fn require_strategies(
    tables: &Tables,
    rules: &'static Rules,
    layers: impl DoubleEndedIterator<Item = Seeds>,
) -> Result<()> {
    layers.rev().try_for_each(|seeds| {
        let table = tables.require(rules, seeds)?;
        if table.header().has_strategy() {
            return Ok(());
        }
        Err(without_strategy(&table))
    })
}

/// What is said of a table that holds no strategy, where one is needed.
pub fn without_strategy(table: &Table) -> Error {
    let dir = table.path().parent().unwrap_or(table.path()).to_owned();
    let (rules, seeds) = (table.rules().id.to_owned(), table.layer().seeds().get());
    Error::MissingStrategy { dir, rules, seeds }
}

/// Reads the value of `--seeds`.
pub fn parse_seeds(text: &str) -> std::result::Result<Seeds, String> {
    let count: usize =
        text.trim().parse().map_err(|_| "not a number of seeds from 0 to 48".to_owned())?;
    Seeds::new(count).ok_or_else(|| "tables have at most 48 seeds".to_owned())
}

/// Reads a whole number that is not 0.
#[cfg(feature = "serve")]
pub fn parse_positive(text: &str) -> std::result::Result<usize, String> {
    let number = text.trim().parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "not a whole number above 0".to_owned())
}

/// Reads `NAME=VALUE`.
pub fn parse_option(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
