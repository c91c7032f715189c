//! A directory of tables of the other games.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::layer::general::GeneralLayer;
use crate::probe::opened::{Opened, Place, existing};
use crate::probe::tables::Tables;
use crate::table::general::{GeneralTable, file_name, named_layer};

/// A directory of tables, or several, as [`Tables`]. Clones share the open files.
#[derive(Clone, Debug)]
pub struct GeneralTables(Arc<Opened<(&'static str, u32, usize), GeneralTable>>);

impl GeneralTables {
    /// Opens the tables of `dir`.
    ///
    /// # Errors
    /// [`Error::NoDirectory`] if there is none, [`Error::Io`] if `dir` is something else or the
    /// system refuses.
    pub fn open(dir: impl Into<PathBuf>) -> Result<GeneralTables> {
        existing(dir.into()).map(GeneralTables::open_early)
    }

    /// Opens the tables of a directory that need not exist yet, as builders do: until someone makes
    /// it there are none.
    pub fn open_early(dir: impl Into<PathBuf>) -> GeneralTables {
        GeneralTables(Arc::new(Opened::new(dir.into())))
    }

    /// Opens those in the same directory or on the same shelf as tables of Oware.
    pub fn beside(tables: &Tables) -> GeneralTables {
        match tables.shelf() {
            Some(shelf) => {
                GeneralTables(Arc::new(Opened::on_shelf(tables.dir().to_owned(), shelf)))
            }
            None => GeneralTables::open_early(tables.dir()),
        }
    }

    /// Returns the directory, or the path that names several.
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Lists the layers of a sheet that have a file, by owners and then by seeds.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be listed.
    pub fn available(&self, sheet: &Sheet) -> Result<Vec<GeneralLayer>> {
        let named = |name: &str| named_layer(name).filter(|layer| layer.sheet() == sheet);
        self.0.named(named, |layer| (layer.owners(), layer.seeds()))
    }

    /// Returns the table of a layer; `None` if there is none.
    ///
    /// # Errors
    /// Whatever is wrong with the file.
    pub fn table(&self, layer: &GeneralLayer) -> Result<Option<Arc<GeneralTable>>> {
        let key = (layer.sheet().id, layer.owners(), layer.seeds());
        self.0.get(key, &file_name(layer), |place| match place {
            Place::File(path) => GeneralTable::open(path, layer),
            Place::OnShelf(shelf, path) => GeneralTable::on_shelf(shelf, path, layer),
        })
    }

    /// Returns the table of a layer.
    ///
    /// # Errors
    /// [`Error::MissingTable`] if there is none, and whatever is wrong with the file.
    pub fn require(&self, layer: &GeneralLayer) -> Result<Arc<GeneralTable>> {
        self.table(layer)?.ok_or_else(|| self.missing(layer))
    }

    /// Returns the error of a layer without a table.
    pub fn missing(&self, layer: &GeneralLayer) -> Error {
        self.0.missing(layer.sheet().id, layer.seeds())
    }
}
