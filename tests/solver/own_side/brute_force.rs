//! Games that really stop when a position comes round again: every line of play is followed, with
//! the whole history in hand, and given up when it takes too long.
//!
//! A position that stops a play is a position of the game *and* the player who moves there, which
//! is the parity of the plies played. One thing is used beyond the definition: a move to a position
//! from which there is no way back forgets the history, for nothing in it can come round again. So
//! each set of mutually reachable positions is searched for itself, those further on first.

use arrayvec::ArrayVec;
use oware_db::game::{HOUSES, Interval, Score};
use oware_db::solver::game_graph::Step;

use super::listed::{Listed, UNKNOWN};

/// When a play that goes round stops, and at which moment of the cycle the rows are counted. A
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
    guesses: &'a [Interval],
    cut: Cut,
    component: Vec<usize>,
    values: Vec<Option<i8>>,
    path: Vec<usize>,
    seen: [Vec<u16>; 2],
    effort: u64,
}

impl<'a> BruteForce<'a> {
    /// Searches every position with fresh history, visiting at most `effort` positions for each.
    ///
    /// The guesses only steer: lines that matter only if a value is outside its guess are followed
    /// no further than it takes to show that it is not. A value that is comes out as such.
    pub fn new(game: &'a Listed, guesses: &'a [Interval], cut: Cut, effort: u64) -> BruteForce<'a> {
        let positions = game.steps.len();
        let (component, sets) = components(game);
        let (values, seen) = (vec![None; positions], [vec![0; positions], vec![0; positions]]);
        let mut search =
            BruteForce { game, guesses, cut, component, values, path: Vec::new(), seen, effort: 0 };
        for set in sets {
            let found: Vec<Option<i8>> =
                set.iter().map(|&position| search.fresh(position, effort)).collect();
            set.iter().zip(found).for_each(|(&position, value)| search.values[position] = value);
        }
        search
    }

    fn fresh(&mut self, position: usize, effort: u64) -> Option<i8> {
        let guess = self.guesses[position];
        self.effort = effort;
        self.play(position, guess.low.get() - 1, guess.high.get() + 1)
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
        self.path.push(position);
        self.seen[0][position] += 1;
        let mut found = Vec::new();
        for &step in &self.game.steps[position] {
            self.effort = effort;
            found.push(self.step(position, step, -100, 100).map(Score::new));
        }
        self.seen[0][position] -= 1;
        self.path.pop();
        found
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
        let turned = |plies: usize, value: Score| {
            if plies.is_multiple_of(2) { value.get() } else { -value.get() }
        };
        let earlier = self.path.iter().rev().enumerate().skip(1);
        let mut counting =
            earlier.filter_map(|(plies, &position)| Some(turned(plies, self.game.rows[position]?)));
        counting.next().expect("the position itself was here before, and counts")
    }

    fn best(&mut self, position: usize, least: i8, most: i8) -> Option<i8> {
        let mut steps: ArrayVec<Step, HOUSES> = self.game.steps[position].iter().copied().collect();
        steps.sort_by_key(|&step| self.order(position, step));
        let mut best = i8::MIN;
        for step in steps {
            best = best.max(self.step(position, step, least.max(best), most)?);
            if best >= most {
                break;
            }
        }
        Some(best)
    }

    /// Easy steps first, promising ones before others, and hopeless ones last: with luck they are
    /// not needed.
    fn order(&self, position: usize, step: Step) -> (u8, i8) {
        match step {
            Step::Leaves(interval) if interval.value().is_some() => (0, 0),
            Step::Stays(child) if self.component[child] == self.component[position] => {
                (2, self.guesses[child].high.get())
            }
            Step::Stays(child) if self.values[child].is_some() => (1, 0),
            Step::Leaves(_) | Step::Stays(_) => (3, 0),
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

/// For each position a name of its set of mutually reachable positions, and these sets, none before
/// one that it leads to (Tarjan, 1972).
fn components(game: &Listed) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut walk = Walk::new(game);
    for position in 0..game.steps.len() {
        if walk.number[position] == 0 {
            walk.visit(position);
        }
    }
    (walk.component, walk.sets)
}

/// A depth-first walk. Positions are numbered from 1 as they are met; `earliest` is the smallest
/// number on the stack that is known to be reachable.
struct Walk<'a> {
    game: &'a Listed,
    number: Vec<usize>,
    earliest: Vec<usize>,
    met: usize,
    stack: Vec<usize>,
    component: Vec<usize>,
    sets: Vec<Vec<usize>>,
}

impl<'a> Walk<'a> {
    /// Stands for a component that is not yet known.
    const OPEN: usize = usize::MAX;

    fn new(game: &'a Listed) -> Walk<'a> {
        let none = vec![0; game.steps.len()];
        Walk {
            game,
            number: none.clone(),
            earliest: none,
            met: 0,
            stack: Vec::new(),
            component: vec![Walk::OPEN; game.steps.len()],
            sets: Vec::new(),
        }
    }

    fn visit(&mut self, position: usize) {
        self.met += 1;
        self.number[position] = self.met;
        self.earliest[position] = self.met;
        self.stack.push(position);
        for step in &self.game.steps[position] {
            let Step::Stays(child) = *step else { continue };
            if self.number[child] == 0 {
                self.visit(child);
                self.earliest[position] = self.earliest[position].min(self.earliest[child]);
            } else if self.component[child] == Walk::OPEN {
                self.earliest[position] = self.earliest[position].min(self.number[child]);
            }
        }
        if self.earliest[position] == self.number[position] {
            self.close(position);
        }
    }

    fn close(&mut self, root: usize) {
        let start = self
            .stack
            .iter()
            .rposition(|&position| position == root)
            .expect("the root is on the stack");
        let set = self.stack.split_off(start);
        set.iter().for_each(|&position| self.component[position] = root);
        self.sets.push(set);
    }
}
