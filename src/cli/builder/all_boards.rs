//! `oware build --all-boards`: the figures of all C(n + 11, 11) boards of each layer, counted while
//! the layers that captures lead into are at hand.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::layer::{LayerStats, Solved};
use oware_db::solver::unreached;

use super::layer_store::LayerStore;
use super::report::LayerFields;
use crate::cli::output;

/// What part of the memory left goes to the boards, and as much to pieces of layers on disk.
const SHARE: u64 = 3;

/// A file of figures, one line of JSON for each layer.
pub struct AllBoards {
    file: File,
    path: PathBuf,
    /// The layers whose figures are there.
    counted: BTreeSet<usize>,
}

/// What tells the line of a layer from others.
#[derive(Deserialize)]
struct Counted {
    seeds: usize,
}

impl AllBoards {
    /// Opens a file to append to, created if missing. Half a line that a build has left is taken away.
    pub fn open(path: &Path) -> Result<AllBoards> {
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.map_err(Error::io("opening", path))?;
        let mut counted = BTreeSet::new();
        if fs::metadata(path).is_ok_and(|found| found.is_file()) {
            let text = fs::read(path).map_err(Error::io("reading", path))?;
            let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            if text[whole..].starts_with(b"{\"seeds\":") {
                file.set_len(whole as u64).map_err(Error::io("writing", path))?;
            }
            let lines = text[..whole].split(|&byte| byte == b'\n');
            let read = lines.filter_map(|line| serde_json::from_slice::<Counted>(line).ok());
            counted.extend(read.map(|line| line.seeds));
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
