//! The first stage of a strip: what captures and crossing moves leave.

use std::ops::Range;

use super::ground::{Stream, Sweep, Views};
use crate::layer::line::{LINE, Line};
use crate::solver::kernel::{LineTile, NONE, PassageChildren, Pull};
use crate::solver::plan::Transit;

/// Tiles from one look at the bound of memory to the next, where scores are on disk.
const TILES_PER_LOOK: usize = 2;

/// 64 rows of the larger block × some panels of the smaller: row after row.
#[derive(Debug)]
pub struct Buffer {
    /// The first panel.
    first: usize,
    /// Lines from one row to the next. Odd, or else all rows would fall into the same few sets of
    /// the innermost cache.
    stride: usize,
    lines: Vec<Line>,
}

/// The same in lines that others hold.
pub struct Out<'o> {
    /// Lines from one row to the next.
    pub stride: usize,
    /// 64 rows.
    pub lines: &'o mut [Line],
}

impl Buffer {
    /// One for some panels; nothing in it means anything.
    pub fn new(panels: &Range<usize>) -> Buffer {
        let stride = stride(panels.len());
        Buffer { first: panels.start, stride, lines: vec![Line::of(0); LINE * stride] }
    }

    /// The lines of a row from a panel on.
    pub fn row(&self, row: usize, panel: usize) -> &[Line] {
        &self.lines[row * self.stride..(row + 1) * self.stride][panel - self.first..]
    }

    /// Itself, to write.
    pub fn out(&mut self) -> Out<'_> {
        Out { stride: self.stride, lines: &mut self.lines }
    }
}

impl Out<'_> {
    /// Puts a tile into one of the panels, counted from the first.
    pub fn put(&mut self, panel: usize, tile: &LineTile) {
        for (row, line) in tile.0.iter().enumerate() {
            self.lines[row * self.stride + panel] = *line;
        }
    }
}

/// Lines from one row of a buffer of this many panels to the next.
pub fn stride(panels: usize) -> usize {
    panels | 1
}

/// What strips compute in the larger block, turned round: by plane, 64 rows of lines.
pub struct Values<'v> {
    /// Panels of a row.
    pub panels: usize,
    /// All rows.
    pub lines: &'v mut [Line],
}

impl Values<'_> {
    /// Lines that values of this many planes take.
    pub fn lines(planes: usize, panels: usize) -> usize {
        planes * LINE * stride(panels)
    }

    /// The rows of a plane.
    pub fn plane(&self, plane: usize) -> &[Line] {
        let lines = Values::lines(1, self.panels);
        &self.lines[plane * lines..][..lines]
    }

    /// A row of a plane.
    pub fn row(&self, plane: usize, at: usize) -> &[Line] {
        let stride = stride(self.panels);
        &self.lines[(plane * LINE + at) * stride..][..stride]
    }

    /// A row of a plane, to write.
    pub fn row_mut(&mut self, plane: usize, at: usize) -> &mut [Line] {
        let stride = stride(self.panels);
        &mut self.lines[(plane * LINE + at) * stride..][..stride]
    }
}

/// A tile of 64 rows, each `stride` lines behind the last: one line of each.
pub fn tile_of(lines: &[Line], stride: usize, panel: usize) -> LineTile {
    let mut tile = LineTile::of(0);
    for (line, row) in tile.0.iter_mut().zip(lines.chunks_exact(stride)) {
        *line = row[panel];
    }
    tile
}

/// One block's tiles of one strip: whose moves they are.
#[derive(Clone, Copy)]
pub struct CrossingTiles<'a> {
    /// The block.
    pub own: usize,
    /// Which plane it reads.
    pub stream: Stream,
    /// All planes.
    pub views: &'a Views<'a>,
}

impl Sweep<'_> {
    /// For the own rows of a tile of the larger block, against all lanes of some panels.
    pub fn cross_lead(&self, crossing: CrossingTiles, tile: usize, panels: Range<usize>, out: Out) {
        let Out { stride, lines } = out;
        for (at, panel) in panels.enumerate() {
            let out = &mut lines[at..];
            self.spread(crossing.stream.here, (crossing.own, tile, panel), out, stride);
            self.kernel.pull(out, stride, self.sources(crossing, tile, panel));
            self.enforce_bound_at(panel);
        }
    }

    /// For the own rows of some tiles of the smaller block, against one panel of lanes: rows are the
    /// lanes.
    pub fn cross_follow(
        &self,
        crossing: CrossingTiles,
        panel: usize,
        tiles: Range<usize>,
        mut out: Out,
    ) {
        let mut scores = LineTile::of(NONE);
        for (at, tile) in tiles.enumerate() {
            self.spread(crossing.stream.here, (crossing.own, tile, panel), &mut scores.0, 1);
            self.kernel.pull(&mut scores.0, 1, self.sources(crossing, tile, panel));
            self.kernel.transpose(&mut scores);
            out.put(at, &scores);
            self.enforce_bound_at(tile);
        }
    }

    /// Keeps to the bound of memory now and then, where tiles are numbered.
    pub fn enforce_bound_at(&self, number: usize) {
        if number.is_multiple_of(TILES_PER_LOOK) {
            self.arena.enforce_bound();
            self.captures.iter().for_each(|captures| captures.blocks().enforce_bound());
        }
    }

    /// Crossing moves of a tile, by passage; the lines of the next panel are fetched meanwhile.
    fn sources<'s>(
        &'s self,
        crossing: CrossingTiles<'s>,
        tile: usize,
        panel: usize,
    ) -> impl Iterator<Item = PassageChildren<'s>> {
        let opponent = self.plan.opponent(crossing.own);
        let source = move |(transit, pulls): (&'s Transit, &'s [Pull])| {
            let block = opponent + transit.crossed;
            PassageChildren {
                lines: crossing.views[crossing.stream.there][block],
                rows: self.rows(block),
                first: 0,
                windows: transit.quiet.of_line(panel),
                ahead: transit.quiet.of_line(panel + 1),
                pulls,
                captured: 0,
            }
        };
        let groups = self.plan.blocks[crossing.own].groups(tile);
        groups.map(source)
    }
}
