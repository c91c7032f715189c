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
