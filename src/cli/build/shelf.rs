//! The solved layers a build can reach for: in memory while they fit under the ceiling, else in
//! their tables.
//!
//! The solver asks once for each layer below the one it solves. So every byte that stays in memory
//! saves the same work, and which layers stay hardly matters; small ones are kept first. Room for
//! the largest is left free, to hold whichever has to be fetched.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_db::board::Seeds;
use oware_db::error::{Error, Result};
use oware_db::index::Layer;
use oware_db::probe::Tables;
use oware_db::rules::Rules;
use oware_db::solver::plane::{Plane, Solved};
use oware_db::solver::{memory, planes, ports::Layers};

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
        let below = below(seeds).filter(|_| self.strategies);
        let written = below.map_or(0, |below| Plane::memory(Layer::of(self.rules, below)));
        self.solving(seeds) + all_below(self.rules, seeds) + written
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

/// Solved layers in memory, and the tables of those that are not.
pub struct Shelf {
    wanted: Wanted,
    tables: Tables,
    ceiling: u64,
    layers: Mutex<BTreeMap<Seeds, Arc<Solved>>>,
    /// Layers with fewer seeds than this stay once they are here.
    staying: usize,
}

impl Shelf {
    /// An empty one beside the tables of a directory.
    pub fn new(wanted: Wanted, tables: Tables, ceiling: u64) -> Shelf {
        Shelf { wanted, tables, ceiling, layers: Mutex::default(), staying: 0 }
    }

    /// Whether solving this layer leaves room for all layers below.
    pub fn fits_all_below(&self, seeds: Seeds) -> bool {
        self.wanted.most_memory(seeds) <= self.ceiling
    }

    /// Lets go of what there is no room for while a layer is being solved.
    pub fn make_room_for(&mut self, seeds: Seeds) {
        self.staying = if self.fits_all_below(seeds) { seeds.get() } else { self.staying_beside(seeds) };
        let staying = self.staying;
        self.layers().retain(|below, _| below.get() < staying);
    }

    /// How many of the smallest layers fit beside one that is being solved and one that is fetched.
    fn staying_beside(&self, seeds: Seeds) -> usize {
        let mut room = self.ceiling.saturating_sub(self.wanted.least_memory(seeds));
        let fits = |below: &Seeds| {
            let left = room.checked_sub(size(self.wanted.rules, *below));
            room = left.unwrap_or(room);
            left.is_some()
        };
        seeds.up_to().take_while(fits).count()
    }

    /// Takes a layer that has just been solved.
    pub fn put(&mut self, solved: Arc<Solved>) {
        self.layers().insert(solved.layer().seeds(), solved);
    }

    fn layers(&self) -> MutexGuard<'_, BTreeMap<Seeds, Arc<Solved>>> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        let missing = || Error::MissingTable {
            dir: self.tables.dir().to_owned(),
            rules: self.wanted.rules.id.to_owned(),
            seeds: seeds.get(),
        };
        Ok(Arc::new(self.tables.layer(self.wanted.rules, seeds)?.ok_or_else(missing)?.load()?))
    }
}

impl Layers for Shelf {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        let mut layers = self.layers();
        if let Some(solved) = layers.get(&seeds) {
            return Ok(solved.clone());
        }
        let solved = self.load(seeds)?;
        if seeds.get() < self.staying {
            layers.insert(seeds, solved.clone());
        }
        Ok(solved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_db::rules::AWARI;
    use oware_db::table::Access;

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: true };

    fn shelf(ceiling: u64) -> Shelf {
        let tables = Tables::open("no such directory", Access::default()).unwrap();
        Shelf::new(WANTED, tables, ceiling)
    }

    #[test]
    fn what_stays_fits_under_the_ceiling() {
        let seeds = Seeds::new(14).unwrap();
        let (least, most) = (WANTED.least_memory(seeds), WANTED.most_memory(seeds));
        for ceiling in (least..most).step_by(100_000) {
            let mut shelf = shelf(ceiling);
            shelf.make_room_for(seeds);
            assert!(shelf.staying < 14);
            let staying: u64 = seeds.up_to().take(shelf.staying).map(|below| size(&AWARI, below)).sum();
            assert!(least + staying <= ceiling);
        }
        let mut roomy = shelf(most);
        roomy.make_room_for(seeds);
        assert_eq!(roomy.staying, 14);
    }

    #[test]
    fn a_layer_that_is_nowhere_is_missing() {
        assert!(matches!(shelf(0).solved(Seeds::ZERO), Err(Error::MissingTable { seeds: 0, .. })));
    }
}
