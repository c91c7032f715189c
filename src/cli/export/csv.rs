//! A text with a line for each position.

use std::path::Path;

use oware_db::error::Result;
use oware_db::game::{House, Rules};
use oware_db::layer::Layer;

use super::file::Growing;
use super::sink::{Exported, Sink, stem};
use super::stream::Piece;

/// The text of a layer.
pub struct Text {
    layer: Layer,
    file: Growing,
}

/// Returns the names of the columns of the twelve houses. They differ in more than capitals, which
/// SQL does not tell apart.
pub fn houses() -> impl Iterator<Item = String> {
    let row = |owner: &'static str| {
        House::ALL.into_iter().map(move |house| format!("{owner}_{}", house.opponent_letter()))
    };
    row("mover").chain(row("opponent"))
}

impl Text {
    /// Begins the text of a layer with the names of the columns.
    pub fn new(dir: &Path, rules: &Rules, layer: Layer) -> Result<Text> {
        let mut file = Growing::new(dir, &format!("{}.csv", stem(rules, layer)))?;
        let houses: Vec<String> = houses().collect();
        file.with(|out| writeln!(out, "rank,{},low,high", houses.join(",")))?;
        Ok(Text { layer, file })
    }
}

impl Sink for Text {
    fn put(&mut self, piece: &Piece) -> Result<()> {
        let ranks = piece.first.0..;
        let scores = piece.low.iter().zip(&piece.high);
        self.file.with(|out| {
            for (rank, (board, (low, high))) in ranks.zip(piece.boards.iter().zip(scores)) {
                write!(out, "{rank}")?;
                board.houses().iter().try_for_each(|count| write!(out, ",{count}"))?;
                writeln!(out, ",{low},{high}")?;
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<Vec<Exported>> {
        Ok(vec![self.file.finish(self.layer)?])
    }
}
