//! A directory of tables of the games beside Oware.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::layer::general::GeneralLayer;
use crate::table::general::{GeneralTable, file_name, named_layer};

/// Files of layers by their names, opened when they are first needed.
type Opened = HashMap<String, Arc<GeneralTable>>;

/// A directory of tables. Clones share the open files.
#[derive(Clone, Debug)]
pub struct GeneralTables {
    dir: PathBuf,
    open: Arc<Mutex<Opened>>,
}

impl GeneralTables {
    /// Opens the tables of `dir`, which need not exist: it has no tables then.
    pub fn open(dir: impl Into<PathBuf>) -> GeneralTables {
        GeneralTables { dir: dir.into(), open: Arc::default() }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Lists the layers of a sheet that have a file, by owners and then by seeds.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be listed.
    pub fn available(&self, sheet: &Sheet) -> Result<Vec<GeneralLayer>> {
        let listing = match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing.map_err(Error::io("listing", &self.dir))?,
        };
        let mut found = Vec::new();
        for entry in listing {
            let name = entry.map_err(Error::io("listing", &self.dir))?.file_name();
            let layer = name.to_str().and_then(named_layer);
            found.extend(layer.filter(|layer| layer.sheet() == sheet));
        }
        found.sort_by_key(|layer| (layer.owners(), layer.seeds()));
        Ok(found)
    }

    /// Returns the table of a layer; `None` if there is none.
    ///
    /// # Errors
    /// Whatever is wrong with the file.
    pub fn table(&self, layer: &GeneralLayer) -> Result<Option<Arc<GeneralTable>>> {
        let name = file_name(layer);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&name) {
            return Ok(Some(table.clone()));
        }
        let path = self.dir.join(&name);
        if !path.exists() {
            return Ok(None);
        }
        let table = Arc::new(GeneralTable::open(&path, layer)?);
        open.insert(name, table.clone());
        Ok(Some(table))
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
        let rules = layer.sheet().id.to_owned();
        Error::MissingTable { dir: self.dir.clone(), rules, seeds: layer.seeds() }
    }
}
