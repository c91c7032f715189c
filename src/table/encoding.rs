//! Encoding a layer that is in memory.
//!
//! First a model is fitted to some of the tiles ([`super::fitting`]). Then frames are encoded in
//! parallel, a batch at a time, and written in order; checksums are summed on the way, so no byte
//! is read again. Layers that several ranks have are encoded by [`super::joint`].

use std::io::{self, Write};
use std::iter;

use super::contents::{Contents, WriteOptions};
use super::cutting::Cutting;
use super::directory::Frames;
use super::encoder::Encoder;
use super::fitting::fit;
use super::outline::Outline;
use super::tiles::Tile;
use super::truth::TileValues;
use super::value::Planes;
use crate::error::Result;
use crate::game::Rules;
use crate::layer::{BlockBytes, Course, LayerStats, Marks, Plane, Solved};

/// Frames that are encoded before any of them is written.
pub const BATCH: usize = 32;

/// A table about to be written: what goes into it, and how it is encoded.
pub struct Encoding<'a> {
    contents: Contents<'a>,
    outline: Outline,
}

impl<'a> Encoding<'a> {
    /// Fits a model to a layer and counts its figures.
    ///
    /// # Errors
    /// [`Error::Unproved`](crate::Error::Unproved) for scores that no layer has.
    pub fn new(
        rules: &'static Rules,
        contents: Contents<'a>,
        options: WriteOptions,
        frame_cells: u32,
    ) -> Result<Encoding<'a>> {
        let solved = contents.solved;
        let (layer, planes) = (solved.layer(), planes(solved));
        let mut outline = Outline::new(rules, layer, planes, options.level, frame_cells);
        let settled = solved.knots.as_ref().map(|knots| &knots.settlement);
        outline.set_sections(contents.exceptions, settled);
        let mut encoding = Encoding { contents, outline };
        let (encoder, figures) =
            rayon::join(|| encoding.fit(), || LayerStats::of_solved(solved).to_numbers());
        encoding.outline.encoder = Some(encoder);
        encoding.outline.set_preface(&figures)?;
        Ok(encoding)
    }

    /// Fits a model.
    fn fit(&self) -> Encoder {
        let Outline { header, tiling, .. } = &self.outline;
        let (cutting, course) = (self.cutting(), self.course());
        let _round = course.begin();
        let look = |nth, tile: Tile, values: &mut TileValues| {
            if nth == 0 {
                course.restart();
            }
            course.come_to(tiling.pair_number(tile.seeds[1]));
            cutting.cut(&tile, values);
            self.outline.ground(tile)
        };
        fit(tiling, self.outline.effort(), header.range(), look)
    }

    /// What tiles are cut out of.
    fn cutting(&self) -> Cutting<'_> {
        let Contents { solved, attained, .. } = self.contents;
        let Outline { header, tiling, .. } = &self.outline;
        let planes = <[&Plane; 2]>::from(solved.bounds()).map(Plane::blocks);
        let planes = planes.into_iter().take(header.planes.count()).collect();
        let marks = attained.into_iter().flat_map(|all| iter::once(&all.low).chain(&all.high));
        Cutting { tiling, planes, marks: marks.collect(), offset: header.range().offset() }
    }

    /// Writes the whole file and returns its length in bytes.
    ///
    /// # Errors
    /// Whatever `out` fails with, and another one if the work has `ended` before a batch of frames.
    pub fn write(
        &self,
        out: &mut (dyn Write + Send),
        ended: &(dyn Fn() -> bool + Sync),
    ) -> io::Result<u64> {
        self.outline.write(out, |frames| self.write_frames(frames, ended))
    }

    /// Writes the frames. One batch is written while the next is encoded.
    fn write_frames(&self, out: &mut Frames, ended: &dyn Fn() -> bool) -> io::Result<()> {
        let course = self.course();
        let _round = course.begin();
        course.restart();
        let (tiling, cutting) = (&self.outline.tiling, self.cutting());
        let packers = self.outline.packers();
        let cut = |_, tile: &Tile, values: &mut TileValues| cutting.cut(tile, values);
        let mut encoded: Vec<Vec<u8>> = Vec::new();
        for first in (0..tiling.frames).step_by(BATCH) {
            if ended() {
                return Err(io::ErrorKind::Other.into());
            }
            let batch = first..tiling.frames.min(first + BATCH);
            course.come_to(tiling.pair_of_frame(batch.end - 1));
            let (written, packed) = rayon::join(
                || out.put(encoded.iter().map(Vec::as_slice)),
                || self.outline.encode(batch, &packers, cut),
            );
            written?;
            encoded = packed?;
        }
        out.put(encoded.iter().map(Vec::as_slice))
    }

    /// The way through planes and marks: a step for each pair of blocks.
    fn course(&self) -> Course {
        let tiling = &self.outline.tiling;
        let seeds = tiling.layer.seeds().get();
        let Cutting { planes, marks, .. } = self.cutting();
        let planes = planes.into_iter().map(|plane| -> &BlockBytes { plane });
        let read: Vec<&BlockBytes> = planes.chain(marks.into_iter().map(Marks::blocks)).collect();
        let pairs = tiling.frames_by_pair().map(|(larger, _)| vec![seeds - larger, larger]);
        Course::through_blocks(&read, pairs, false)
    }
}

/// Which bounds the file of a layer holds.
fn planes(solved: &Solved) -> Planes {
    let (low, high) = solved.bounds();
    // Where one plane says both there is nothing to compare.
    if std::ptr::eq(low, high) || low == high { Planes::Low } else { Planes::LowAndHigh }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};
    use crate::layer::{Layer, Rank};
    use crate::table::{Scratch, Table};

    /// A layer with scores that follow from the rank, both planes different.
    fn solved(seeds: usize) -> Solved {
        let layer = Layer::of(&AWARI, Seeds::new(seeds).unwrap());
        let plane = |score: fn(usize, i8) -> i8| {
            let scores = (0..layer.positions()).map(|rank| score(rank as usize, seeds as i8));
            Plane::of_scores(layer, scores)
        };
        let low = |rank: usize, seeds: i8| (rank * rank % 7) as i8 % (seeds + 1) - seeds;
        let high = plane(|rank, seeds| (rank / 64 % 3) as i8 % (seeds + 1));
        Solved { low: plane(low), high: Some(high), exceptions: None, attained: None, knots: None }
    }

    fn encoded(solved: &Solved, frame_cells: u32) -> Vec<u8> {
        let (mut bytes, options) = (Vec::new(), WriteOptions::default());
        let encoding = Encoding::new(&AWARI, solved.into(), options, frame_cells).unwrap();
        let length = encoding.write(&mut bytes, &|| false).unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let solved = solved(3);
        let length = encoded(&solved, 1 << 10).len();
        let options = WriteOptions::default();
        let encoding = Encoding::new(&AWARI, (&solved).into(), options, 1 << 10).unwrap();
        let mut disk = vec![0; length];
        let mut write = |room| encoding.write(&mut &mut disk[..room], &|| false);
        assert!(write(length).is_ok());
        for room in 0..length {
            let error = write(room).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::WriteZero);
        }
    }

    #[test]
    fn frames_of_every_size_come_back() {
        for (seeds, frame_cells) in [(5, 1024), (6, 1025), (6, 3000), (7, 1 << 14), (5, 1 << 16)] {
            let solved = solved(seeds);
            let table = Table::from_bytes(encoded(&solved, frame_cells)).unwrap();
            table.check().unwrap();
            let loaded = table.load_stored().unwrap();
            assert!(loaded.low == solved.low && loaded.high == solved.high);
            let (mut scratch, mut for_many) =
                (Scratch::default(), Scratch::default().with_neighbours());
            for board in (0..solved.layer().positions())
                .map(|rank| solved.layer().position(Rank(rank)).unwrap())
            {
                let place = solved.layer().cell(&board).unwrap();
                assert_eq!(table.stored(place, &mut scratch).ok(), solved.interval(&board));
                assert_eq!(table.stored(place, &mut for_many).ok(), solved.interval(&board));
            }
        }
    }

    /// The file of `solved` with every checksum right, whatever the scores are.
    fn verdict(change: impl FnOnce(&mut Solved)) -> String {
        let (right, mut wrong) = (solved(5), solved(5));
        change(&mut wrong);
        let options = WriteOptions::default();
        let mut encoding = Encoding::new(&AWARI, (&right).into(), options, 1 << 12).unwrap();
        encoding.contents = (&wrong).into();
        encoding.outline.encoder = Some(encoding.fit());
        // Figures that a layer can have, or it would not open.
        encoding.outline.set_preface(&LayerStats::of_solved(&right).to_numbers()).unwrap();
        let mut bytes = Vec::new();
        encoding.write(&mut bytes, &|| false).unwrap();
        match Table::from_bytes(bytes) {
            Err(error) => error.to_string(),
            Ok(table) => {
                let verified = table.check().unwrap_err().to_string();
                assert_eq!(table.load_stored().unwrap_err().to_string(), verified);
                verified
            }
        }
    }

    #[test]
    fn impossible_scores_are_noticed_under_right_checksums() {
        let set = |plane: &mut Plane, score| plane.blocks_mut().set(0, 0, 0, score);
        let what = "a letter of its code stands for nothing that the layer can have";
        assert!(verdict(|solved| set(&mut solved.low, 6)).contains(what));
        assert!(verdict(|solved| set(&mut solved.low, -128)).contains(what));
        assert!(verdict(|solved| set(solved.high.as_mut().unwrap(), 6)).contains(what));
        assert!(
            verdict(|solved| {
                set(&mut solved.low, 2);
                set(solved.high.as_mut().unwrap(), 1);
            })
            .contains(what)
        );
    }
}
