//! The header of a file of the other games: its bytes, and what they say once they are proved.

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{I32, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::FRAME;
use crate::game::Seeds;
use crate::game::mancala::{Circling, Layers, Sheet};
use crate::layer::LayerStats;
use crate::layer::general::GeneralLayer;
use crate::table::Flaw;
use crate::table::header::MAGIC;

/// The version of these files.
const VERSION: u8 = 1;

/// The kind of these files: Oware's have 0.
const KIND: u8 = 1;

/// Bytes of the header.
pub(super) const HEADER_LENGTH: usize = size_of::<RawHeader>();

const _: () = assert!(HEADER_LENGTH == 128);

/// The first bytes of a file.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub(super) struct RawHeader {
    magic: [u8; 8],
    version: u8,
    kind: u8,
    header_length: U16,
    sheet: [u8; 24],
    game: u8,
    places: u8,
    seeds: u8,
    planes: u8,
    strategy: u8,
    endless: u8,
    zeros: [u8; 2],
    owners: U32,
    positions: U64,
    frame_positions: U32,
    level: I32,
    figures_length: U32,
    figures_checksum: U32,
    more_zeros: [u8; 48],
    checksum: U64,
}

/// What a file says of itself, proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileHeader {
    /// The layer that it holds.
    pub layer: GeneralLayer,
    /// Whether upper bounds have a plane of their own.
    pub has_high: bool,
    /// Whether there are stamps or plies.
    pub has_stamps: bool,
    /// The level of the compression.
    pub level: i32,
    /// Low half of the checksum of the figures.
    pub(super) figures_checksum: u32,
}

impl FileHeader {
    /// Returns how many planes of bytes a frame has.
    pub fn planes(&self) -> usize {
        1 + usize::from(self.has_high) + usize::from(self.has_stamps)
    }

    /// Returns how many frames there are.
    pub fn frames(&self) -> u64 {
        self.layer.positions().div_ceil(FRAME as u64)
    }

    /// Returns how many numbers the figures are.
    pub(super) fn figures(&self) -> usize {
        LayerStats::count_of_numbers(self.layer.seeds()) + 1
    }

    pub(super) fn to_raw(self) -> RawHeader {
        let sheet = self.layer.sheet();
        let mut id = [0; 24];
        id[..sheet.id.len()].copy_from_slice(sheet.id.as_bytes());
        let strategy = match (self.has_stamps, sheet.layers) {
            (false, _) => 0,
            (true, Layers::BySeeds) => 1,
            (true, Layers::Alone) => 2,
        };
        let endless = match sheet.circling {
            Circling::EvenSplit => 1,
            Circling::Drawn => 5,
            Circling::Never => 6,
        };
        let mut raw = RawHeader {
            magic: MAGIC,
            version: VERSION,
            kind: KIND,
            header_length: (HEADER_LENGTH as u16).into(),
            sheet: id,
            game: sheet.number,
            places: sheet.half as u8,
            seeds: self.layer.seeds() as u8,
            planes: 1 + u8::from(self.has_high),
            strategy,
            endless,
            zeros: [0; 2],
            owners: self.layer.owners().into(),
            positions: self.layer.positions().into(),
            frame_positions: (FRAME as u32).into(),
            level: self.level.into(),
            figures_length: (8 * self.figures() as u32).into(),
            figures_checksum: self.figures_checksum.into(),
            more_zeros: [0; 48],
            checksum: 0.into(),
        };
        raw.checksum = xxh3_64(&raw.as_bytes()[..HEADER_LENGTH - 8]).into();
        raw
    }
}

impl RawHeader {
    /// Reads the facts. A header is accepted only if it is, byte for byte, the one that would be
    /// written of them.
    pub(super) fn prove(&self) -> Result<FileHeader, Flaw> {
        if self.magic != MAGIC {
            return Err(Flaw::new("it is not an oware-db table"));
        }
        if self.kind != KIND {
            return Err(Flaw::misnamed(format!("a table of another kind, {}", self.kind)));
        }
        if self.version != VERSION {
            return Err(Flaw::Version { found: self.version, known: VERSION });
        }
        let id = self.sheet.split(|&byte| byte == 0).next().unwrap_or_default();
        let sheet = std::str::from_utf8(id).ok().and_then(Sheet::by_id);
        let sheet = sheet.ok_or_else(|| Flaw::new("it is of an unknown sheet"))?;
        let seeds = usize::from(self.seeds);
        if Seeds::new(seeds).is_none() || !sheet.has_layer(seeds) {
            return Err(Flaw::new(format!("`{}` has no layer of {seeds} seeds", sheet.id)));
        }
        let header = FileHeader {
            layer: GeneralLayer::of_owners(sheet, seeds, self.owners.get()),
            has_high: self.planes == 2,
            has_stamps: self.strategy != 0,
            level: self.level.get(),
            figures_checksum: self.figures_checksum.get(),
        };
        if header.to_raw().as_bytes() != self.as_bytes() || !sheet.can_own(self.owners.get()) {
            return Err(Flaw::new("its header contradicts itself or the sheet"));
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mancala::{BAO_LAPS, NAM_NAM};

    #[test]
    fn owners_that_no_game_has_are_refused() {
        let is_proved = |sheet, owners| {
            let layer = GeneralLayer::of_owners(sheet, 8, owners);
            let (level, figures_checksum) = (3, 0);
            let [has_high, has_stamps] = [false, true];
            let header = FileHeader { layer, has_high, has_stamps, level, figures_checksum };
            header.to_raw().prove().is_ok_and(|found| found == header)
        };
        assert!(
            is_proved(&NAM_NAM, 0x3f) && is_proved(&NAM_NAM, 0x7f) && is_proved(&BAO_LAPS, 0xff)
        );
        for owners in [0, 0xfff, 0x103f, u32::MAX] {
            assert!(!is_proved(&NAM_NAM, owners), "{owners:x}");
        }
        assert!(!is_proved(&BAO_LAPS, 0x7f));
    }
}
