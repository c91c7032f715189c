//! Files in the form of the published Awari score database ([`crate::cli::vu`]).

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use zerocopy::IntoBytes;

use oware_db::error::Result;

use super::file::{Finished, Growing};
use super::shape::{RowSource, Shape};
use crate::cli::vu::{Run, Runs, file_name};

/// Writes the scores of a layer, into a file as long as it will be.
pub fn write(dir: &Path, shape: &Shape, source: RowSource) -> Result<Vec<Finished>> {
    let mut file = Growing::new(dir, &file_name(shape.seeds))?;
    file.with(|out| out.get_ref().as_file().set_len(shape.positions))?;
    let mut runs = Runs::default();
    let mut put = |run: Run<i8>| {
        file.with(|out| {
            out.seek(SeekFrom::Start(run.first))?;
            out.write_all(run.scores.as_bytes())
        })
    };
    source(&mut |rows| runs.put(rows.boards().zip(rows.low.iter().copied()), &mut put))?;
    runs.finish(put)?;
    Ok(vec![file.finish()?])
}
