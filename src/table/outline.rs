//! What a table's file is besides its frames: header, preface, sections, directory, seal; and what
//! frames are encoded by.

use std::io::{self, Write};
use std::ops::Range;

use zerocopy::IntoBytes;

use super::directory::Frames;
use super::encoder::{Encoder, Work};
use super::fitting::Effort;
use super::frame::{Compressor, Numbers};
use super::ground::{Crossings, Ground};
use super::header::{Header, Section};
use super::tiles::{Tile, Tiling};
use super::truth::TileValues;
use super::value::Planes;
use super::{exceptions, settlement};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::layer::{Exceptions, Layer, LayerStats, Settlement};
use crate::parallel;
use crate::pool::Pool;

/// A file but for its frames.
pub struct Outline {
    pub header: Header,
    pub tiling: Tiling,
    crossings: Crossings,
    /// Has to be fitted before anything is packed.
    pub encoder: Option<Encoder>,
    preface: Vec<u8>,
    settled: Vec<u8>,
    exceptions: Vec<u8>,
}

impl Outline {
    /// That of a layer without strategy, until more is known.
    pub fn new(
        rules: &'static Rules,
        layer: Layer,
        planes: Planes,
        level: i32,
        frame_cells: u32,
    ) -> Outline {
        let (preface, settled, exceptions) = (Section::default(), None, None);
        let header =
            Header { rules, layer, planes, level, frame_cells, preface, settled, exceptions };
        let (preface, settled, exceptions) = Default::default();
        let (tiling, crossings) = (Tiling::new(layer, frame_cells), Crossings::of(rules));
        Outline { header, tiling, crossings, encoder: None, preface, settled, exceptions }
    }

    /// Says but for which exceptions default moves achieve the scores, if there is a strategy, and
    /// what is settled where bounds differ.
    pub fn set_sections(&mut self, moves: Option<&Exceptions>, settled: Option<&Settlement>) {
        if let Some(all) = moves {
            self.exceptions = exceptions::encode(all, self.header.level).expect("memory takes all");
            self.header.exceptions = Some(Section::of(&self.exceptions));
        }
        if let Some(all) = settled {
            self.settled = settlement::encode(all).expect("memory takes all");
            self.header.settled = Some(Section::of(&self.settled));
        }
    }

    /// The encoder that was fitted.
    fn encoder(&self) -> &Encoder {
        self.encoder.as_ref().expect("an encoder is fitted first")
    }

    /// Makes the preface of figures and the model.
    ///
    /// # Errors
    /// [`Error::Unproved`] for figures that no reader takes: they are those of wrong scores.
    pub fn set_preface(&mut self, figures: &[u64]) -> Result<()> {
        let layer = self.header.layer;
        LayerStats::of_numbers(layer.range(), layer.positions(), figures)
            .ok_or(Error::Unproved { seeds: layer.seeds().get() })?;
        let mut raw: Vec<u8> = figures.iter().copied().flat_map(u64::to_le_bytes).collect();
        raw.extend(self.encoder().model.to_bytes());
        self.preface = zstd::bulk::compress(&raw, self.header.level).expect("there is memory");
        self.header.preface = Section::of(&self.preface);
        Ok(())
    }

    /// How hard to look for a model.
    pub fn effort(&self) -> Effort {
        Effort::of_level(self.header.level, self.header.layer.positions())
    }

    /// What is known of a tile before any of it is encoded.
    pub fn ground(&self, tile: Tile) -> Ground {
        Ground::of(&self.crossings, &self.tiling, tile, true)
    }

    /// Tools to encode frames with.
    pub fn packers(&self) -> Pool<'_, Packer> {
        Pool::new(|| Packer::new(self.header.level))
    }

    /// Encodes frames, each with one of the tools; `cut` copies the contents of a tile.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn encode(
        &self,
        frames: Range<usize>,
        packers: &Pool<Packer>,
        cut: impl Fn(usize, &Tile, &mut TileValues) + Sync,
    ) -> io::Result<Vec<Vec<u8>>> {
        let encode = |frame| packers.with(|packer| packer.pack(self, frame, &cut));
        parallel::map_of(frames, encode).into_iter().collect()
    }

    /// Writes the whole file and returns its length in bytes; `put` puts its frames.
    ///
    /// # Errors
    /// Whatever `out` and `put` fail with.
    pub fn write(
        &self,
        out: &mut (dyn Write + Send),
        put: impl FnOnce(&mut Frames) -> io::Result<()>,
    ) -> io::Result<u64> {
        let header = self.header.to_raw();
        let before = [header.as_bytes(), &self.preface, &self.settled, &self.exceptions];
        let mut frames = Frames::begin(out, &before)?;
        put(&mut frames)?;
        frames.end()
    }
}

/// What one encoding thread works with.
pub struct Packer {
    values: TileValues,
    work: Work,
    numbers: Numbers,
    compressor: Compressor,
    bytes: Vec<u8>,
}

impl Packer {
    /// One for a level of compression.
    fn new(level: i32) -> Packer {
        let compressor = Compressor::new(level);
        let (values, work, numbers, bytes) = <(TileValues, Work, Numbers, Vec<u8>)>::default();
        Packer { values, work, numbers, compressor, bytes }
    }

    /// Encodes a frame: see [`Outline::encode`].
    fn pack(
        &mut self,
        outline: &Outline,
        frame: usize,
        cut: impl Fn(usize, &Tile, &mut TileValues),
    ) -> io::Result<Vec<u8>> {
        let Packer { values, work, numbers, compressor, bytes } = self;
        for number in outline.tiling.tiles_of(frame) {
            let tile = outline.tiling.tile(number);
            cut(number, &tile, values);
            outline.encoder().encode(outline.ground(tile), values, work, numbers);
        }
        bytes.clear();
        compressor.finish(numbers, bytes)?;
        Ok(bytes.clone())
    }
}
