//! Dense sweeps: every position of a layer once, in an order that gets far.
//!
//! A sweep replaces each score by `max(best capture, max over quiet moves of −child)`, in place. What
//! it reads may be of this sweep or of the last; the limit is the same, but the order decides how many
//! sweeps it takes. Rows are numbered in lexicographic order, and every sowing lowers the mover's own
//! row. So moves that stay at home, between block k and block n − k, never go in circles: a *pair* of
//! blocks is solved, as far as those moves go, by one pass over its rows in order. The pairs come in
//! the order q = 0 .. n/2, with k = q and K = n − q:
//!
//! ```text
//!   for each strip of 64 rows b of the larger half-board (K seeds):
//!     cross   C'[b][·] = captures and crossing moves of (own b, opponent ·)      ([`Sweep::cross_lead`])
//!             C [b][·] = the same of (own ·, opponent b), its tiles transposed   ([`Sweep::cross_follow`])
//!     rows    for b in order:
//!               V[b][·]   = −min(C'[b], rows of block k that home moves of b lead to)
//!               X_k[b][·] = −min(C[b], V[b] where home moves of each column lead)
//!   settle: X_K becomes V transposed, when the pair is done
//! ```
//!
//! Block n/2 pairs with itself, in shells ([`middle`]). Awari's layer of 15 seeds takes 12 sweeps in
//! this order, 25 where only tiles of 64 rows are in order, 44 where whole blocks are.
//!
//! # Who reads what
//!
//! Crossing moves lead to other pairs, and with K − k seeds from block K into block K itself, whose
//! scores stand as they were until the pair is done. So nothing of a pair is written while it is read
//! but block k, by the rows; and what a score is computed from depends on the order of the pairs and
//! rows alone, not on who computed what when. That gives every evaluation its *moment*
//! ([`crate::layer::strategy`]): it reads only values of earlier ones.
//!
//! With two planes, lower bounds are computed from upper ones and the other way round. The larger
//! block's lower bounds and the smaller block's upper ones make one such pass, and the other two
//! another; they are made side by side.
//!
//! # Tried, did not pay
//!
//! Only lines whose children changed: of all lines 80 % have a changed child through the first 15
//! sweeps. Pairs from n/2 down take 9 sweeps instead of 6, to and fro 7.

mod cross;
mod middle;
mod pair;
mod wavefront;

use crate::error::{Error, Result};
use crate::layer::plane::{Line, Plane};
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::{Kernel, Limit, Log, Spot, Stamped, Stamps};
use crate::solver::observer::Observer;
use crate::solver::plan::LayerPlan;

/// What is swept: one plane of scores, or lower bounds and upper bounds.
#[derive(Debug)]
pub struct Field {
    /// One plane, or two of which each is computed from the other.
    pub planes: Vec<Plane>,
    /// When scores of the last plane settled, if anyone wants to know.
    pub stamps: Option<Plane>,
}

/// What a sweep computes.
pub struct Sweep<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// What captures are worth to each plane; nothing if they do not count.
    pub captures: Vec<&'a CapturePlane>,
    /// For a core: the lower and the upper bounds that it lies between.
    pub bounds: Option<[&'a Plane; 2]>,
    /// Which claims are stamped.
    pub stamped: Stamped,
    /// Who may end it.
    pub observer: &'a dyn Observer,
    /// How many threads may work on it.
    pub threads: usize,
}

/// The blocks of one plane, each borrowed by itself.
type Apart<'p> = Vec<&'p mut [Line]>;

/// The blocks of all planes, to read.
type Views<'v> = Vec<Vec<&'v [Line]>>;

impl Sweep<'_> {
    /// Goes once over the whole layer and notes what changes; that gets the stamp.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it; the planes are then of no use.
    pub fn run(&self, field: &mut Field, stamp: u8, log: &mut Log) -> Result<()> {
        let seeds = self.plan.layer.seeds().get();
        for small in 0..=seeds / 2 {
            if 2 * small == seeds {
                self.middle(field, stamp, log);
            } else {
                self.pair(small, field, stamp, log);
            }
            if self.observer.interrupted() {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    /// Rows of a block.
    fn rows(&self, block: usize) -> usize {
        self.plan.layer.block_shape(block).0
    }

    /// What a score of block `own` in a plane may be.
    pub fn limit(&self, plane: usize, own: usize) -> Limit {
        let worth = own_rows(own, self.plan.opponent(own));
        match (self.bounds, plane) {
            (None, _) => Limit::Free,
            (Some(_), 0) => Limit::Above { most: worth.unwrap_or(i8::MAX) },
            (Some(_), _) => Limit::Below { least: worth.unwrap_or(i8::MIN) },
        }
    }

    /// The lines of a block of the bounds of a plane; none if there are no bounds.
    fn bounds(&self, plane: usize, block: usize) -> &[Line] {
        self.bounds.map_or(&[], |bounds| bounds[plane].blocks().block(block))
    }
}

/// What the rows are worth to the mover if each keeps the own; nothing where one is empty, for
/// such positions do not count when a cycle is cut.
pub fn own_rows(own: usize, opponent: usize) -> Option<i8> {
    (own > 0 && opponent > 0).then(|| own as i8 - opponent as i8)
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

/// Cuts each plane and its stamps into blocks.
fn apart(field: &mut Field) -> (Vec<Apart<'_>>, Option<Apart<'_>>) {
    (field.planes.iter_mut().map(split).collect(), field.stamps.as_mut().map(split))
}

fn split(plane: &mut Plane) -> Apart<'_> {
    plane.blocks_mut().split_mut().collect()
}

/// The blocks of all planes, to read; what has been taken out is empty.
fn views<'v>(planes: &'v [Apart<'_>]) -> Views<'v> {
    planes.iter().map(|blocks| blocks.iter().map(|block| &**block).collect()).collect()
}

/// Stamps for lines of the last plane.
fn stamps_for<'s>(lines: Option<&'s mut [Line]>, stamp: u8, who: Stamped) -> Option<Stamps<'s>> {
    lines.map(|lines| Stamps { lines, stamp, who })
}

fn spot(plane: usize, block: usize) -> Spot {
    Spot { block: block as u8, plane: plane as u8 }
}
