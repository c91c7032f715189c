//! The solved layers a build can reach for: in memory while they fit under the ceiling, else
//! spilled to files without a name, which are gone when the program is.
//!
//! The solver asks once for each layer below the one it solves. So every byte that stays in memory
//! saves the same work, and which layers stay hardly matters; small ones are kept first. Whichever
//! has to be fetched is held where the new layer's scores will be. Layers that were there before
//! come from their tables, once: a table needs what captures bring to be complete, and so all
//! layers below.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::layer::{Layer, Plane, Solved};
use oware_db::probe::Tables;
use oware_db::solver::{Kernel, Layers, Solver};

use super::wanted::Wanted;

/// Solved layers, in memory or spilled, and the tables of others.
pub struct LayerStore {
    wanted: Wanted,
    tables: Tables,
    ceiling: u64,
    layers: Mutex<BTreeMap<Seeds, Stored>>,
    /// Layers with fewer seeds than this stay in memory once they are here.
    staying: usize,
    /// Whether nobody wants layers any more.
    stop: Arc<AtomicBool>,
}

/// A solved layer.
enum Stored {
    InMemory(Arc<Solved>),
    Spilled(Spilled),
}

impl LayerStore {
    /// Creates an empty store beside the tables of a directory. It gives no more layers when `stop`
    /// is set, which ends the completion of a layer, too.
    pub fn new(wanted: Wanted, tables: Tables, ceiling: u64, stop: Arc<AtomicBool>) -> LayerStore {
        LayerStore { wanted, tables, ceiling, layers: Mutex::default(), staying: 0, stop }
    }

    /// Returns the bytes that layers being encoded may hold while this one is being solved.
    pub fn room_for_encoding(&self, seeds: Seeds) -> u64 {
        self.wanted.room_for_encoding(seeds, self.ceiling)
    }

    /// Spills what there is no room for while a layer is being solved.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn make_room_for(&mut self, seeds: Seeds) -> Result<()> {
        self.staying = self.wanted.staying(seeds, self.ceiling);
        for (below, stored) in self.layers().iter_mut() {
            if let Stored::InMemory(solved) = stored
                && below.get() >= self.staying
            {
                *stored = Stored::Spilled(self.spill(solved)?);
            }
        }
        Ok(())
    }

    /// Adds a layer that has just been solved.
    pub fn put(&mut self, solved: Arc<Solved>) {
        self.layers().insert(solved.layer().seeds(), Stored::InMemory(solved));
    }

    fn layers(&self) -> MutexGuard<'_, BTreeMap<Seeds, Stored>> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spill(&self, solved: &Solved) -> Result<Spilled> {
        Spilled::new(solved, self.tables.dir())
            .map_err(Error::io("spilling a layer to", self.tables.dir()))
    }

    /// Returns the layer, if it has been asked for before or solved.
    fn stored(&self, seeds: Seeds) -> Result<Option<Arc<Solved>>> {
        match self.layers().get(&seeds) {
            None => Ok(None),
            Some(Stored::InMemory(solved)) => Ok(Some(solved.clone())),
            Some(Stored::Spilled(spilled)) => {
                let solved = spilled
                    .fetch()
                    .map_err(Error::io("reading a layer spilled to", self.tables.dir()))?;
                Ok(Some(Arc::new(solved)))
            }
        }
    }

    /// Reads the tables of a layer and of all below that nobody has asked for yet: a table is
    /// completed by what captures bring. The plans for that are not needed afterwards.
    fn load_up_to(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        let mut solver = Solver::new(self.wanted.rules, Kernel::best());
        for below in seeds.up_to().take(seeds.get()) {
            if !self.layers().contains_key(&below) {
                self.load(below, &mut solver)?;
            }
        }
        self.load(seeds, &mut solver)
    }

    /// Reads the table of a layer when all below have been read.
    fn load(&self, seeds: Seeds, solver: &mut Solver) -> Result<Arc<Solved>> {
        let table = self.tables.require(self.wanted.rules, seeds)?;
        let solved = solver.complete(table.load_stored()?, table.settlement()?, self)?;
        let solved = Arc::new(solved);
        let stored = if seeds.get() < self.staying {
            Stored::InMemory(solved.clone())
        } else {
            Stored::Spilled(self.spill(&solved)?)
        };
        self.layers().insert(seeds, stored);
        Ok(solved)
    }
}

impl Layers for LayerStore {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        match self.stored(seeds)? {
            Some(solved) => Ok(solved),
            None => self.load_up_to(seeds),
        }
    }
}

/// A solved layer in a file without a name.
struct Spilled {
    file: File,
    layer: Layer,
    has_high: bool,
}

impl Spilled {
    fn new(solved: &Solved, dir: &Path) -> io::Result<Spilled> {
        let file = tempfile::tempfile_in(dir)?;
        let mut out = BufWriter::new(&file);
        solved.low.write_to(&mut out)?;
        if let Some(high) = &solved.high {
            high.write_to(&mut out)?;
        }
        out.flush()?;
        drop(out);
        Ok(Spilled { file, layer: solved.layer(), has_high: solved.high.is_some() })
    }

    fn fetch(&self) -> io::Result<Solved> {
        let mut input = BufReader::new(&self.file);
        input.rewind()?;
        let low = Plane::read_from(self.layer, &mut input)?;
        let high = self.has_high.then(|| Plane::read_from(self.layer, &mut input)).transpose()?;
        Ok(Solved { low, high, strategy: None, attained: None, knots: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::build::wanted::size;
    use oware_db::game::{ABAPA, AWARI};
    use oware_db::solver::{InMemory, Unobserved};
    use oware_db::table::{Contents, WriteOptions, write};

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: true };

    fn store(ceiling: u64) -> LayerStore {
        let tables = Tables::open("no such directory").unwrap();
        LayerStore::new(WANTED, tables, ceiling, Arc::default())
    }

    #[test]
    fn what_stays_fits_under_the_ceiling() {
        let seeds = Seeds::new(14).unwrap();
        let (least, most) = (WANTED.least_memory(seeds), WANTED.most_memory(seeds));
        for ceiling in (least..most).step_by(100_000) {
            let mut store = store(ceiling);
            store.make_room_for(seeds).unwrap();
            assert!(store.staying <= 14);
            let staying: u64 =
                seeds.up_to().take(store.staying).map(|below| size(&AWARI, below)).sum();
            assert!(least + staying <= ceiling);
        }
        let mut roomy = store(most);
        roomy.make_room_for(seeds).unwrap();
        assert_eq!(roomy.staying, 14);
    }

    #[test]
    fn a_layer_that_is_nowhere_is_missing() {
        assert!(matches!(store(0).solved(Seeds::ZERO), Err(Error::MissingTable { seeds: 0, .. })));
    }

    /// Whoever completes a layer that has a table asks for those below, one after the other.
    #[test]
    fn what_is_stopped_gets_no_more_layers() {
        let dir = tempfile::tempdir().unwrap();
        let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(8).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
            let solved = &layers.layers()[seeds.get()];
            let contents = Contents {
                solved,
                strategy: solved.strategy.as_ref(),
                attained: solved.attained.as_ref(),
            };
            write(dir.path(), &AWARI, contents, WriteOptions::default()).unwrap();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let tables = Tables::open(dir.path()).unwrap();
        let store = LayerStore::new(WANTED, tables, u64::MAX, stop.clone());
        let two = Seeds::new(2).unwrap();
        assert!(store.solved(two).is_ok());
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(store.solved(two), Err(Error::Interrupted)));
        let complete = store.tables.require(&AWARI, Seeds::new(8).unwrap()).unwrap();
        let complete = complete.load_stored().unwrap();
        assert!(matches!(solver.complete(complete, None, &store), Err(Error::Interrupted)));
    }

    #[test]
    fn spilled_layers_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path()).unwrap();
        let mut store =
            LayerStore::new(Wanted { rules: &ABAPA, strategies: false }, tables, 0, Arc::default());
        let (mut solver, mut layers) = (Solver::new(&ABAPA, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(8).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
            store.put(layers.layers()[seeds.get()].clone());
            store.make_room_for(seeds).unwrap();
            assert!(matches!(store.layers()[&seeds], Stored::Spilled(_)));
        }
        for solved in layers.layers() {
            let fetched = store.solved(solved.layer().seeds()).unwrap();
            assert!(fetched.low == solved.low && fetched.high == solved.high);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
