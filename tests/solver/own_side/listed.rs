//! Games written out: every step of every position in a list. Random ones, and any other copied.

use oware_db::game::{Interval, Score};
use oware_db::random;
use oware_db::solver::game_graph::{GameGraph, OwnSide, Step};

use crate::solver::tests::oracle::Finite;

/// A score that nothing is known of.
pub const UNKNOWN: Interval = Interval { low: Score::new(-48), high: Score::new(48) };

/// A game written out.
pub struct Listed {
    pub steps: Vec<Vec<Step>>,
    pub rows: Vec<Option<Score>>,
}

impl Listed {
    pub fn copy(game: &(impl OwnSide + Finite)) -> Listed {
        let positions = 0..game.positions();
        Listed {
            steps: positions.clone().map(|position| game.steps(position)).collect(),
            rows: positions.map(|position| game.own_rows(position)).collect(),
        }
    }
}

impl Finite for Listed {
    fn positions(&self) -> usize {
        self.steps.len()
    }
}

impl GameGraph for Listed {
    fn steps(&self, position: usize) -> Vec<Step> {
        self.steps[position].clone()
    }
}

impl OwnSide for Listed {
    fn own_rows(&self, position: usize) -> Option<Score> {
        self.rows[position]
    }
}

/// Numbers that look random and are the same in every run.
pub struct Dice(random::Dice);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(random::Dice::new(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.number() % bound as u64) as usize
    }

    fn score(&mut self, most: i8) -> Score {
        Score::new(self.below(2 * most as usize + 1) as i8 - most)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// The same game twice: as it is, and as it looks to someone who knows some scores outside only as
/// intervals.
pub struct Blurred {
    pub exact: Listed,
    pub seen: Listed,
}

/// A random game of 3 to 8 positions, full of cycles.
pub fn random_game(dice: &mut Dice) -> Blurred {
    let positions = 3 + dice.below(6);
    let mut exact = Listed { steps: vec![Vec::new(); positions], rows: Vec::new() };
    let mut seen = Listed { steps: vec![Vec::new(); positions], rows: Vec::new() };
    let leaving = 2 + dice.below(7);
    for position in 0..positions {
        for _ in 0..=dice.below(3) {
            let (truth, look) = random_step(dice, positions, leaving);
            exact.steps[position].push(truth);
            seen.steps[position].push(look);
        }
        let neutral = dice.one_in(4) && !leads_back_to_neutral(&exact, position);
        exact.rows.push(if neutral { None } else { Some(dice.score(4)) });
    }
    seen.rows = exact.rows.clone();
    Blurred { exact, seen }
}

fn random_step(dice: &mut Dice, positions: usize, leaving: usize) -> (Step, Step) {
    if !dice.one_in(leaving) {
        let child = Step::Stays(dice.below(positions));
        return (child, child);
    }
    let score = dice.score(6);
    let mut doubt = || if dice.one_in(4) { 1 + dice.below(2) as i8 } else { 0 };
    let around = Interval {
        low: Score::new(score.get() - doubt()),
        high: Score::new(score.get() + doubt()),
    };
    (Step::Leaves(Interval::exact(score)), Step::Leaves(around))
}

/// Whether a step goes to this position or to an earlier neutral one. If no neutral position has
/// such a step, no cycle is neutral throughout.
fn leads_back_to_neutral(game: &Listed, position: usize) -> bool {
    game.steps[position].iter().any(|step| match *step {
        Step::Leaves(_) => false,
        Step::Stays(child) => child == position || child < position && game.rows[child].is_none(),
    })
}
