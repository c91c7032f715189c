//! The solved layers a build can reach for: in memory while they fit under the ceiling, else on
//! disk as a [`Stream`].
//!
//! The solver asks once for each layer below the one it solves. So every byte that stays in memory
//! saves the same work, and which layers stay hardly matters; small ones are kept first. Of any
//! other, some blocks at a time are read to where the new layer's scores will be. Layers that were
//! there before come from their tables, once: a table needs the values of captures to be complete,
//! and so all layers below. That happens before the new layer takes any memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::layer::{Plane, Solved, Spill};
use crate::pool::locked;
use crate::probe::Tables;
use crate::solver::cluster::JointSolver;
use crate::solver::{Bound, Kernel, Layers, Lower, Solver, Storage, Streamed, Unobserved, Way};

use super::heap;
use super::means::Means;
use super::scratch::{self, Spilling};
use super::stream::Stream;
use super::wanted::{PROGRAM, Wanted};

/// Solved layers, in memory or on disk, and the tables of others.
pub struct LayerStore {
    wanted: Wanted,
    tables: Tables,
    /// Where streams are.
    scratch: PathBuf,
    /// Where scores of the layer being solved are, if not in memory: it keeps to the ceiling.
    pub spill: Spill,
    pub ceiling: u64,
    layers: Mutex<BTreeMap<Seeds, Lower>>,
    /// Layers with fewer seeds than this stay in memory once they are here.
    staying: usize,
    /// Whether layers are no longer needed.
    stop: Arc<AtomicBool>,
}

impl LayerStore {
    /// Creates an empty store for the tables of a directory, with its streams in another. It
    /// gives no more layers when `stop` is set, which ends the completion of a layer, too.
    pub fn new(
        wanted: Wanted,
        tables: Tables,
        scratch: PathBuf,
        ceiling: u64,
        stop: Arc<AtomicBool>,
    ) -> LayerStore {
        let spill = Spill::new(Spilling::new(scratch.clone(), ceiling));
        let (layers, staying) = (Mutex::default(), 0);
        LayerStore { wanted, tables, scratch, spill, ceiling, layers, staying, stop }
    }

    /// Returns where scores and captures are kept while this process solves a layer.
    pub fn storage(&self, seeds: Seeds) -> Storage {
        if self.wanted.has_plenty(seeds, self.ceiling) {
            return Storage::Plenty;
        }
        heap::give_back_at_once();
        Storage::Bounded(self.wanted.way(seeds, self.ceiling), self.spill.clone())
    }

    /// Returns the bytes of the layers in memory.
    fn held(&self) -> u64 {
        let held = |(below, stored): (&Seeds, &Lower)| match stored {
            Lower::Whole(_) => self.wanted.size(*below),
            Lower::Streamed(_) => 0,
        };
        locked(&self.layers).iter().map(held).sum()
    }

    /// Returns the bytes of memory that are left when a layer has been solved and is being encoded.
    pub fn room_beside(&self, seeds: Seeds) -> u64 {
        self.room().saturating_sub(self.held() + self.wanted.encoding(seeds))
    }

    /// Puts on disk what there is no room for while a layer is being solved, and gets from tables
    /// what it needs of the layers below.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses, and what is wrong with a table.
    pub fn make_room_for(&mut self, seeds: Seeds) -> Result<()> {
        self.staying = self.wanted.staying(seeds, self.ceiling);
        for (below, stored) in locked(&self.layers).iter_mut() {
            if let Lower::Whole(solved) = stored
                && below.get() >= self.staying
            {
                *stored = Lower::Streamed(Arc::new(Stream::of(solved, &self.scratch)?));
            }
        }
        // Captures lead into layers of no more seeds than this.
        let reached = seeds.get().checked_sub(self.wanted.rules.least_capture());
        reached.and_then(Seeds::new).map_or(Ok(()), |reached| self.load_up_to(reached))
    }

    /// Returns the layers of tables of up to this many seeds, under a limit of memory or with three
    /// quarters of what is free: in half of that as far as they fit, others in files without a name, in
    /// a directory of their own or next to the tables.
    ///
    /// # Errors
    /// [`Error::Io`] if that directory takes no files.
    pub fn of_tables(
        tables: &Tables,
        rules: &'static Rules,
        largest: Seeds,
        memory: Option<u64>,
        dir: Option<&Path>,
    ) -> Result<LayerStore> {
        let ceiling = Means::of(memory, tables.dir(), None)?.memory;
        let dir = dir.map_or(Ok(tables.dir()), scratch::made)?.to_owned();
        let wanted = Wanted { rules, strategies: false, game: None, ranks: None };
        let mut store = LayerStore::new(wanted, tables.clone(), dir, ceiling, Arc::default());
        store.staying = wanted.fitting(largest.up_to(), store.room() / 2);
        Ok(store)
    }

    /// Returns the bytes of memory that layers and what is made of them may take.
    pub fn room(&self) -> u64 {
        self.ceiling.saturating_sub(PROGRAM)
    }

    /// Adds a layer that ranks have just solved: in memory if it is to stay there while the next one is
    /// solved, or else on disk, block by block.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses, and those of the network.
    pub fn put_spread(&mut self, seeds: Seeds, solver: &JointSolver) -> Result<()> {
        let next = Seeds::new(seeds.get() + 1);
        if next.is_none_or(|next| self.wanted.staying(next, self.ceiling) > seeds.get()) {
            self.put(Arc::new(solver.whole()?));
            return Ok(());
        }
        let layer = self.wanted.layer(seeds);
        let stream = Stream::of_pieces(layer, &self.scratch, |feed| {
            solver.each_block(&mut |bound, bytes| feed.take(bound, bytes))
        })?;
        locked(&self.layers).insert(seeds, Lower::Streamed(Arc::new(stream)));
        Ok(())
    }

    /// Adds a layer that has just been solved.
    pub fn put(&mut self, solved: Arc<Solved>) {
        locked(&self.layers).insert(solved.layer().seeds(), Lower::Whole(solved));
    }

    /// Reads the tables of a layer and of all below that are not here yet: a table is completed by
    /// the values of captures. The plans for that are not needed afterwards.
    fn load_up_to(&self, seeds: Seeds) -> Result<()> {
        let mut solver = Solver::new(self.wanted.rules, Kernel::best());
        for below in seeds.up_to() {
            if !locked(&self.layers).contains_key(&below) {
                self.load(below, &mut solver)?;
            }
        }
        Ok(())
    }

    /// Reads the table of a layer when all below have been read.
    fn load(&self, seeds: Seeds, solver: &mut Solver) -> Result<()> {
        let table = self.tables.require(self.wanted.rules, seeds)?;
        // Where its scores are while it is completed, in addition to all captures.
        let storage = match self.wanted.way(seeds, self.ceiling.saturating_sub(self.held())) {
            Way::InMemory => Storage::Plenty,
            _ => Storage::Bounded(Way::ScoresOnDisk, self.spill.clone()),
        };
        solver.keep_in(storage.clone());
        let stored = table.load_stored_in(&storage.arena().unwrap_or_default())?;
        let solved = solver.complete(stored, table.settlement()?, self, &Unobserved)?;
        let stored = if seeds.get() < self.staying {
            Lower::Whole(Arc::new(solved))
        } else {
            Lower::Streamed(Arc::new(Stream::of(&solved, &self.scratch)?))
        };
        locked(&self.layers).insert(seeds, stored);
        Ok(())
    }
}

impl Layers for LayerStore {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        match self.lower(seeds)? {
            Lower::Whole(solved) => Ok(solved),
            Lower::Streamed(layer) => whole(&*layer).map(Arc::new),
        }
    }

    /// Returns the layer, from its table if it has not been wanted before.
    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let stored = || locked(&self.layers).get(&seeds).cloned();
        if let Some(lower) = stored() {
            return Ok(lower);
        }
        self.load_up_to(seeds)?;
        Ok(stored().expect("it has been loaded"))
    }
}

/// Reads a whole layer.
fn whole(layer: &dyn Streamed) -> Result<Solved> {
    let plane = |bound| {
        let mut plane = Plane::new(layer.layer(), 0)?;
        layer.read(bound, &mut plane)?;
        Ok(plane)
    };
    let high = (!layer.is_exact()).then(|| plane(Bound::High)).transpose()?;
    Ok(Solved { low: plane(Bound::Low)?, high, exceptions: None, attained: None, knots: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, AWARI};
    use crate::solver::InMemory;
    use crate::table::{WriteOptions, write};

    /// Returns a store for the tables of a directory, with streams there, too.
    fn store(dir: &Path, rules: &'static Rules, ceiling: u64) -> LayerStore {
        let wanted = Wanted { rules, strategies: true, game: None, ranks: None };
        let tables = Tables::open_early(dir).unwrap();
        LayerStore::new(wanted, tables, dir.to_owned(), ceiling, Arc::default())
    }

    #[test]
    fn a_layer_that_is_nowhere_is_missing() {
        let found = store(Path::new("no such directory"), &AWARI, 0).solved(Seeds::ZERO);
        assert!(matches!(found, Err(Error::MissingTable { seeds: 0, .. })));
    }

    /// Completing a layer that has a table reads those below, one after the other.
    #[test]
    fn what_is_stopped_gets_no_more_layers() {
        let dir = tempfile::tempdir().unwrap();
        let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(8).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
            let solved = &*layers.layers()[seeds.get()];
            write(dir.path(), &AWARI, solved, WriteOptions::default()).unwrap();
        }
        let (store, two) = (store(dir.path(), &AWARI, u64::MAX), Seeds::new(2).unwrap());
        assert!(store.solved(two).is_ok());
        store.stop.store(true, Ordering::Relaxed);
        assert!(matches!(store.solved(two), Err(Error::Interrupted)));
        let complete = store.tables.require(&AWARI, Seeds::new(8).unwrap()).unwrap();
        let complete = complete.load_stored().unwrap();
        assert!(matches!(
            solver.complete(complete, None, &store, &Unobserved),
            Err(Error::Interrupted)
        ));
    }

    #[test]
    fn layers_come_back_from_disk() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = store(dir.path(), &ABAPA, 0);
        let (mut solver, mut layers) = (Solver::new(&ABAPA, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(8).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
            store.put(layers.layers()[seeds.get()].clone());
            store.make_room_for(seeds).unwrap();
            assert!(matches!(locked(&store.layers)[&seeds], Lower::Streamed(_)));
        }
        for solved in layers.layers() {
            let fetched = store.solved(solved.layer().seeds()).unwrap();
            assert!(fetched.low == solved.low && fetched.high == solved.high);
        }
        // Windows keeps the name of a file until it is closed.
        #[cfg(unix)]
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        drop(store);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
