//! Scores on disk and what captures are worth, in memory when a sweep comes to them.
//!
//! What a strip touches depends on the plan of the layer alone. So it is known in advance, and makes
//! a timetable ([`crate::layer::timetable`]), whose steps are eight strips at a time: the rows that
//! eight strips' moves lead to lie together, 32 KiB and more in each panel; those of a single strip
//! would be many small pieces. When the first of them is about to be handed out, the step begins,
//! unless it has been prepared while strips of the step before were computed.
//!
//! ```text
//!   pair       strips 0 .. 7    8 .. 15    ...    settled 0 .. 7    8 .. 15    ...    next pair
//!   step       s                s + 1             s + n             s + n + 1         s + 2 n
//! ```
//!
//! Nothing depends on it but time. A test holds that strips read no scores of planes and no values
//! of captures that their step does not have.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cross::Values;
use super::ground::{Sweep, strips};
use crate::layer::blocks::{BlockBytes, Blocks, GAP};
use crate::layer::line::LINE;
use crate::layer::plane::Plane;
use crate::layer::residence::{Course, Frames, WorkRound};
use crate::layer::timetable::{PlannedStep, Touch};
use crate::solver::plan::{LayerPlan, OUTSIDE, Transit};

/// Strips that are worked on together.
const GROUP: usize = 8;

/// Brings and lets go of what is on disk. Where nothing is, it does nothing.
#[derive(Debug)]
pub struct ReadAhead(Course);

/// Some strips of a pair.
#[derive(Clone, Debug)]
struct StripGroup {
    small: usize,
    large: usize,
    strips: Range<usize>,
}

/// Lines that a group touches: some rows of some panels of a block.
#[derive(Clone, Debug)]
struct Touched {
    block: usize,
    panels: Range<usize>,
    rows: Range<usize>,
    is_written: bool,
}

/// Strips of a group that are handed out before the next group is prepared: those of the group before
/// are mostly done then, and what they wanted may leave.
const HANDED_OUT: usize = 2;

/// What is on disk: planes, bounds of a core, captures, and what strips compute in the larger
/// block.
struct OnDisk<'a> {
    all: Vec<&'a BlockBytes>,
    /// How many planes there are; and where in the list bounds and captures end.
    planes: usize,
    bounds: usize,
    captures: usize,
}

impl<'a> OnDisk<'a> {
    fn of(sweep: &Sweep<'a>, planes: &'a [Plane], late: &'a Blocks) -> OnDisk<'a> {
        let on_disk = |blocks: &'a Blocks| blocks.pages().map(|_| -> &'a BlockBytes { blocks });
        let mut all: Vec<&BlockBytes> =
            planes.iter().filter_map(|plane| on_disk(plane.blocks())).collect();
        let planes = all.len();
        all.extend(sweep.bounds.into_iter().flatten().filter_map(on_disk));
        let bounds = all.len();
        all.extend(sweep.captures.iter().filter_map(|captures| on_disk(captures.blocks())));
        let captures = all.len();
        all.extend(on_disk(late));
        OnDisk { all, planes, bounds, captures }
    }
}

/// The steps of a sweep.
struct SweepSteps<'a> {
    plan: &'a LayerPlan<'a>,
    on_disk: &'a OnDisk<'a>,
    frames: &'a Frames,
}

impl SweepSteps<'_> {
    fn all(&self) -> Vec<PlannedStep> {
        let seeds = self.plan.layer.seeds().get();
        let mut steps = Vec::new();
        for small in 0..=seeds / 2 {
            let groups = groups(small, seeds - small);
            steps.extend(groups.iter().map(|group| self.swept(group)));
            if 2 * small < seeds {
                steps.extend(groups.iter().map(|group| self.settled(group)));
            }
        }
        steps
    }

    /// What strips of a pair touch.
    fn swept(&self, group: &StripGroup) -> PlannedStep {
        let (mut step, OnDisk { planes, bounds, captures, .. }) =
            (self.frames.step(), self.on_disk);
        self.touch(&mut step, &crossed(self.plan, group), 0..*planes);
        self.touch(&mut step, &at_home(self.plan, group), 0..*bounds);
        self.touch(&mut step, &captured(self.plan, group), *bounds..*captures);
        self.touch_late(&mut step, group, Touch::Write);
        step
    }

    /// What is touched when what strips have computed is written to the larger block.
    fn settled(&self, group: &StripGroup) -> PlannedStep {
        let mut step = self.frames.step();
        let own = read(group.large, group.strips.clone(), 0..usize::MAX);
        let own = Touched { is_written: true, ..own };
        self.touch(&mut step, &[own], 0..self.on_disk.planes);
        self.touch_late(&mut step, group, Touch::Read);
        step
    }

    /// Lines of some of what is on disk.
    fn touch(&self, step: &mut PlannedStep, touched: &[Touched], pieces: Range<usize>) {
        for Touched { block, panels, rows, is_written } in touched {
            for piece in pieces.clone() {
                let is_changed = *is_written && piece < self.on_disk.planes;
                let touch = if is_changed { Touch::Change } else { Touch::Read };
                let blocks = self.on_disk.all[piece];
                for stretch in blocks.stretches(*block, panels.clone(), rows.clone()) {
                    step.touch(self.frames.of(piece, stretch), touch);
                }
            }
        }
    }

    /// What strips compute in the larger block.
    fn touch_late(&self, step: &mut PlannedStep, group: &StripGroup, touch: Touch) {
        let OnDisk { all, planes, captures: piece, .. } = self.on_disk;
        let Some(late) = all.get(*piece).filter(|_| group.small != group.large) else { return };
        let lines = Values::lines(*planes, strips(group.small));
        let lines = group.strips.start * lines..group.strips.end * lines;
        for stretch in late.stretches(0, 0..1, lines) {
            step.touch(self.frames.of(*piece, stretch), touch);
        }
    }
}

impl ReadAhead {
    /// For sweeps over planes, wherever they are.
    pub fn new(sweep: &Sweep, planes: &[Plane], late: &Blocks) -> ReadAhead {
        let on_disk = OnDisk::of(sweep, planes, late);
        let pieces = on_disk.all.iter().filter_map(|blocks| blocks.pages().cloned()).collect();
        let steps =
            |frames: &Frames| SweepSteps { plan: sweep.plan, on_disk: &on_disk, frames }.all();
        ReadAhead(Course::new(pieces, steps))
    }

    /// A sweep begins, in which most pages change or not.
    pub fn begin(&self, much_changes: bool) -> WorkRound {
        self.0.expect(much_changes);
        self.0.begin()
    }

    /// Is told that the strip of this number is about to be handed out, to be swept, or where a pair
    /// is not one block, to be settled after the others of its pair have been swept.
    pub fn come_to(&self, strip: usize) {
        match strip % GROUP {
            0 => self.0.step(),
            HANDED_OUT => self.0.prepare(),
            _ => {}
        }
    }
}

/// The groups of a pair.
fn groups(small: usize, large: usize) -> Vec<StripGroup> {
    let count = strips(large);
    let group = |first| StripGroup { small, large, strips: first..count.min(first + GROUP) };
    (0..count).step_by(GROUP).map(group).collect()
}

/// Panels of the smaller block that the strips of a group have to do with.
fn columns(group: &StripGroup) -> usize {
    if group.small == group.large { group.strips.end } else { strips(group.small) }
}

/// Lines that are only read.
fn read(block: usize, panels: Range<usize>, rows: Range<usize>) -> Touched {
    Touched { block, panels, rows, is_written: false }
}

/// What crossing moves lead to, from both blocks.
fn crossed(plan: &LayerPlan, group: &StripGroup) -> Vec<Touched> {
    let mut touched = Vec::new();
    let mut lead: BTreeMap<usize, (Vec<u32>, Range<usize>)> = BTreeMap::new();
    for (transit, pulls) in group.strips.clone().flat_map(|s| plan.blocks[group.large].groups(s)) {
        let block = plan.opponent(group.large) + transit.crossed;
        let (rows, panels) = lead.entry(block).or_insert((Vec::new(), NO_PANELS));
        rows.extend(pulls.iter().map(|pull| pull.row));
        widen(panels, transit, 0..columns(group));
    }
    for (block, (rows, panels)) in lead {
        touched.extend(stretches(rows, GAP).map(|rows| read(block, panels.clone(), rows)));
    }
    let mut follow: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for transit in plan.blocks[group.small].all_transits() {
        let panels = follow.entry(plan.opponent(group.small) + transit.crossed).or_default();
        let windows = group.strips.clone().flat_map(|line| transit.quiet.of_line(line));
        panels.extend(windows.map(|window| window.panel));
    }
    for (block, panels) in follow {
        touched.extend(stretches(panels, 0).map(|panels| read(block, panels, 0..usize::MAX)));
    }
    touched
}

/// What captures are worth is laid out the other way round: own rows in panels of opponent's rows.
fn captured(plan: &LayerPlan, group: &StripGroup) -> Vec<Touched> {
    let StripGroup { small, large, strips } = group;
    let of_lines = |own: usize, lines: Range<usize>| {
        let windows = lines.flat_map(move |line| plan.blocks[own].spread.of_line(line));
        stretches(windows.map(|window| window.panel).collect(), 0)
    };
    let lead = |panels| read(*large, panels, strips.start * LINE..strips.end * LINE);
    let follow = |panels| read(*small, panels, 0..columns(group) * LINE);
    let lead = of_lines(*large, 0..columns(group)).map(lead);
    lead.chain(of_lines(*small, strips.clone()).map(follow)).collect()
}

/// What home moves lead to and what the group writes, but what is kept aside.
fn at_home(plan: &LayerPlan, group: &StripGroup) -> Vec<Touched> {
    let StripGroup { small, large, strips } = group;
    let block = &plan.blocks[*large];
    let ranks = strips.start * LINE..block.half.rows().min(strips.end * LINE);
    let own = ranks.clone().map(|rank| plan.blocks[*small].lane_rows[rank]);
    let own = own.filter(|&row| row != OUTSIDE).collect();
    let home = ranks.flat_map(|rank| block.half.home_rows(rank)).copied().collect();
    let rows = [(home, false), (own, true)].into_iter().flat_map(|(rows, is_written)| {
        let touched = move |rows| read(*small, 0..columns(group), rows);
        stretches(rows, GAP).map(move |rows| Touched { is_written, ..touched(rows) })
    });
    let own_panels = read(*large, strips.clone(), 0..usize::MAX);
    rows.chain([Touched { is_written: small == large, ..own_panels }]).collect()
}

/// No panel: whatever is added makes it larger.
const NO_PANELS: Range<usize> = Range { start: usize::MAX, end: 0 };

/// Adds the panels that some lines of lanes lead to.
fn widen(panels: &mut Range<usize>, transit: &Transit, lines: Range<usize>) {
    for window in lines.flat_map(|line| transit.quiet.of_line(line)) {
        let panel = window.panel as usize;
        *panels = panels.start.min(panel)..panels.end.max(panel + 1);
    }
}

/// Numbers as stretches without gaps larger than `gap`.
fn stretches(mut numbers: Vec<u32>, gap: usize) -> impl Iterator<Item = Range<usize>> {
    numbers.sort_unstable();
    let mut numbers = numbers.into_iter().map(|number| number as usize).peekable();
    std::iter::from_fn(move || {
        let first = numbers.next()?;
        let mut last = first;
        while let Some(number) = numbers.next_if(|&number| number <= last + gap.max(1)) {
            last = number;
        }
        Some(first..last + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Seeds;
    use crate::game::{ABAPA, AWARI, MASTERS, Rules, legal_moves};
    use crate::layer::blocks::PANEL;
    use crate::layer::index::{Cell, Layer, Rank};
    use crate::solver::plan::Plans;

    /// The groups of a pair, each with the scores and the captures that it touches.
    fn touched(plan: &LayerPlan, small: usize) -> Vec<(StripGroup, [Vec<Touched>; 2])> {
        let touched = |group: StripGroup| {
            let scores = [crossed(plan, &group), at_home(plan, &group)].concat();
            let captures = captured(plan, &group);
            (group, [scores, captures])
        };
        groups(small, plan.opponent(small)).into_iter().map(touched).collect()
    }

    fn covers(touched: &[Touched], cell: Cell) -> bool {
        touched.iter().any(|touched| {
            let Touched { block, panels, rows, .. } = touched;
            *block == cell.own
                && panels.contains(&(cell.column / PANEL))
                && rows.contains(&cell.row)
        })
    }

    /// The strip that computes a position: by the larger of both half-boards.
    fn strip(plan: &LayerPlan, cell: Cell) -> usize {
        let (own, opponent) = (cell.column, plan.blocks[cell.own].row_lanes[cell.row] as usize);
        match (2 * cell.own).cmp(&plan.layer.seeds().get()) {
            std::cmp::Ordering::Less => opponent / LINE,
            std::cmp::Ordering::Equal => opponent.max(own) / LINE,
            std::cmp::Ordering::Greater => own / LINE,
        }
    }

    fn assert_fetched(rules: &'static Rules, seeds: usize) {
        let layer = Layer::of(rules, Seeds::new(seeds).unwrap());
        let mut plans = Plans::new(rules);
        let plan = &plans.layer(layer.seeds());
        let pairs: Vec<_> = (0..=seeds / 2).map(|small| touched(plan, small)).collect();
        for board in layer.boards(Rank(0)) {
            let cell = layer.cell(&board).unwrap();
            let pair = cell.own.min(seeds - cell.own);
            let (group, [touched, captures]) = &pairs[pair][strip(plan, cell) / GROUP];
            assert!(group.strips.contains(&strip(plan, cell)));
            let turned = Cell { own: cell.own, row: cell.column, column: cell.row };
            assert!(covers(captures, turned), "{board:?} {group:?}");
            for found in legal_moves(rules, &board).iter().filter(|found| found.captured == 0) {
                let child = layer.cell(&found.next).unwrap();
                // Scores of the larger block that home moves lead to are kept aside.
                let is_aside = child.own + cell.own == seeds && child.own > cell.own;
                assert!(is_aside || covers(touched, child), "{board:?} {child:?} {group:?}");
            }
        }
    }

    #[test]
    fn whatever_is_touched_is_fetched() {
        for rules in [&AWARI, &ABAPA, &MASTERS] {
            for seeds in 0..=9 {
                assert_fetched(rules, seeds);
            }
        }
    }

    #[test]
    fn rows_join_over_small_gaps() {
        let rows = vec![500, 3, 4, 4, 4 + GAP as u32, 100_000];
        let joined: Vec<_> = stretches(rows, GAP).collect();
        assert_eq!(joined, [3..5 + GAP, 500..501, 100_000..100_001]);
    }
}
