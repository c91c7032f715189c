//! Whole layers from tables, every position at once.

use crate::error::Result;
use crate::game::{Rules, Seeds};
use crate::solver::{InMemory, Kernel, Solver};

use super::Tables;

impl Tables {
    /// Reads the scores of all layers from 0 to `most` seeds into memory: a byte for each position
    /// and bound. A table is complete only with those below it, hence all of them.
    ///
    /// Position by position it is slower, but takes little memory: a
    /// [`Prober`](super::Prober) and [`Layer::boards`](crate::layer::Layer::boards).
    ///
    /// # Errors
    /// [`Error::MissingTable`](crate::Error::MissingTable) if one of the tables is not there, and
    /// whatever is wrong with one that is.
    pub fn load(&self, rules: &'static Rules, most: Seeds) -> Result<InMemory> {
        let mut layers = InMemory::default();
        let mut solver = Solver::new(rules, Kernel::best());
        for seeds in most.up_to() {
            let table = self.require(rules, seeds)?;
            let stored = table.load_stored()?;
            layers.push(solver.complete(stored, table.settlement()?, &layers)?);
        }
        Ok(layers)
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::game::{ABAPA, AWARI, Rules, Seeds};
    use crate::probe::Tables;
    use crate::solver::{InMemory, Kernel, Solver, Unobserved};
    use crate::table::{WriteOptions, write};

    fn built(rules: &'static Rules, most: Seeds, dir: &std::path::Path) -> InMemory {
        let (mut solver, mut layers) = (Solver::new(rules, Kernel::best()), InMemory::default());
        for seeds in most.up_to() {
            let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
            write(dir, rules, &solved, WriteOptions::default()).unwrap();
            layers.push(solved);
        }
        layers
    }

    #[test]
    fn layers_come_back_as_they_were_solved() {
        let most = Seeds::new(8).unwrap();
        for rules in [&ABAPA, &AWARI] {
            let dir = tempfile::tempdir().unwrap();
            let solved = built(rules, most, dir.path());
            let tables = Tables::open(dir.path()).unwrap();
            let loaded = tables.load(rules, most).unwrap();
            for (loaded, solved) in loaded.layers().iter().zip(solved.layers()) {
                assert_eq!((&loaded.low, loaded.high()), (&solved.low, solved.high()));
            }
            assert_eq!(loaded.layers().len(), 9);
            let missing = tables.load(rules, Seeds::new(9).unwrap());
            assert!(matches!(missing, Err(Error::MissingTable { seeds: 9, .. })));
        }
    }
}
