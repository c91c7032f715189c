//! `oware build --all-boards`: the figures of all C(n + 11, 11) boards of each layer, counted while
//! the layers that captures lead into are at hand.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::layer::{LayerStats, Solved};
use oware_db::solver::unreached;

use super::layer_store::LayerStore;
use crate::cli::output;

/// What part of the memory left goes to the boards, and as much to pieces of layers on disk.
const SHARE: u64 = 3;

/// A file of figures, one line of JSON for each layer.
pub struct AllBoards {
    file: File,
    path: PathBuf,
}

impl AllBoards {
    /// Opens a file to append to, created if missing.
    pub fn open(path: &Path) -> Result<AllBoards> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(Error::io("opening", path))?;
        Ok(AllBoards { file, path: path.to_owned() })
    }

    /// Appends the figures of a layer that has been solved and is in the store.
    pub fn count(
        &mut self,
        rules: &'static Rules,
        solved: &Solved,
        store: &LayerStore,
    ) -> Result<()> {
        let seeds = solved.layer().seeds();
        let room = store.room_beside(seeds) / SHARE;
        let more = unreached::stats(rules, seeds, store, room)?;
        let all = LayerStats::of_solved(solved).joined(&more);
        let written = self.file.write_all(output::line(&all).as_bytes());
        written.map_err(Error::io("writing", &self.path))
    }
}
