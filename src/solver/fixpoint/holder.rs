//! Who holds a layer while it is solved: one process as a whole, or each of several its part.
//!
//! Which fixpoints a layer goes through, and what has to be proved of them, is said once, in
//! [`super::solve`], [`super::even_split`], [`super::drawn`] and [`super::repetition`]: in terms of
//! what a holder can do. All holders of a layer go through the same steps, in step: which step
//! comes next depends only on answers that all of them get alike.

use crate::error::{Error, Result};
use crate::layer::index::Layer;
use crate::layer::solved::Marks;
use crate::layer::strategy::Exceptions;
use crate::solver::captures::CapturePlane;
use crate::solver::claims::{Certificate, TightMoves};
use crate::solver::observer::{Bound, Event};
use crate::solver::plan::LayerPlan;

/// What holds a layer.
///
/// # Errors
/// Whatever a holder does may end with [`Error::Interrupted`] if the observer asks for it, with
/// [`Error::OutOfMemory`] or [`Error::Io`], with what lower layers fail with, and with
/// [`Error::RankLost`].
pub trait Holder {
    /// What is swept: one of these, or lower and upper bounds.
    type Plane;
    /// A solved layer.
    type Solved;

    /// What moves do to rows.
    fn plan(&self) -> &LayerPlan<'_>;

    /// Whether strategies are wanted.
    fn keeps_strategies(&self) -> bool;

    /// Tells who watches.
    fn notice(&self, event: Event);

    /// Where an interrupted solve was, if it was.
    fn resume(&mut self) -> Result<Option<Vec<Self::Plane>>>;

    /// Whether all layers that captures may lead into have one score for each position.
    fn leads_to_exact(&self) -> Result<bool>;

    /// What captures are worth, for each of some bounds of the positions that they lead to.
    fn captures(&self, bounds: &[Bound]) -> Result<Vec<CapturePlane>>;

    /// Planes that hold these numbers everywhere.
    fn planes(&self, fills: &[i8]) -> Result<Vec<Self::Plane>>;

    /// Sweeps until nothing changes, with what captures are worth to each plane or to both, or nothing
    /// if they do not count, and between bounds if there are some. After each sweep but the last, planes
    /// without bounds are offered to the observer.
    fn settle(
        &mut self,
        captures: &[CapturePlane],
        bounds: Option<&[Self::Plane]>,
        planes: &mut [Self::Plane],
    ) -> Result<()>;

    /// Where a plane is what captures are worth to it.
    fn attained(&self, captures: &CapturePlane, plane: &Self::Plane) -> Result<Marks>;

    /// The same, and that is all that is wanted of these captures.
    fn last_attained(&self, captures: CapturePlane, plane: &Self::Plane) -> Result<Marks> {
        self.attained(&captures, plane)
    }

    /// Whether lower and upper bounds are the same.
    fn bounds_meet(&self, planes: &[Self::Plane]) -> Result<bool>;

    /// Where a core is looked for from, given what is proved and what captures are worth to upper
    /// bounds: in place of lower bounds the upper ones, and the other way round, raised to that.
    fn above_core(
        &self,
        captures: CapturePlane,
        proved: &[Self::Plane],
    ) -> Result<Vec<Self::Plane>>;

    /// Takes over what a core proves. Returns whether that is more than was proved.
    fn add_core(&self, proved: &mut Vec<Self::Plane>, core: Vec<Self::Plane>) -> Result<bool>;

    /// The layer of these planes, of which the first is enough if it is exact, and where captures
    /// attain them; of the second only if that is something else.
    fn solved(
        &self,
        planes: Vec<Self::Plane>,
        is_exact: bool,
        attained: Vec<Marks>,
    ) -> Self::Solved;

    /// Closes the claims of a layer that was found in so many planes: by default moves for a strategy,
    /// or by any tight ones for what one plane leaves to be proved. Between sweeps these planes are
    /// offered to the observer.
    fn certificate(
        &mut self,
        solved: &Self::Solved,
        planes: usize,
        play: TightMoves,
    ) -> Result<Certificate>;

    /// Gives a layer its strategy.
    fn with_exceptions(solved: Self::Solved, exceptions: Exceptions) -> Self::Solved;
}

/// Beyond every score: nothing is forced so far.
const UNBOUNDED: i8 = 100;

/// The bound of which nothing is proved in a layer.
pub(super) fn unbounded(layer: Layer) -> i8 {
    if layer.range().is_full() { UNBOUNDED } else { layer.range().end() }
}

/// The layer of a holder.
pub(super) fn layer<H: Holder>(holder: &H) -> Layer {
    holder.plan().layer
}

/// What captures are worth to the lower end of intervals, from the upper ends of the positions that
/// they lead to, and to the upper end from the lower ends; once if these meet everywhere.
///
/// # Errors
/// Those of a [`Holder`].
pub(super) fn captures_of_bounds<H: Holder>(holder: &H) -> Result<Vec<CapturePlane>> {
    let is_exact = holder.leads_to_exact()?;
    holder.captures(if is_exact { &[Bound::Low] } else { &[Bound::High, Bound::Low] })
}

/// Where bounds attain them, which are the same if they are exact.
///
/// # Errors
/// Those of a [`Holder`].
pub(super) fn attained<H: Holder>(
    holder: &H,
    captures: &[CapturePlane],
    planes: &[H::Plane],
    are_exact: bool,
) -> Result<Vec<Marks>> {
    let last = captures.len() - 1;
    let bounds = if are_exact { 0..last + 1 } else { 0..2 };
    bounds.map(|plane| holder.attained(&captures[plane.min(last)], &planes[plane])).collect()
}

/// Where an interrupted solve was, or else these numbers everywhere.
pub(super) fn begin<H: Holder>(
    holder: &H,
    kept: Option<Vec<H::Plane>>,
    fills: &[i8],
) -> Result<Vec<H::Plane>> {
    let kept = kept.filter(|kept| kept.len() == fills.len());
    kept.map_or_else(|| holder.planes(fills), Ok)
}

/// Finds the strategy of a layer that was found in so many planes, if it is wanted.
///
/// # Errors
/// Those of a [`Holder`], and [`Error::Unproved`].
pub(super) fn with_strategy<H: Holder>(
    holder: &mut H,
    solved: H::Solved,
    planes: usize,
) -> Result<H::Solved> {
    if !holder.keeps_strategies() {
        return Ok(solved);
    }
    let found = holder.certificate(&solved, planes, TightMoves::ByDefault)?;
    // Only of what comes from a wrong checkpoint or table.
    if !found.claims_are_met {
        return Err(Error::Unproved { seeds: layer(holder).seeds().get() });
    }
    Ok(H::with_exceptions(solved, found.exceptions))
}
