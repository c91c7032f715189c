//! How captures come by the layers below.
//!
//! Lower layers are looked at one after the other. One that is in memory is there as a whole; of any
//! other, neighbouring blocks are read into a window of memory, as many as it holds.
//!
//! Where memory is short, not even the values of captures fit into it together. Then they are
//! entered for a group of neighbouring blocks, and done with before the next group begins: a few
//! lower blocks are read for several groups, which is less than to have all that on disk while it
//! changes. Only where that would be too many groups, the blocks of one are on disk.

use std::ops::Range;

use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::BlockBytes;
use crate::layer::plane::{Plane, neighbours, windows};
use crate::layer::residence::Course;
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::Kernel;
use crate::solver::observer::{Bound, Event, Layers, Lower, Observer};
use crate::solver::plan::LayerPlan;

/// What captures of a layer are entered from, and how.
#[derive(Clone, Copy)]
pub struct Entering<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// Where memory comes from, if its bound leaves none that is quicker.
    pub arena: &'a Arena,
    /// The layers below.
    pub lower: &'a dyn Layers,
    /// Whom to tell.
    pub observer: &'a dyn Observer,
    /// Bytes of a lower layer that is not in memory to look at at a time.
    pub window: u64,
    /// Bytes that the values of captures may take with that, if not what the arena has room for.
    pub room: Option<u64>,
}

/// The values of captures, and the bound of the positions they lead to that counts for them.
type CaptureTarget = (Bound, CapturePlane);

/// Groups that blocks are entered in, about, at most: for each of them lower layers are read.
const GROUPS: u64 = 6;

/// Of the room for pages, eighths that a group of blocks and a window take.
const SHARE: u64 = 5;

impl Entering<'_> {
    /// Enters all captures, given the bounds of the positions they lead to that count, and keeps what
    /// they are worth in memory of an arena: a plane for each bound.
    ///
    /// # Errors
    /// As [`Entering::enter`].
    pub fn enter_all(&self, bounds: &[Bound], arena: &Arena) -> Result<Vec<CapturePlane>> {
        let mut all = Vec::new();
        Entering { arena, ..*self }.enter(bounds, |groups| {
            let is_there = |group: &CapturePlane| group.is_whole() && group.is_in(arena);
            if groups.iter().all(is_there) {
                all = groups;
                return Ok(());
            }
            if all.is_empty() {
                let plane = |group: &CapturePlane| group.whole_in(self.plan, arena);
                all = groups.iter().map(plane).collect::<Result<_>>()?;
            }
            all.iter_mut().zip(&groups).for_each(|(plane, group)| plane.take(group));
            Ok(())
        })?;
        Ok(all)
    }

    /// Enters all captures, given the bounds of the positions they lead to that count. What they are
    /// worth is handed to `done`, a plane for each bound, group of blocks after group.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and whatever the lower layers or `done`
    /// fail with.
    pub fn enter(
        &self,
        bounds: &[Bound],
        mut done: impl FnMut(Vec<CapturePlane>) -> Result<()>,
    ) -> Result<()> {
        let free = || self.arena.spill().map(|spill| spill.room() / 8 * SHARE);
        let room = self.room.or_else(free);
        let room = room.map(|room| room.saturating_sub(self.window) / bounds.len() as u64);
        let layer = self.plan.layer;
        let most = room.unwrap_or(u64::MAX).max(CapturePlane::memory(layer) / GROUPS);
        let memory = |held| CapturePlane::memory_of(layer, held);
        for held in neighbours(layer.seeds().get() + 1, most, memory) {
            let needed = memory(held.clone());
            let quick = Arena::passing();
            let arena = if room.is_some_and(|room| needed <= room) {
                self.arena.make_room(bounds.len() as u64 * needed + self.window);
                &quick
            } else {
                self.arena
            };
            let plane = |&bound: &Bound| {
                let plane = CapturePlane::new(self.plan, self.kernel, arena, held.clone())?;
                Ok((bound, plane))
            };
            let mut targets = bounds.iter().map(plane).collect::<Result<Vec<CaptureTarget>>>()?;
            self.enter_group(&mut targets, arena)?;
            done(targets.into_iter().map(|(_, plane)| plane).collect())?;
        }
        Ok(())
    }

    /// Enters the captures of some blocks, and looks at lower layers in memory of an arena.
    fn enter_group(&self, targets: &mut [CaptureTarget], arena: &Arena) -> Result<()> {
        let seeds = self.plan.layer.seeds();
        let blocks = targets.iter().map(|(_, captures)| captures.blocks());
        let planes: Vec<&BlockBytes> = blocks.map(|blocks| &**blocks).collect();
        let held = targets[0].1.held().collect();
        let course = Course::through_blocks(&planes, std::iter::once(held), true);
        let _round = course.begin();
        course.step();
        for into in seeds.below() {
            self.observer.go_on()?;
            let captured = seeds.get() - into.get();
            if let Some(reached) = targets[0].1.reached(self.plan, captured) {
                let lower = self.lower.lower(into)?;
                lower.layer().make_sure_it_serves(self.plan.layer)?;
                let look = (&reached, self.window, arena);
                let enter = |bound, targets: &mut [CaptureTarget]| {
                    each_part(&lower, bound, look, &mut |part| {
                        for (_, captures) in &mut *targets {
                            captures.enter(self.plan, part, &part.held());
                        }
                        self.observer.go_on()
                    })
                };
                if lower.is_exact() {
                    enter(Bound::Low, targets)?;
                } else {
                    targets.chunks_mut(1).try_for_each(|one| enter(one[0].0, one))?;
                }
            }
            self.observer.notice(Event::Captures { seeds, into });
        }
        course.leave();
        Ok(())
    }
}

/// Shows a bound of a lower layer's positions: all of it if it is in memory, and if not those of
/// some blocks, as many at a time as a window of this many bytes holds, in memory of an arena.
///
/// # Errors
/// What the layer and `visit` fail with.
pub fn each_part(
    lower: &Lower,
    bound: Bound,
    (blocks, window, arena): (&Range<usize>, u64, &Arena),
    visit: &mut dyn FnMut(&Plane) -> Result<()>,
) -> Result<()> {
    let layer = match lower {
        Lower::Whole(solved) => return visit(bound.of(solved)),
        Lower::Streamed(layer) => layer,
    };
    let bound = if layer.is_exact() { Bound::Low } else { bound };
    let windows = windows(layer.layer(), window).into_iter();
    let held = windows.map(|held| held.start.max(blocks.start)..held.end.min(blocks.end));
    for held in held.filter(|held| !held.is_empty()) {
        let read = held.clone().collect();
        let mut excerpt = Plane::excerpt(arena, layer.layer(), held)?;
        let course = Course::through_blocks(&[excerpt.blocks()], [read].into_iter(), true);
        let _round = course.begin();
        course.step();
        layer.read(bound, &mut excerpt)?;
        visit(&excerpt)?;
    }
    Ok(())
}
