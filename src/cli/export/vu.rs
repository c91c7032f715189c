//! Files in the form of the published Awari score database ([`crate::cli::vu`]).

use std::path::Path;

use zerocopy::IntoBytes;

use oware_db::error::Result;

use super::file::Growing;
use super::sink::{Exported, Rows, Shape, Sink};
use crate::cli::vu::{Runs, file_name};

/// The scores of a layer, in a file as long as it will be.
pub struct Scores {
    shape: Shape,
    file: Growing,
    runs: Runs<i8>,
}

impl Scores {
    /// Begins the file of a layer.
    pub fn new(dir: &Path, shape: Shape) -> Result<Scores> {
        let mut file = Growing::new(dir, &file_name(shape.seeds))?;
        file.set_length(shape.positions)?;
        Ok(Scores { shape, file, runs: Runs::default() })
    }
}

impl Sink for Scores {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        let scores = rows.boards().zip(rows.low.iter().copied());
        self.runs.put(scores, |run| self.file.write_at(run.first, run.scores.as_bytes()))
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Exported>> {
        self.runs.finish(|run| self.file.write_at(run.first, run.scores.as_bytes()))?;
        Ok(vec![Exported::of(self.file.finish()?, &self.shape)])
    }
}
