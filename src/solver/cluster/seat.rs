//! One rank at work on one layer: its captures, and sweeps until nothing changes.

use zerocopy::IntoBytes;

use super::captures::{JointCaptures, LowerBlock};
use super::cut::Cut;
use super::part::{Field, Part, as_lines};
use super::shares::Shares;
use super::task::{JointSweep, PairLists};
use super::transport::{Purpose, Talk, Team};
use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::layer::arena::Arena;
use crate::layer::blocks::{LINE, Line};
use crate::layer::excerpt::Excerpt;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::strategy::Holds;
use crate::solver::kernel::Kernel;
use crate::solver::observer::{Bound, Checkpoint, Event, Layers, Lower, Observer};
use crate::solver::plan::LayerPlan;

/// What only the leader has: solved layers, and somebody who watches.
#[derive(Clone, Copy)]
pub struct Leader<'a> {
    pub lower: &'a dyn Layers,
    pub observer: &'a dyn Observer,
}

/// A rank's place at a layer.
pub struct Seat<'a> {
    pub team: &'a Team<'a>,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    /// Where parts are.
    pub arena: &'a Arena,
    /// Where the leader has whole planes.
    pub whole: &'a Arena,
    pub lists: &'a [PairLists],
    pub rank: usize,
    pub kernel: Kernel,
    /// Whether strategies are kept.
    pub strategies: bool,
    pub leader: Option<Leader<'a>>,
    /// The stamp of the next sweep.
    pub clock: u8,
    /// Sweeps of this layer so far.
    pub sweep: usize,
}

impl Seat<'_> {
    /// Lets the observer notice something, if it is here.
    pub fn notice(&self, event: Event) {
        if let Some(leader) = self.leader {
            leader.observer.notice(event);
        }
    }

    fn interrupted(&self) -> bool {
        self.leader.is_some_and(|leader| leader.observer.interrupted())
    }

    /// What captures are worth to scores.
    ///
    /// # Errors
    /// [`Error::Interrupted`], what the lower layers fail with, and those of [`Team`].
    pub fn captures(&self) -> Result<JointCaptures> {
        let mut captures = self.constants()?;
        self.each_lower_layer(&captures.lower_layers(self.plan), &mut |into, lower| {
            self.each_block(into, Bound::Low, lower, &mut |block| captures.enter(self.plan, block))
        })?;
        Ok(captures)
    }

    /// What captures are worth to lower bounds and to upper ones.
    ///
    /// # Errors
    /// As [`Seat::captures`].
    pub fn capture_bounds(&self) -> Result<[JointCaptures; 2]> {
        let (mut low, mut high) = (self.constants()?, self.constants()?);
        self.each_lower_layer(&low.lower_layers(self.plan), &mut |into, lower| {
            let has_high = lower.is_some_and(|lower| !lower.is_exact());
            let has_high = self.team.hear(&[u8::from(has_high)], Purpose::Control)? == [1];
            self.each_block(into, Bound::Low, lower, &mut |block| {
                high.enter(self.plan, block);
                if !has_high {
                    low.enter(self.plan, block);
                }
            })?;
            if !has_high {
                return Ok(());
            }
            self.each_block(into, Bound::High, lower, &mut |block| low.enter(self.plan, block))
        })?;
        Ok([low, high])
    }

    fn constants(&self) -> Result<JointCaptures> {
        JointCaptures::new(self.arena, self.plan, self.cut, self.rank, self.kernel)
    }

    /// Calls `enter` for each layer that captures lead into; the leader has it.
    fn each_lower_layer(
        &self,
        taken: &[Seeds],
        enter: &mut dyn FnMut(Seeds, Option<&Lower>) -> Result<()>,
    ) -> Result<()> {
        let seeds = self.plan.layer.seeds();
        for into in seeds.below() {
            if self.team.hear(&[u8::from(self.interrupted())], Purpose::Control)? == [1] {
                return Err(Error::Interrupted);
            }
            if taken.contains(&into) {
                let lower = self.leader.map(|leader| leader.lower.lower(into)).transpose()?;
                enter(into, lower.as_ref())?;
            }
            self.notice(Event::Captures { seeds, into });
        }
        Ok(())
    }

    /// Calls `enter` with each block of a lower layer, which the leader tells the others.
    fn each_block(
        &self,
        into: Seeds,
        bound: Bound,
        lower: Option<&Lower>,
        enter: &mut dyn FnMut(&LowerBlock),
    ) -> Result<()> {
        let layer = Layer::of(self.plan.rules, into);
        for block in 0..=into.get() {
            match lower {
                None => {
                    let lines = self.hear_block(layer, block)?;
                    enter(&LowerBlock { layer, block, lines: &lines });
                }
                Some(Lower::Whole(solved)) => {
                    let plane = if bound == Bound::Low { &solved.low } else { solved.high() };
                    self.tell_block(plane.blocks().block(block))?;
                    enter(&LowerBlock { layer, block, lines: plane.blocks().block(block) });
                }
                Some(Lower::Streamed(streamed)) => {
                    let arena = &Arena::default();
                    let mut excerpt = Excerpt::in_arena(arena, layer, block..block + 1)?;
                    streamed.read(bound, &mut excerpt)?;
                    let lines = excerpt.part().blocks.block(block);
                    self.tell_block(lines)?;
                    enter(&LowerBlock { layer, block, lines });
                }
            }
        }
        Ok(())
    }

    /// Tells the others a block of a lower layer: one after the other, to hold one copy at a time.
    fn tell_block(&self, lines: &[Line]) -> Result<()> {
        self.team.others().try_for_each(|rank| {
            let tell =
                &mut |talk: &Talk| talk.send(rank, lines.as_bytes().to_vec(), Purpose::Lower);
            self.team.session(tell)
        })
    }

    fn hear_block(&self, layer: Layer, block: usize) -> Result<Vec<Line>> {
        let (rows, columns) = layer.block_shape(block);
        let size = rows * columns.div_ceil(LINE) * LINE;
        let mut lines = Vec::new();
        self.team.session(&mut |talk| {
            lines = as_lines(&talk.receive(0, size)?);
            Ok(())
        })?;
        Ok(lines)
    }

    /// The stamp of this moment; the next one is later. Very late ones prove nothing.
    pub fn next_stamp(&mut self) -> u8 {
        let stamp = self.clock;
        self.clock = stamp.saturating_add(1);
        stamp
    }

    /// Sweeps until nothing changes on any rank. Where `holds` are given, the observer is offered
    /// what there is after each sweep but the last, if it wants that.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it, and those of [`Team`].
    pub fn settle(
        &mut self,
        sweep: &JointSweep,
        field: &mut Field,
        holds: Option<Holds>,
    ) -> Result<()> {
        let seeds = self.plan.layer.seeds();
        loop {
            let changed = sweep.run(self.team, field, self.clock, &|| self.interrupted())?;
            let changed = self.team.sums(&[changed])?[0];
            if field.stamps.is_some() {
                self.next_stamp();
            }
            self.sweep += 1;
            self.notice(Event::Swept { seeds, sweep: self.sweep, changed });
            if changed == 0 {
                return Ok(());
            }
            if let Some(holds) = holds {
                self.offer(field, holds)?;
            }
            if self.team.hear(&[u8::from(self.interrupted())], Purpose::Control)? == [1] {
                return Err(Error::Interrupted);
            }
        }
    }

    /// Offers the observer a checkpoint, if it wants one: then it is put together.
    fn offer(&self, field: &Field, holds: Holds) -> Result<()> {
        let wanted = |leader: Leader| leader.observer.wants_checkpoint(self.plan.layer);
        let wanted = self.leader.is_some_and(wanted);
        if self.team.hear(&[u8::from(wanted)], Purpose::Control)? != [1] {
            return Ok(());
        }
        let whole = |parts: &Vec<Part>| self.shares.gather(self.team, parts, self.whole);
        let planes: Vec<Option<Plane>> = field.planes.iter().map(whole).collect::<Result<_>>()?;
        let stamps = field.stamps.as_ref().map(whole).transpose()?;
        let (Some(leader), Some(low)) = (self.leader, &planes[0]) else { return Ok(()) };
        leader.observer.offer(&Checkpoint {
            low,
            high: planes.get(1).and_then(Option::as_ref),
            stamps: stamps.as_ref().and_then(Option::as_ref),
            holds,
            clock: self.clock,
            sweep: self.sweep,
        });
        Ok(())
    }

    /// What the observer has kept of this layer, as each rank needs it. Counting goes on where it
    /// was then.
    ///
    /// # Errors
    /// Those of [`Team`], and [`Error::OutOfMemory`].
    pub fn resume(&mut self) -> Result<Option<(Field, Holds)>> {
        let layer = self.plan.layer;
        let resume = |leader: Leader| leader.observer.resume(layer.seeds(), self.whole);
        let kept = self.leader.and_then(resume);
        let said = kept.as_ref().map_or(Counters::default(), Counters::of).to_words();
        let said = super::transport::to_bytes(&said);
        let said = super::transport::from_bytes(&self.team.hear(&said, Purpose::Control)?);
        let counters = Counters::from_words(&said);
        if counters.planes == 0 {
            return Ok(None);
        }
        (self.clock, self.sweep) = (counters.clock as u8, counters.sweep as usize);
        let kept = kept.as_ref();
        let scatter = |plane: Option<&Plane>| self.shares.scatter(self.team, plane, self.arena);
        let mut planes = vec![scatter(kept.map(|kept| &kept.low))?];
        if counters.planes == 2 {
            planes.push(scatter(kept.and_then(|kept| kept.high.as_ref()))?);
        }
        let stamps = kept.and_then(|kept| kept.stamps.as_ref());
        let stamps = (counters.stamps == 1).then(|| scatter(stamps)).transpose()?;
        Ok(Some((Field { planes, stamps, late: Vec::new() }, Holds::from_words(counters.holds))))
    }
}

/// What a checkpoint says beside its planes.
#[derive(Default)]
struct Counters {
    /// 0 if there is none.
    planes: u64,
    stamps: u64,
    clock: u64,
    sweep: u64,
    holds: [u64; 4],
}

impl Counters {
    fn of(kept: &Checkpoint<Plane>) -> Counters {
        Counters {
            planes: 1 + u64::from(kept.high.is_some()),
            stamps: u64::from(kept.stamps.is_some()),
            clock: kept.clock.into(),
            sweep: kept.sweep as u64,
            holds: kept.holds.to_words(),
        }
    }

    fn to_words(&self) -> [u64; 8] {
        let Counters { planes, stamps, clock, sweep, holds: [a, b, c, d] } = *self;
        [planes, stamps, clock, sweep, a, b, c, d]
    }

    fn from_words(words: &[u64]) -> Counters {
        let [planes, stamps, clock, sweep, a, b, c, d] = words.try_into().expect("eight numbers");
        Counters { planes, stamps, clock, sweep, holds: [a, b, c, d] }
    }
}
