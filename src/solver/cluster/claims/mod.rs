//! The certificate of a layer that all ranks have solved: the twin of [`crate::solver::claims`].
//!
//! The certificate of a layer is a function of its bounds, so it is the same whatever the number of
//! ranks. Each rank looks at the positions that stand with it ([`ground`]), and at their children:
//! here, or among what others sent for the pair. For that there are lists as sweeps have them, of all
//! quiet moves. No rank ever has a whole plane:
//!
//! 1. claims are closed by the same [sweeps](crate::solver::claims::Sweeps) as in one process: bounds travel once; then, sweep
//!    by sweep, two bits a position;
//! 2. what then is open is shown to the leader, who closes it to the end and chooses exceptions there
//!    ([`Choices`]); what was [shown](shown) is all that it takes, and bounds of single positions.
//!
//! The others wait for the leader meanwhile. So sweeps go on for longer than in one process, which lists
//! what is left with all its threads: until one meets fewer claims than one for 128 positions.
//!
//! What stays open in large layers is little: a million claims in the 33 million positions of 18 seeds
//! of `abapa`, 3,803 of them in circles. It is all that one rank has to have room for.
//!
//! # Memory
//!
//! Beside its part of the layer, and what others sent for one pair, a rank holds of each of its
//! positions two bits for what is met, and for each of its moves one bit, or two if bounds differ; of
//! moves that lead to several ranks as much for what is here and for what is elsewhere.

mod ground;
mod ranks;
mod shown;

use self::ground::Ground;
use self::ranks::Ranks;
use self::shown::Open;
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::transport::{Purpose, Team, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::index::{Cell, Layer, Rank};
use crate::layer::strategy::Exceptions;
use crate::solver::claims::choice::{Choices, Positions, Seen};
use crate::solver::claims::listed::{PAYS, Scope};
use crate::solver::claims::{Asking, Certificate, Closing, Means, Play, Search, closed};
use crate::solver::observer::Unobserved;

/// What the leader asks the others for, in the first of two numbers; how many follow is the second.
mod order {
    /// To say which bounds the positions that follow have.
    pub const SEE: u64 = 0;
    /// To end: no claim is left.
    pub const ALL_ARE_MET: u64 = 1;
    /// To end: claims are left.
    pub const SOME_ARE_LEFT: u64 = 2;
}

/// Open claims that the leader is shown at most while sweeps still find something.
const SHOWN: u64 = 1 << 21;

/// Closes the claims of a layer that all ranks have solved. Exceptions are known to the leader alone.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and those of
/// [`Team`].
pub fn certify(
    seat: &mut Seat,
    solved: &SpreadLayer,
    planes: usize,
    play: Play,
) -> Result<Certificate> {
    let Seat { team, plan, cut, rank, shares, kernel, arena, .. } = *seat;
    let lists = Ground::lists(plan, cut, rank, seat.spreads);
    let ground = &Ground { rank, plan, cut, shares, kernel, lists };
    // Bounds that meet are one plane.
    let plane = |plane: usize| solved.bounds.get(plane).unwrap_or(&solved.bounds[0]);
    let shown: Vec<&Blocks> = (0..planes).map(plane).collect();
    let (seat, planes) = (&*seat, &solved.bounds);
    let ranks = &Ranks { seat, ground, planes, shown };
    // Ranks end together or not at all: they are asked between sweeps.
    let (observer, near, entries) = (&Unobserved, None, 0);
    let asking = Asking::of(plan.rules, plan.layer.range(), play);
    let threads = rayon::current_num_threads();
    let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
    let (layer, is_exact) = (plan.layer, solved.is_exact());
    let shares = ground.shares(&solved.bounds, &solved.attained[0]);
    let search = Search { plan, means, layer, is_exact, shares, elsewhere: Some(ground) };
    if play == Play::ByAny {
        return closed(&search, ranks, |closing| closing.close_by_any());
    }
    // What is known of moves is gone when the leader gets what is shown.
    let shown = closed(&search, ranks, |Closing { sweeps, company }| {
        loop {
            let swept = sweeps.sweep(company)?;
            let pays = swept.met > layer.positions() / (2 * PAYS) || swept.open > SHOWN;
            if swept.met == 0 || !pays {
                return Ok(shown::words(&sweeps));
            }
        }
    })?;
    let shown = team.collect(shown, Purpose::Claims)?;
    let open = if team.leads() { Open::of(shown)? } else { Open::default() };
    let mut claims = Claims { search: &search, team, layer, open };
    if !team.leads() {
        return claims.assist();
    }
    let found = Choices::new(plan).make(&mut claims)?;
    let end = if found.claims_are_met { order::ALL_ARE_MET } else { order::SOME_ARE_LEFT };
    claims.order(end, &[])?;
    Ok(found)
}

/// The claims of all ranks.
struct Claims<'a> {
    search: &'a Search<'a>,
    team: &'a Team<'a>,
    layer: Layer,
    /// On the leader: what is open.
    open: Open,
}

impl Claims<'_> {
    /// Does what the leader asks for.
    fn assist(&mut self) -> Result<Certificate> {
        loop {
            let (order, indices) = self.order(order::ALL_ARE_MET, &[])?;
            if order == order::SEE {
                self.show(&indices)?;
                continue;
            }
            let claims_are_met = order == order::ALL_ARE_MET;
            return Ok(Certificate { claims_are_met, exceptions: Exceptions::default() });
        }
    }

    /// Says what the leader orders, or hears it.
    fn order(&self, order: u64, numbers: &[u64]) -> Result<(u64, Vec<u64>)> {
        let head = to_bytes(&[order, numbers.len() as u64]);
        let head = from_bytes(&self.team.hear(&head, Purpose::Claims)?);
        let mut said = to_bytes(numbers);
        said.resize(head[1] as usize * size_of::<u64>(), 0);
        Ok((head[0], from_bytes(&self.team.hear(&said, Purpose::Claims)?)))
    }

    fn index(&self, cell: &Cell) -> u64 {
        self.layer.rank_at(*cell).0
    }

    fn cell(&self, index: u64) -> Cell {
        self.layer.cell_at(Rank(index)).expect("an index of the layer")
    }

    /// Shows the leader the bounds of positions: the place of each among these, and both bounds.
    fn show(&self, indices: &[u64]) -> Result<Vec<u64>> {
        let mut words = Vec::new();
        for (place, cell) in indices.iter().map(|&index| self.cell(index)).enumerate() {
            if self.search.has(cell) {
                let [low, high] = self.search.bounds(cell).map(i8::cast_unsigned);
                words.extend([place as u64, u64::from(low) | u64::from(high) << 8]);
            }
        }
        self.team.collect(words, Purpose::Claims)
    }
}

impl Positions for Claims<'_> {
    fn close(&mut self, scope: Scope) -> Result<Vec<Cell>> {
        let found = self.open.opponents(scope);
        Ok(found.into_iter().map(|index| self.cell(index)).collect())
    }

    fn see(&mut self, cells: &[Cell]) -> Result<Vec<Seen>> {
        let indices: Vec<u64> = cells.iter().map(|cell| self.index(cell)).collect();
        self.order(order::SEE, &indices)?;
        let mut seen = vec![Seen { low: 0, high: 0, open: [false; 2] }; cells.len()];
        for &[place, bounds] in self.show(&indices)?.as_chunks::<2>().0 {
            let [low, high] = [bounds as u8, (bounds >> 8) as u8].map(u8::cast_signed);
            let open = self.open.is_open(indices[place as usize]);
            seen[place as usize] = Seen { low, high, open };
        }
        Ok(seen)
    }

    fn meet(&mut self, met: &[(Cell, usize)]) -> Result<()> {
        let indices: Vec<(u64, usize)> =
            met.iter().map(|(cell, claim)| (self.index(cell), *claim)).collect();
        self.open.meet(indices.into_iter());
        Ok(())
    }
}
