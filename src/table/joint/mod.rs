//! Tables of layers that several ranks have solved together: each encodes some frames.
//!
//! No rank ever has the whole layer. Frames are dealt out, a batch to each rank, round after round:
//!
//! ```text
//!   ranks    send each other the cells of the tiles in their frames         (`pieces`)
//!   ranks    encode their frames
//!   rank 0   gets them, and writes them in the order of the file
//! ```
//!
//! Before that the last rank gets the tiles of the sample, fits the model to them alone and tells the
//! others (rank 0 has more to do than they as it is); and each rank counts the figures of its own
//! positions. So the file has the same bytes as if one process had [written](super::write()) it: the
//! same model encodes the same tiles.
//!
//! In addition to its part of the layer, a rank holds a batch of frames, as tiles and as bytes, and
//! the last rank the sample.

mod coder;
mod figures;
mod pieces;

use std::io;
use std::ops::Range;
use std::path::Path;

use super::contents::WriteOptions;
use super::directory::Frames;
use super::encoder::Encoder;
use super::encoding::BATCH;
use super::fitting::fit;
use super::model::Model;
use super::outline::Outline;
use super::publish::UnpublishedTable;
use super::tiles::Tile;
use super::truth::TileValues;
use super::value::Planes;
use super::{file_name, frame_cells};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::parallel;
use crate::pool::Pool;
use crate::solver::cluster::{Purpose, SpreadLayer, Talk, Team};
use pieces::Pieces;

pub use coder::Coder;

/// Writes the table of a layer into `dir`, as [`super::write`] does, while the other
/// ranks [`assist`].
///
/// # Errors
/// As there, and [`Error::RankLost`].
pub fn write_unpublished(
    dir: &Path,
    rules: &'static Rules,
    team: &Team,
    layer: &SpreadLayer,
    options: WriteOptions,
) -> Result<UnpublishedTable> {
    let mut joint = Joint::new(rules, team, layer, options);
    let settled = layer.settled.as_ref().map(|settled| &settled.settlement);
    joint.outline.set_sections(layer.exceptions.as_ref(), settled);
    joint.outline.encoder = Some(joint.encoder()?);
    let mut figures = joint.figures()?;
    if let Some(settled) = &layer.settled {
        figures = figures::settled(layer.layer().range(), figures, settled);
    }
    joint.outline.set_preface(&figures)?;
    // An error of the network is no error of the file.
    let mut lost = None;
    let written =
        UnpublishedTable::write(dir.join(file_name(rules, layer.layer().seeds())), |file| {
            joint.outline.write(file, |frames| {
                joint.encode(Some(frames)).unwrap_or_else(|error| {
                    lost = Some(error);
                    Err(io::ErrorKind::NotConnected.into())
                })
            })
        });
    lost.map_or(written, Err)
}

/// Does a rank's part of what the leader does by [`write_unpublished`].
///
/// # Errors
/// [`Error::RankLost`].
pub fn assist(
    rules: &'static Rules,
    team: &Team,
    layer: &SpreadLayer,
    options: WriteOptions,
) -> Result<()> {
    let mut joint = Joint::new(rules, team, layer, options);
    joint.outline.encoder = Some(joint.encoder()?);
    joint.figures()?;
    let encoded = joint.encode(None)?;
    encoded.map_err(Error::io("encoding", file_name(rules, layer.layer().seeds())))
}

/// A table in the making, on one rank.
struct Joint<'a> {
    team: &'a Team<'a>,
    layer: &'a SpreadLayer,
    outline: Outline,
}

/// Pieces of some tiles that follow each other: of each rank those of all tiles, one behind the
/// other.
struct Dealt {
    first: usize,
    /// By rank: the bytes, and where in them each tile begins and the last one ends.
    pieces: Vec<(Vec<u8>, Vec<usize>)>,
}

impl<'a> Joint<'a> {
    fn new(
        rules: &'static Rules,
        team: &'a Team<'a>,
        layer: &'a SpreadLayer,
        options: WriteOptions,
    ) -> Joint<'a> {
        let planes = if layer.is_exact() { Planes::Low } else { Planes::LowAndHigh };
        let outline =
            Outline::new(rules, layer.layer(), planes, options.level, frame_cells(options.level));
        Joint { team, layer, outline }
    }

    fn pieces(&self) -> Pieces<'_> {
        let Outline { header, tiling, .. } = &self.outline;
        Pieces::new(tiling, self.layer, self.team.rank(), header.range().offset())
    }

    /// The last rank fits a model to the tiles of the sample, and the others hear it.
    fn encoder(&self) -> Result<Encoder> {
        let (outline, pieces) = (&self.outline, self.pieces());
        let (effort, range) = (outline.effort(), outline.header.range());
        let numbers = effort.sample(&outline.tiling);
        let (rank, fitter) = (self.team.rank(), self.team.ranks() - 1);
        let dealt = self.team.session(|talk| {
            if rank != fitter {
                talk.send(fitter, cut(&pieces, &numbers), Purpose::Whole)?;
                return Ok(None);
            }
            self.receive(talk, &pieces, &numbers).map(Some)
        })?;
        let fitted = dealt.map(|dealt| {
            let look = |nth, tile: Tile, values: &mut TileValues| {
                dealt.enter(&pieces, nth, &tile, values);
                outline.ground(tile)
            };
            fit(&outline.tiling, effort, range, look)
        });
        let said = fitted.as_ref().map_or(Vec::new(), |encoder| encoder.model.to_bytes());
        let hear = |said: &[u8]| self.team.hear_from(fitter, said, Purpose::Control);
        let length = hear(&(said.len() as u64).to_le_bytes())?;
        let length = length.try_into().map(u64::from_le_bytes).expect("eight bytes");
        let said = if rank == fitter { said } else { vec![0; length as usize] };
        let heard = hear(&said)?;
        Ok(fitted.unwrap_or_else(|| {
            let model = Model::prove(&mut &heard[..], range).expect("a model that was fitted");
            Encoder::new(model, range)
        }))
    }

    /// The figures of all positions, on the leader.
    fn figures(&self) -> Result<Vec<u64>> {
        let mut all = figures::of_part(self.layer);
        self.team.session(|talk| {
            if !self.team.leads() {
                return talk.send_list(0, &all, Purpose::Control);
            }
            for rank in self.team.others() {
                figures::add(&mut all, &talk.receive_list(rank)?);
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Encodes the own frames, round after round; the leader puts those of all into the file.
    /// Returns what goes wrong there.
    fn encode(&self, mut out: Option<&mut Frames>) -> Result<io::Result<()>> {
        let packers = self.outline.packers();
        let (frames, ranks) = (self.outline.tiling.frames, self.team.ranks());
        let (mut first, pieces) = (0, self.pieces());
        while first < frames {
            let each = BATCH.min((frames - first).div_ceil(ranks));
            let of_rank = |rank: usize| {
                let [start, end] = [rank, rank + 1].map(|rank| frames.min(first + rank * each));
                start..end
            };
            let own = of_rank(self.team.rank());
            let dealt = self.deal(&pieces, of_rank)?;
            let enter = |number, tile: &Tile, values: &mut TileValues| {
                dealt.enter(&pieces, number - dealt.first, tile, values);
            };
            let written = match self.outline.encode(own, &packers, enter) {
                Ok(encoded) => self.collect(&encoded, out.as_deref_mut())?,
                Err(error) => Err(error),
            };
            if written.is_err() {
                return Ok(written);
            }
            first += ranks * each;
        }
        Ok(Ok(()))
    }

    /// Sends others what they need for their frames, and gets what is needed for the own ones.
    fn deal(&self, pieces: &Pieces, frames: impl Fn(usize) -> Range<usize>) -> Result<Dealt> {
        self.team.session(|talk| {
            for rank in self.team.others() {
                talk.send(rank, cut(pieces, &self.tiles(frames(rank))), Purpose::Whole)?;
            }
            self.receive(talk, pieces, &self.tiles(frames(self.team.rank())))
        })
    }

    /// The tiles of some frames.
    fn tiles(&self, frames: Range<usize>) -> Vec<usize> {
        frames.flat_map(|frame| self.outline.tiling.tiles_of(frame)).collect()
    }

    /// Gets the pieces of some tiles from all ranks.
    fn receive(&self, talk: &Talk, pieces: &Pieces, numbers: &[usize]) -> Result<Dealt> {
        let tiles = numbers.iter().map(|&number| self.outline.tiling.tile(number));
        let tiles: Vec<Tile> = tiles.collect();
        let starts = |rank: usize| {
            let mut starts = vec![0];
            for tile in &tiles {
                starts.push(starts[starts.len() - 1] + pieces.bytes(tile, rank));
            }
            starts
        };
        let starts = parallel::map_of(0..self.team.ranks(), starts);
        let of_rank = |(rank, starts): (usize, Vec<usize>)| {
            let bytes = match rank == self.team.rank() {
                true => cut(pieces, numbers),
                false => talk.receive(rank, starts[tiles.len()])?,
            };
            Ok((bytes, starts))
        };
        let of_ranks = starts.into_iter().enumerate().map(of_rank).collect::<Result<_>>()?;
        Ok(Dealt { first: numbers.first().copied().unwrap_or(0), pieces: of_ranks })
    }

    /// Hands encoded frames to the leader, who writes them in the order of ranks.
    fn collect(&self, encoded: &[Vec<u8>], out: Option<&mut Frames>) -> Result<io::Result<()>> {
        let mut written = Ok(());
        self.team.session(|talk| {
            let Some(out) = out else {
                let lengths: Vec<u64> = encoded.iter().map(|frame| frame.len() as u64).collect();
                talk.send_list(0, &lengths, Purpose::Whole)?;
                return talk.send(0, encoded.concat(), Purpose::Whole);
            };
            written = out.put(encoded.iter().map(Vec::as_slice));
            for rank in self.team.others() {
                let lengths = talk.receive_list(rank)?;
                let bytes = talk.receive(rank, lengths.iter().sum::<u64>() as usize)?;
                let mut rest = &bytes[..];
                let frame = |&length: &u64| rest.split_off(..length as usize).expect("all frames");
                let frames = lengths.iter().map(frame);
                if written.is_ok() {
                    written = out.put(frames);
                }
            }
            Ok(())
        })?;
        Ok(written)
    }
}

/// The own pieces of some tiles.
fn cut(pieces: &Pieces, numbers: &[usize]) -> Vec<u8> {
    let pool = Pool::new(TileValues::default);
    let of_tile = |&number: &usize| {
        let mut bytes = Vec::new();
        let tile = pieces.cutting.tiling.tile(number);
        pool.with(|values| pieces.cut(&tile, values, &mut bytes));
        bytes
    };
    parallel::map_of(numbers, of_tile).concat()
}

impl Dealt {
    /// Puts together the contents of one of the tiles.
    fn enter(&self, pieces: &Pieces, at: usize, tile: &Tile, values: &mut TileValues) {
        values.free = Default::default();
        for (rank, (bytes, starts)) in self.pieces.iter().enumerate() {
            let piece = &bytes[starts[at]..starts[at + 1]];
            if !piece.is_empty() {
                pieces.enter(tile, rank, piece, values);
            }
        }
    }
}
