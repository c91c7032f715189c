//! The layers of a rule sheet that are checked, and their files.

use oware_db::game::{Rules, Seeds};
use oware_db::probe::Tables;

/// The layers of a rule sheet that are to be checked.
pub struct SheetLayers {
    pub rules: &'static Rules,
    /// Fewest seeds first.
    pub layers: Vec<Seeds>,
}

/// Returns the path of a table, as text.
pub fn file(tables: &Tables, rules: &Rules, seeds: Seeds) -> String {
    tables.path(rules, seeds).display().to_string()
}
