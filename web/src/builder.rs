//! Tables built on the spot, a layer at a time.

use std::collections::HashMap;

use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{self, WriteOptions};
use oware_db::{Error, Rules, Seeds};

/// What builds the layers of each sheet.
#[derive(Default)]
pub struct Builders(HashMap<&'static str, Builder>);

/// What builds the layers of a sheet, with those that it has built.
pub struct Builder {
    rules: &'static Rules,
    solver: Solver,
    layers: InMemory,
    next: usize,
}

/// A layer that has been built.
pub struct Built {
    /// Seeds on the board.
    pub seeds: u32,
    /// The name of its file.
    pub name: String,
    /// Its file.
    pub bytes: Vec<u8>,
}

impl Builders {
    /// Returns the builder of a sheet.
    pub fn of(&mut self, rules: &'static Rules) -> &mut Builder {
        self.0.entry(rules.id).or_insert_with(|| Builder {
            rules,
            solver: Solver::new(rules, Kernel::best()),
            layers: InMemory::default(),
            next: 0,
        })
    }
}

impl Builder {
    /// Returns whether all layers to so many seeds are built.
    pub fn has_built(&self, seeds: i32) -> bool {
        seeds < self.next as i32
    }

    /// Builds the next layer.
    ///
    /// # Errors
    /// [`Error::Usage`] above 48 seeds, and those of the solver.
    pub fn next(&mut self) -> Result<Built, Error> {
        let beyond = || Error::Usage("the game has 48 seeds".to_owned());
        let seeds = Seeds::new(self.next).ok_or_else(beyond)?;
        let solved = self.solver.solve(seeds, &self.layers, &Unobserved)?;
        let bytes = table::to_bytes(self.rules, &solved, WriteOptions::default())?;
        self.layers.push(solved);
        self.next += 1;
        let name = table::file_name(self.rules, seeds);
        Ok(Built { seeds: seeds.get() as u32, name, bytes })
    }
}
