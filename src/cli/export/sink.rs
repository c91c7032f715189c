//! What every format of an export does: it takes a layer piece by piece and makes files of it.

use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::{Rules, Seeds};
use oware_db::layer::Layer;

use super::stream::Piece;

/// Files of a layer in some format, as they are being written.
pub trait Sink {
    /// Takes the next piece of the layer.
    fn put(&mut self, piece: &Piece) -> Result<()>;

    /// Ends the files, and returns what has been written.
    fn finish(self: Box<Self>) -> Result<Vec<Exported>>;
}

/// A file that has been written.
#[derive(Serialize)]
pub struct Exported {
    pub file: String,
    pub seeds: Seeds,
    pub positions: u64,
    pub bytes: u64,
}

/// Returns the name of a file of a layer, without what comes before and after.
pub fn stem(rules: &Rules, layer: Layer) -> String {
    format!("{}-{:02}", rules.id, layer.seeds().get())
}
