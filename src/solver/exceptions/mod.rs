//! Where default moves will not do: the exceptions of a solved layer, from its scores and stamps.
//!
//! [`crate::layer::Exceptions`] says what they are. Three passes over the layer, each over rows of
//! the mover and 64 of the opponent's rows at a time ([`super::plan`]):
//!
//! 1. the first (`open.rs`) finds the claims that default moves alone leave *open*; if there are
//!    none, that is all;
//! 2. the second finds the *suspects* among open claims: positions where the default move is not to
//!    the child with the least moment; one byte says both houses;
//! 3. the third goes through the tight quiet replies in every position whose opponent's claim is
//!    open. A suspect that such a reply leads to is an exception if its default move's moment is not
//!    before that of the position replied to.
//!
//! The last pass finds moments anew where it needs them, instead of storing any.
//!
//! # Tried, did not pay
//!
//! Other default moves than the lowest house: of twelve rules (highest house, home moves first or
//! last, earliest or latest turn, ...) the best has 3 to 4 % fewer defaults that come too late, in
//! layers of 12 and 13 seeds of `awari` and `abapa`, and most have more. One exception at a time, at
//! the first position where it helps, with all that follows before the next: in layers of 12 to 15
//! seeds of `abapa` that needs 29 to 73 % of the exceptions, in 12 seeds of `awari` a quarter more,
//! and a list of all open claims.

pub(super) mod claims;
pub(super) mod lanes;
mod listed;
pub(super) mod moments;
mod moves;
mod open;
mod search;
pub(super) mod suspects;
mod sweeps;

use rayon::prelude::*;

use crate::error::Result;
use crate::game::rules::Endless;
use crate::layer::blocks::{LINE, Line, set_lanes};
use crate::layer::exceptions::{Exception, Exceptions};
use crate::layer::index::{Cell, Layer, Rank, rows};
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use crate::solver::plan::LayerPlan;
use claims::OpenClaims;
use moments::Number;
pub(super) use open::words;
pub use search::Means;
use search::{Search, Strip};
use suspects::Best;

/// Bytes that finding the exceptions of a layer takes, beside what is solved.
pub(super) fn memory(layer: Layer, endless: Endless) -> u64 {
    let (open, sweeps) = open::memory(layer, endless);
    open + sweeps.max(Plane::memory(layer))
}

/// Returns the exceptions of a solved layer; `None` if it has no stamps, or nobody knows which
/// positions captures settle.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it, and
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
pub fn find(plan: &LayerPlan, means: Means, solved: &Solved) -> Result<Option<Exceptions>> {
    let Some(search) = Search::of(plan, means, solved) else {
        return Ok(None);
    };
    let mut room = open::room(&search)?;
    let open = open::find(&search, &mut room)?;
    if open.is_empty() {
        return Ok(Some(Exceptions::default()));
    }
    let suspects = search.suspects(&open)?;
    Ok(Some(Exceptions::new(search.exceptions(&open, &suspects)?)))
}

impl Search<'_> {
    /// The houses of the default and of the earliest move where they differ in their moment: one
    /// more than six times the first and the second; 0 elsewhere.
    fn suspects(&self, open: &OpenClaims) -> Result<Plane> {
        let mut suspects = Plane::in_arena(self.means.arena, self.layer, 0)?;
        for own in self.blocks() {
            let rows = self.layer.block_shape(own).0;
            let panels = suspects.blocks_mut().block_mut(own).par_chunks_mut(rows).enumerate();
            panels.try_for_each(|(tile, lines)| {
                for panel in 0..self.panels(own) {
                    self.go_on()?;
                    for column in tile * LINE..self::rows(own).min((tile + 1) * LINE) {
                        self.suspects_in(Strip { own, column, panel }, open, lines);
                    }
                }
                Ok(())
            })?;
        }
        Ok(suspects)
    }

    fn suspects_in(&self, strip: Strip, open: &OpenClaims, lines: &mut [Line]) {
        let [wanted, _] = open.lanes(strip);
        if wanted == 0 {
            return;
        }
        let claims = self.scores(self.low, strip);
        let rows = self.rows_of(strip.own, strip.panel);
        let best = self.best(strip, &claims, wanted);
        for (lane, suspect) in
            set_lanes(wanted).filter_map(|lane| Some((lane, best.suspect(lane)?)))
        {
            lines[rows[lane] as usize].0[strip.column % LINE] = suspect;
        }
    }

    /// Looks at the tight quiet moves of some positions of a strip.
    fn best(&self, strip: Strip, claims: &[i8; LINE], wanted: u64) -> Best {
        let mut best = Best::new();
        self.each_child(strip, wanted, |found, lane, child| {
            let Cell { own, row, column } = child;
            if self.high.blocks().score(own, row, column) != -claims[lane] {
                return;
            }
            let number = self.moment(child, claims[lane] <= self.pays[strip.own]);
            best.see(lane, number, found.house);
        });
        best
    }

    /// The moment of a move to a position, from one that is good for the claim or is not.
    #[inline(always)]
    fn moment(&self, Cell { own, row, column }: Cell, is_good: bool) -> Number {
        let stamp = self.strategy.stamps.blocks().score(own, row, column);
        self.moments.of(stamp, Cell { own, row, column }, is_good)
    }

    /// The exceptions, some of them several times.
    fn exceptions(&self, open: &OpenClaims, suspects: &Plane) -> Result<Vec<Exception>> {
        let columns =
            self.blocks().flat_map(|own| (0..rows(own)).step_by(LINE).map(move |at| (own, at)));
        let of_tile = |(own, first): (usize, usize)| {
            let mut found = Vec::new();
            for panel in 0..self.panels(own) {
                self.go_on()?;
                for column in first..rows(own).min(first + LINE) {
                    let strip = Strip { own, column, panel };
                    self.exceptions_after(strip, open, suspects, &mut found);
                }
            }
            // A position is replied to from several.
            found.sort_unstable();
            found.dedup();
            Ok(found)
        };
        let parts = columns.collect::<Vec<_>>().into_par_iter().map(of_tile);
        Ok(parts.collect::<Result<Vec<_>>>()?.concat())
    }

    /// The exceptions that replies in a strip ask for.
    fn exceptions_after(
        &self,
        strip: Strip,
        open: &OpenClaims,
        suspects: &Plane,
        found: &mut Vec<Exception>,
    ) {
        let [_, wanted] = open.lanes(strip);
        if wanted == 0 {
            return;
        }
        let high = self.scores(self.high, strip);
        self.each_child(strip, wanted, |_, lane, reply| {
            let Cell { own, row, column } = reply;
            let suspect = suspects.blocks().score(own, row, column);
            if suspect == 0 || self.low.blocks().score(own, row, column) != -high[lane] {
                return;
            }
            let here =
                Cell { row: self.rows_of(strip.own, strip.panel)[lane] as usize, ..cell(strip) };
            if self.default_moment(reply, suspect) >= self.deadline(here) {
                let rank = self.layer.block_start(own) + (row * rows(own) + column) as u64;
                let [_, house] = suspects::houses(suspect);
                found.push(Exception { rank: Rank(rank), house });
            }
        });
    }

    /// Before which moment what is replied in a position has to lead.
    fn deadline(&self, here: Cell) -> Number {
        let stamp = self.strategy.stamps.blocks().score(here.own, here.row, here.column);
        self.moments.deadline(stamp, here)
    }

    /// The moment of the default move of a suspect.
    fn default_moment(&self, at: Cell, suspect: i8) -> Number {
        let [house, _] = suspects::houses(suspect);
        let claim = self.low.blocks().score(at.own, at.row, at.column);
        self.moment(suspects::child(self.plan, at, house), claim <= self.pays[at.own])
    }
}

fn cell(strip: Strip) -> Cell {
    Cell { own: strip.own, row: 0, column: strip.column }
}
