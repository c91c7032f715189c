//! Files of the other games: one solved layer each.
//!
//! They begin, end and are published as Oware's do ([`super`]), and hold bytes where those hold
//! tiles, for these games' moves do not act on rows of half-boards. Numbers are little endian.
//!
//! ```text
//!       0  +---------------------------------------------------------------+
//!          | header, 128 bytes                                             |
//!          |    0  magic            89 4F 57 52 0D 0A 1A 0A                |
//!          |    8  version          1                                      |
//!          |    9  kind             1; 0 is one of Oware                   |
//!          |   10  header length    u16, 128                               |
//!          |   12  sheet            24 bytes, its id, filled up with 0     |
//!          |   36  game             the sheet's number                     |
//!          |   37  places           of a half of the board                 |
//!          |   38  seeds                                                   |
//!          |   39  planes           1 low, 2 low and high                  |
//!          |   40  strategy         0 none, 1 stamps, 2 plies              |
//!          |   41  endless play     1 even split, 5 drawn, 6 never         |
//!          |   42  zeros            2 bytes                                |
//!          |   44  owners           u32, a bit for each place of the mover |
//!          |   48  positions        u64                                    |
//!          |   56  frame positions  u32, of every frame but the last       |
//!          |   60  level            i32, of the compression                |
//!          |   64  figures length   u32, bytes                             |
//!          |   68  figures checksum u32, low half of xxh3-64 of them       |
//!          |   72  zeros            48 bytes                               |
//!          |  120  checksum         xxh3-64 of bytes 0..120                |
//!     128  +---------------------------------------------------------------+
//!          | figures, u64 each: those of Oware's tables, and the greatest  |
//!          |                    number of plies, 0 where none are kept     |
//!          +---------------------------------------------------------------+
//!          | frames, one zstd frame each: of its positions, in order of    |
//!          |         ranks, all lower bounds, then all upper ones if there |
//!          |         are two planes, then all stamps or plies if there are |
//!          |         any, a byte each                                      |
//!          +---------------------------------------------------------------+
//!          | directory and trailer, as in Oware's tables                   |
//!          +---------------------------------------------------------------+
//! ```
//!
//! A rank is the place in lexicographic order of all places, the mover's first
//! ([`crate::layer::general`]). Where the two players own unlike houses, the positions of the player
//! who owns `owners` come first, then those of the other.
//!
//! Invariant: the bytes of a file depend on the sheet, the layer and the level alone.

mod header;
mod reader;
mod writer;

pub(crate) use reader::Frame;
pub use reader::GeneralTable;
pub use writer::write;

use crate::game::mancala::{Layers, Sheet};
use crate::game::{ScoreRange, Seeds};
use crate::layer::LayerStats;
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};

/// Positions of a frame: what a probe decompresses.
const FRAME: usize = 1 << 14;

/// Returns the name of the file of a layer: `bao-laps-07.oware`, or with owners
/// `nam-nam-mmmmmmmooooo-12.oware`.
pub fn file_name(layer: &GeneralLayer) -> String {
    let owners = layer.owners_text().map_or(String::new(), |owners| format!("{owners}-"));
    format!("{}-{owners}{:02}.oware", layer.sheet().id, layer.seeds())
}

/// Returns the layer whose file has this name.
pub fn named_layer(name: &str) -> Option<GeneralLayer> {
    let (rest, seeds) = name.strip_suffix(".oware")?.rsplit_once('-')?;
    let seeds: usize = seeds.parse().ok()?;
    let layer = match Sheet::by_id(rest) {
        Some(sheet) => GeneralLayer::new(sheet, seeds.min(64)),
        None => {
            let (id, owners) = rest.rsplit_once('-')?;
            let sheet = Sheet::by_id(id)?;
            GeneralLayer::of_owners(sheet, seeds.min(64), sheet.parse_owners(owners).ok()?)
        }
    };
    (file_name(&layer) == name && layer.sheet().has_layer(seeds)).then_some(layer)
}

/// The figures of a layer, and the longest way to an end that is won.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GeneralStats {
    /// Those of any layer.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub layer: LayerStats,
    /// Plies to the end of the longest game with best play, where plies are kept.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub longest: Option<u8>,
}

impl GeneralStats {
    /// Returns the figures of a layer in memory.
    ///
    /// # Panics
    /// If it has more seeds than any layer that has a file.
    pub fn of(solved: &GeneralSolved) -> GeneralStats {
        let layer = &solved.layer;
        let seeds = Seeds::new(layer.seeds()).expect("seeds of a layer that is solved");
        let plies = match layer.sheet().layers {
            Layers::BySeeds => None,
            Layers::Alone => solved.stamps.as_deref(),
        };
        GeneralStats {
            layer: LayerStats::of_bounds(ScoreRange::full(seeds), &solved.low, solved.high()),
            longest: plies
                .map(|plies| plies.iter().copied().filter(|&at| at < NEVER).max().unwrap_or(0)),
        }
    }

    /// Returns the figures of the positions of both.
    fn joined(&self, other: &GeneralStats) -> GeneralStats {
        GeneralStats {
            layer: self.layer.joined(&other.layer),
            longest: self.longest.max(other.longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mancala::{KUJIFUNZA_3, MANCALAS, NAM_NAM};

    #[test]
    fn names_come_back() {
        for sheet in MANCALAS {
            for seeds in (0..=48).filter(|&seeds| sheet.has_layer(seeds)) {
                let layer = GeneralLayer::new(sheet, seeds);
                assert_eq!(named_layer(&file_name(&layer)), Some(layer));
            }
        }
        let layer = GeneralLayer::of_owners(&NAM_NAM, 8, 0b111_1111);
        assert_eq!(file_name(&layer), "nam-nam-mmmmmmmooooo-08.oware");
        assert_eq!(named_layer("nam-nam-mmmmmmmooooo-08.oware"), Some(layer));
        assert_eq!(file_name(&GeneralLayer::new(&KUJIFUNZA_3, 24)), "bao-kujifunza-4x3-24.oware");
        for name in [
            "nam-nam-mmmmmmoooooo-08.oware",
            "nam-nam-07.oware",
            "awari-07.oware",
            "bao-laps-7.oware",
        ] {
            assert_eq!(named_layer(name), None, "{name}");
        }
    }
}
