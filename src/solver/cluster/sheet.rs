//! 64 rows of a pair that a strip works on, on one rank.

use std::ops::Range;

use rayon::prelude::*;

use crate::layer::line::{LINE, Line};
use crate::solver::kernel::Tile;

/// 64 rows of some panels: row after row.
#[derive(Clone, Debug)]
pub struct Sheet {
    first: usize,
    /// Lines from one row to the next. Odd, or else all rows would fall into the same few sets of
    /// the innermost cache.
    stride: usize,
    lines: Vec<Line>,
}

impl Sheet {
    /// One for some panels; nothing in it means anything.
    pub fn new(panels: &Range<usize>) -> Sheet {
        let stride = panels.len() | 1;
        Sheet { first: panels.start, stride, lines: vec![Line::of(0); LINE * stride] }
    }

    /// The lines of a row.
    pub fn row(&self, at: usize) -> &[Line] {
        &self.lines[at * self.stride..][..self.stride]
    }

    /// Returns the lines of a row, mutable.
    pub fn row_mut(&mut self, at: usize) -> &mut [Line] {
        &mut self.lines[at * self.stride..][..self.stride]
    }

    /// Puts a tile into a panel.
    pub fn put(&mut self, panel: usize, tile: &Tile) {
        let rows = self.lines.chunks_exact_mut(self.stride);
        for (line, row) in tile.0.iter().zip(rows) {
            row[panel - self.first] = *line;
        }
    }

    /// The tile of a panel.
    pub fn tile(&self, panel: usize) -> Tile {
        let mut tile = Tile::of(0);
        for (line, row) in tile.0.iter_mut().zip(self.lines.chunks_exact(self.stride)) {
            *line = row[panel - self.first];
        }
        tile
    }
}

/// Computes tiles, on several threads if there are any to spare, and puts them into a sheet.
pub fn each_tile(
    panels: Range<usize>,
    sheet: &mut Sheet,
    compute: impl Fn(usize, &mut Tile) + Sync + Send,
) {
    if rayon::current_num_threads() == 1 || panels.len() == 1 {
        let mut tile = Tile::of(0);
        return panels.for_each(|panel| {
            compute(panel, &mut tile);
            sheet.put(panel, &tile);
        });
    }
    let mut tiles = vec![Tile::of(0); panels.len()];
    let numbered = panels.clone().into_par_iter().zip(&mut tiles);
    numbered.for_each(|(panel, tile)| compute(panel, tile));
    panels.zip(&tiles).for_each(|(panel, tile)| sheet.put(panel, tile));
}
