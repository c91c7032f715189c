//! Games that really stop when a position comes round again: every line of play is followed, with
//! the whole history in hand, and given up when it takes too long.
//!
//! A position that stops a play is a position of the game *and* the player who moves there, which
//! is the parity of the plies played. One thing is used beyond the definition: a move to a position
//! from which there is no way back forgets the history, for nothing in it can come round again. So
//! each set of mutually reachable positions is searched for itself, those further on first.

use oware_db::score::{Interval, Score};
use oware_db::solver::oracle::Step;

use crate::listed::{Listed, UNKNOWN};

/// When a play that goes round stops, and at which moment of the circle the rows are counted. A
/// position that does not count never stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// When a position stands on the board for the first, second, third, ... time: as it lies.
    Occurrence(u16),
    /// When a position is repeated: as it lay one ply before, or the last time that it counted.
    OnePlyBack,
}

/// What has been found out about a game.
pub struct BruteForce<'a> {
    game: &'a Listed,
    cut: Cut,
    component: Vec<usize>,
    values: Vec<Option<i8>>,
    path: Vec<usize>,
    seen: [Vec<u16>; 2],
    effort: u64,
}

impl<'a> BruteForce<'a> {
    /// Searches every position with fresh history, visiting at most `effort` positions for each.
    pub fn new(game: &'a Listed, cut: Cut, effort: u64) -> BruteForce<'a> {
        let positions = game.steps.len();
        let (component, order) = components(game);
        let mut search = BruteForce {
            game,
            cut,
            component,
            values: vec![None; positions],
            path: Vec::new(),
            seen: [vec![], vec![]],
            effort,
        };
        let mut found = Vec::new();
        for (at, &position) in order.iter().enumerate() {
            search.restart(effort);
            found.push((position, search.play(position, -100, 100)));
            let last = order.get(at + 1).is_none_or(|&next| search.component[next] != search.component[position]);
            if last {
                found.drain(..).for_each(|(position, value)| search.values[position] = value);
            }
        }
        search
    }

    /// The value of every position for its mover, with fresh history; `None` where the effort
    /// did not suffice.
    pub fn values(&self) -> Vec<Option<Score>> {
        self.values.iter().map(|value| value.map(Score::new)).collect()
    }

    /// The same as intervals, for a game from which moves lead into this one.
    pub fn intervals(&self) -> Vec<Interval> {
        self.values().into_iter().map(|value| value.map_or(UNKNOWN, Interval::exact)).collect()
    }

    /// What each step of a position with fresh history brings its mover.
    pub fn after_steps(&mut self, position: usize, effort: u64) -> Vec<Option<Score>> {
        let steps = self.game.steps[position].clone();
        let mut after = |step: &Step| {
            self.restart(effort);
            self.path.push(position);
            self.seen[0][position] = 1;
            self.step(position, *step, -100, 100).map(Score::new)
        };
        steps.iter().map(&mut after).collect()
    }

    fn restart(&mut self, effort: u64) {
        self.path.clear();
        self.seen = [vec![0; self.game.steps.len()], vec![0; self.game.steps.len()]];
        self.effort = effort;
    }

    /// The value of `position` for its mover after the plays in `path`, if between the bounds;
    /// otherwise a bound on the same side of them.
    fn play(&mut self, position: usize, least: i8, most: i8) -> Option<i8> {
        self.effort = self.effort.checked_sub(1)?;
        let player = self.path.len() % 2;
        self.path.push(position);
        self.seen[player][position] += 1;
        let value = match self.stopped(player) {
            Some(value) => Some(value),
            None => self.best(position, least, most),
        };
        self.seen[player][position] -= 1;
        self.path.pop();
        value
    }

    /// What the play has come to if its last position stops it.
    fn stopped(&self, player: usize) -> Option<i8> {
        let position = *self.path.last()?;
        let now = self.game.rows[position]?;
        match self.cut {
            Cut::Occurrence(times) => (self.seen[player][position] >= times).then_some(now.get()),
            Cut::OnePlyBack => (self.seen[player][position] >= 2).then(|| self.one_ply_back()),
        }
    }

    fn one_ply_back(&self) -> i8 {
        let turned = |plies: usize, value: Score| if plies % 2 == 0 { value.get() } else { -value.get() };
        let earlier = self.path.iter().rev().enumerate().skip(1);
        let mut counting = earlier.filter_map(|(plies, &position)| Some(turned(plies, self.game.rows[position]?)));
        counting.next().expect("the position itself was here before, and counts")
    }

    fn best(&mut self, position: usize, least: i8, most: i8) -> Option<i8> {
        let mut steps = self.game.steps[position].clone();
        steps.sort_by_key(|&step| self.trouble(position, step));
        let mut best = i8::MIN;
        for step in steps {
            best = best.max(self.step(position, step, least.max(best), most)?);
            if best >= most {
                break;
            }
        }
        Some(best)
    }

    /// Easy steps first, hopeless ones last: with luck they are not needed.
    fn trouble(&self, position: usize, step: Step) -> u8 {
        match step {
            Step::Leaves(interval) if interval.value().is_some() => 0,
            Step::Stays(child) if self.component[child] == self.component[position] => 2,
            Step::Stays(child) if self.values[child].is_some() => 1,
            Step::Leaves(_) | Step::Stays(_) => 3,
        }
    }

    fn step(&mut self, position: usize, step: Step, least: i8, most: i8) -> Option<i8> {
        match step {
            Step::Leaves(interval) => interval.value().map(Score::get),
            Step::Stays(child) if self.component[child] != self.component[position] => {
                self.values[child].map(|value| -value)
            }
            Step::Stays(child) => self.play(child, -most, -least).map(|value| -value),
        }
    }
}

/// For each position the number of its set of mutually reachable positions, and all positions in
/// an order in which these sets stand together, none before one that it leads to (Tarjan, 1972).
fn components(game: &Listed) -> (Vec<usize>, Vec<usize>) {
    let positions = game.steps.len();
    let mut walk = Walk {
        game,
        number: vec![0; positions],
        low: vec![0; positions],
        count: 0,
        stack: Vec::new(),
        component: vec![usize::MAX; positions],
        order: Vec::new(),
    };
    for position in 0..positions {
        if walk.number[position] == 0 {
            walk.visit(position);
        }
    }
    (walk.component, walk.order)
}

struct Walk<'a> {
    game: &'a Listed,
    number: Vec<usize>,
    low: Vec<usize>,
    count: usize,
    stack: Vec<usize>,
    component: Vec<usize>,
    order: Vec<usize>,
}

impl Walk<'_> {
    fn visit(&mut self, position: usize) {
        self.count += 1;
        self.number[position] = self.count;
        self.low[position] = self.count;
        self.stack.push(position);
        for step in &self.game.steps[position] {
            let Step::Stays(child) = *step else { continue };
            if self.number[child] == 0 {
                self.visit(child);
                self.low[position] = self.low[position].min(self.low[child]);
            } else if self.component[child] == usize::MAX {
                self.low[position] = self.low[position].min(self.number[child]);
            }
        }
        if self.low[position] == self.number[position] {
            self.close(position);
        }
    }

    fn close(&mut self, root: usize) {
        let start = self.stack.iter().rposition(|&position| position == root).expect("the root is on the stack");
        for position in self.stack.split_off(start) {
            self.component[position] = root;
            self.order.push(position);
        }
    }
}
