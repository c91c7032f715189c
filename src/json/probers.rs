//! Probers for any number of threads.

use crate::error::Result;
use crate::game::Rules;
use crate::probe::{Prober, Tables};
use crate::table::Pool;

/// Probers for any number of threads, each with what it decoded last. There are as many as were
/// ever at work at once.
pub struct Probers {
    tables: Tables,
    rules: &'static Rules,
    idle: Pool<Prober>,
}

impl Probers {
    /// Probers of the tables of `rules`.
    pub fn new(tables: &Tables, rules: &'static Rules) -> Probers {
        Probers { tables: tables.clone(), rules, idle: Pool::new() }
    }

    /// The sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Asks one that is idle.
    ///
    /// # Errors
    /// Those of `ask`.
    pub fn with<T>(&self, ask: impl FnOnce(&mut Prober) -> Result<T>) -> Result<T> {
        self.idle.with_or(|| Prober::new(&self.tables, self.rules), ask)
    }
}
