//! The solved layers a build can reach for: in memory while they fit under the ceiling, else aside
//! in files without a name, which are gone when the program is.
//!
//! The solver asks once for each layer below the one it solves. So every byte that stays in memory
//! saves the same work, and which layers stay hardly matters; small ones are kept first. Room for
//! the largest is left free, to hold whichever has to be fetched. Layers that were there before come
//! from their tables, once: a table needs what captures bring to be complete, and so all layers below.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_db::error::{Error, Result};
use oware_db::game::{Rules, Seeds};
use oware_db::layer::{Layer, Plane, Solved};
use oware_db::probe::Tables;
use oware_db::solver::{Kernel, Layers, Solver, marks, memory, planes};

/// The program itself, and its buffers for decoding and compressing.
const PROGRAM: u64 = 50_000_000;

/// What is built: the sheet, and whether tables get strategies.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub rules: &'static Rules,
    pub strategies: bool,
}

impl Wanted {
    /// What solving a layer takes when the layers below stay on disk.
    pub fn least_memory(self, seeds: Seeds) -> u64 {
        let below = below(seeds);
        self.solving(seeds) + below.map_or(0, |below| size(self.rules, below))
    }

    /// What it takes with all layers below in memory, the last of them still being written.
    pub fn most_memory(self, seeds: Seeds) -> u64 {
        let stamps = |layer| if self.strategies { Plane::memory(layer) } else { 0 };
        let beside = |below| stamps(Layer::of(self.rules, below)) + marks(self.rules, below);
        let written = below(seeds).map_or(0, beside);
        self.solving(seeds) + all_below(self.rules, seeds) + written
    }

    /// How many of the smallest layers stay in memory under a ceiling while this one is being solved;
    /// the others are aside.
    fn staying(self, seeds: Seeds, ceiling: u64) -> usize {
        if self.most_memory(seeds) <= ceiling {
            return seeds.get();
        }
        let mut room = ceiling.saturating_sub(self.least_memory(seeds));
        let mut fits = |below: &Seeds| {
            let left = room.checked_sub(size(self.rules, *below));
            room = left.unwrap_or(room);
            left.is_some()
        };
        seeds.below().take_while(|below| fits(below)).count()
    }

    /// Bytes of disk for what is aside meanwhile.
    pub fn aside(self, seeds: Seeds, ceiling: u64) -> u64 {
        seeds.below().skip(self.staying(seeds, ceiling)).map(|below| size(self.rules, below)).sum()
    }

    fn solving(self, seeds: Seeds) -> u64 {
        PROGRAM + memory(self.rules, seeds, self.strategies)
    }
}

fn below(seeds: Seeds) -> Option<Seeds> {
    seeds.up_to().rev().nth(1)
}

fn all_below(rules: &Rules, seeds: Seeds) -> u64 {
    seeds.up_to().rev().skip(1).map(|below| size(rules, below)).sum()
}

fn size(rules: &Rules, seeds: Seeds) -> u64 {
    planes(rules) * Plane::memory(Layer::of(rules, seeds))
}

/// Solved layers, in memory or aside, and the tables of others.
pub struct Shelf {
    wanted: Wanted,
    tables: Tables,
    ceiling: u64,
    layers: Mutex<BTreeMap<Seeds, Kept>>,
    /// Layers with fewer seeds than this stay in memory once they are here.
    staying: usize,
    /// Completes what tables hold.
    completing: Mutex<Solver>,
}

/// A solved layer.
enum Kept {
    Here(Arc<Solved>),
    Aside(Aside),
}

impl Shelf {
    /// An empty one beside the tables of a directory.
    pub fn new(wanted: Wanted, tables: Tables, ceiling: u64) -> Shelf {
        let completing = Mutex::new(Solver::new(wanted.rules, Kernel::best()));
        Shelf { wanted, tables, ceiling, layers: Mutex::default(), staying: 0, completing }
    }

    /// Whether solving this layer leaves room for all layers below.
    pub fn fits_all_below(&self, seeds: Seeds) -> bool {
        self.wanted.most_memory(seeds) <= self.ceiling
    }

    /// Puts aside what there is no room for while a layer is being solved.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn make_room_for(&mut self, seeds: Seeds) -> Result<()> {
        self.staying = self.wanted.staying(seeds, self.ceiling);
        for (below, kept) in self.layers().iter_mut() {
            if let Kept::Here(solved) = kept
                && below.get() >= self.staying
            {
                *kept = Kept::Aside(self.put_aside(solved)?);
            }
        }
        Ok(())
    }

    /// Takes a layer that has just been solved.
    pub fn put(&mut self, solved: Arc<Solved>) {
        self.layers().insert(solved.layer().seeds(), Kept::Here(solved));
    }

    fn layers(&self) -> MutexGuard<'_, BTreeMap<Seeds, Kept>> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_aside(&self, solved: &Solved) -> Result<Aside> {
        Aside::new(solved, self.tables.dir())
            .map_err(Error::io("putting a layer aside in", self.tables.dir()))
    }

    /// The layer, if it has been asked for before or solved.
    fn kept(&self, seeds: Seeds) -> Result<Option<Arc<Solved>>> {
        match self.layers().get(&seeds) {
            None => Ok(None),
            Some(Kept::Here(solved)) => Ok(Some(solved.clone())),
            Some(Kept::Aside(aside)) => {
                let solved = aside
                    .fetch()
                    .map_err(Error::io("reading a layer put aside in", self.tables.dir()))?;
                Ok(Some(Arc::new(solved)))
            }
        }
    }

    /// The layer that a table holds.
    fn load(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        let stored = self.tables.require(self.wanted.rules, seeds)?.load_stored()?;
        // Those below that nobody has asked for yet come first: a solver completes one layer at a time.
        let unasked: Vec<Seeds> =
            seeds.below().filter(|below| !self.layers().contains_key(below)).collect();
        unasked.into_iter().try_for_each(|below| self.solved(below).map(drop))?;
        let mut completing = self.completing.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::new(completing.complete(stored, self)?))
    }
}

impl Layers for Shelf {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        if let Some(solved) = self.kept(seeds)? {
            return Ok(solved);
        }
        let solved = self.load(seeds)?;
        let kept = match seeds.get() < self.staying {
            true => Kept::Here(solved.clone()),
            false => Kept::Aside(self.put_aside(&solved)?),
        };
        self.layers().insert(seeds, kept);
        Ok(solved)
    }
}

/// A solved layer in a file without a name.
struct Aside {
    file: File,
    layer: Layer,
    has_high: bool,
}

impl Aside {
    fn new(solved: &Solved, dir: &std::path::Path) -> io::Result<Aside> {
        let file = tempfile::tempfile_in(dir)?;
        let mut out = BufWriter::new(&file);
        solved.low.write_to(&mut out)?;
        solved.high.as_ref().map_or(Ok(()), |high| high.write_to(&mut out))?;
        out.flush()?;
        drop(out);
        Ok(Aside { file, layer: solved.layer(), has_high: solved.high.is_some() })
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
    use oware_db::game::{ABAPA, AWARI};
    use oware_db::solver::{InMemory, Unobserved};

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: true };

    fn shelf(ceiling: u64) -> Shelf {
        let tables = Tables::open("no such directory").unwrap();
        Shelf::new(WANTED, tables, ceiling)
    }

    #[test]
    fn what_stays_fits_under_the_ceiling() {
        let seeds = Seeds::new(14).unwrap();
        let (least, most) = (WANTED.least_memory(seeds), WANTED.most_memory(seeds));
        for ceiling in (least..most).step_by(100_000) {
            let mut shelf = shelf(ceiling);
            shelf.make_room_for(seeds).unwrap();
            assert!(shelf.staying <= 14);
            let staying: u64 =
                seeds.up_to().take(shelf.staying).map(|below| size(&AWARI, below)).sum();
            assert!(least + staying <= ceiling);
        }
        let mut roomy = shelf(most);
        roomy.make_room_for(seeds).unwrap();
        assert_eq!(roomy.staying, 14);
    }

    #[test]
    fn a_layer_that_is_nowhere_is_missing() {
        assert!(matches!(shelf(0).solved(Seeds::ZERO), Err(Error::MissingTable { seeds: 0, .. })));
    }

    #[test]
    fn layers_come_back_from_aside() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path()).unwrap();
        let mut shelf = Shelf::new(Wanted { rules: &ABAPA, strategies: false }, tables, 0);
        let (mut solver, mut layers) = (Solver::new(&ABAPA, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(8).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
            shelf.put(layers.layers()[seeds.get()].clone());
            shelf.make_room_for(seeds).unwrap();
            assert!(matches!(shelf.layers()[&seeds], Kept::Aside(_)));
        }
        for solved in layers.layers() {
            let fetched = shelf.solved(solved.layer().seeds()).unwrap();
            assert!(fetched.low == solved.low && fetched.high == solved.high);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
