//! The layers of tables that are there, for commands that look at all positions.

use std::path::Path;
use std::sync::Arc;

use oware_db::error::Result;
use oware_db::game::{Rules, Seeds};
use oware_db::layer::Solved;
use oware_db::probe::Tables;
use oware_db::solver::{Layers, Lower};

use super::layer_store::LayerStore;
use super::means::Means;
use super::{scratch, wanted::Wanted};

/// Of memory, the part that layers take which stay there.
const SHARE: u64 = 2;

/// Layers that come from tables, in memory or, as far as they do not fit, in files without a name.
pub struct TableStore {
    store: LayerStore,
    memory: u64,
}

impl TableStore {
    /// Returns the layers of up to this many seeds, under a ceiling on memory or with three
    /// quarters of what is free; the files are in their own directory or in that of the tables.
    ///
    /// # Errors
    /// [`Error::Io`](oware_db::error::Error::Io) if that directory takes no files.
    pub fn of(
        tables: &Tables,
        rules: &'static Rules,
        largest: Seeds,
        memory: Option<u64>,
        dir: Option<&Path>,
    ) -> Result<TableStore> {
        let memory = Means::of(memory, tables.dir())?.memory;
        let dir = dir.map_or(Ok(tables.dir()), scratch::made)?.to_owned();
        let wanted = Wanted { rules, strategies: false, game: None, ranks: None };
        let mut store = LayerStore::new(wanted, tables.clone(), dir, memory, Arc::default());
        store.keep(largest, memory / SHARE);
        Ok(TableStore { store, memory })
    }

    /// Returns the bytes of memory that all may take.
    pub fn memory(&self) -> u64 {
        self.memory
    }
}

impl Layers for TableStore {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        self.store.solved(seeds)
    }

    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        self.store.lower(seeds)
    }
}
