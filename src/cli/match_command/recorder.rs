//! The record of a match: a file in which each game stands as soon as those before it do.

use std::collections::BTreeMap;

use crate::engine::arena::MatchGame;
use crate::error::Result;
use crate::game::Rules;

use crate::cli::output;
use crate::cli::result_file::ResultFile;

/// Writes games in their order, though they may end in another one.
pub struct Recorder {
    rules: &'static Rules,
    file: ResultFile,
    /// Games that wait for those before them, or for room on the disk.
    waiting: BTreeMap<u64, String>,
    /// The game to be written next, from 1 on.
    next: u64,
    has_complained: bool,
}

impl Recorder {
    /// Records games of a sheet in a file.
    pub fn new(rules: &'static Rules, file: ResultFile) -> Recorder {
        Recorder { rules, file, waiting: BTreeMap::new(), next: 1, has_complained: false }
    }

    /// Takes a game between engines of these names, and writes what can be written. The first time
    /// that this fails it says so; what could not be written is tried again with the next game.
    pub fn add(&mut self, number: u64, game: &MatchGame, names: [&str; 2]) {
        let record = game.record(self.rules, number, names);
        self.waiting.insert(number, record.to_string());
        let written = self.write(|waiting, next| waiting == next);
        if let Some(error) = written.err().filter(|_| !self.has_complained) {
            self.has_complained = true;
            output::note(&format!("oware: {error}; the match goes on, and later games try again"));
        }
    }

    /// Writes what is left, though games before it are missing.
    ///
    /// # Errors
    /// If not all games of the match are in the file.
    pub fn finish(mut self) -> Result<()> {
        self.write(|_, _| true)
    }

    fn write(&mut self, may: impl Fn(u64, u64) -> bool) -> Result<()> {
        while let Some(first) =
            self.waiting.first_entry().filter(|game| may(*game.key(), self.next))
        {
            let between = if self.file.is_empty() { "" } else { "\n" };
            self.file.add(&format!("{between}{}", first.get()))?;
            self.next = first.remove_entry().0 + 1;
        }
        Ok(())
    }
}
