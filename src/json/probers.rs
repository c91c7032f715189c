//! Probers for any number of threads.

use std::sync::{Mutex, PoisonError};

use crate::error::Result;
use crate::game::Rules;
use crate::probe::{Prober, Tables};

/// Probers for any number of threads, each with what it decoded last. There are as many as were
/// ever at work at once.
pub struct Probers {
    tables: Tables,
    rules: &'static Rules,
    idle: Mutex<Vec<Prober>>,
}

impl Probers {
    /// Probers of the tables of `rules`.
    pub fn new(tables: &Tables, rules: &'static Rules) -> Probers {
        Probers { tables: tables.clone(), rules, idle: Mutex::default() }
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
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut prober = match found {
            Some(prober) => prober,
            None => Prober::new(&self.tables, self.rules),
        };
        let answer = ask(&mut prober);
        idle().push(prober);
        answer
    }
}
