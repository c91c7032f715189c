//! A strategy made in the most obvious way: all positions are swept at once, each sweep and each
//! core has a number, and a claim carries the number of the one in which it settled.

use crate::solver::tests::oracle::{Finite, OwareLayer};
use oware_db::certify::playout::Adviser;
use oware_db::error::Result;
use oware_db::game::{
    Board, Endless, Interval, Move, Rules, Score, Seeds, final_score, legal_moves,
};
use oware_db::layer::Layer;
use oware_db::solver::game_graph::{GameGraph, OwnSide, Step};

/// Beyond every score.
const UNBOUNDED: i8 = 100;

/// Layers from 0 on, with when their claims settled.
pub struct Swept {
    pub rules: &'static Rules,
    intervals: Vec<Vec<Interval>>,
    stamps: Vec<Vec<u16>>,
}

impl Swept {
    pub fn new(rules: &'static Rules, most: usize) -> Swept {
        let mut swept = Swept { rules, intervals: Vec::new(), stamps: Vec::new() };
        for seeds in Seeds::new(most).unwrap().up_to() {
            let game =
                OwareLayer { rules, layer: Layer::of(rules, seeds), lower: &swept.intervals };
            let sweeps = Sweeps::of(&game, rules.endless);
            let bounds = sweeps.low.iter().zip(&sweeps.high);
            let intervals = bounds
                .map(|(&low, &high)| Interval { low: Score::new(low), high: Score::new(high) });
            let intervals = intervals.collect();
            swept.intervals.push(intervals);
            swept.stamps.push(sweeps.stamps);
        }
        swept
    }

    fn rank(&self, board: &Board) -> Option<usize> {
        Layer::of(self.rules, board.seeds()).rank(board).map(|rank| rank.0 as usize)
    }

    pub fn worth(&self, board: &Board) -> Interval {
        if let Some(rank) = self.rank(board) {
            return self.intervals[board.seeds().get()][rank];
        }
        if let Some(score) = final_score(self.rules, board) {
            return Interval::exact(score);
        }
        let moves = legal_moves(self.rules, board);
        let best = |bound: fn(Interval) -> Score| {
            moves.iter().map(|played| bound(self.after(&played))).max().unwrap()
        };
        Interval { low: best(|after| after.low), high: best(|after| after.high) }
    }

    pub fn after(&self, played: &Move) -> Interval {
        self.worth(&played.next).after_capture(played.captured)
    }

    /// When the claim against the mover settled.
    pub fn stamp(&self, board: &Board) -> u16 {
        self.stamps[board.seeds().get()][self.rank(board).expect("a move leads into a layer")]
    }

    /// The moves that keep what the mover secures.
    pub fn keeping(&self, board: &Board) -> Vec<Move> {
        let low = self.worth(board).low;
        legal_moves(self.rules, board)
            .iter()
            .filter(|played| self.after(played).low == low)
            .collect()
    }
}

impl Adviser for &Swept {
    fn rules(&self) -> &'static Rules {
        self.rules
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        Ok(self.worth(board))
    }

    fn advise(&mut self, board: &Board, _: Score) -> Result<Vec<Move>> {
        let keeping = self.keeping(board);
        let done = keeping.iter().find(|played| played.captured > 0).copied();
        let earliest = || keeping.iter().min_by_key(|played| self.stamp(&played.next)).copied();
        Ok(done.or_else(earliest).into_iter().collect())
    }
}

/// Bounds on their way.
#[derive(Clone, PartialEq)]
struct Sweeps {
    low: Vec<i8>,
    high: Vec<i8>,
    stamps: Vec<u16>,
    stamp: u16,
}

impl Sweeps {
    fn of(game: &OwareLayer, endless: Endless) -> Sweeps {
        let positions = game.positions();
        let steps: Vec<Vec<Step>> = (0..positions).map(|position| game.steps(position)).collect();
        let known = |low, high| Sweeps {
            low: vec![low; positions],
            high: vec![high; positions],
            stamps: vec![0; positions],
            stamp: 0,
        };
        match endless {
            Endless::EvenSplit => {
                let mut sweeps = known(0, 0);
                // Both bounds are the same plane; a claim of 0 or less keeps the stamp 0.
                loop {
                    let (low, high) = best(&steps, &sweeps);
                    if !sweeps.settle(low, high) {
                        break;
                    }
                }
                for (stamp, &high) in sweeps.stamps.iter_mut().zip(&sweeps.high) {
                    *stamp = if high >= 0 { 0 } else { *stamp };
                }
                sweeps
            }
            Endless::Drawn => {
                let all = game.layer.seeds().get() as i8;
                let mut sweeps = known(-all, all);
                while sweeps.attract(&steps) {}
                sweeps
            }
            Endless::OwnSide(_) => {
                let rows: Vec<Option<i8>> =
                    (0..positions).map(|position| Some(game.own_rows(position)?.get())).collect();
                let mut sweeps = known(-UNBOUNDED, UNBOUNDED);
                loop {
                    while sweeps.attract(&steps) {}
                    let core = sweeps.core(&steps, &rows);
                    if !sweeps.settle(core.low, core.high) {
                        return sweeps;
                    }
                }
            }
        }
    }

    /// Takes the next bounds, and stamps what changed; whether anything did.
    fn settle(&mut self, low: Vec<i8>, high: Vec<i8>) -> bool {
        self.stamp += 1;
        let changed = self.low != low || self.high != high;
        for (stamp, (old, new)) in self.stamps.iter_mut().zip(self.high.iter().zip(&high)) {
            *stamp = if old == new { *stamp } else { self.stamp };
        }
        (self.low, self.high) = (low, high);
        changed
    }

    fn attract(&mut self, steps: &[Vec<Step>]) -> bool {
        let (mut low, mut high) = best(steps, self);
        low.iter_mut().zip(&self.low).for_each(|(new, &old)| *new = old.max(*new));
        high.iter_mut().zip(&self.high).for_each(|(new, &old)| *new = old.min(*new));
        self.settle(low, high)
    }

    /// What can be kept for ever or until what is known here is reached.
    fn core(&self, steps: &[Vec<Step>], rows: &[Option<i8>]) -> Sweeps {
        let mut core = Sweeps { low: self.high.clone(), high: self.low.clone(), ..self.clone() };
        loop {
            let (low, high) = best(steps, &core);
            let worst = |at: usize| {
                rows[at].unwrap_or(UNBOUNDED).min(low[at]).max(self.low[at]).min(core.low[at])
            };
            let least = |at: usize| {
                rows[at].unwrap_or(-UNBOUNDED).max(high[at]).min(self.high[at]).max(core.high[at])
            };
            let next = Sweeps {
                low: (0..low.len()).map(worst).collect(),
                high: (0..high.len()).map(least).collect(),
                ..core.clone()
            };
            if next == core {
                return core;
            }
            core = next;
        }
    }
}

/// Both bounds a move earlier.
fn best(steps: &[Vec<Step>], sweeps: &Sweeps) -> (Vec<i8>, Vec<i8>) {
    let worth = |step: &Step| match *step {
        Step::Leaves(interval) => (interval.low.get(), interval.high.get()),
        Step::Stays(child) => (-sweeps.high[child], -sweeps.low[child]),
    };
    let best = |steps: &Vec<Step>| {
        let both = steps.iter().map(worth);
        both.reduce(|one, other| (one.0.max(other.0), one.1.max(other.1))).unwrap()
    };
    steps.iter().map(best).unzip()
}
