//! The certificate of a layer that all ranks have solved: the twin of [`crate::solver::claims`].
//!
//! The certificate of a layer is a function of its bounds, so it is the same whatever the number of
//! ranks. Each rank looks at the positions that stand with it ([`ground`]), and at their children:
//! here, or among what others sent for the pair. For that there are lists as sweeps have them, of all
//! quiet moves. No rank ever has a whole plane:
//!
//! 1. claims are closed by the same [sweeps](Sweeps) as in one process: bounds travel once; then, sweep
//!    by sweep, two bits a position;
//! 2. what default moves leave open is shown to the leader, who finds the circles in it and chooses
//!    exceptions there ([`Choices`]), and asks for what it has to know of single positions.
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
mod met;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicU64;

use self::ground::{Ground, Ranks};
use super::cut::Cut;
use super::links::Spreads;
use super::part::{MarkedPart, Part};
use super::shares::Shares;
use super::transport::{Purpose, Team, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::LINE;
use crate::layer::index::{Cell, Layer, Rank};
use crate::layer::strategy::Exceptions;
use crate::solver::claims::choice::{Choices, Positions, Seen};
use crate::solver::claims::circles::{MARK, wanted};
use crate::solver::claims::listed::Scope;
use crate::solver::claims::open::OPPONENT;
use crate::solver::claims::{Asking, Certificate, Company, Means, Play, Search, Sweeps, closed};
use crate::solver::kernel::Kernel;
use crate::solver::observer::Unobserved;
use crate::solver::plan::LayerPlan;

/// What ranks close claims with.
pub struct Task<'a> {
    pub team: &'a Team<'a>,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    pub kernel: Kernel,
    pub arena: &'a Arena,
    /// Which claims ask for something.
    pub asking: Asking,
    /// By which moves they are met.
    pub play: Play,
    /// Whether to end, which the leader is asked now and then.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// What the leader asks the others for, in the first of two numbers; how many follow is the second.
mod order {
    /// To close default moves, and show all claims that stay open.
    pub const CLOSE: u64 = 0;
    /// To say what is known of the positions that follow.
    pub const SEE: u64 = 1;
    /// To meet claims of the positions that follow.
    pub const MEET: u64 = 2;
    /// To end: no claim is left.
    pub const ALL_ARE_MET: u64 = 3;
    /// To end: claims are left.
    pub const SOME_ARE_LEFT: u64 = 4;
}

/// Closes the claims of a layer that all ranks have solved, given the lower bounds, and the upper ones
/// where they differ, and where captures attain the lower ones. Exceptions are known to the leader
/// alone.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the leader asks for it, and those of
/// [`Team`].
pub fn certify(
    task: Task,
    spreads: &mut Spreads,
    bounds: &[Vec<Part>],
    done: &[MarkedPart],
) -> Result<Certificate> {
    let Task { team, plan, cut, shares, kernel, arena, asking, play, interrupted } = task;
    let (rank, planes) = (team.rank(), bounds.iter().map(Vec::as_slice).collect());
    let lists = Ground::lists(plan, cut, rank, spreads);
    let ground = &Ground { rank, plan, cut, shares, kernel, lists };
    let ranks: &dyn Company = &Ranks { team, ground, planes, interrupted };
    let (observer, near, entries) = (&Unobserved, None, 0);
    let means = Means { kernel, arena, near, observer, asking, play, entries };
    let (layer, is_exact) = (plan.layer, bounds.len() == 1);
    let shares = ground.shares(bounds, done);
    let search = Search { plan, means, layer, is_exact, shares, elsewhere: Some(ground) };
    closed(&search, Some(ranks), |sweeps| {
        if play == Play::ByAny {
            return sweeps.close_by_any(Some(ranks));
        }
        let mut claims = Claims { sweeps: &sweeps, ranks, team, layer };
        if !team.leads() {
            return claims.assist();
        }
        let found = Choices::new(plan).make(&mut claims)?;
        let end = if found.claims_are_met { order::ALL_ARE_MET } else { order::SOME_ARE_LEFT };
        claims.order(end, &[])?;
        Ok(found)
    })
}

/// The claims of all ranks.
struct Claims<'a> {
    sweeps: &'a Sweeps<'a>,
    ranks: &'a dyn Company,
    team: &'a Team<'a>,
    layer: Layer,
}

impl Claims<'_> {
    /// Does what the leader asks for.
    fn assist(&mut self) -> Result<Certificate> {
        loop {
            let (order, numbers) = self.order(order::ALL_ARE_MET, &[])?;
            match order {
                order::CLOSE => drop(self.show_open()?),
                order::SEE => drop(self.show(&numbers)?),
                order::MEET => self.meet_here(&numbers),
                _ => {
                    let claims_are_met = order == order::ALL_ARE_MET;
                    return Ok(Certificate { claims_are_met, exceptions: Exceptions::default() });
                }
            }
        }
    }

    /// Says what the leader orders, or hears it.
    fn order(&self, order: u64, numbers: &[u64]) -> Result<(u64, Vec<u64>)> {
        let team = self.team;
        let head = to_bytes(&[order, numbers.len() as u64]);
        let head = from_bytes(&team.hear(&head, Purpose::Claims)?);
        let mut said = to_bytes(numbers);
        said.resize(head[1] as usize * size_of::<u64>(), 0);
        Ok((head[0], from_bytes(&team.hear(&said, Purpose::Claims)?)))
    }

    fn index(&self, cell: &Cell) -> u64 {
        self.layer.rank_at(*cell).0
    }

    fn cell(&self, index: u64) -> Cell {
        self.layer.cell_at(Rank(index)).expect("an index of the layer")
    }

    /// Closes default moves, and shows the leader what stays open: whose claim, the index of the
    /// position, and those of the children that it waits for, with their number before them.
    fn show_open(&self) -> Result<Vec<u64>> {
        while self.sweeps.sweep(Some(self.ranks))?.met > 0 {}
        let mut words = Vec::new();
        for tile in self.sweeps.parts.iter().flat_map(|part| part.tiles()) {
            let mut open: BTreeMap<_, Vec<Cell>> = BTreeMap::new();
            self.sweeps.each_child(tile, |claim, at, child| {
                open.entry((claim, at)).or_default().push(child);
            });
            let rows = self.sweeps.search.rows_of(tile.own, tile.panel);
            for ((claim, (place, lane)), children) in open {
                let column = tile.columns * LINE + place;
                let here = Cell { own: tile.own, row: rows[lane] as usize, column };
                words.extend([claim as u64, self.index(&here), children.len() as u64]);
                words.extend(children.iter().map(|child| self.index(child)));
            }
        }
        self.team.collect(&words, Purpose::Claims)
    }

    /// Shows the leader what is known of positions: the place of each, and what there is.
    fn show(&self, indices: &[u64]) -> Result<Vec<u64>> {
        let mut words = Vec::new();
        for (place, cell) in indices.iter().map(|&index| self.cell(index)).enumerate() {
            if self.sweeps.search.has(cell) {
                let Seen { low, high, open } = self.sweeps.seen(cell);
                let [low, high] = [low, high].map(i8::cast_unsigned);
                let [mover, opponent] = open.map(u8::from);
                let known = [low, high, mover, opponent];
                words.extend([place as u64, u32::from_le_bytes(known).into()]);
            }
        }
        self.team.collect(&words, Purpose::Claims)
    }

    /// Meets claims: twice the index, and one more if it is the opponent's.
    fn meet_here(&self, claims: &[u64]) {
        for claim in claims {
            let cell = self.cell(claim >> 1);
            if self.sweeps.search.has(cell) {
                self.sweeps.meet_one(cell, (claim & 1) as usize);
            }
        }
    }
}

impl Positions for Claims<'_> {
    fn close(&mut self, scope: Scope) -> Result<Vec<Cell>> {
        self.order(order::CLOSE, &[])?;
        let shown = self.show_open()?;
        let found = match scope {
            Scope::Circles => Shown::of(&shown).wanted(),
            Scope::Everything => Shown::of(&shown).opponents,
        };
        Ok(found.into_iter().map(|index| self.cell(index)).collect())
    }

    fn see(&mut self, cells: &[Cell]) -> Result<Vec<Seen>> {
        let indices: Vec<u64> = cells.iter().map(|cell| self.index(cell)).collect();
        self.order(order::SEE, &indices)?;
        let mut seen = vec![Seen { low: 0, high: 0, open: [false; 2] }; cells.len()];
        for known in self.show(&indices)?.chunks_exact(2) {
            let [low, high, mover, opponent] = (known[1] as u32).to_le_bytes();
            let (low, high) = (low.cast_signed(), high.cast_signed());
            seen[known[0] as usize] =
                Seen { low, high, open: [mover, opponent].map(|open| open == 1) };
        }
        Ok(seen)
    }

    fn meet(&mut self, met: &[(Cell, usize)]) -> Result<()> {
        let claims: Vec<u64> =
            met.iter().map(|(cell, claim)| self.index(cell) << 1 | *claim as u64).collect();
        self.order(order::MEET, &claims)?;
        self.meet_here(&claims);
        Ok(())
    }
}

/// The open claims of all ranks.
struct Shown {
    /// The positions with an open claim of the opponent, smallest index first.
    opponents: Vec<u64>,
    /// Those, and the children after tight replies.
    replies: HashMap<u64, Vec<u64>>,
    /// By position with an open claim of the mover: the child by the default move.
    defaults: HashMap<u64, u64>,
}

impl Shown {
    /// The inverse of [`Claims::show_open`].
    fn of(mut words: &[u64]) -> Shown {
        let (mut replies, mut defaults) = (HashMap::new(), HashMap::new());
        while let [claim, index, count, rest @ ..] = words {
            let (children, behind) = rest.split_at(*count as usize);
            if *claim as usize == OPPONENT {
                replies.insert(*index, children.to_vec());
            } else {
                defaults.insert(*index, children[0]);
            }
            words = behind;
        }
        let mut opponents: Vec<u64> = replies.keys().copied().collect();
        opponents.sort_unstable();
        Shown { opponents, replies, defaults }
    }

    /// The positions with a claim of the opponent that is wanted.
    fn wanted(self) -> Vec<u64> {
        let number = |index: &u64| self.opponents.binary_search(index).ok().map(|at| at as u32);
        let mut list = Vec::new();
        for (at, index) in (0..).zip(&self.opponents) {
            list.push(MARK | at);
            let open = self.replies[index].iter().filter_map(|reply| self.defaults.get(reply));
            list.extend(open.filter_map(number));
        }
        let none_met = self.opponents.chunks(LINE).map(|_| AtomicU64::new(0));
        let is_wanted = wanted(&[&list], &Vec::from_iter(none_met));
        let all = self.opponents.into_iter().enumerate();
        all.filter(|&(at, _)| is_wanted[at]).map(|(_, index)| index).collect()
    }
}
