//! A layer whose claims are being closed, and who has parts of it: sweeps, and where a strategy is
//! looked for the list, until nothing more follows; and single claims, looked at or met in between.

use super::listed::{self, PAYS, Scope};
use super::open::{MOVER, OPPONENT};
use super::search::Company;
use super::sweeps::Sweeps;
use crate::error::Result;
use crate::layer::index::{Cell, Rank};
use crate::layer::strategy::{Exception, Exceptions};

/// What can be said of the claims of a layer.
#[derive(Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Whether all of them are met.
    pub claims_are_met: bool,
    /// Where the strategy that meets them does not make the default move.
    pub exceptions: Exceptions,
}

impl Certificate {
    /// Of exceptions in any order.
    pub(super) fn new(claims_are_met: bool, exceptions: Vec<Exception>) -> Certificate {
        Certificate { claims_are_met, exceptions: Exceptions::new(exceptions) }
    }
}

/// All ranks ask the same of it at the same time, and get the same answers.
pub struct Closing<'a> {
    pub sweeps: Sweeps<'a>,
    pub company: &'a dyn Company,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The lower bound, which the mover claims.
    pub low: i8,
    /// The upper bound: the opponent claims its negative.
    pub high: i8,
    /// Whether the mover's claim is open, and the opponent's.
    pub open: [bool; 2],
}

impl Closing<'_> {
    /// Meets what follows by any tight moves, without a strategy.
    ///
    /// # Errors
    /// Those of the sweeps.
    pub fn close_by_any(&self) -> Result<Certificate> {
        loop {
            let swept = self.sweeps.sweep(self.company)?;
            if swept.open == 0 || swept.met == 0 {
                return Ok(Certificate::new(swept.open == 0, Vec::new()));
            }
        }
    }

    /// Meets all claims that follow by default moves, and returns the positions whose opponent's
    /// claim stays open, as far as they are looked for, smallest index first.
    ///
    /// # Errors
    /// As [`super::close`].
    pub fn close(&self, scope: Scope) -> Result<Vec<Cell>> {
        let (sweeps, company, layer) = (&self.sweeps, self.company, self.sweeps.search.plan.layer);
        loop {
            let swept = sweeps.sweep(company)?;
            if swept.met > layer.positions() / PAYS {
                continue;
            }
            let most = if swept.met > 0 { sweeps.search.means.entries } else { u64::MAX };
            if let Some(found) = listed::finish(sweeps, company, (swept.open, most), scope)? {
                let mut found = company.gather(found)?;
                found.sort_unstable();
                let cell = |index| layer.cell_at(Rank(index)).expect("an index of the layer");
                return Ok(found.into_iter().map(cell).collect());
            }
        }
    }

    /// Returns what is known of some positions.
    ///
    /// # Errors
    /// Those of the company.
    pub fn see(&self, cells: &[Cell]) -> Result<Vec<Seen>> {
        let search = self.sweeps.search;
        let mut seen = Vec::new();
        for (place, &at) in (0..).zip(cells).filter(|(_, cell)| search.has(**cell)) {
            // Cells lie all over the layer.
            search.means.arena.enforce_bound();
            let [low, high] = search.bounds(at).map(i8::cast_unsigned);
            let open = [MOVER, OPPONENT].map(|claim| u8::from(self.sweeps.is_open(at, claim)));
            let known = u32::from_le_bytes([low, high, open[MOVER], open[OPPONENT]]);
            seen.extend([place, u64::from(known)]);
        }
        let mut all = vec![Seen { low: 0, high: 0, open: [false; 2] }; cells.len()];
        for &[place, known] in self.company.gather(seen)?.as_chunks().0 {
            let [low, high, movers, opponents, ..] = known.to_le_bytes();
            let [low, high] = [low, high].map(u8::cast_signed);
            all[place as usize] = Seen { low, high, open: [movers, opponents].map(|is| is == 1) };
        }
        Ok(all)
    }

    /// Takes claims from those that are open.
    pub fn meet(&self, met: &[(Cell, usize)]) {
        let here = met.iter().filter(|(cell, _)| self.sweeps.search.has(*cell));
        here.for_each(|&(cell, claim)| self.sweeps.meet_one(cell, claim));
    }
}
