//! A file taken to pieces and put together again with right checksums, whatever it says.
//!
//! It knows where things are (the drawing in `src/table/mod.rs`), not what they mean.

use std::ops::Range;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bytes of the header; the last eight are its checksum.
pub const HEADER: usize = 104;
/// Bytes of the trailer: where the directory is, its length and checksum, the seal.
pub const TRAILER: usize = 48;
/// Bytes of the seal: the checksum of the file, and the end.
const SEAL: usize = 24;
/// Bytes that the directory has for a frame: offset, length and checksum.
pub const ENTRY: usize = 16;

/// Numbers of the header: sheet, axes, domain, seeds, planes and so on, as far as its checksum.
pub const FIELDS: [Range<usize>; 20] = [
    8..9,
    9..10,
    10..12,
    12..28,
    28..29,
    29..30,
    30..31,
    31..32,
    32..33,
    33..34,
    34..35,
    35..36,
    36..40,
    40..48,
    48..52,
    52..56,
    56..64,
    64..80,
    80..88,
    88..96,
];
pub const SHEET: Range<usize> = 12..34;
pub const SEEDS: usize = 34;
pub const PLANES: usize = 35;
pub const POSITIONS: Range<usize> = 40..48;
pub const FRAME_CELLS: Range<usize> = 48..52;
const PREFACE: Range<usize> = 52..56;
const PREFACE_SUM: Range<usize> = 56..64;
/// How long the exceptions are, 0 without a strategy, and their checksum.
const EXCEPTIONS: Range<usize> = 80..88;
const EXCEPTIONS_SUM: usize = 88;

/// A file without its checksums.
pub struct Pieces {
    pub header: Vec<u8>,
    pub preface: Vec<u8>,
    /// Without a strategy, nothing.
    pub exceptions: Vec<u8>,
    pub frames: Vec<Vec<u8>>,
}

impl Pieces {
    /// The pieces of an honest file.
    pub fn of(file: &[u8]) -> Pieces {
        let trailer = file.len() - TRAILER;
        let frames = file[number(file, trailer)..trailer].chunks_exact(ENTRY).map(|entry| {
            let (offset, length) = (number(entry, 0), length(entry));
            file[offset..offset + length].to_vec()
        });
        let frames = frames.collect();
        Pieces {
            header: file[..HEADER].to_vec(),
            preface: file[HEADER..HEADER + preface(file)].to_vec(),
            exceptions: exceptions(file).map_or(Vec::new(), |place| file[place].to_vec()),
            frames,
        }
    }

    /// The same with other exceptions.
    pub fn with_exceptions(&self, exceptions: Vec<u8>) -> Pieces {
        let Pieces { header, preface, frames, .. } = self;
        let (header, preface, frames) = (header.clone(), preface.clone(), frames.clone());
        Pieces { header, preface, exceptions, frames }
    }

    /// The file.
    pub fn joined(&self) -> Vec<u8> {
        let mut file = self.header.clone();
        put(&mut file, PREFACE.start, &(self.preface.len() as u32).to_le_bytes());
        file.extend(&self.preface);
        put(&mut file, EXCEPTIONS.start, &(self.exceptions.len() as u64).to_le_bytes());
        file.extend(&self.exceptions);
        let mut offset = file.len() as u64;
        self.frames.iter().for_each(|frame| file.extend(frame));
        let directory = file.len() as u64;
        for frame in &self.frames {
            file.extend(offset.to_le_bytes());
            file.extend((frame.len() as u32).to_le_bytes());
            file.extend([0; 4]);
            offset += frame.len() as u64;
        }
        let length = (self.frames.len() * ENTRY) as u64;
        file.extend([directory, length, 0, 0, 0].map(u64::to_le_bytes).concat());
        file.extend(b"OWARE.ok");
        mend(&mut file);
        file
    }
}

/// How long a file says its preface is.
fn preface(file: &[u8]) -> usize {
    u32::from_le_bytes(file[PREFACE].try_into().expect("four bytes")) as usize
}

/// Where a file says that its exceptions are, if it has any; nothing is settled in these files.
fn exceptions(file: &[u8]) -> Option<Range<usize>> {
    let start = HEADER.saturating_add(preface(file));
    let length = number(file, EXCEPTIONS.start);
    (length > 0).then_some(start..start.saturating_add(length))
}

/// How long an entry of the directory says that its frame is.
fn length(entry: &[u8]) -> usize {
    u32::from_le_bytes(entry[8..12].try_into().expect("four bytes")) as usize
}

fn number(file: &[u8], at: usize) -> usize {
    u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes")) as usize
}

/// Makes every checksum right, as far as the file still says where they belong.
pub fn mend(file: &mut [u8]) {
    if file.len() < HEADER + TRAILER {
        return;
    }
    let front = HEADER.saturating_add(preface(file));
    let sum = file.get(HEADER..front).map_or(0, xxh3_64);
    put(file, PREFACE_SUM.start, &sum.to_le_bytes());
    let sum = exceptions(file).and_then(|place| file.get(place)).map_or(0, xxh3_64);
    put(file, EXCEPTIONS_SUM, &sum.to_le_bytes());
    put(file, HEADER - 8, &xxh3_64(&file[..HEADER - 8]).to_le_bytes());
    let trailer = file.len() - TRAILER;
    let directory = number(file, trailer).clamp(HEADER, trailer);
    let mut entry = directory;
    while entry + ENTRY <= trailer {
        let (at, length) = (number(file, entry), length(&file[entry..]));
        let frame = file.get(at..at.saturating_add(length));
        let sum = frame.map_or(0, xxh3_64) as u32;
        put(file, entry + 12, &sum.to_le_bytes());
        entry += ENTRY;
    }
    put(file, trailer + 16, &xxh3_64(&file[directory..trailer]).to_le_bytes());
    let seal = file.len() - SEAL;
    put(file, seal, &xxh3_128(&file[..seal]).to_le_bytes());
}

/// Writes over what stands there, as far as there is room.
pub fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    let there = file.iter_mut().skip(at);
    there.zip(bytes).for_each(|(there, &byte)| *there = byte);
}
