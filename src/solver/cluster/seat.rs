//! One rank at work on one layer: its captures, and sweeps until nothing changes.

use zerocopy::IntoBytes;

use super::captures::{JointCaptures, LowerBlock};
use super::cut::Cut;
use super::links::Spreads;
use super::part::{Field, as_lines};
use super::shares::Shares;
use super::tail::JointTail;
use super::task::{JointSweep, PairLists};
use super::transport::{Purpose, Talk, Team};
use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::layer::arena::Arena;
use crate::layer::excerpt::Excerpt;
use crate::layer::index::Layer;
use crate::layer::line::{LINE, Line};
use crate::solver::fixpoint::{TAIL_ON_DISK, few_changes};
use crate::solver::kernel::{Change, Kernel, Log};
use crate::solver::observer::{Bound, Event, Layers, Lower, Observer};
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
    pub lists: &'a [PairLists],
    pub spreads: &'a mut Spreads,
    pub rank: usize,
    pub kernel: Kernel,
    /// Whether strategies are kept.
    pub strategies: bool,
    /// One in so many changed scores are few, on all ranks.
    pub tail: u64,
    pub leader: Option<Leader<'a>>,
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
        captures.clamp(self.plan.layer.range());
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
        let range = self.plan.layer.range();
        [&mut low, &mut high].into_iter().for_each(|captures| captures.clamp(range));
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
                lower
                    .iter()
                    .try_for_each(|lower| lower.layer().make_sure_it_serves(self.plan.layer))?;
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
        let layer = lower.map_or(Layer::of(self.plan.rules, into), Lower::layer);
        for block in 0..=into.get() {
            match lower {
                None => {
                    let lines = self.hear_block(layer, block)?;
                    enter(&LowerBlock { layer, block, lines: &lines });
                }
                Some(Lower::Whole(solved)) => {
                    let plane = if bound == Bound::Low { &solved.low } else { solved.high() };
                    let lines = plane.blocks().block(block).unpacked();
                    self.tell_block(&lines)?;
                    enter(&LowerBlock { layer, block, lines: &lines });
                }
                Some(Lower::Streamed(streamed)) => {
                    let arena = &Arena::default();
                    let mut excerpt = Excerpt::in_arena(arena, layer, block..block + 1)?;
                    streamed.read(bound, &mut excerpt)?;
                    let lines = excerpt.part().blocks.block(block).unpacked();
                    self.tell_block(&lines)?;
                    enter(&LowerBlock { layer, block, lines: &lines });
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

    /// Sweeps until nothing changes on any rank: dense ones first, and from change to change as soon
    /// as few scores change, as one process does. After each sweep but the last, the observer is
    /// offered what there is, unless that is a core, which a solve that goes on makes again.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it, and those of [`Team`].
    pub fn settle(&mut self, sweep: &JointSweep, field: &mut Field) -> Result<()> {
        let few = self.few(field.planes.len())?;
        let mut changes = None;
        loop {
            let mut log = Log { count: 0, changes };
            sweep.run(self.team, field, &|| self.interrupted(), &mut log)?;
            let changed = self.ended(log.count, sweep, field)?;
            if changed == 0 {
                return Ok(());
            }
            if let Some(changes) = log.changes {
                return self.settle_tail(sweep, field, changes);
            }
            changes = (changed < few).then(Vec::new);
        }
    }

    /// How many changed scores in all are few.
    fn few(&self, planes: usize) -> Result<u64> {
        let scores = self.plan.layer.positions() * planes as u64;
        let is_on_disk = self.team.any(self.arena.is_spilled())?;
        let tail = if is_on_disk { self.tail.max(TAIL_ON_DISK) } else { self.tail };
        Ok(few_changes(scores, tail))
    }

    fn settle_tail(
        &mut self,
        sweep: &JointSweep,
        field: &mut Field,
        changes: Vec<Change>,
    ) -> Result<()> {
        let mut tail = JointTail::new(sweep, field.planes.len(), changes);
        loop {
            let changed = tail.sweep(self.team, field, &|| self.interrupted())?;
            if self.ended(changed, sweep, field)? == 0 {
                return Ok(());
            }
        }
    }

    /// Tells that a sweep has ended. Returns how many scores have changed on all ranks.
    fn ended(&mut self, changed: u64, swept: &JointSweep, field: &Field) -> Result<u64> {
        let changed = self.team.sums(&[changed])?[0];
        self.sweep += 1;
        let (seeds, sweep) = (self.plan.layer.seeds(), self.sweep);
        self.notice(Event::Swept { seeds, sweep, changed });
        if changed == 0 {
            return Ok(0);
        }
        if !swept.is_of_core() {
            self.offer(field)?;
        }
        if self.team.hear(&[u8::from(self.interrupted())], Purpose::Control)? == [1] {
            return Err(Error::Interrupted);
        }
        Ok(changed)
    }
}
