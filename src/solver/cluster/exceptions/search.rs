//! Exceptions on all ranks, given what claims are open: the twin of the last pass of
//! [`crate::solver::exceptions`], in two passes.
//!
//! That pass looks at the children of replies, whom nobody sends for. So a first pass looks at
//! children's upper bounds and stamps, which ranks exchange pair by pair as bounds are in sweeps. What
//! it finds of a rank's positions are two bytes each: the houses of a *suspect*, a position whose
//! default move is not to the child with the least moment, and the stamp of the child that its default
//! move leads to. These two, with the lower bounds, are all that a second pass asks of replies, and so
//! they travel in the same way. Pairs in which nothing is open on any rank are left out in both.

use rayon::prelude::*;

use super::children::{Child, Seen, score};
use super::ground::{Ground, Others};
use super::moves::TileMoves;
use super::open::OpenBlock;
use super::suspects::{self, Best};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{LINE, Line, set_lanes};
use crate::layer::exceptions::Exception;
use crate::layer::index::Cell;
use crate::solver::cluster::part::Part;
use crate::solver::exceptions::claims::{Strip, TileOf};
use crate::solver::exceptions::moments::{Moments, Number};
use crate::solver::plan::OUTSIDE;

/// A layer whose exceptions are looked for.
pub struct Search<'a> {
    pub ground: &'a Ground<'a>,
    /// By block: the moves of the rank's tiles.
    pub moves: &'a [Vec<TileMoves<'a>>],
    pub blocks: &'a [OpenBlock<'a>],
    /// How many claims are open on all ranks, by pair.
    pub open: &'a [u64],
    pub low: &'a [Part],
    pub high: &'a [Part],
    pub stamps: &'a [Part],
    pub moments: Moments<'a>,
    /// By block: the largest claim of the mover that a cycle pays which is cut there.
    pub pays: &'a [i8],
    pub arena: &'a Arena,
}

/// What is found of suspects: by block.
pub struct Suspects {
    /// The houses of the default and of the earliest move: one more than six times the first and the
    /// second; 0 elsewhere.
    houses: Vec<Part>,
    /// The stamp of the child by the default move.
    stamps: Vec<Part>,
}

impl Search<'_> {
    /// The pairs in which something is open.
    fn pairs(&self) -> impl Iterator<Item = usize> {
        (0..self.open.len()).filter(|&small| self.open[small] > 0)
    }

    fn plane(&self) -> Result<Vec<Part>> {
        let part = |own| {
            let share = self.ground.share(own);
            Part::new(self.arena, share.panels.clone(), share.rows.clone(), 0)
        };
        (0..self.blocks.len()).map(part).collect()
    }

    /// The suspects among the rank's positions.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory), and those of [`Others::go_on`].
    pub fn suspects(&self, others: Others) -> Result<Suspects> {
        let mut suspects = Suspects { houses: self.plane()?, stamps: self.plane()? };
        for small in self.pairs() {
            let ghosts = others.exchange(self.ground, small, &[self.high, self.stamps])?;
            let seen = [(self.high, 0), (self.stamps, 1)]
                .map(|(parts, plane)| Seen { parts, ghosts: ghosts.plane(plane) });
            for own in self.ground.blocks(small) {
                let height = self.ground.share(own).rows.len().max(1);
                let moves = &self.moves[own];
                let houses = suspects.houses[own].lines.par_chunks_mut(height);
                let stamps = suspects.stamps[own].lines.par_chunks_mut(height);
                houses.zip(stamps).zip(moves).enumerate().for_each(|(at, (lines, moves))| {
                    let (houses, stamps) = lines;
                    for strip in self.strips(own, at) {
                        self.suspects_in(strip, moves, seen, [&mut *houses, &mut *stamps]);
                    }
                });
            }
        }
        Ok(suspects)
    }

    /// The strips of one of the rank's panels of columns.
    fn strips(&self, own: usize, at: usize) -> impl Iterator<Item = Strip> {
        let area = self.ground.area(own);
        let columns = area.tiles.start + at;
        area.lines.flat_map(move |panel| {
            self.arena.keep();
            TileOf { own, columns, panel }.strips()
        })
    }

    fn suspects_in(
        &self,
        strip: Strip,
        moves: &TileMoves,
        seen: [Seen; 2],
        [houses, stamps]: [&mut [Line]; 2],
    ) {
        let [wanted, _] = self.blocks[strip.own].strip(strip);
        if wanted == 0 {
            return;
        }
        let claims = self.ground.scores(self.low, strip);
        let rows = self.ground.rows_of(strip.own, strip.panel);
        let first = self.ground.share(strip.own).rows.start;
        let (best, default_stamps) = self.best((strip, moves), &claims, wanted, seen);
        for (lane, suspect) in
            set_lanes(wanted).filter_map(|lane| Some((lane, best.suspect(lane)?)))
        {
            let (row, column) = (rows[lane] as usize - first, strip.column % LINE);
            houses[row].0[column] = suspect;
            stamps[row].0[column] = default_stamps[lane];
        }
    }

    /// Looks at the tight quiet moves of some positions of a strip. Returns the stamps, too, that their
    /// default moves lead to.
    fn best(
        &self,
        (strip, moves): (Strip, &TileMoves),
        claims: &[i8; LINE],
        wanted: u64,
        [high, stamps]: [Seen; 2],
    ) -> (Best, [i8; LINE]) {
        let (mut best, mut default_stamps) = (Best::new(), [0; LINE]);
        let steps = moves.of_column(strip.column % LINE);
        self.ground.each_child((strip, steps), wanted, |step, child| {
            let lane = child.lane;
            if high.score(child) != -claims[lane] {
                return;
            }
            let stamp = stamps.score(child);
            let is_good = claims[lane] <= self.pays[strip.own];
            let number = self.moments.of(stamp, child.cell, is_good);
            if best.see(lane, number, step.found.house) {
                default_stamps[lane] = stamp;
            }
        });
        (best, default_stamps)
    }

    /// The exceptions that replies in the rank's positions ask for, each once.
    ///
    /// # Errors
    /// Those of [`Others::go_on`].
    pub fn exceptions(&self, others: Others, suspects: &Suspects) -> Result<Vec<Exception>> {
        let mut found = Vec::new();
        for small in self.pairs() {
            let planes = [self.low, &suspects.houses, &suspects.stamps];
            let ghosts = others.exchange(self.ground, small, &planes)?;
            let seen: [Seen; 3] = std::array::from_fn(|plane| Seen {
                parts: planes[plane],
                ghosts: ghosts.plane(plane),
            });
            for own in self.ground.blocks(small) {
                let of_panel = |(at, moves): (usize, &TileMoves)| {
                    let mut found = Vec::new();
                    for strip in self.strips(own, at) {
                        self.exceptions_after((strip, moves), seen, &mut found);
                    }
                    found.sort_unstable();
                    found.dedup();
                    found
                };
                let parts: Vec<_> = self.moves[own].par_iter().enumerate().map(of_panel).collect();
                found.extend(parts.concat());
            }
        }
        // A position is replied to from several.
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The exceptions that replies in a strip ask for.
    fn exceptions_after(
        &self,
        (strip, moves): (Strip, &TileMoves),
        [low, houses, stamps]: [Seen; 3],
        found: &mut Vec<Exception>,
    ) {
        let [_, wanted] = self.blocks[strip.own].strip(strip);
        if wanted == 0 {
            return;
        }
        let high = self.ground.scores(self.high, strip);
        let here = self.ground.rows_of(strip.own, strip.panel);
        let steps = moves.of_column(strip.column % LINE);
        self.ground.each_child((strip, steps), wanted, |_, reply| {
            let (suspect, claim) = (houses.score(reply), low.score(reply));
            if suspect == 0 || claim != -high[reply.lane] {
                return;
            }
            debug_assert!(here[reply.lane] != OUTSIDE);
            let row = here[reply.lane] as usize;
            let here = Cell { own: strip.own, row, column: strip.column };
            let stamp = score(&self.stamps[here.own], here.row, here.column);
            let deadline = self.moments.deadline(stamp, here);
            if self.default_moment(reply, suspect, stamps.score(reply), claim) >= deadline {
                let rank = self.ground.plan.layer.rank_at(reply.cell);
                let [_, house] = suspects::houses(suspect);
                found.push(Exception { rank, house });
            }
        });
    }

    /// The moment of the default move of a suspect, given the stamp that it leads to.
    fn default_moment(&self, at: &Child, suspect: i8, stamp: i8, claim: i8) -> Number {
        let (at, [house, _]) = (at.cell, suspects::houses(suspect));
        let child = suspects::child(self.ground.plan, at, house);
        self.moments.of(stamp, child, claim <= self.pays[at.own])
    }
}
