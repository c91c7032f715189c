//! Files in the form of the published Awari score database ([`crate::cli::vu`]).

use std::path::Path;

use oware_db::error::Result;

use super::file::Growing;
use super::sink::{Exported, Rows, Shape, Sink};
use crate::cli::vu::{Run, Runs, file_name};

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

    fn write(&mut self, run: Option<Run<i8>>) -> Result<()> {
        let Some(run) = run else { return Ok(()) };
        let bytes: Vec<u8> = run.scores.iter().map(|score| score.cast_unsigned()).collect();
        self.file.write_at(run.first, &bytes)
    }
}

impl Sink for Scores {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        for (board, &score) in rows.boards().zip(&rows.low) {
            let complete = self.runs.put(&board, score);
            self.write(complete)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Exported>> {
        let last = self.runs.last();
        self.write(last)?;
        Ok(vec![Exported::of(self.file.finish()?, &self.shape)])
    }
}
