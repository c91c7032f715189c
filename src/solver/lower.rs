//! How captures come by the layers below.
//!
//! Lower layers are looked at one after the other, each once. One that is in memory is there as a
//! whole; of any other, neighbouring blocks are read into a window of memory, as many as it holds.

use crate::error::{Error, Result};
use crate::game::board::Seeds;
use crate::layer::arena::Arena;
use crate::layer::excerpt::{Excerpt, Part, windows};
use crate::layer::solved::Solved;
use crate::solver::captures::CapturePlane;
use crate::solver::observer::{Bound, Event, Layers, Lower, Observer, Streamed};
use crate::solver::plan::LayerPlan;

/// What captures of a layer are entered from, and how.
pub struct Entering<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// Where the memory for blocks of lower layers comes from.
    pub arena: &'a Arena,
    /// The layers below.
    pub lower: &'a dyn Layers,
    /// Whom to tell.
    pub observer: &'a dyn Observer,
    /// Bytes of a lower layer that is not in memory to look at at a time.
    pub window: u64,
}

/// Captures, and the bound of the positions they lead to that counts for them.
pub type Target<'t> = (Bound, &'t mut CapturePlane);

impl Entering<'_> {
    /// Enters all captures.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it, and whatever the lower layers fail with.
    pub fn enter(&self, targets: &mut [Target]) -> Result<()> {
        let seeds = self.plan.layer.seeds();
        for into in seeds.below() {
            self.go_on()?;
            if self.is_reached(into, targets) {
                match self.lower.lower(into)? {
                    Lower::Whole(solved) => self.enter_whole(&solved, targets),
                    Lower::Streamed(layer) => self.enter_streamed(&*layer, targets)?,
                }
            }
            self.observer.notice(Event::Captures { seeds, into });
        }
        Ok(())
    }

    fn go_on(&self) -> Result<()> {
        if self.observer.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Whether any capture leads into a layer.
    fn is_reached(&self, into: Seeds, targets: &[Target]) -> bool {
        let captured = self.plan.layer.seeds().get() - into.get();
        targets.iter().any(|(_, captures)| captures.takes(self.plan, captured))
    }

    fn enter_whole(&self, solved: &Solved, targets: &mut [Target]) {
        for (bound, captures) in targets {
            let plane = match bound {
                Bound::Low => &solved.low,
                Bound::High => solved.high(),
            };
            captures.enter(self.plan, &plane.part());
        }
    }

    fn enter_streamed(&self, layer: &dyn Streamed, targets: &mut [Target]) -> Result<()> {
        for held in windows(layer.layer(), self.window) {
            let mut excerpt = Excerpt::in_arena(self.arena, layer.layer(), held)?;
            let bounds: &[Bound] =
                if layer.is_exact() { &[Bound::Low] } else { &[Bound::Low, Bound::High] };
            for &bound in bounds {
                let wanted = |target: &&mut Target| layer.is_exact() || target.0 == bound;
                let mut targets = targets.iter_mut().filter(wanted).peekable();
                if targets.peek().is_some() {
                    self.go_on()?;
                    layer.read(bound, &mut excerpt)?;
                    targets.for_each(|target| self.enter_part(&excerpt.part(), target));
                }
            }
        }
        Ok(())
    }

    fn enter_part(&self, part: &Part, (_, captures): &mut Target) {
        captures.enter(self.plan, part);
    }
}
