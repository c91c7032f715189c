//! Windows: which lines of a child's row hold the children of a line of lanes.

use std::ops::Range;

use crate::layer::blocks::PANEL;
use crate::layer::line::LINE;
use crate::solver::kernel::{Picks, Window};

/// The windows of all lines of lanes.
#[derive(Debug, Default)]
pub struct Windows {
    /// Where each line's windows begin; one more than there are lines.
    starts: Vec<u32>,
    windows: Vec<Window>,
}

impl Windows {
    /// The windows of lanes that lead to columns: a lane may occur several times, or never. Lanes
    /// come line by line.
    pub fn new(lanes: usize, children: impl IntoIterator<Item = (usize, usize)>) -> Windows {
        let mut windows = Windows { starts: vec![0], windows: Vec::new() };
        for (lane, column) in children {
            windows.begin_line(lane / LINE);
            windows.add(lane % LINE, column);
        }
        windows.begin_line(lanes.div_ceil(LINE));
        windows.shrink();
        windows
    }

    /// Adds those of the lines behind.
    pub fn append(&mut self, other: Windows) {
        begin_behind(&mut self.starts, &other.starts);
        self.windows.extend(other.windows);
    }

    /// Gives back what the list has grown too large: windows are kept for all layers to come.
    pub fn shrink(&mut self) {
        self.windows.shrink_to_fit();
    }

    /// Ends the lines before this one.
    fn begin_line(&mut self, line: usize) {
        let end = self.windows.len() as u32;
        self.starts.resize(self.starts.len().max(line + 1), end);
    }

    /// Adds a child to a window of the last line that reaches it, or to a new one.
    fn add(&mut self, lane: usize, column: usize) {
        let (panel, bit) = ((column / PANEL) as u32, 1 << lane);
        let first = *self.starts.last().expect("a line has begun") as usize;
        let fits = |window: &&mut Window| window.panel == panel && window.lanes & bit == 0;
        if let Some(window) = self.windows[first..].iter_mut().rev().find(fits) {
            window.lanes |= bit;
            window.picks.0[lane] = (column % PANEL) as u8;
        } else {
            let mut picks = Picks([0; LINE]);
            picks.0[lane] = (column % PANEL) as u8;
            self.windows.push(Window { picks, lanes: bit, panel });
        }
    }

    /// The windows of a line of lanes; none beyond the last.
    #[inline(always)]
    pub fn of_line(&self, line: usize) -> &[Window] {
        match self.starts.get(line..line + 2) {
            Some(&[start, end]) => &self.windows[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The column that a lane leads to, if it leads anywhere. It leads to one at most.
    #[inline(always)]
    pub fn column(&self, lane: usize) -> Option<usize> {
        let window = self
            .of_line(lane / LINE)
            .iter()
            .find(|window| window.lanes >> (lane % LINE) & 1 == 1)?;
        Some(window.column(lane % LINE))
    }

    /// Whether no lane leads anywhere.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// All windows, and where those of each line begin; one more than lines.
    pub fn all(&self) -> (&[Window], &[u32]) {
        (&self.windows, &self.starts)
    }
}

/// Adds where lists begin that come behind others: one number more than lists.
pub fn begin_behind(starts: &mut Vec<u32>, more: &[u32]) {
    let first = *starts.last().expect("one more than lists");
    starts.extend(more[1..].iter().map(|start| first + start));
}

/// The windows into some panels. Windows of quiet moves of one passage come in the order of their
/// panels, for adding a constant keeps the order of half-boards; those of all home moves do not.
pub fn inside<'w>(windows: &'w [Window], panels: &Range<usize>) -> &'w [Window] {
    let place = |end: usize| windows.partition_point(|window| (window.panel as usize) < end);
    &windows[place(panels.start)..place(panels.end).max(place(panels.start))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_again() {
        let children = [(0, 3), (1, 70), (5, 4), (64, 4), (200, 500)];
        let windows = Windows::new(300, children);
        assert!((0..300).all(|lane| {
            let expected = children.iter().find(|child| child.0 == lane).map(|child| child.1);
            windows.column(lane) == expected
        }));
        assert_eq!([0, 1, 2, 3, 4, 9].map(|line| windows.of_line(line).len()), [2, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn a_lane_with_two_children_in_a_line_has_two_windows() {
        let windows = Windows::new(64, [(7, 3), (7, 5), (8, 6)]);
        let found: Vec<u64> = windows.of_line(0).iter().map(|window| window.lanes).collect();
        assert_eq!(found, [1 << 7, 1 << 7 | 1 << 8]);
    }
}
