//! Dense sweeps: every position of a layer once, in an order that gets far.
//!
//! A sweep replaces each score by `max(best capture, max over quiet moves of −child)`, in place.
//! What it reads may be of this sweep or of the last; the limit is the same, but the order decides
//! how many sweeps it takes. Rows are numbered in lexicographic order, and every sowing lowers the
//! mover's own row. So moves that stay at home, between block k and block n − k, never go in
//! cycles: a *pair* of blocks is solved, as far as those moves go, by one pass over its rows in
//! order. The pairs come in the order q = 0 .. n/2, with k = q and K = n − q:
//!
//! ```text
//!   for each strip of 64 rows b of the larger half-board (K seeds):
//!     cross   C'[b][·] = captures and crossing moves of (own b, opponent ·)      (`cross_lead`)
//!             C [b][·] = the same of (own ·, opponent b), its tiles transposed   (`cross_follow`)
//!     rows    for b in order:
//!               V[b][·]   = −min(C'[b], rows of block k that home moves of b lead to)
//!               X_k[b][·] = −min(C[b], V[b] where home moves of each column lead)
//!   settle: X_K becomes V transposed, when the pair is done
//! ```
//!
//! Block n/2 pairs with itself, in shells (`middle.rs`). Awari's layer of 15 seeds takes 12 sweeps
//! in this order, 25 where only tiles of 64 rows are in order, 44 where whole blocks are.
//!
//! # Who reads what
//!
//! Crossing moves lead to other pairs, and with K − k seeds from block K into block K itself, whose
//! scores stand as they were until the pair is done. So nothing of a pair is written while it is
//! read but block k, by the rows; and what a score is computed from depends on the order of the
//! pairs and rows alone, not on which thread computes it when. Hence a sweep makes the same bytes
//! with any number of threads, and so does the [tail](crate::solver::tail), which keeps this order.
//!
//! With two planes, lower bounds are computed from upper ones and the other way round. The larger
//! block's lower bounds and the smaller block's upper ones make one such pass, and the other two
//! another; they are made side by side.
//!
//! # Tried, did not pay
//!
//! Only lines whose children changed: of all lines 80 % have a changed child through the first 15
//! sweeps. Pairs from n/2 down take 9 sweeps instead of 6, to and fro 7.

mod ahead;
mod cross;
mod middle;
mod pair;
mod wavefront;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::game::board::Seeds;
use crate::game::{Endless, Repetition, Rules};
use crate::layer::arena::Arena;
use crate::layer::blocks::{Blocks, LINE, Line};
use crate::layer::index::rows;
use crate::layer::plane::Plane;
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::{Kernel, Limit, Log, NONE, Spot};
use crate::solver::observer::Observer;
use crate::solver::plan::LayerPlan;
use ahead::ReadAhead;
use pair::Pair;

/// If a sweep changes fewer than one in so many scores, the next one leaves most pages of scores on
/// disk as they are.
const FEW: u64 = 512;

/// What sweeps over planes keep aside, from one to the next.
#[derive(Debug)]
pub struct Aside {
    /// What a pair computes in its larger block, until the pair is done.
    late: Blocks,
    /// What is in memory of the planes and of that, if it is on disk.
    ahead: ReadAhead,
    /// How many scores the last sweep has changed.
    changed: u64,
}

impl Aside {
    /// For sweeps over planes, in memory of an arena.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no memory for it.
    pub fn of(planes: &[Plane], arena: &Arena) -> Result<Aside> {
        let most = late_lines(planes[0].layer().seeds()) * planes.len();
        let late = Blocks::in_arena(arena, std::iter::once((most, LINE)), 0)?;
        Ok(Aside { late, ahead: ReadAhead::default(), changed: u64::MAX })
    }
}

/// Lines that the larger block of a pair takes, of all pairs of a layer at most.
fn late_lines(seeds: Seeds) -> usize {
    let seeds = seeds.get();
    let pair = |small: usize| strips(seeds - small) * LINE * cross::stride(strips(small));
    (0..seeds.div_ceil(2)).map(pair).max().unwrap_or(0)
}

/// Bytes that go with each plane that is swept.
pub fn late_memory(seeds: Seeds) -> u64 {
    (late_lines(seeds) * LINE) as u64
}

/// How many lines a row of so many seeds takes, or strips a block.
fn strips(seeds: usize) -> usize {
    rows(seeds).div_ceil(LINE)
}

/// What a sweep computes.
pub struct Sweep<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// What captures are worth to each plane, or to both; nothing if they do not count.
    pub captures: Vec<&'a CapturePlane>,
    /// For a core: the lower and the upper bounds that it lies between.
    pub bounds: Option<[&'a Plane; 2]>,
    /// Who may end it.
    pub observer: &'a dyn Observer,
    /// How many threads may work on it.
    pub threads: usize,
    /// Where the planes are, and what is asked to keep to the bound of memory.
    pub arena: &'a Arena,
}

/// The blocks of one plane, each borrowed by itself.
type Apart<'p> = Vec<&'p mut [Line]>;

/// The blocks of all planes, to read.
type Views<'v> = Vec<Vec<&'v [Line]>>;

impl Sweep<'_> {
    /// Goes once over the whole layer and notes what changes: of one plane of scores, or of lower
    /// and upper bounds, of which each is computed from the other.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it; the planes are then of no use.
    pub fn run(&self, planes: &mut [Plane], aside: &mut Aside, log: &mut Log) -> Result<()> {
        let before = std::mem::take(&mut aside.ahead);
        let ahead = ReadAhead::new(self, planes, &aside.late, before);
        let positions = self.plan.layer.positions() * planes.len() as u64;
        let round = ahead.begin(aside.changed > positions / FEW);
        let swept = self.run_pairs(planes, &mut aside.late, log, &ahead);
        drop(round);
        (aside.ahead, aside.changed) = (ahead, log.count);
        swept
    }

    /// Whether it computes a core.
    pub fn is_of_core(&self) -> bool {
        self.bounds.is_some()
    }

    fn run_pairs(
        &self,
        planes: &mut [Plane],
        late: &mut Blocks,
        log: &mut Log,
        ahead: &ReadAhead,
    ) -> Result<()> {
        let seeds = self.plan.layer.seeds().get();
        for small in 0..=seeds / 2 {
            let pair = Pair { sweep: self, small, large: seeds - small };
            if pair.small == pair.large {
                pair.run_alone(planes, log, ahead)?;
            } else {
                pair.run(planes, late, log, ahead)?;
            }
        }
        Ok(())
    }

    /// Whether to go on; if not, it is noted.
    fn goes_on(&self, stopped: &AtomicBool) -> bool {
        stopped.fetch_or(self.observer.interrupted(), Ordering::Relaxed);
        !stopped.load(Ordering::Relaxed)
    }

    /// Rows of a block.
    fn rows(&self, block: usize) -> usize {
        self.plan.layer.block_shape(block).0
    }

    /// What a score of block `own` in a plane may be.
    pub fn limit(&self, plane: usize, own: usize) -> Limit {
        limit(self.plan, self.bounds.is_some(), plane, own)
    }

    /// What captures are worth to a plane, if they count.
    pub fn captures_of(&self, plane: usize) -> Option<&'_ CapturePlane> {
        self.captures.get(plane).or(self.captures.last()).copied()
    }

    /// Writes what captures are worth to a plane, of a block in a tile of own rows and a line of lanes,
    /// each row `stride` lines behind the last.
    #[inline]
    fn spread(&self, plane: usize, place: (usize, usize, usize), out: &mut [Line], stride: usize) {
        match self.captures_of(plane) {
            Some(captures) => captures.spread(self.plan, place, out, stride),
            None => {
                out.iter_mut().step_by(stride).take(LINE).for_each(|line| *line = Line::of(NONE))
            }
        }
    }

    /// The lines of a block of the bounds of a plane; none if there are no bounds.
    fn bounds(&self, plane: usize, block: usize) -> &[Line] {
        self.bounds.map_or(&[], |bounds| bounds[plane].blocks().block(block))
    }
}

/// What a score of block `own` in a plane may be, if there are bounds.
pub(super) fn limit(plan: &LayerPlan, has_bounds: bool, plane: usize, own: usize) -> Limit {
    let worth = own_rows(plan.rules, own, plan.opponent(own));
    match (has_bounds, plane) {
        (false, _) => Limit::Free,
        (true, 0) => Limit::Above { most: worth.unwrap_or(i8::MAX) },
        (true, _) => Limit::Below { least: worth.unwrap_or(i8::MIN) },
    }
}

/// What the rows are worth to the mover if a cycle is cut where they hold so many seeds; nothing
/// where positions do not count.
fn own_rows(rules: &Rules, own: usize, opponent: usize) -> Option<i8> {
    let counts = match rules.endless {
        Endless::EvenSplit | Endless::Drawn | Endless::OwnSide(Repetition::FirstOfAny) => true,
        Endless::OwnSide(Repetition::First | Repetition::Agreed) => own > 0 && opponent > 0,
    };
    counts.then(|| own as i8 - opponent as i8)
}

/// Which planes are swept: `here` is computed from `there`.
#[derive(Clone, Copy)]
pub struct Stream {
    /// Which plane is written.
    here: usize,
    /// Which plane is read.
    there: usize,
}

/// All planes, each with the one that it is computed from.
fn streams(planes: usize) -> impl Iterator<Item = Stream> {
    (0..planes).map(move |here| Stream { here, there: planes - 1 - here })
}

/// Cuts each plane into blocks.
fn apart(planes: &mut [Plane]) -> Vec<Apart<'_>> {
    planes.iter_mut().map(|plane| plane.blocks_mut().split_mut().collect()).collect()
}

/// An interrupted sweep is none.
fn finished(stopped: AtomicBool) -> Result<()> {
    if stopped.into_inner() { Err(Error::Interrupted) } else { Ok(()) }
}

/// The blocks of all planes, to read; what has been taken out is empty.
fn views<'v>(planes: &'v [Apart<'_>]) -> Views<'v> {
    planes.iter().map(|blocks| blocks.iter().map(|block| &**block).collect()).collect()
}

fn spot(plane: usize, block: usize) -> Spot {
    Spot { block: block as u8, plane: plane as u8 }
}
