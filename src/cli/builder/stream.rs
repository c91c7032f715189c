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
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};

use crate::error::{Error, Result};
use crate::layer::{Layer, Plane, Solved, Spill, span};
use crate::pool::locked;
use crate::solver::{Bound, Streamed};

/// Bytes of a plane that are compressed together.
const FRAME: usize = 1 << 19;

/// Frames that are compressed before they are written, for each thread.
const AHEAD: usize = 4;

/// The fastest level of compression: less disk than memory is what matters.
const LEVEL: i32 = 1;

/// A solved layer in a file without a name.
pub struct Stream {
    layer: Layer,
    /// Where the frames of lower bounds are in the file, and of upper ones, which are none where
    /// the bounds are the same.
    frames: [Vec<Range<u64>>; 2],
    file: Mutex<File>,
    /// Where the file is, for messages.
    dir: PathBuf,
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
        let file = tempfile::tempfile_in(dir).map_err(Error::io("storing a layer in", dir))?;
        let mut taking = Feed::to(BufWriter::with_capacity(1 << 20, &file), dir);
        feed(&mut taking)?;
        let frames = taking.finish().map_err(Error::io("storing a layer in", dir))?;
        Ok(Stream { layer, frames, file: Mutex::new(file), dir: dir.to_owned() })
    }

    fn load(&self, Range { start, end }: Range<u64>) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; (end - start) as usize];
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut packed)?;
        Ok(packed)
    }

    /// Reads some bytes of the frame of this number, from a place in it on.
    fn read_part(
        &self,
        bound: Bound,
        number: usize,
        from: usize,
        out: &mut [u8],
    ) -> io::Result<()> {
        let plane = if self.is_exact() { 0 } else { bound as usize };
        let packed = self.load(self.frames[plane][number].clone())?;
        let mut decompressor = Decompressor::new()?;
        if out.len() == FRAME {
            return decompressor.decompress_to_buffer(&packed, out).map(drop);
        }
        let raw = decompressor.decompress(&packed, FRAME)?;
        out.copy_from_slice(&raw[from..][..out.len()]);
        Ok(())
    }
}

/// Cuts the memory for bytes of a plane from `start` on where frames end; each part with its
/// frame's number, and where in the frame it begins.
fn parts(start: usize, out: &mut [u8]) -> impl ParallelIterator<Item = (usize, usize, &mut [u8])> {
    let (number, from) = (start / FRAME, start % FRAME);
    let (head, rest) = out.split_at_mut((FRAME - from).min(out.len()));
    let rest = rest.par_chunks_mut(FRAME).enumerate();
    let rest = rest.map(move |(at, out)| (number + 1 + at, 0, out));
    let parts = rayon::iter::once((number, from, head)).chain(rest);
    parts.filter(|(.., out)| !out.is_empty())
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
        let parts = parts(span.start as usize, excerpt.blocks_mut().bytes_mut());
        let read = parts.try_for_each(|(number, from, out)| {
            spill.iter().for_each(Spill::enforce_bound);
            self.read_part(bound, number, from, out)
        });
        read.map_err(Error::io("reading a stored layer", &self.dir))
    }
}

/// A layer that is being put aside piece by piece.
pub struct Feed<'f> {
    out: BufWriter<&'f File>,
    /// Bytes in the file.
    written: u64,
    frames: [Vec<Range<u64>>; 2],
    /// Bytes of each plane that are not in the file yet: fewer than are compressed together.
    rests: [Vec<u8>; 2],
    /// What keeps the program to its ceiling while a plane is read.
    spill: Option<Spill>,
    dir: &'f Path,
}

impl<'f> Feed<'f> {
    fn to(out: BufWriter<&'f File>, dir: &'f Path) -> Feed<'f> {
        let (frames, rests) = (Default::default(), Default::default());
        Feed { out, written: 0, frames, rests, spill: None, dir }
    }

    /// Takes the next bytes of a plane.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn take(&mut self, bound: Bound, mut bytes: &[u8]) -> Result<()> {
        let mut rest = mem::take(&mut self.rests[bound as usize]);
        while rest.len() + bytes.len() >= together() {
            let (mut now, later) = bytes.split_at(together() - rest.len());
            if !rest.is_empty() {
                rest.extend(now);
                now = &rest;
            }
            self.put(bound, now).map_err(Error::io("storing a layer in", self.dir))?;
            rest.clear();
            bytes = later;
        }
        rest.extend(bytes);
        self.rests[bound as usize] = rest;
        Ok(())
    }

    /// Takes a whole plane.
    fn plane(&mut self, bound: Bound, plane: &Plane) -> Result<()> {
        self.spill = plane.blocks().spill();
        plane.blocks().bytes().chunks(together()).try_for_each(|bytes| self.take(bound, bytes))
    }

    /// Writes some frames of a plane. Each thread that reads lets pages go: one that has read none
    /// does not look at what the program holds.
    fn put(&mut self, bound: Bound, bytes: &[u8]) -> io::Result<()> {
        let spill = self.spill.as_ref();
        let pack = |bytes: &[u8]| {
            let packed = Compressor::new(LEVEL)?.compress(bytes);
            spill.iter().for_each(|spill| spill.enforce_bound());
            packed
        };
        let packed = bytes.par_chunks(FRAME).map(pack).collect::<io::Result<Vec<Vec<u8>>>>()?;
        for packed in packed {
            self.out.write_all(&packed)?;
            let end = self.written + packed.len() as u64;
            self.frames[bound as usize].push(self.written..end);
            self.written = end;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<[Vec<Range<u64>>; 2]> {
        self.spill = None;
        for (bound, rest) in [Bound::Low, Bound::High].into_iter().zip(mem::take(&mut self.rests)) {
            self.put(bound, &rest)?;
        }
        self.out.flush()?;
        Ok(self.frames)
    }
}

/// Bytes that are compressed before any of them is written.
fn together() -> usize {
    AHEAD * rayon::current_num_threads() * FRAME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};
    use crate::layer::Arena;
    use crate::layer::plane::windows;

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
        let mut feed = Feed::to(BufWriter::with_capacity(0, &full), Path::new(""));
        let solved = solved(false);
        let written = feed.put(Bound::Low, solved.low.blocks().bytes());
        assert!(written.is_err_and(|error| error.kind() == io::ErrorKind::StorageFull));
    }
}
