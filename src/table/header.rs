//! The fixed parts of a file, as bytes and as facts.
//!
//! A `Raw...` struct is what was read and promises nothing; a [`Header`] is what was proved: the
//! sheet exists, its axes are the ones the file was made under, the layer has the positions that
//! the index says. Proving is decoding the facts and encoding them again: a header is accepted
//! only if it is, byte for byte, the one we would have written.

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{I16, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::value::{Planes, Range};
use super::{Flaw, VERSION};
use crate::game::{
    Endless, Feeding, GrandSlam, Harvest, Origin, Repetition, Rules, ScoreRange, Seeds,
};
use crate::layer::{Domain, Layer};

/// First bytes of a file. The high bit, the line ends and the end-of-file character show when
/// it was sent through a text channel.
pub(super) const MAGIC: [u8; 8] = *b"\x89OWR\r\n\x1a\n";

/// The kind of Oware's files; those of [the other games](super::general) have 1.
const KIND: u8 = 0;

/// The cells that a frame may be made for.
const FRAME_CELLS: std::ops::RangeInclusive<u32> = 1 << 10..=1 << 16;

/// The longest preface, so that a lying header cannot ask for much memory.
const MAX_PREFACE: u32 = 1 << 20;

/// The first bytes of a file.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub(super) struct RawHeader {
    magic: [u8; 8],
    version: u8,
    kind: u8,
    header_length: U16,
    sheet: [u8; 16],
    axes: [u8; 5],
    domain: u8,
    seeds: u8,
    planes: u8,
    level: I16,
    /// Seeds of the games that clamped scores decide, 0 where scores are not clamped.
    game: u8,
    spare: u8,
    positions: U64,
    frame_cells: U32,
    preface_length: U32,
    preface_checksum: U64,
    /// Zeros if there is none, as of exceptions.
    settled: Section,
    exceptions: Section,
    checksum: U64,
}

/// Bytes of the header.
pub(super) const HEADER_LENGTH: usize = size_of::<RawHeader>();
const _: () = assert!(HEADER_LENGTH == 104);

/// What a file says of itself, proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) rules: &'static Rules,
    pub(super) layer: Layer,
    /// Which bounds the file holds.
    pub planes: Planes,
    /// The level of the compression.
    pub level: i32,
    /// How many cells are compressed together, about: what a probe decompresses.
    pub frame_cells: u32,
    pub(super) preface: Section,
    pub(super) settled: Option<Section>,
    /// With a strategy: where it does not make default moves.
    pub(super) exceptions: Option<Section>,
}

/// What stands between the header and the tiles, preface, settled positions or exceptions: how long
/// it is, and its checksum.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    FromBytes,
    IntoBytes,
    KnownLayout,
    Immutable,
    Unaligned,
)]
#[repr(C)]
pub(super) struct Section {
    pub length: U64,
    pub checksum: U64,
}

impl Section {
    /// That of these bytes.
    pub fn of(bytes: &[u8]) -> Section {
        Section { length: (bytes.len() as u64).into(), checksum: xxh3_64(bytes).into() }
    }
}

impl Header {
    /// Returns whether the file has a strategy.
    pub fn has_strategy(&self) -> bool {
        self.exceptions.is_some()
    }

    /// Returns where the settled positions stand.
    pub(super) fn settled_at(&self) -> u64 {
        HEADER_LENGTH as u64 + self.preface.length.get()
    }

    /// Returns where the exceptions stand, or the end of all numbers.
    pub(super) fn exceptions_at(&self) -> u64 {
        self.settled_at().saturating_add(length(self.settled))
    }

    /// Returns where the tiles begin, likewise.
    pub(super) fn tiles_at(&self) -> u64 {
        self.exceptions_at().saturating_add(length(self.exceptions))
    }

    /// Returns the values that can occur.
    pub(super) fn range(&self) -> Range {
        Range { scores: self.layer.range(), planes: self.planes }
    }

    /// Encodes the header.
    pub(super) fn to_raw(self) -> RawHeader {
        let mut sheet = [0; 16];
        sheet[..self.rules.id.len()].copy_from_slice(self.rules.id.as_bytes());
        let mut raw = RawHeader {
            magic: MAGIC,
            version: VERSION,
            kind: KIND,
            header_length: (HEADER_LENGTH as u16).into(),
            sheet,
            axes: axes(self.rules),
            domain: domain(self.layer.domain()),
            seeds: self.layer.seeds().get() as u8,
            planes: self.planes.count() as u8,
            level: (self.level as i16).into(),
            game: self.layer.range().game().map_or(0, |game| game.get() as u8),
            spare: 0,
            positions: self.layer.positions().into(),
            frame_cells: self.frame_cells.into(),
            preface_length: (self.preface.length.get() as u32).into(),
            preface_checksum: self.preface.checksum,
            settled: self.settled.unwrap_or_default(),
            exceptions: self.exceptions.unwrap_or_default(),
            checksum: 0.into(),
        };
        raw.checksum = raw.sum().into();
        raw
    }
}

fn length(section: Option<Section>) -> u64 {
    section.map_or(0, |section| section.length.get())
}

/// Names of the axes, in the order of their bytes.
const AXES: [&str; 5] = ["origin", "grand slam", "feeding", "harvest", "endless play"];

/// The axes of a sheet as bytes. Zero stands for nothing.
fn axes(rules: &Rules) -> [u8; 5] {
    let origin = match rules.origin {
        Origin::Skipped => 1,
        Origin::Sown => 2,
    };
    let grand_slam = match rules.grand_slam {
        GrandSlam::CapturesNothing => 1,
        GrandSlam::Captures => 2,
        GrandSlam::IllegalUnlessForced => 3,
    };
    let feeding = match rules.feeding {
        Feeding::MustFeed => 1,
        Feeding::Free => 2,
    };
    let harvest = match rules.harvest {
        Harvest::LastHouses => 1,
        Harvest::Opposite => 2,
    };
    let endless = match rules.endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(Repetition::Agreed) => 2,
        Endless::OwnSide(Repetition::First) => 3,
        Endless::OwnSide(Repetition::FirstOfAny) => 4,
        Endless::Drawn => 5,
    };
    [origin, grand_slam, feeding, harvest, endless]
}

fn domain(domain: Domain) -> u8 {
    match domain {
        Domain::EmptyHouse => 1,
        Domain::All => 2,
    }
}

/// What a header says that cannot be.
fn claims(what: String) -> Flaw {
    Flaw::new(format!("it claims {what}"))
}

impl RawHeader {
    fn sum(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..HEADER_LENGTH - size_of::<U64>()])
    }

    /// Proves what was read. The order is that of trust: whose file, which version, intact, and
    /// only then what it says.
    pub fn prove(&self) -> Result<Header, Flaw> {
        self.prove_ours()?;
        let rules = self.prove_rules()?;
        let seeds = Seeds::new(self.seeds.into())
            .ok_or_else(|| claims(format!("{} seeds, the game has 48", self.seeds)))?;
        let given = |section: Section| (section.length.get() > 0).then_some(section);
        let header = Header {
            rules,
            layer: Layer::of(rules, seeds).with_range(self.prove_range(rules, seeds)?),
            planes: match self.planes {
                1 => Planes::Low,
                2 => Planes::LowAndHigh,
                other => return Err(claims(format!("{other} planes, a table has 1 or 2"))),
            },
            level: self.level.get().into(),
            frame_cells: match self.frame_cells.get() {
                some if FRAME_CELLS.contains(&some) => some,
                other => return Err(claims(format!("frames of {other} cells"))),
            },
            preface: match self.preface_length.get() {
                length @ 0..=MAX_PREFACE => {
                    Section { length: u64::from(length).into(), checksum: self.preface_checksum }
                }
                other => return Err(claims(format!("a preface of {other} bytes"))),
            },
            settled: given(self.settled),
            exceptions: given(self.exceptions),
        };
        self.prove_same(header)
    }

    fn prove_ours(&self) -> Result<(), Flaw> {
        if self.magic != MAGIC {
            return Err(Flaw::new("it is not an oware-db table: its first bytes differ"));
        }
        if self.kind != KIND {
            return Err(Flaw::misnamed(format!("a table of another kind, {}", self.kind)));
        }
        if self.version != VERSION {
            return Err(Flaw::Version { found: self.version, known: VERSION });
        }
        if self.checksum.get() != self.sum() {
            return Err(Flaw::new("the header's checksum is wrong"));
        }
        Ok(())
    }

    fn prove_rules(&self) -> Result<&'static Rules, Flaw> {
        let id = self.sheet.split(|&byte| byte == 0).next().unwrap_or_default();
        let rules = std::str::from_utf8(id).ok().and_then(Rules::by_id);
        let rules = rules.ok_or_else(|| {
            Flaw::new(format!(
                "it was built for rules `{}`, which this program does not know",
                id.escape_ascii()
            ))
        })?;
        for ((found, known), axis) in self.axes.into_iter().zip(axes(rules)).zip(AXES) {
            if found != known {
                let id = rules.id;
                return Err(Flaw::new(format!(
                    "it was built under other rules: {axis} {found}, `{id}` has {known}"
                )));
            }
        }
        Ok(rules)
    }

    fn prove_range(&self, rules: &Rules, seeds: Seeds) -> Result<ScoreRange, Flaw> {
        if self.game == 0 {
            return Ok(ScoreRange::full(seeds));
        }
        let (id, found) = (rules.id, self.game);
        let game = Seeds::new(found.into()).filter(|game| seeds <= *game);
        let range = game.map(|game| ScoreRange::deciding(rules, seeds, Some(game)));
        let range = range.filter(|range| !range.is_full() && ScoreRange::can_clamp(rules));
        range.ok_or_else(|| {
            claims(format!(
                "to be clamped to what decides games of {found} seeds, which no table of {seeds} \
                 seeds of `{id}` is"
            ))
        })
    }

    /// Whatever has not been looked at is as we would have written it.
    fn prove_same(&self, header: Header) -> Result<Header, Flaw> {
        let same = header.to_raw();
        if self.positions != same.positions {
            let (found, known) = (self.positions, same.positions);
            return Err(claims(format!("{found} positions, the layer has {known}")));
        }
        if self.as_bytes() != same.as_bytes() {
            return Err(Flaw::new("a field of its header has an undefined value"));
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, SHEETS};
    use crate::table::outline::Outline;

    fn header(rules: &'static Rules, seeds: usize) -> Header {
        let layer = Layer::of(rules, Seeds::new(seeds).unwrap());
        Outline::new(rules, layer, Planes::Low, 3, 1 << 14).header
    }

    /// The header with one change and a right checksum.
    fn changed(change: impl FnOnce(&mut RawHeader)) -> Flaw {
        let mut raw = header(&AWARI, 7).to_raw();
        change(&mut raw);
        raw.checksum = raw.sum().into();
        raw.prove().unwrap_err()
    }

    #[test]
    fn headers_come_back() {
        for rules in SHEETS {
            for seeds in 0..=48 {
                let without = header(rules, seeds);
                let exceptions = Some(Section { length: 9.into(), checksum: 8.into() });
                let seeds = without.layer.seeds();
                let game = Some(seeds).filter(|_| ScoreRange::can_clamp(rules));
                let layer = without.layer.with_range(ScoreRange::deciding(rules, seeds, game));
                let clamped = Header { layer, ..without };
                for written in [without, clamped, Header { exceptions, ..without }] {
                    assert_eq!(written.to_raw().prove().unwrap(), written);
                }
            }
        }
    }

    #[test]
    fn sheets_differ_in_their_bytes() {
        let bytes: Vec<_> = SHEETS.iter().map(|rules| axes(rules)).collect();
        for (at, one) in bytes.iter().enumerate() {
            assert!(!bytes[..at].contains(one), "{}", SHEETS[at].id);
            assert!(!one.contains(&0));
        }
    }

    #[test]
    fn layout_is_the_documented_one() {
        let raw = header(&AWARI, 7).to_raw();
        let bytes = raw.as_bytes();
        assert_eq!(&bytes[..12], b"\x89OWR\r\n\x1a\n\x01\x00\x68\x00");
        assert_eq!(&bytes[12..28], b"awari\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(bytes[28..40], [1, 3, 2, 1, 1, 1, 7, 1, 3, 0, 0, 0]);
        assert_eq!(bytes[40..48], 31_812u64.to_le_bytes());
        assert_eq!(bytes[48..52], [0, 64, 0, 0]);
        assert_eq!(bytes[52..96], [0; 44]);
        assert_eq!(bytes[96..], xxh3_64(&bytes[..96]).to_le_bytes());
    }

    #[test]
    fn lies_are_named() {
        let what = |flaw| match flaw {
            Flaw::Corrupt(what) => what,
            Flaw::Version { found, .. } => format!("version {found}"),
            Flaw::Io(error) => error.to_string(),
        };
        for (flaw, part) in [
            (changed(|raw| raw.magic[0] = b'O'), "not an oware-db table"),
            (changed(|raw| raw.version = 6), "version 6"),
            (changed(|raw| raw.kind = 1), "another kind, 1"),
            (changed(|raw| raw.sheet = *b"kalah\0\0\0\0\0\0\0\0\0\0\0"), "`kalah`"),
            (changed(|raw| raw.sheet[15] = 1), "undefined value"),
            (changed(|raw| raw.axes[4] = 2), "endless play 2, `awari` has 1"),
            (changed(|raw| raw.domain = 2), "undefined value"),
            (changed(|raw| raw.seeds = 49), "49 seeds"),
            (changed(|raw| raw.seeds = 8), "claims 31812 positions, the layer has 75504"),
            (changed(|raw| raw.planes = 3), "3 planes"),
            (changed(|raw| raw.game = 6), "games of 6 seeds, which no table of 7 seeds"),
            (changed(|raw| raw.game = 13), "games of 13 seeds, which no table of 7 seeds"),
            (changed(|raw| raw.spare = 1), "undefined value"),
            (changed(|raw| raw.header_length = 128.into()), "undefined value"),
            (changed(|raw| raw.settled.checksum = 1.into()), "undefined value"),
            (changed(|raw| raw.exceptions.checksum = 1.into()), "undefined value"),
            (changed(|raw| raw.positions = u64::MAX.into()), "claims 18446744073709551615"),
            (changed(|raw| raw.frame_cells = 1023.into()), "frames of 1023"),
            (changed(|raw| raw.frame_cells = u32::MAX.into()), "frames of 4294967295"),
            (changed(|raw| raw.preface_length = u32::MAX.into()), "preface of 4294967295 bytes"),
        ] {
            let what = what(flaw);
            assert!(what.contains(part), "{what}");
        }
        let mut raw = header(&AWARI, 7).to_raw();
        raw.level = 4.into();
        assert!(what(raw.prove().unwrap_err()).contains("checksum"));
    }
}
