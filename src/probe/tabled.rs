//! Sheets of any game as a directory of tables sees them: what their layers are, how the files of
//! these are called, and how one is opened.

use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{Rules, Seeds};
use crate::layer::general::GeneralLayer;
use crate::table::general::{self, GeneralTable};
use crate::table::{MISNAMED, Source, Table, file_name, named_seeds};

/// A sheet, of Oware or of another game, whose layers have tables.
pub trait Tabled: 'static {
    /// A layer of the sheet.
    type Layer: Copy;
    /// The table of a layer.
    type Table: Send + Sync + 'static;

    /// Returns the id of the sheet.
    fn id(&self) -> &'static str;

    /// Returns who owns which places in a layer, 0 in Oware, and its seeds.
    fn owners_and_seeds(layer: Self::Layer) -> (u32, usize);

    /// Returns that as text, where not each player's places are the own half.
    fn owners_text(layer: Self::Layer) -> Option<String>;

    /// Returns the name of the file of a layer.
    fn file_name(&self, layer: Self::Layer) -> String;

    /// Returns the layer of the sheet whose file has this name.
    fn named_layer(&self, name: &str) -> Option<Self::Layer>;

    /// Opens the table of a layer.
    #[doc(hidden)]
    fn open(&'static self, layer: Self::Layer, source: Source) -> Result<Self::Table>;
}

impl Tabled for Rules {
    type Layer = Seeds;
    type Table = Table;

    fn id(&self) -> &'static str {
        self.id
    }

    fn owners_and_seeds(layer: Seeds) -> (u32, usize) {
        (0, layer.get())
    }

    fn owners_text(_: Seeds) -> Option<String> {
        None
    }

    fn file_name(&self, layer: Seeds) -> String {
        file_name(self, layer)
    }

    fn named_layer(&self, name: &str) -> Option<Seeds> {
        named_seeds(self, name)
    }

    fn open(&'static self, layer: Seeds, source: Source) -> Result<Table> {
        let table = Table::of(source)?;
        if table.rules() != self || table.seeds() != layer {
            let (id, held) = (table.rules().id, table.seeds());
            let what = format!("it holds the layer of {held} seeds of `{id}`, {MISNAMED}");
            return Err(Error::CorruptTable { path: table.path().to_owned(), what });
        }
        Ok(table)
    }
}

impl Tabled for Sheet {
    type Layer = GeneralLayer;
    type Table = GeneralTable;

    fn id(&self) -> &'static str {
        self.id
    }

    fn owners_and_seeds(layer: GeneralLayer) -> (u32, usize) {
        (layer.owners(), layer.seeds())
    }

    fn owners_text(layer: GeneralLayer) -> Option<String> {
        layer.owners_text()
    }

    fn file_name(&self, layer: GeneralLayer) -> String {
        general::file_name(&layer)
    }

    fn named_layer(&self, name: &str) -> Option<GeneralLayer> {
        general::named_layer(name).filter(|layer| layer.sheet() == self)
    }

    fn open(&'static self, layer: GeneralLayer, source: Source) -> Result<GeneralTable> {
        GeneralTable::of(source, &layer)
    }
}
