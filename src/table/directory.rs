//! The directory of a file: where each tile stands, how long it is, and its checksum.

use zerocopy::FromBytes;

use super::header::{ENTRY_LENGTH, HEADER_LENGTH, Header, RawEntry};
use super::tiles::Tiling;
use super::{Flaw, Part};

/// Where a tile stands in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub offset: u64,
    pub length: u16,
    pub checksum: u32,
}

/// Where the tiles are: those of the bounds, then those of the stamps.
#[derive(Debug)]
pub(super) struct Directory {
    entries: Vec<Entry>,
    /// Tiles of each part.
    tiles: usize,
}

impl Directory {
    /// Returns how many bytes the directory of a file takes; `None` if no `u64` holds the number.
    pub fn length(header: &Header, tiling: &Tiling) -> Option<u64> {
        (tiling.tiles() as u64)
            .checked_mul(header.parts().count() as u64)?
            .checked_mul(ENTRY_LENGTH as u64)
    }

    /// Proves a directory that stands at `end`: the tiles fill the space from the preface to it.
    pub fn prove(
        bytes: &[u8],
        header: &Header,
        tiling: &Tiling,
        end: u64,
    ) -> Result<Directory, Flaw> {
        let raw = <[RawEntry]>::ref_from_bytes(bytes)
            .map_err(|_| Flaw::new("its directory has a broken length"))?;
        let mut entries = Vec::with_capacity(raw.len());
        let mut offset = HEADER_LENGTH as u64 + u64::from(header.preface.length);
        for raw in raw {
            let (length, checksum) = (raw.length.get(), raw.checksum.get());
            entries.push(Entry { offset, length, checksum });
            offset += u64::from(length);
        }
        if offset != end {
            return Err(Flaw::new(format!(
                "its tiles end at byte {offset}, its directory begins at {end}"
            )));
        }
        Ok(Directory { entries, tiles: tiling.tiles() })
    }

    /// Returns where a tile of a part stands.
    pub fn entry(&self, part: Part, tile: usize) -> Entry {
        match part {
            Part::Bounds => self.entries[tile],
            Part::Stamps => self.entries[self.tiles + tile],
        }
    }
}
