//! Writing a file, front to back.

use std::fs::File;
use std::io;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::header::FileHeader;
use super::{FRAME, GeneralStats, file_name};
use crate::error::{Error, Result};
use crate::game::ScoreRange;
use crate::layer::LayerStats;
use crate::layer::general::GeneralSolved;
use crate::parallel;
use crate::table::WriteOptions;
use crate::table::directory::Frames;
use crate::table::publish::{UnpublishedTable, Written};

/// Writes the file of a solved layer into `dir`, over one that may be there already.
///
/// # Errors
/// As [`crate::table::write()`].
pub fn write(dir: &Path, solved: &GeneralSolved, options: WriteOptions) -> Result<Written> {
    options.check()?;
    let figures = figures(solved)?;
    let header = FileHeader {
        layer: solved.layer,
        has_high: solved.high.as_ref().is_some_and(|high| *high != solved.low),
        has_stamps: solved.stamps.is_some(),
        level: options.level,
        figures_checksum: xxh3_64(&figures) as u32,
    };
    let write = |file: &mut File| contents(file, header, &figures, solved);
    UnpublishedTable::write(dir.join(file_name(&solved.layer)), write)?.publish()
}

/// The figures as bytes, if a reader takes them: others are those of wrong scores.
fn figures(solved: &GeneralSolved) -> Result<Vec<u8>> {
    let (layer, GeneralStats { layer: stats, longest }) = (&solved.layer, GeneralStats::of(solved));
    let mut numbers = stats.to_numbers();
    LayerStats::of_numbers(ScoreRange::full(stats.seeds), layer.positions(), &numbers)
        .ok_or(Error::Unproved { seeds: layer.seeds() })?;
    numbers.push(longest.unwrap_or(0).into());
    Ok(numbers.into_iter().flat_map(u64::to_le_bytes).collect())
}

fn contents(
    file: &mut File,
    header: FileHeader,
    figures: &[u8],
    solved: &GeneralSolved,
) -> io::Result<u64> {
    let mut file = Frames::begin(file, &[header.to_raw().as_bytes(), figures])?;
    // As many at a time as keep the threads busy: a layer need not be there twice.
    let numbers: Vec<u64> = (0..header.frames()).collect();
    for some in numbers.chunks(1024) {
        let frames = parallel::map_of(some, |&number| frame(&header, solved, number));
        let frames = frames.into_iter().collect::<io::Result<Vec<_>>>()?;
        file.put(frames.iter().map(Vec::as_slice))?;
    }
    file.end()
}

/// The positions of one frame, compressed.
fn frame(header: &FileHeader, solved: &GeneralSolved, number: u64) -> io::Result<Vec<u8>> {
    let first = number as usize * FRAME;
    let range = first..(first + FRAME).min(solved.low.len());
    let mut bytes: Vec<u8> = solved.low[range.clone()].as_bytes().to_vec();
    if header.has_high {
        bytes.extend_from_slice(solved.high()[range.clone()].as_bytes());
    }
    if let Some(stamps) = &solved.stamps {
        bytes.extend_from_slice(&stamps[range]);
    }
    zstd::bulk::compress(&bytes, header.level)
}
