//! Solved layers on disk, compressed, to be read block by block.
//!
//! A table would have to be completed first, and a stream is useless once the build is over: so
//! the scores are written as they lie in memory, in *frames* that are compressed lightly and each
//! by itself. All threads compress and decompress. The file has no name, so it is gone when the
//! program is.
//!
//! ```text
//!   low:   block 0 | block 1 | block 2 ...   as in a plane
//!          frame 0   | frame 1   | frame 2 ...
//!   high:  the same, where it is not the same everywhere
//! ```

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};

use oware_db::error::{Error, Result};
use oware_db::layer::{Layer, Plane, Solved, Spill, span};
use oware_db::pool::locked;
use oware_db::solver::{Bound, Streamed};

/// Bytes of a plane that are compressed together.
const FRAME: usize = 1 << 19;

/// Frames that are compressed before they are written, for each thread.
const AHEAD: usize = 4;

/// The fastest level of compression: less disk than memory is what matters.
const LEVEL: i32 = 1;

/// A solved layer in a file without a name.
pub struct Stream {
    layer: Layer,
    /// Those of lower bounds, and of upper ones, which are none where the bounds are the same.
    frames: [Vec<StreamFrame>; 2],
    file: Mutex<File>,
    /// Where the file is, for messages.
    dir: PathBuf,
}

/// Where a compressed part of a plane is in the file.
#[derive(Clone, Copy)]
struct StreamFrame {
    offset: u64,
    length: usize,
}

impl Stream {
    /// Writes a layer to a file in a directory.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn of(solved: &Solved, dir: &Path) -> Result<Stream> {
        Stream::of_pieces(solved.layer(), dir, |feed| {
            feed.plane(Bound::Low, &solved.low)?;
            solved.high.as_ref().map_or(Ok(()), |high| feed.plane(Bound::High, high))
        })
    }

    /// Writes a layer to a file in a directory, given both bounds if they differ anywhere, as bytes
    /// of a plane that come piece by piece.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses, and those of `feed`.
    pub fn of_pieces(
        layer: Layer,
        dir: &Path,
        feed: impl FnOnce(&mut Feed) -> Result<()>,
    ) -> Result<Stream> {
        let failed = |error| Error::io("storing a layer in", dir)(error);
        let file = tempfile::tempfile_in(dir).map_err(failed)?;
        let out = Writing::to(BufWriter::with_capacity(1 << 20, &file));
        let mut taking = Feed { out, rests: Default::default(), spill: None, dir };
        feed(&mut taking)?;
        let frames = taking.finish().map_err(failed)?;
        Ok(Stream { layer, frames, file: Mutex::new(file), dir: dir.to_owned() })
    }

    fn frames(&self, bound: Bound) -> &[StreamFrame] {
        &self.frames[if self.is_exact() { 0 } else { bound as usize }]
    }

    fn load(&self, StreamFrame { offset, length }: StreamFrame) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; length];
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut packed)?;
        Ok(packed)
    }

    /// Reads what some bytes of a plane have in common with the frame of this number.
    fn read_part(&self, bound: Bound, number: usize, part: FramePart) -> io::Result<()> {
        let packed = self.load(self.frames(bound)[number])?;
        let mut decompressor = Decompressor::new()?;
        if part.from == 0 && part.out.len() == FRAME {
            return decompressor.decompress_to_buffer(&packed, part.out).map(drop);
        }
        let raw = decompressor.decompress(&packed, FRAME)?;
        part.out.copy_from_slice(&raw[part.from..][..part.out.len()]);
        Ok(())
    }
}

/// Where some bytes of a frame belong.
struct FramePart<'o> {
    /// Where in the frame they begin.
    from: usize,
    out: &'o mut [u8],
}

/// Cuts the memory for some bytes of a plane where frames end; each part with its frame's number.
fn parts(Range { start, .. }: Range<u64>, out: &mut [u8]) -> Vec<(usize, FramePart<'_>)> {
    let (mut rest, mut at, mut parts) = (out, start as usize, Vec::new());
    while !rest.is_empty() {
        let (number, from) = (at / FRAME, at % FRAME);
        let (out, behind) = rest.split_at_mut((FRAME - from).min(rest.len()));
        (rest, at) = (behind, at + out.len());
        parts.push((number, FramePart { from, out }));
    }
    parts
}

impl Streamed for Stream {
    fn layer(&self) -> Layer {
        self.layer
    }

    fn is_exact(&self) -> bool {
        self.frames[1].is_empty()
    }

    fn read(&self, bound: Bound, excerpt: &mut Plane) -> Result<()> {
        let (span, spill) = (span(self.layer, excerpt.held()), excerpt.blocks().spill());
        let parts = parts(span, excerpt.blocks_mut().bytes_mut()).into_par_iter();
        let read = |(number, part)| {
            spill.iter().for_each(Spill::enforce_bound);
            self.read_part(bound, number, part)
        };
        parts.try_for_each(read).map_err(Error::io("reading a stored layer", &self.dir))
    }
}

/// A layer that is being put aside piece by piece.
pub struct Feed<'f> {
    out: Writing<'f>,
    /// Bytes of each plane that are not in the file yet: fewer than are compressed together.
    rests: [Vec<u8>; 2],
    /// What keeps the program to its ceiling while a plane is read.
    spill: Option<Spill>,
    dir: &'f Path,
}

impl Feed<'_> {
    /// Takes the next bytes of a plane.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn take(&mut self, bound: Bound, mut bytes: &[u8]) -> Result<()> {
        let rest = &mut self.rests[bound as usize];
        while rest.len() + bytes.len() >= together() {
            let (mut now, later) = bytes.split_at(together() - rest.len());
            if !rest.is_empty() {
                rest.extend(now);
                now = rest;
            }
            let put = self.out.put(bound, now, self.spill.as_ref());
            put.map_err(Error::io("storing a layer in", self.dir))?;
            rest.clear();
            bytes = later;
        }
        rest.extend(bytes);
        Ok(())
    }

    /// Takes a whole plane.
    fn plane(&mut self, bound: Bound, plane: &Plane) -> Result<()> {
        self.spill = plane.blocks().spill();
        plane.blocks().bytes().chunks(together()).try_for_each(|bytes| self.take(bound, bytes))
    }

    fn finish(mut self) -> io::Result<[Vec<StreamFrame>; 2]> {
        for bound in [Bound::Low, Bound::High] {
            self.out.put(bound, &self.rests[bound as usize], None)?;
        }
        self.out.out.flush()?;
        Ok(self.out.frames)
    }
}

/// Bytes that are compressed before any of them is written.
fn together() -> usize {
    AHEAD * rayon::current_num_threads() * FRAME
}

/// A file that is being written.
struct Writing<'f> {
    out: BufWriter<&'f File>,
    offset: u64,
    /// Of each plane.
    frames: [Vec<StreamFrame>; 2],
}

impl<'f> Writing<'f> {
    fn to(out: BufWriter<&'f File>) -> Writing<'f> {
        Writing { out, offset: 0, frames: Default::default() }
    }

    /// Writes some frames of a plane. Each thread that reads lets pages go: one that has read none
    /// does not look at what the program holds.
    fn put(&mut self, bound: Bound, bytes: &[u8], spill: Option<&Spill>) -> io::Result<()> {
        let pack = |bytes: &[u8]| {
            let packed = Compressor::new(LEVEL)?.compress(bytes);
            spill.iter().for_each(|spill| spill.enforce_bound());
            packed
        };
        let packed = bytes.par_chunks(FRAME).map(pack).collect::<io::Result<Vec<Vec<u8>>>>()?;
        for packed in packed {
            self.out.write_all(&packed)?;
            let frame = StreamFrame { offset: self.offset, length: packed.len() };
            self.frames[bound as usize].push(frame);
            self.offset += packed.len() as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_db::game::{AWARI, Seeds};
    use oware_db::layer::{Arena, windows};

    /// A layer of several frames.
    fn solved(high: bool) -> Solved {
        let layer = Layer::of(&AWARI, Seeds::new(13).unwrap());
        let plane = |factor: u64| {
            let scores = (0..layer.positions()).map(move |rank| (rank * factor % 23) as i8 - 11);
            Plane::of_scores(layer, scores)
        };
        let high = high.then(|| plane(5));
        Solved { low: plane(7), high, exceptions: None, attained: None, knots: None }
    }

    #[test]
    fn blocks_come_back_however_they_came_and_whichever_are_read_together() {
        let dir = tempfile::tempdir().unwrap();
        for is_exact in [true, false] {
            let solved = solved(!is_exact);
            let planes = [(Bound::Low, Some(&solved.low)), (Bound::High, solved.high.as_ref())];
            let pieces = Stream::of_pieces(solved.layer(), dir.path(), |feed| {
                for (bound, plane) in planes {
                    let bytes = plane.map_or(&[][..], |plane| plane.blocks().bytes());
                    bytes.chunks(77_777).try_for_each(|bytes| feed.take(bound, bytes))?;
                }
                Ok(())
            });
            let whole = Stream::of(&solved, dir.path());
            for (stream, bytes) in [whole, pieces].iter().flat_map(|stream| {
                [0, 300_000, 2_000_000, u64::MAX].map(|bytes| (stream.as_ref().unwrap(), bytes))
            }) {
                assert!(stream.frames[0].len() > 3 && stream.is_exact() == is_exact);
                for held in windows(solved.layer(), bytes) {
                    let place = span(solved.layer(), held.clone());
                    let place = place.start as usize..place.end as usize;
                    for (bound, plane) in [(Bound::Low, &solved.low), (Bound::High, solved.high())]
                    {
                        let arena = Arena::default();
                        let mut excerpt =
                            Plane::excerpt(&arena, solved.layer(), held.clone()).unwrap();
                        stream.read(bound, &mut excerpt).unwrap();
                        assert!(*excerpt.blocks().bytes() == plane.blocks().bytes()[place.clone()]);
                    }
                }
            }
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "files without a name");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut writing = Writing::to(BufWriter::with_capacity(0, &full));
        let solved = solved(false);
        let written = writing.put(Bound::Low, solved.low.blocks().bytes(), None);
        assert!(written.is_err_and(|error| error.kind() == io::ErrorKind::StorageFull));
    }
}
