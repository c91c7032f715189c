//! The directory of a file: where each frame stands, how long it is, and its checksum.

use zerocopy::FromBytes;

use super::Flaw;
use super::header::{ENTRY_LENGTH, Header, RawEntry};
use super::tiles::Tiling;

/// Where a frame stands in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub offset: u64,
    pub length: u32,
    pub checksum: u32,
}

/// Where the frames are.
#[derive(Debug)]
pub(super) struct Directory(Vec<Entry>);

impl Directory {
    /// Returns how many bytes the directory of a file takes; `None` if no `u64` holds the number.
    pub fn length(tiling: &Tiling) -> Option<u64> {
        (tiling.frames() as u64).checked_mul(ENTRY_LENGTH as u64)
    }

    /// Proves a directory that stands at `end`: the frames fill the space from the preface to it.
    pub fn prove(bytes: &[u8], header: &Header, end: u64) -> Result<Directory, Flaw> {
        let raw = <[RawEntry]>::ref_from_bytes(bytes)
            .map_err(|_| Flaw::new("its directory has a broken length"))?;
        let mut entries = Vec::with_capacity(raw.len());
        let mut next = header
            .tiles_at()
            .filter(|&at| at <= end)
            .ok_or_else(|| Flaw::new("its settled positions are longer than the file"))?;
        for raw in raw {
            let (offset, length) = (raw.offset.get(), raw.length.get());
            if offset != next {
                return Err(Flaw::new(format!(
                    "a frame of it begins at byte {offset}, the one before ends at {next}"
                )));
            }
            entries.push(Entry { offset, length, checksum: raw.checksum.get() });
            next = offset.saturating_add(length.into());
        }
        if next != end {
            return Err(Flaw::new(format!(
                "its frames end at byte {next}, its directory begins at {end}"
            )));
        }
        Ok(Directory(entries))
    }

    /// Returns where a frame stands.
    pub fn entry(&self, frame: usize) -> Entry {
        self.0[frame]
    }
}
