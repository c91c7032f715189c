//! Endless play leaves each player their own row: intervals that hold the score wherever the cycle
//! is cut.
//!
//! A cycle may be cut at its best or at its worst moment, so two games are solved at once. In the
//! *low* game an endless play pays the mover the lim inf of the rows' difference, in the *high*
//! game the lim sup; positions with an empty row do not count. If a player secures `s` in the low
//! game then by a strategy that looks at the position alone, and every cycle that the opponent can
//! close against it consists of positions worth `s` or more. So a game that stops at the first
//! repeated position, at the third, or anywhere on a closed cycle, with no history to begin with,
//! is worth at least the low score, and likewise at most the high one.
//!
//! Both planes obey one pair of equations, in which `pre` is the best over the moves (the other
//! player's high score, turned, is a low score) and `f` the difference of the rows:
//!
//! ```text
//!   (low, high) = least fixpoint over X, greatest fixpoint over Y, of
//!       Y.low  = max( pre(X).low,   min( f, pre(Y).low  ) )
//!       Y.high = min( pre(X).high,  max( f, pre(Y).high ) )
//! ```
//!
//! X is what play secures by getting on (it starts knowing nothing), Y what it secures by staying
//! where `f` is good enough (it starts claiming everything, and claims the less the longer it
//! looks). An `f` that does not count has no effect: +∞ in the low line, −∞ in the high.
//!
//! Invariant: with X standing still, Y only ever yields (low falls, high rises); from round to
//! round X only ever tightens (low rises, high falls). So both loops end.

use oware_db::game::{Interval, Score, Seeds};
use oware_db::solver::game_graph::{OwnSide, Step};

use super::Finite;

/// The interval of every position, proved to hold its score wherever a cycle is cut.
pub fn solve_own_side(game: &(impl OwnSide + Finite)) -> Vec<Interval> {
    let steps = all_steps(game);
    let rows: Vec<Option<Score>> =
        (0..game.positions()).map(|position| game.own_rows(position)).collect();
    let solved = settle(OraclePlanes::nothing_known(steps.len()), |x| {
        let getting_on = before(&steps, x);
        settle(OraclePlanes::everything_claimed(steps.len()), |y| {
            getting_on.or_staying(&before(&steps, y), &rows)
        })
    });
    solved.forced().map(|bounds| bounds.interval().expect("every cycle counts somewhere")).collect()
}

/// What both sides can force by play that ends of itself, cycles being worth nothing to either.
pub fn solve_forced(game: &impl Finite) -> Vec<Forced> {
    let steps = all_steps(game);
    settle(OraclePlanes::nothing_known(steps.len()), |known| before(&steps, known))
        .forced()
        .collect()
}

/// What both sides can be sure of where endless play brings neither of them any of the `seeds`
/// left: the score if it gave all to the opponent, and if it gave all to the mover.
pub fn solve_drawn(game: &impl Finite, seeds: Seeds) -> Vec<Interval> {
    let all = Score::new(seeds.get() as i8);
    let ends = |forced: Forced| Interval {
        low: forced.low.unwrap_or(all.after_capture(0)),
        high: forced.high.unwrap_or(all),
    };
    solve_forced(game).into_iter().map(ends).collect()
}

/// The score of every position when endless play is worth 0. Steps that leave must be exact.
///
/// From 0 everywhere, the best of the moves is taken for all positions at once until nothing changes.
/// Positive scores only grow and negative ones only fall on the way, so it ends.
pub fn solve_even_split(game: &impl Finite) -> Vec<Score> {
    let steps = all_steps(game);
    let zero = vec![ExtendedScore::at(Score::ZERO); steps.len()];
    let nothing_gained = OraclePlanes { low: zero.clone(), high: zero };
    let solved = settle(nothing_gained, |known| before(&steps, known));
    let score = |bounds: Forced| bounds.interval().and_then(Interval::value);
    solved.forced().map(|bounds| score(bounds).expect("an even split leaves no doubt")).collect()
}

/// What play that ends of itself decides about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// The mover can end the game with this or more; `None` if the other can cycle for ever.
    pub low: Option<Score>,
    /// The other player can end the game with the mover at this or less; `None` likewise.
    pub high: Option<Score>,
}

impl Forced {
    /// Both bounds as an interval, if both sides can force something.
    pub fn interval(self) -> Option<Interval> {
        Some(Interval { low: self.low?, high: self.high? })
    }

    /// Whether `interval` lies inside.
    pub fn holds(self, interval: Interval) -> bool {
        self.low.is_none_or(|low| low <= interval.low)
            && self.high.is_none_or(|high| interval.high <= high)
    }
}

/// A bound on a score while it is being computed, or one of two numbers that no score has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ExtendedScore(i8);

impl ExtendedScore {
    /// −∞.
    const BELOW: ExtendedScore = ExtendedScore(-i8::MAX);
    /// +∞.
    const ABOVE: ExtendedScore = ExtendedScore(i8::MAX);

    fn at(score: Score) -> ExtendedScore {
        ExtendedScore(score.get())
    }

    /// The same bound seen by the other player.
    fn turned(self) -> ExtendedScore {
        ExtendedScore(-self.0)
    }

    fn score(self) -> Option<Score> {
        (self != Self::BELOW && self != Self::ABOVE).then(|| Score::new(self.0))
    }
}

/// Two planes: a low and a high bound for every position.
#[derive(PartialEq)]
struct OraclePlanes {
    low: Vec<ExtendedScore>,
    high: Vec<ExtendedScore>,
}

impl OraclePlanes {
    fn nothing_known(positions: usize) -> OraclePlanes {
        let (low, high) = (ExtendedScore::BELOW, ExtendedScore::ABOVE);
        OraclePlanes { low: vec![low; positions], high: vec![high; positions] }
    }

    fn everything_claimed(positions: usize) -> OraclePlanes {
        let OraclePlanes { low, high } = OraclePlanes::nothing_known(positions);
        OraclePlanes { low: high, high: low }
    }

    /// The two equations. `self` is what getting on brings, `staying` what staying would bring if
    /// every position on the way were good enough; only those are whose `rows` say so.
    fn or_staying(&self, staying: &OraclePlanes, rows: &[Option<Score>]) -> OraclePlanes {
        let rows_or = |neutral: ExtendedScore| {
            rows.iter().map(move |row| row.map_or(neutral, ExtendedScore::at))
        };
        let low = self.low.iter().zip(&staying.low).zip(rows_or(ExtendedScore::ABOVE));
        let high = self.high.iter().zip(&staying.high).zip(rows_or(ExtendedScore::BELOW));
        OraclePlanes {
            low: low.map(|((&x, &y), f)| x.max(f.min(y))).collect(),
            high: high.map(|((&x, &y), f)| x.min(f.max(y))).collect(),
        }
    }

    fn forced(&self) -> impl Iterator<Item = Forced> {
        self.low
            .iter()
            .zip(&self.high)
            .map(|(low, high)| Forced { low: low.score(), high: high.score() })
    }
}

/// Applies `step` until nothing changes.
fn settle(mut bounds: OraclePlanes, step: impl Fn(&OraclePlanes) -> OraclePlanes) -> OraclePlanes {
    loop {
        let next = step(&bounds);
        if next == bounds {
            return bounds;
        }
        bounds = next;
    }
}

/// The bounds of all positions one move earlier.
fn before(steps: &[Vec<Step>], bounds: &OraclePlanes) -> OraclePlanes {
    let low = |step: &Step| match *step {
        Step::Leaves(interval) => ExtendedScore::at(interval.low),
        Step::Stays(child) => bounds.high[child].turned(),
    };
    let high = |step: &Step| match *step {
        Step::Leaves(interval) => ExtendedScore::at(interval.high),
        Step::Stays(child) => bounds.low[child].turned(),
    };
    OraclePlanes { low: best(steps, low), high: best(steps, high) }
}

fn best(steps: &[Vec<Step>], worth: impl Fn(&Step) -> ExtendedScore) -> Vec<ExtendedScore> {
    steps
        .iter()
        .map(|steps| steps.iter().map(&worth).max().expect("every position has a step"))
        .collect()
}

fn all_steps(game: &impl Finite) -> Vec<Vec<Step>> {
    (0..game.positions()).map(|position| game.steps(position)).collect()
}
