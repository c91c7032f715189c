//! The engines of a match.

use serde::Serialize;

use oware_db::engine::driver::Driver;

use crate::cli::output;

/// The two engines, in the order of the command line.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Contestants(pub [NamedEngine; 2]);

/// An engine, with the name and options it has reported.
#[derive(Serialize)]
pub struct NamedEngine {
    /// Its command line.
    pub command: String,
    /// What it calls itself.
    pub name: Option<String>,
    /// Options that were to be set and that it does not have.
    #[serde(skip)]
    unknown_options: Vec<String>,
}

impl Contestants {
    /// Two engines by their command lines; they have not said anything so far.
    pub fn new(commands: [String; 2]) -> Contestants {
        let silent = |command| NamedEngine { command, name: None, unknown_options: Vec::new() };
        Contestants(commands.map(silent))
    }

    /// Records what the engines have reported about themselves. One that has not been started, as its
    /// opponent lost before, reports nothing.
    pub fn hear(&mut self, drivers: [&Driver; 2]) {
        for (engine, driver) in self.0.iter_mut().zip(drivers) {
            if let Some(name) = driver.name() {
                engine.name = Some(name.to_owned());
            }
            if !driver.unknown_options().is_empty() {
                engine.unknown_options = driver.unknown_options().to_vec();
            }
        }
    }

    /// Names the options that an engine does not have.
    pub fn note_unknown_options(&self) {
        for (number, engine) in (1..).zip(&self.0) {
            for name in &engine.unknown_options {
                output::note(&format!("oware: engine {number} has no option `{name}`"));
            }
        }
    }

    /// Returns names that differ, numbered where the engines call themselves the same.
    pub fn distinct_names(&self) -> [String; 2] {
        let [first, second] =
            self.0.each_ref().map(|engine| engine.name.as_ref().unwrap_or(&engine.command));
        if first == second {
            [format!("{first} (1)"), format!("{second} (2)")]
        } else {
            [first.clone(), second.clone()]
        }
    }
}
