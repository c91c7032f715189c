//! The certificate of a layer that all ranks have solved: the twin of [`crate::solver::claims`].
//!
//! The certificate of a layer is a function of its bounds, so it is the same whatever the number of
//! ranks. Each rank looks at the positions that stand with it ([`ground`]), and at their children:
//! here, or among what others sent for the pair. For that there are lists as sweeps have them, of all
//! quiet moves. No rank ever has a whole plane:
//!
//! 1. claims are closed by the same [sweeps](crate::solver::claims::Sweeps) and
//!    [lists](crate::solver::claims::listed) as in one process: bounds travel once; then, sweep by sweep,
//!    two bits a position; then what a child that another rank has waits for, and which claims are met;
//! 2. what goes round is shown to the leader, who chooses exceptions there ([`Choices`]): some twenty
//!    thousand claims, and bounds of single positions.
//!
//! # Memory
//!
//! Beside its part of the layer, and what others sent for one pair, a rank holds of each of its
//! positions two bits for what is met, and for each of its moves one bit, or two if bounds differ; of
//! moves that lead to several ranks as much for what is here and for what is elsewhere. And its list.

mod ground;
mod ranks;

use self::ground::Ground;
use self::ranks::Ranks;
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::transport::{Purpose, Team, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::index::{Cell, Rank};
use crate::solver::claims::choice::{Choices, Positions, Seen};
use crate::solver::claims::listed::{self, Scope};
use crate::solver::claims::open::{MOVER, OPPONENT};
use crate::solver::claims::{Asking, Certificate, Closing, Means, Play, Search, closed};
use crate::solver::observer::Unobserved;

/// What the leader asks the others for, in the first of two numbers; how many follow is the second.
mod order {
    /// To close what is open: the number that follows says what is looked for.
    pub const CLOSE: u64 = 0;
    /// To say what is known of the positions that follow.
    pub const SEE: u64 = 1;
    /// To meet the claims that follow.
    pub const MEET: u64 = 2;
    /// To end: no claim is left.
    pub const ALL_ARE_MET: u64 = 3;
    /// To end: claims are left.
    pub const SOME_ARE_LEFT: u64 = 4;
}

/// What says that a claim is the opponent's, beside the index of its position.
const OPPONENTS: u64 = 1 << 63;

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
    let (observer, near) = (&Unobserved, None);
    let asking = Asking::of(plan.rules, plan.layer.range(), play);
    let entries = listed::most(plan.layer, false);
    let threads = rayon::current_num_threads();
    let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
    let (layer, is_exact) = (plan.layer, solved.is_exact());
    let shares = ground.shares(&solved.bounds, &solved.attained[0]);
    let search = Search { plan, means, layer, is_exact, shares, elsewhere: Some(ground) };
    closed(&search, ranks, |closing| {
        let mut claims = Claims { closing, team };
        match play {
            Play::ByAny => claims.closing.close_by_any(),
            Play::ByDefault if team.leads() => claims.lead(&Choices::new(plan)),
            Play::ByDefault => claims.assist(),
        }
    })
}

/// The claims of all ranks.
struct Claims<'a> {
    closing: Closing<'a>,
    team: &'a Team<'a>,
}

impl Claims<'_> {
    fn lead(&mut self, choices: &Choices) -> Result<Certificate> {
        let found = choices.make(self)?;
        let end = if found.claims_are_met { order::ALL_ARE_MET } else { order::SOME_ARE_LEFT };
        self.order(end, &[])?;
        Ok(found)
    }

    /// Does what the leader asks for.
    fn assist(&mut self) -> Result<Certificate> {
        loop {
            let (order, numbers) = self.order(order::ALL_ARE_MET, &[])?;
            match order {
                order::CLOSE => drop(self.close_all(scope_of(numbers[0]))?),
                order::SEE => drop(self.show(&numbers)?),
                order::MEET => self.meet_here(&numbers),
                _ => return Ok(Certificate::new(order == order::ALL_ARE_MET, Vec::new())),
            }
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

    fn search(&self) -> &Search<'_> {
        self.closing.sweeps.search
    }

    fn index(&self, cell: Cell) -> u64 {
        self.search().layer.rank_at(cell).0
    }

    fn cell(&self, index: u64) -> Cell {
        self.search().layer.cell_at(Rank(index)).expect("an index of the layer")
    }

    /// Closes claims, and shows the leader what is looked for.
    fn close_all(&mut self, scope: Scope) -> Result<Vec<Cell>> {
        let found = self.closing.close(scope)?;
        let found = found.into_iter().map(|cell| self.index(cell)).collect();
        let found = self.team.collect(found, Purpose::Claims)?;
        Ok(found.into_iter().map(|index| self.cell(index)).collect())
    }

    /// Shows the leader what is known of positions: the place of each among these, and both bounds with
    /// what is open.
    fn show(&mut self, indices: &[u64]) -> Result<Vec<u64>> {
        let here = indices.iter().map(|&index| self.cell(index)).enumerate();
        let (places, cells): (Vec<_>, Vec<_>) =
            here.filter(|&(_, cell)| self.search().has(cell)).unzip();
        let words = |(place, Seen { low, high, open }): (usize, Seen)| {
            let [low, high] = [low, high].map(|bound| u64::from(bound.cast_unsigned()));
            let open = u64::from(open[MOVER]) | u64::from(open[OPPONENT]) << 1;
            [place as u64, low | high << 8 | open << 16]
        };
        let seen = places.into_iter().zip(self.closing.see(&cells)?);
        self.team.collect(seen.flat_map(words).collect(), Purpose::Claims)
    }

    /// Meets those of some claims that are here.
    fn meet_here(&mut self, claims: &[u64]) {
        for &claim in claims {
            let at = self.cell(claim & !OPPONENTS);
            if self.search().has(at) {
                let who = if claim & OPPONENTS == 0 { MOVER } else { OPPONENT };
                self.closing.sweeps.meet_one(at, who);
            }
        }
    }
}

/// What is looked for, as a number.
fn number_of(scope: Scope) -> u64 {
    u64::from(scope == Scope::Everything)
}

fn scope_of(number: u64) -> Scope {
    if number == 0 { Scope::Circles } else { Scope::Everything }
}

impl Positions for Claims<'_> {
    fn close(&mut self, scope: Scope) -> Result<Vec<Cell>> {
        self.order(order::CLOSE, &[number_of(scope)])?;
        self.close_all(scope)
    }

    fn see(&mut self, cells: &[Cell]) -> Result<Vec<Seen>> {
        let indices: Vec<u64> = cells.iter().map(|&cell| self.index(cell)).collect();
        self.order(order::SEE, &indices)?;
        let mut seen = vec![Seen { low: 0, high: 0, open: [false; 2] }; cells.len()];
        for &[place, word] in self.show(&indices)?.as_chunks::<2>().0 {
            let [low, high, open, ..] = word.to_le_bytes();
            let [low, high] = [low, high].map(u8::cast_signed);
            let open = [MOVER, OPPONENT].map(|claim| open >> claim & 1 == 1);
            seen[place as usize] = Seen { low, high, open };
        }
        Ok(seen)
    }

    fn meet(&mut self, met: &[(Cell, usize)]) -> Result<()> {
        let who = |claim| if claim == OPPONENT { OPPONENTS } else { 0 };
        let claims: Vec<u64> =
            met.iter().map(|&(cell, claim)| who(claim) | self.index(cell)).collect();
        self.order(order::MEET, &claims)?;
        self.meet_here(&claims);
        Ok(())
    }
}
