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
//! Block n/2 pairs with itself, in shells (`pair.rs`). Awari's layer of 15 seeds takes 12 sweeps
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
pub mod cross;
mod depth;
mod ground;
mod pair;
pub mod rows;
mod wavefront;

use crate::error::Result;
use crate::game::board::Seeds;
use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::layer::line::{LINE, Line};
use crate::layer::packing::Packing;
use crate::layer::plane::Plane;
use crate::solver::kernel::Log;
use ahead::ReadAhead;
use depth::Depths;
pub use ground::{Apart, Stream, Sweep, Views, apart, streams, strips, views};
use rows::Pair;

/// If a sweep changes fewer than one in this many scores, the next one leaves most pages of scores on
/// disk as they are.
const FEW: u64 = 512;

/// What sweeps over planes keep aside, from one to the next.
#[derive(Debug)]
pub struct Aside {
    /// What a pair computes in its larger block, until the pair is done.
    late: Blocks,
    /// By smaller block, of the pairs that are done by depth.
    depths: Vec<Depths>,
    /// What lines of those pairs wait in.
    waiting: Option<Blocks>,
    /// What is in memory of the planes and of that, if it is on disk.
    ahead: ReadAhead,
    /// How many scores the last sweep has changed.
    changed: u64,
}

impl Aside {
    /// For sweeps over planes, in memory of their arena.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn of(sweep: &Sweep, planes: &[Plane]) -> Result<Aside> {
        let (seeds, count) = (sweep.plan.layer.seeds(), planes.len());
        let lines = |lines, packing| {
            Blocks::in_arena(sweep.arena, std::iter::once((lines * count, LINE)), packing, 0)
        };
        let late = lines(late_lines(seeds), Packing::of(sweep.plan.layer.range()))?;
        let threads = if sweep.is_in_memory() && !sweep.is_of_core() { sweep.threads } else { 1 };
        let depths = depth::depths(sweep.plan, threads);
        let room = depth::room(seeds, threads, late_lines(seeds));
        let waiting = (room > 0).then(|| lines(room, Packing::Byte)).transpose()?;
        let ahead = ReadAhead::new(sweep, planes, &late);
        Ok(Aside { late, depths, waiting, ahead, changed: u64::MAX })
    }
}

/// Lines that the larger block of a pair takes, of all pairs of a layer at most.
fn late_lines(seeds: Seeds) -> usize {
    let seeds = seeds.get();
    let pair = |small: usize| strips(seeds - small) * LINE * cross::stride(strips(small));
    (0..seeds.div_ceil(2)).map(pair).max().unwrap_or(0)
}

/// Bytes that go with each plane that is swept.
pub fn late_memory(layer: Layer) -> u64 {
    (late_lines(layer.seeds()) * Packing::of(layer.range()).bytes()) as u64
}

/// Bytes that this many threads want besides for each plane, if everything is in memory.
pub fn waiting_memory(layer: Layer, threads: usize) -> u64 {
    let lines = depth::room(layer.seeds(), threads, late_lines(layer.seeds()));
    (lines * size_of::<Line>()) as u64
}

impl Sweep<'_> {
    /// Goes once over the whole layer and notes what changes: of one plane of scores, or of lower
    /// and upper bounds, of which each is computed from the other. They are the planes that
    /// `aside` was made for.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
    pub fn run(&self, planes: &mut [Plane], aside: &mut Aside, log: &mut Log) -> Result<()> {
        let Aside { late, depths, waiting, ahead, changed } = aside;
        let positions = self.plan.layer.positions() * planes.len() as u64;
        let _round = ahead.begin(*changed > positions / FEW);
        let seeds = self.plan.layer.seeds().get();
        (0..=seeds / 2).try_for_each(|small| {
            let pair = Pair { sweep: self, small, large: seeds - small };
            let by_depth = depths.get(small).zip(waiting.as_mut());
            if pair.small == pair.large {
                pair.run_alone(planes, log, ahead)
            } else if let Some((depths, waiting)) = by_depth {
                pair.run_by_depth(depths, planes, (&mut *late, waiting), log)
            } else {
                pair.run(planes, late, log, ahead)
            }
        })?;
        *changed = log.count;
        Ok(())
    }
}
