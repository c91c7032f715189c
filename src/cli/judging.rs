//! Tables for commands that judge moves as far as there are tables.

use oware_db::error::Result;
use oware_db::game::Rules;
use oware_db::probe::Tables;

use super::options::{DEFAULT_SEEDS, TablesArgs};
use super::{failure, output};

/// Opens the directory of the tables, and says so if it has none of the sheet: it may be another
/// directory than the user thinks.
pub fn open_for_judging(tables: &TablesArgs, rules: &Rules) -> Result<Tables> {
    let tables = tables.open()?;
    if tables.available(rules)?.is_empty() {
        let missing = tables.missing(rules, DEFAULT_SEEDS);
        output::note(&format!("oware: no move is judged: {}", failure::message(&missing)));
    }
    Ok(tables)
}
