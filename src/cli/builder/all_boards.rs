//! `oware build --all-boards`: the figures of all C(n + 11, 11) boards of each layer, counted while
//! the layers that captures lead into are at hand.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::layer::{LayerStats, Solved};
use crate::solver::unreached;

use super::layer_store::LayerStore;
use super::report::LayerFields;
use super::wanted::Wanted;
use crate::cli::output;
use crate::cli::result_file::refuse_table;

/// What part of the memory left goes to the boards, and as much to pieces of layers on disk.
const SHARE: u64 = 3;

/// What a line begins with.
const BEGINNING: &[u8] = b"{\"seeds\":";

/// A file of figures, one line of JSON for each layer.
pub struct AllBoards {
    file: File,
    path: PathBuf,
    /// The layers whose figures are there.
    counted: BTreeSet<usize>,
}

/// What tells the line of a layer from others.
#[derive(Deserialize)]
struct CountKey {
    seeds: usize,
    range: Option<i8>,
}

impl AllBoards {
    /// Opens a file to append to, created if missing. Half a line that a build has left is taken away.
    ///
    /// # Errors
    /// [`Error::Usage`] if something else is there, or counts of another `--game-seeds`, [`Error::Io`] if it
    /// cannot be read or written.
    pub fn open(path: &Path, wanted: Wanted) -> Result<AllBoards> {
        refuse_table(path)?;
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.map_err(Error::io("opening", path))?;
        let mut counted = BTreeSet::new();
        if fs::metadata(path).is_ok_and(|found| found.is_file()) {
            let text = fs::read(path).map_err(Error::io("reading", path))?;
            let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let (lines, rest) = text.split_at(whole);
            let is_half = BEGINNING.starts_with(rest) || rest.starts_with(BEGINNING);
            let lines = lines.split_inclusive(|&byte| byte == b'\n');
            let read = lines
                .map(serde_json::from_slice::<CountKey>)
                .collect::<serde_json::Result<Vec<_>>>();
            let refused = |what: &str| {
                Error::Usage(format!("{}: {what}; write to another file", path.display()))
            };
            let Some(read) = read.ok().filter(|_| is_half) else {
                return Err(refused("not a file of counts, one line of JSON for each layer"));
            };
            // A game has no layer of more seeds than itself.
            let asked = |seeds: &Seeds| wanted.game.is_none_or(|game| *seeds <= game);
            let layer = |seeds| Some(wanted.layer(Seeds::new(seeds).filter(asked)?));
            let end = |seeds| Some(layer(seeds)?.range().clamp_end());
            let is_other = |line: &&CountKey| end(line.seeds) != Some(line.range);
            if let Some(CountKey { seeds, .. }) = read.iter().find(is_other) {
                let what = format!("the line for {seeds} seeds is of another --game-seeds");
                return Err(refused(&what));
            }
            file.set_len(whole as u64).map_err(Error::io("writing", path))?;
            counted.extend(read.iter().map(|line| line.seeds));
        }
        Ok(AllBoards { file, path: path.to_owned(), counted })
    }

    /// Names the tables that are kept and have no line: they are not read again.
    pub fn note_missing(&self, kept: &[LayerFields]) {
        let missing = kept.iter().map(|layer| layer.seeds);
        let missing = missing.filter(|seeds| !self.counted.contains(seeds));
        let missing: Vec<String> = missing.map(|seeds| seeds.to_string()).collect();
        if !missing.is_empty() {
            output::note(&format!(
                "{}: no line for the tables that are kept, of {} seeds; `oware stats --all-boards` \
                 counts them",
                self.path.display(),
                missing.join(", ")
            ));
        }
    }

    /// Appends the figures of a layer that has been solved and is in the store, unless they are there.
    pub fn count(
        &mut self,
        rules: &'static Rules,
        solved: &Solved,
        store: &LayerStore,
    ) -> Result<()> {
        let seeds = solved.layer().seeds();
        if self.counted.contains(&seeds.get()) {
            return Ok(());
        }
        let room = store.room_beside(seeds) / SHARE;
        let more = unreached::stats(rules, seeds, store, room)?;
        let all = LayerStats::of_solved(solved).joined(&more);
        self.append(&output::line(&all)).map_err(Error::io("writing", &self.path))
    }

    /// Appends a line, or as far as the system lets us, nothing.
    fn append(&mut self, line: &str) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(line.as_bytes());
        if written.is_err() {
            let _ = self.file.set_len(before);
        }
        written
    }
}
