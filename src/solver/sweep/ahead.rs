//! Scores on disk, read before a sweep comes to them.
//!
//! What a strip touches depends on the plan of the layer alone. So it is known in advance, and the
//! system is asked for it while strips before it are computed: for eight strips at a time, as soon
//! as the first of the eight before them is about to be handed out. The rows that eight strips'
//! moves lead to lie together, 32 KiB and more in each panel; those of a single strip would be many
//! small pieces. What is read is the system's until it is touched, and goes first when memory is
//! short.
//!
//! ```text
//!   strips of a pair   0 .. 7      8 .. 15     16 .. 23     ...   last       settle
//!   fetched            before 0    before 0    before 8           X_K and what is kept aside
//! ```
//!
//! Nothing depends on it but time. A test holds that no score is touched that has not been fetched.

use std::collections::BTreeMap;
use std::ops::Range;

use super::pair::Values;
use super::{Field, Sweep, strips};
use crate::layer::blocks::{Ahead, GAP, LINE};
use crate::solver::plan::{LayerPlan, OUTSIDE, Transit};
use crate::solver::strips::Strip;

/// Strips whose scores are fetched together.
const GROUP: usize = 8;

/// Has scores fetched that are on disk.
pub struct ReadAhead<'a> {
    plan: &'a LayerPlan<'a>,
    planes: Vec<Ahead>,
    /// Of a core.
    bounds: Vec<Ahead>,
    late: Option<Ahead>,
}

/// Some strips of a pair.
#[derive(Clone, Debug)]
struct Group {
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
}

impl<'a> ReadAhead<'a> {
    /// For a sweep over a field, wherever it is.
    pub fn new(sweep: &Sweep<'a>, field: &Field) -> ReadAhead<'a> {
        let planes = field.planes.iter().filter_map(|plane| plane.blocks().ahead()).collect();
        let bounds = sweep.bounds.iter().flatten();
        let bounds = bounds.filter_map(|plane| plane.blocks().ahead()).collect();
        ReadAhead { plan: sweep.plan, planes, bounds, late: field.late.ahead() }
    }

    /// Whether anything is on disk.
    pub fn is_wanted(&self) -> bool {
        !self.planes.is_empty()
    }

    /// Is told that a strip is about to be handed out.
    pub fn come_to(&self, strip: Strip) {
        if !self.is_wanted() {
            return;
        }
        let Strip { small, number, .. } = strip;
        let (large, count) = (strip.large(), strips(strip.large()));
        let fetch = |first: usize| {
            let strips = first.min(count)..(first + GROUP).min(count);
            self.fetch(&Group { small, large, strips });
        };
        if number == 0 {
            fetch(0);
        }
        if number.is_multiple_of(GROUP) {
            fetch(number + GROUP);
        }
        if number + 1 == count && small != large {
            self.fetch_settled(small, large, count);
        }
    }

    fn fetch(&self, group: &Group) {
        for Touched { block, panels, rows } in crossed(self.plan, group) {
            self.planes.iter().for_each(|plane| plane.fetch(block, panels.clone(), rows.clone()));
        }
        for Touched { block, panels, rows } in at_home(self.plan, group) {
            let planes = self.planes.iter().chain(&self.bounds);
            planes.for_each(|plane| plane.fetch(block, panels.clone(), rows.clone()));
        }
        if group.small != group.large {
            self.fetch_late(group.small, group.strips.clone());
        }
    }

    /// What is touched when a pair is settled.
    fn fetch_settled(&self, small: usize, large: usize, count: usize) {
        self.fetch_late(small, 0..count);
        self.planes.iter().for_each(|plane| plane.fetch_block(large));
    }

    /// What strips compute in the larger block.
    fn fetch_late(&self, small: usize, strips_of_pair: Range<usize>) {
        let lines = Values::lines(self.planes.len(), strips(small));
        let lines = strips_of_pair.start * lines..strips_of_pair.end * lines;
        self.late.iter().for_each(|late| late.fetch(0, 0..1, lines.clone()));
    }
}

/// Panels of the smaller block that the strips of a group have to do with.
fn columns(group: &Group) -> usize {
    if group.small == group.large { group.strips.end } else { strips(group.small) }
}

/// What crossing moves lead to, from both blocks.
fn crossed(plan: &LayerPlan, group: &Group) -> Vec<Touched> {
    let mut touched = Vec::new();
    let mut lead: BTreeMap<usize, (Vec<u32>, Range<usize>)> = BTreeMap::new();
    for (transit, pulls) in group.strips.clone().flat_map(|s| plan.blocks[group.large].groups(s)) {
        let block = plan.opponent(group.large) + transit.crossed;
        let (rows, panels) = lead.entry(block).or_insert((Vec::new(), NO_PANELS));
        rows.extend(pulls.iter().map(|pull| pull.row));
        widen(panels, transit, 0..columns(group));
    }
    for (block, (rows, panels)) in lead {
        touched.extend(stretches(rows).map(|rows| Touched { block, panels: panels.clone(), rows }));
    }
    let mut follow: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    for transit in plan.blocks[group.small].all_transits() {
        let block = plan.opponent(group.small) + transit.crossed;
        let panels = follow.entry(block).or_insert(NO_PANELS);
        widen(panels, transit, group.strips.clone());
    }
    let all = |(block, panels)| Touched { block, panels, rows: 0..usize::MAX };
    touched.extend(follow.into_iter().map(all));
    touched
}

/// What home moves lead to and what the group writes, but what is kept aside.
fn at_home(plan: &LayerPlan, group: &Group) -> Vec<Touched> {
    let Group { small, large, strips } = group;
    let block = &plan.blocks[*large];
    let ranks = strips.start * LINE..block.rows().min(strips.end * LINE);
    let own = ranks.clone().map(|rank| plan.blocks[*small].lane_rows[rank]);
    let own = own.filter(|&row| row != OUTSIDE);
    let rows = ranks.flat_map(|rank| block.home_rows(rank)).copied().chain(own).collect();
    let panels = 0..columns(group);
    let rows = stretches(rows).map(|rows| Touched { block: *small, panels: panels.clone(), rows });
    let own_panels = Touched { block: *large, panels: strips.clone(), rows: 0..usize::MAX };
    rows.chain([own_panels]).collect()
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

/// Rows as stretches without large gaps.
fn stretches(mut rows: Vec<u32>) -> impl Iterator<Item = Range<usize>> {
    rows.sort_unstable();
    let mut rows = rows.into_iter().map(|row| row as usize).peekable();
    std::iter::from_fn(move || {
        let first = rows.next()?;
        let mut last = first;
        while let Some(row) = rows.next_if(|&row| row <= last + GAP) {
            last = row;
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

    /// The groups of a pair, each with what it touches.
    fn groups(plan: &LayerPlan, small: usize) -> Vec<(Group, Vec<Touched>)> {
        let large = plan.opponent(small);
        let group = |first: usize| {
            let group = Group { small, large, strips: first..(first + GROUP).min(strips(large)) };
            let touched = [crossed(plan, &group), at_home(plan, &group)].concat();
            (group, touched)
        };
        (0..strips(large)).step_by(GROUP).map(group).collect()
    }

    fn covers(touched: &[Touched], cell: Cell) -> bool {
        touched.iter().any(|touched| {
            let Touched { block, panels, rows } = touched;
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
        let pairs: Vec<_> = (0..=seeds / 2).map(|small| groups(plan, small)).collect();
        for board in layer.boards(Rank(0)) {
            let cell = layer.cell(&board).unwrap();
            let pair = cell.own.min(seeds - cell.own);
            let (group, touched) = &pairs[pair][strip(plan, cell) / GROUP];
            assert!(group.strips.contains(&strip(plan, cell)));
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
        let joined: Vec<_> = stretches(rows).collect();
        assert_eq!(joined, [3..5 + GAP, 500..501, 100_000..100_001]);
    }
}
