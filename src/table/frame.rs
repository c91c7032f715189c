//! What a frame holds: the ranks of some tiles in streams.
//!
//! ```text
//!   index      for each tile the low bytes, then for each tile the high bytes of
//!                ranks in stream 0; bit 15: bounds from children are not used
//!                ranks in stream 1, in stream 2, in stream 3
//!                bytes of escapes
//!              (the rest of the tile's positions have their ranks in stream 4)
//!   stream 0   the ranks of all tiles, packed
//!   ...
//!   stream 4
//!   escapes    those of all tiles
//! ```
//!
//! Each of the seven parts is a zstd frame, so that it is coded by its own frequencies; they follow
//! each other, as zstd allows, and decompress to one stretch of bytes. Because of the index one
//! tile can be decoded without the others.

use std::array;
use std::io;
use std::ops::Range;

use zstd::zstd_safe::{
    CCtx, CParameter, DCtx, ParamSwitch, Strategy, compress_bound, get_error_name,
    get_frame_content_size,
};

use super::groups::GROUP;
use super::streams::{NUMBERS as NUMBERS_OF, STREAMS, bytes_of, pack, unpack};
use crate::simd::lanes::Bytes;

/// Numbers of a tile in the index.
const NUMBERS: usize = STREAMS;

/// Bytes of a tile in the index.
const ENTRY: usize = 2 * NUMBERS;

/// Positions that a tile holds at most.
pub const TILE: usize = 2 * GROUP * GROUP;

/// Bytes that the escapes of a position take at most.
const ESCAPED: usize = 3;

/// What is added to numbers that an escape follows: then they are more than any letter.
pub const ESCAPED_NUMBER: u8 = 0xf0;

/// The last level at which zstd takes matches as they come. Those of what frames hold cost more
/// than they save there, so none are looked for.
const QUICK: i32 = 9;

/// The most bytes that zstd can be configured to skip from one place where it looks for a match to
/// the next.
const FAR: u32 = 1 << 17;

/// The bit of the index that says that bounds from children are not used.
const UNBOUNDED: u16 = 1 << 15;

/// Returns how many bytes a frame of this many tiles and positions has at most.
pub fn most_bytes(tiles: usize, positions: usize) -> usize {
    ENTRY * tiles + (1 + ESCAPED) * positions + STREAMS
}

/// The numbers of the tiles of a frame: what stands for ranks in each stream, and escapes.
#[derive(Default)]
pub struct Numbers {
    /// Stream after stream. In each there is room for a tile and a row more than there were numbers
    /// when the tile began.
    streams: Vec<u8>,
    /// The room of each.
    room: usize,
    /// By stream: how many numbers the tiles have that have ended.
    ends: [usize; STREAMS],
    /// How many the tile has in each stream, twelve bits for each: in one word, so that it need not
    /// go through memory while code adds many.
    pub counts: u64,
    /// Bytes.
    pub escapes: Vec<u8>,
    /// How many bytes of escapes the tiles have that have ended.
    escaped: usize,
    /// What the index says of these.
    index: Vec<[u16; NUMBERS]>,
}

impl Numbers {
    /// Begins a tile: sees to it that there is room for it.
    pub fn begin_tile(&mut self) {
        let most = self.ends.into_iter().fold(0, usize::max);
        if most + STREAM > self.room {
            self.enlarge(2 * (most + STREAM));
        }
    }

    /// Makes more room in each stream.
    fn enlarge(&mut self, room: usize) {
        let mut streams = vec![0; STREAMS * room];
        for (stream, numbers) in streams.chunks_exact_mut(room).enumerate() {
            let before = self.stream(stream);
            numbers[..before.len()].copy_from_slice(before);
        }
        (self.streams, self.room) = (streams, room);
    }

    /// Adds a number to a stream, which has as many as `counts` says. A tile has at most [`TILE`]
    /// of them.
    #[inline(always)]
    pub fn put(&mut self, stream: u8, number: u8, counts: &mut u64) {
        let stream = usize::from(stream);
        let at = self.place(stream, *counts);
        self.streams[at] = number;
        *counts += 1 << (COUNT * stream);
    }

    /// Where to put this many numbers of a row, likewise.
    #[inline(always)]
    pub fn row(&mut self, stream: usize, count: u32, counts: &mut u64) -> &mut Bytes {
        let at = self.place(stream, *counts);
        *counts += u64::from(count) << (COUNT * stream);
        self.streams[at..].first_chunk_mut().expect("room for a row")
    }

    /// Where the next number of a stream stands.
    #[inline(always)]
    fn place(&self, stream: usize, counts: u64) -> usize {
        stream * self.room + self.ends[stream] + count(counts, stream)
    }

    /// Ends a tile, whose bounds from children are used or not; what comes then is the next one's.
    pub fn end_tile(&mut self, is_bounded: bool) {
        let counts: [usize; STREAMS] = array::from_fn(|stream| count(self.counts, stream));
        self.ends.iter_mut().zip(counts).for_each(|(end, count)| *end += count);
        let mut tile = counts.map(|count| count as u16);
        tile[NUMBERS - 1] = (self.escapes.len() - self.escaped) as u16;
        tile[0] |= if is_bounded { 0 } else { UNBOUNDED };
        self.index.push(tile);
        (self.counts, self.escaped) = (0, self.escapes.len());
    }

    /// The numbers in a stream of the tiles that have ended.
    fn stream(&self, stream: usize) -> &[u8] {
        &self.streams[stream * self.room..][..self.ends[stream]]
    }

    /// Forgets everything.
    fn clear(&mut self) {
        self.ends = [0; STREAMS];
        self.escapes.clear();
        self.index.clear();
        self.escaped = 0;
    }
}

/// How many numbers a tile has in a stream.
#[inline(always)]
fn count(counts: u64, stream: usize) -> usize {
    (counts >> (COUNT * stream)) as usize % (1 << COUNT)
}

/// Bits of a count of numbers.
const COUNT: usize = 12;

const _: () = assert!(TILE < 1 << COUNT && COUNT * STREAMS <= u64::BITS as usize);

/// Room for the numbers of a tile in one stream, also for code that writes whole rows.
const STREAM: usize = 2 * TILE;

/// Streams that who reads a tile has room for: a power of two, so that no place needs a check.
pub const ROOM: usize = STREAMS.next_power_of_two();

/// The tools to compress frames.
pub struct Compressor {
    context: CCtx<'static>,
    packed: Vec<u8>,
}

impl Compressor {
    /// A compressor of a level that zstd has. Where that is to be quick, it looks for no matches.
    pub fn new(level: i32) -> Compressor {
        let mut context = CCtx::create();
        let mut set =
            |parameter| _ = context.set_parameter(parameter).expect("zstd has the parameter");
        set(CParameter::CompressionLevel(level));
        if level <= QUICK {
            set(CParameter::Strategy(Strategy::ZSTD_fast));
            set(CParameter::TargetLength(FAR));
            set(CParameter::LiteralCompressionMode(ParamSwitch::Enable));
        }
        Compressor { context, packed: Vec::new() }
    }

    /// Appends a frame of these numbers to `out`, and forgets them.
    ///
    /// # Errors
    /// If zstd has no memory.
    pub fn finish(&mut self, numbers: &mut Numbers, out: &mut Vec<u8>) -> io::Result<()> {
        let Compressor { context, packed } = self;
        packed.clear();
        for byte in 0..2 {
            for number in 0..NUMBERS {
                packed.extend(numbers.index.iter().map(|tile| tile[number].to_le_bytes()[byte]));
            }
        }
        compress(context, packed, out)?;
        for stream in 0..STREAMS {
            packed.clear();
            pack(stream, numbers.stream(stream), packed);
            compress(context, packed, out)?;
        }
        compress(context, &numbers.escapes, out)?;
        numbers.clear();
        Ok(())
    }
}

/// Compresses bytes into a frame of its own, behind what is in `out`.
fn compress(context: &mut CCtx, bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    let first = out.len();
    out.resize(first + compress_bound(bytes.len()), 0);
    let length = context.compress2(&mut out[first..], bytes);
    let length = length.map_err(|code| io::Error::other(get_error_name(code)))?;
    out.truncate(first + length);
    Ok(())
}

/// The tools to decompress frames, and the frame that was decompressed last.
pub struct Decompressor {
    context: DCtx<'static>,
    bytes: Vec<u8>,
}

impl Default for Decompressor {
    fn default() -> Decompressor {
        Decompressor { context: DCtx::create(), bytes: Vec::new() }
    }
}

impl Decompressor {
    /// Decompresses what should have at most this many bytes; `None` if it is no frame or has more.
    /// What a frame says of its own length is believed only up to there; `is_alone` says that no
    /// other follows.
    pub fn decompress(&mut self, frame: &[u8], most: usize, is_alone: bool) -> Option<&[u8]> {
        let claimed = get_frame_content_size(frame).ok()??;
        let claimed = usize::try_from(claimed).ok().filter(|&claimed| claimed <= most)?;
        self.bytes.clear();
        self.bytes.reserve_exact(if is_alone { claimed } else { most });
        self.context.decompress(&mut self.bytes, frame).ok()?;
        (self.bytes.len() <= most).then_some(&self.bytes)
    }

    /// What was decompressed last.
    pub fn last(&self) -> &[u8] {
        &self.bytes
    }
}

/// The bytes of a frame, taken apart.
pub struct Frame<'a> {
    index: &'a [u8],
    tiles: usize,
    streams: [&'a [u8]; STREAMS],
    escapes: &'a [u8],
}

/// What the index says of a tile, or of some: the ranks in each stream, and the bytes of escapes.
type TileCounts = [usize; STREAMS + 1];

fn add(all: &mut TileCounts, more: &TileCounts) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
}

impl<'a> Frame<'a> {
    /// Takes bytes apart, given how many positions each tile holds; `None` if they are not such a
    /// frame to the last byte.
    pub fn new(bytes: &'a [u8], positions: &[usize]) -> Option<Frame<'a>> {
        let tiles = positions.len();
        let (index, mut rest) = bytes.split_at_checked(ENTRY * tiles)?;
        let mut frame = Frame { index, tiles, streams: [&[]; STREAMS], escapes: &[] };
        let mut all = TileCounts::default();
        for (tile, &positions) in positions.iter().enumerate() {
            add(&mut all, &frame.counts(tile, positions)?);
        }
        for (stream, bytes) in frame.streams.iter_mut().enumerate() {
            *bytes = rest.split_off(..bytes_of(stream, all[stream]))?;
        }
        frame.escapes = rest;
        (rest.len() == all[STREAMS]).then_some(frame)
    }

    fn number(&self, tile: usize, number: usize) -> u16 {
        let byte = |byte| self.index[(byte * NUMBERS + number) * self.tiles + tile];
        u16::from_le_bytes([byte(0), byte(1)])
    }

    /// `None` if it has more ranks than positions.
    fn counts(&self, tile: usize, positions: usize) -> Option<TileCounts> {
        let number = |number| usize::from(self.number(tile, number));
        let [first, second, third, fourth, escapes] = array::from_fn(number);
        let first = first & !usize::from(UNBOUNDED);
        let rest = positions.checked_sub(first + second + third + fourth)?;
        Some([first, second, third, fourth, rest, escapes])
    }

    /// Unpacks the numbers of a tile that so many stand before.
    fn unpack(
        &self,
        tile: usize,
        positions: usize,
        before: &mut TileCounts,
        unpacked: &mut Unpacked,
    ) -> Option<()> {
        let counts = self.counts(tile, positions)?;
        for (stream, numbers) in unpacked.numbers.iter_mut().enumerate().take(STREAMS) {
            let room = &mut numbers[..counts[stream]];
            unpack(stream, self.streams[stream], before[stream], room);
            let largest = NUMBERS_OF[stream] - 1;
            for number in room {
                *number |= if *number == largest { ESCAPED_NUMBER } else { 0 };
            }
        }
        unpacked.counts = *counts.first_chunk().expect("a number for each stream");
        unpacked.escapes.clear();
        let escapes = before[STREAMS]..before[STREAMS] + counts[STREAMS];
        unpacked.escapes.extend_from_slice(self.escapes.get(escapes)?);
        unpacked.is_bounded = self.number(tile, 0) & UNBOUNDED == 0;
        add(before, &counts);
        Some(())
    }

    /// Unpacks some tiles, given how many positions each tile of the frame holds, as many together
    /// as fit into `unpacked`, and hands the numbers of those and the first one to `take`. `None`
    /// if one of them has not got its numbers, or `take` says that they are wrong.
    pub fn each(
        &self,
        tiles: Range<usize>,
        positions: &[usize],
        unpacked: &mut [Unpacked],
        mut take: impl FnMut(usize, &[Unpacked]) -> bool,
    ) -> Option<()> {
        let (mut before, together) = (TileCounts::default(), unpacked.len());
        for (earlier, &positions) in positions[..tiles.start].iter().enumerate() {
            add(&mut before, &self.counts(earlier, positions)?);
        }
        for first in tiles.clone().step_by(together) {
            let some = first..tiles.end.min(first + together);
            for (tile, unpacked) in some.clone().zip(&mut *unpacked) {
                self.unpack(tile, positions[tile], &mut before, unpacked)?;
            }
            if !take(first, &unpacked[..some.len()]) {
                return None;
            }
        }
        Some(())
    }
}

/// The numbers of a tile, to be read.
pub struct Unpacked {
    /// By stream. The largest one of each, which needs an escape, is more by [`ESCAPED_NUMBER`].
    pub numbers: Box<[[u8; TILE]; ROOM]>,
    /// By stream: how many.
    pub counts: [usize; STREAMS],
    /// Bytes.
    pub escapes: Vec<u8>,
    /// Whether bounds from children are used.
    pub is_bounded: bool,
}

impl Default for Unpacked {
    fn default() -> Unpacked {
        Unpacked {
            numbers: vec![[0; TILE]; ROOM].try_into().expect("room for each stream"),
            counts: [0; STREAMS],
            escapes: Vec::new(),
            is_bounded: false,
        }
    }
}
