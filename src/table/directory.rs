//! The frames of a file of any game and what stands behind them: a directory, and a trailer that
//! says that the file is complete.

use std::io::{self, BufWriter, Write};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::little_endian::{U32, U64, U128};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Flaw;
use super::source::Source;
use super::summing::Summing;

/// Last bytes of a file.
const END: [u8; 8] = *b"OWARE.ok";

/// What the directory says of one frame.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct RawEntry {
    offset: U64,
    length: U32,
    checksum: U32,
}

/// The trailer, what opening a file begins with: where the directory is, and the seal, the checksum
/// of everything before that.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct RawTrailer {
    directory_offset: U64,
    directory_length: U64,
    directory_checksum: U64,
    file_checksum: U128,
    end: [u8; 8],
}

/// Bytes of the trailer.
pub(super) const TRAILER_LENGTH: usize = size_of::<RawTrailer>();
/// Bytes of the seal, which the file checksum does not cover.
const SEAL_LENGTH: usize = size_of::<U128>() + END.len();
/// Bytes of a directory entry.
const ENTRY_LENGTH: usize = size_of::<RawEntry>();

const _: () = assert!(TRAILER_LENGTH == 48 && ENTRY_LENGTH == 16);

/// A file on its way: what has been written, and which frames.
pub struct Frames<'a> {
    out: Summing<BufWriter<&'a mut (dyn Write + Send)>>,
    directory: Vec<RawEntry>,
}

impl<'a> Frames<'a> {
    /// Begins a file with what stands before its frames.
    ///
    /// # Errors
    /// Whatever `out` fails with.
    pub fn begin(out: &'a mut (dyn Write + Send), before: &[&[u8]]) -> io::Result<Frames<'a>> {
        let mut out = Summing::new(BufWriter::with_capacity(1 << 20, out));
        before.iter().try_for_each(|bytes| out.write_all(bytes))?;
        Ok(Frames { out, directory: Vec::new() })
    }

    /// Writes encoded frames and enters them into the directory.
    ///
    /// # Errors
    /// Whatever the file fails with.
    pub fn put<'b>(&mut self, frames: impl IntoIterator<Item = &'b [u8]>) -> io::Result<()> {
        for bytes in frames {
            let offset = self.out.passed.into();
            self.out.write_all(bytes)?;
            let (length, checksum) = (bytes.len() as u32, xxh3_64(bytes) as u32);
            let (length, checksum) = (length.into(), checksum.into());
            self.directory.push(RawEntry { offset, length, checksum });
        }
        Ok(())
    }

    /// Ends the file, and returns its length in bytes.
    ///
    /// # Errors
    /// Whatever the file fails with.
    pub fn end(self) -> io::Result<u64> {
        let Frames { mut out, directory } = self;
        let directory = directory.as_bytes();
        let mut trailer = RawTrailer {
            directory_offset: out.passed.into(),
            directory_length: (directory.len() as u64).into(),
            directory_checksum: xxh3_64(directory).into(),
            file_checksum: 0.into(),
            end: END,
        };
        out.write_all(directory)?;
        out.write_all(&trailer.as_bytes()[..TRAILER_LENGTH - SEAL_LENGTH])?;
        trailer.file_checksum = out.sum.digest128().into();
        out.write_all(&trailer.as_bytes()[TRAILER_LENGTH - SEAL_LENGTH..])?;
        out.flush()?;
        Ok(out.passed)
    }
}

/// Where the frames are, and what the whole file has to sum to.
#[derive(Debug)]
pub(super) struct Directory {
    /// What it says of all frames, proved; `None` if it is far away and read entry by entry. An
    /// entry that is wrong leads to bytes that have not its checksum.
    entries: Option<Vec<RawEntry>>,
    /// Where it stands.
    offset: u64,
    file_checksum: u128,
}

impl Directory {
    /// Proves the end of a file with this many frames, the first of which stands at `first`.
    pub fn read(source: &Source, frames: u64, first: u64) -> Result<Directory, Flaw> {
        let trailer_at = source.bytes.saturating_sub(TRAILER_LENGTH as u64);
        let trailer: RawTrailer = source.record(trailer_at)?;
        let (offset, length) = prove_trailer(&trailer, frames, trailer_at)?;
        let file_checksum = trailer.file_checksum.get();
        if first > offset {
            return Err(Flaw::new("its exceptions or settled positions are longer than the file"));
        }
        let mut directory = Directory { entries: None, offset, file_checksum };
        if source.is_far() {
            return Ok(directory);
        }
        let mut buffer = Vec::new();
        let raw = source.proved(offset, length, &mut buffer)?;
        if xxh3_64(raw) != trailer.directory_checksum.get() {
            return Err(Flaw::new("its directory has a wrong checksum"));
        }
        directory.entries = Some(prove(raw, first, offset)?);
        Ok(directory)
    }

    /// Fetches the bytes of a frame, which have their checksum.
    pub fn frame<'a>(
        &self,
        source: &'a Source,
        frame: usize,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Flaw> {
        let RawEntry { offset, length, checksum } = self.entry(source, frame)?;
        let length = usize::try_from(length.get()).map_err(|_| bad(frame, "is too long"))?;
        let packed =
            source.at(offset.get(), length, buffer).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => bad(frame, "is cut off"),
                _ => Flaw::Io(error),
            })?;
        match xxh3_64(packed) as u32 == checksum.get() {
            true => Ok(packed),
            false => Err(bad(frame, "has a wrong checksum")),
        }
    }

    /// Returns what the directory says of a frame.
    fn entry(&self, source: &Source, frame: usize) -> Result<RawEntry, Flaw> {
        if let Some(entries) = &self.entries {
            return Ok(entries[frame]);
        }
        let entry: RawEntry = source.record(self.offset + (frame * ENTRY_LENGTH) as u64)?;
        match entry.offset.get().checked_add(entry.length.get().into()) {
            Some(last) if last <= self.offset => Ok(entry),
            _ => Err(bad(frame, "stands outside the file")),
        }
    }

    /// Reads every byte, and compares the checksum of the whole file.
    pub fn check_file(&self, source: &Source) -> Result<(), Flaw> {
        let mut sum = Xxh3Default::new();
        source.each(source.bytes - SEAL_LENGTH as u64, |bytes| sum.update(bytes))?;
        match sum.digest128() == self.file_checksum {
            true => Ok(()),
            false => Err(Flaw::new("the checksum of the whole file is wrong")),
        }
    }
}

/// Says what is wrong with a frame.
pub(super) fn bad(frame: usize, what: &str) -> Flaw {
    Flaw::new(format!("frame {frame} {what}"))
}

/// Proves where the directory is: offset and length.
fn prove_trailer(trailer: &RawTrailer, frames: u64, trailer_at: u64) -> Result<(u64, usize), Flaw> {
    if trailer.end != END {
        return Err(Flaw::new("its end is missing, as if writing it had been interrupted"));
    }
    let (offset, length) = (trailer.directory_offset.get(), trailer.directory_length.get());
    let fits = frames.checked_mul(ENTRY_LENGTH as u64) == Some(length)
        && offset.checked_add(length) == Some(trailer_at);
    match usize::try_from(length) {
        Ok(length) if fits => Ok((offset, length)),
        _ => Err(Flaw::new(format!(
            "its directory, {length} bytes at {offset}, does not fit the rest of the file"
        ))),
    }
}

/// Proves a directory that stands at `end`: the frames fill the space from `first` to it.
fn prove(bytes: &[u8], first: u64, end: u64) -> Result<Vec<RawEntry>, Flaw> {
    let entries = <[RawEntry]>::ref_from_bytes(bytes)
        .map_err(|_| Flaw::new("its directory has a broken length"))?;
    let mut next = first;
    for entry in entries {
        let offset = entry.offset.get();
        if offset != next {
            return Err(Flaw::new(format!(
                "a frame of it begins at byte {offset}, the one before ends at {next}"
            )));
        }
        next = offset.saturating_add(entry.length.get().into());
    }
    if next != end {
        return Err(Flaw::new(format!(
            "its frames end at byte {next}, its directory begins at {end}"
        )));
    }
    Ok(entries.to_vec())
}
