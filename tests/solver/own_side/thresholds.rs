//! The same intervals by another road: for every score `s` two games that are won or lost, solved
//! by attractors on a graph in which both players have a node for every position.
//!
//! * *high ≥ s*: the first player wins if positions worth `s` or more come again and again, or if
//!   the play ends with `s` or more: a Büchi game.
//! * *low ≥ s*: the *second* player wins if positions worth less than `s` come again and again, or
//!   if the play ends with less: a Büchi game too, and the first player has what is left.

use oware_db::game::{Interval, Score};
use oware_db::solver::game_graph::{OwnSide, Step};

use crate::solver::tests::oracle::Finite;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    First,
    Second,
}

/// The interval of every position.
pub fn solve_by_thresholds(game: &(impl OwnSide + Finite)) -> Vec<Interval> {
    let rows: Vec<Option<Score>> =
        (0..game.positions()).map(|position| game.own_rows(position)).collect();
    let steps: Vec<Vec<Step>> =
        (0..game.positions()).map(|position| game.steps(position)).collect();
    let (least, most) = (-extreme(&rows, &steps), extreme(&rows, &steps));
    let mut found = vec![Interval { low: Score::new(least), high: Score::new(least) }; steps.len()];
    for threshold in least..=most {
        let (low, high) = (lows(&steps, &rows, threshold), highs(&steps, &rows, threshold));
        for (position, interval) in found.iter_mut().enumerate() {
            // What is reached at a threshold must be reached at all below.
            let reached = |won: bool, bound: &mut Score| {
                assert!(
                    !won || bound.get() >= threshold - 1,
                    "winning a higher score but not a lower"
                );
                *bound = if won { Score::new(threshold) } else { *bound };
            };
            reached(low[position], &mut interval.low);
            reached(high[position], &mut interval.high);
        }
    }
    found
}

/// The largest size of any number of the game.
fn extreme(rows: &[Option<Score>], steps: &[Vec<Step>]) -> i8 {
    let rows = rows.iter().flatten().map(|score| score.get().abs());
    let leaving = steps.iter().flatten().map(|step| match *step {
        Step::Leaves(interval) => interval.low.get().abs().max(interval.high.get().abs()),
        Step::Stays(_) => 0,
    });
    rows.chain(leaving).max().unwrap_or(0)
}

/// Where the mover secures `threshold` in the low game.
fn lows(steps: &[Vec<Step>], rows: &[Option<Score>], threshold: i8) -> Vec<bool> {
    let enough = |player: Player, interval: Interval| match player {
        Player::First => interval.low.get() >= threshold,
        Player::Second => -interval.high.get() >= threshold,
    };
    let arena = Arena::new(steps, enough);
    let mut bad = arena.nodes_where(rows, |worth| worth < threshold);
    bad[arena.lost()] = true;
    let spoilt = arena.again_and_again(Player::Second, &bad);
    spoilt.iter().step_by(2).take(steps.len()).map(|spoilt| !spoilt).collect()
}

/// Where the mover secures `threshold` in the high game.
fn highs(steps: &[Vec<Step>], rows: &[Option<Score>], threshold: i8) -> Vec<bool> {
    let enough = |player: Player, interval: Interval| match player {
        Player::First => interval.high.get() >= threshold,
        Player::Second => -interval.low.get() >= threshold,
    };
    let arena = Arena::new(steps, enough);
    let mut good = arena.nodes_where(rows, |worth| worth >= threshold);
    good[arena.won()] = true;
    arena.again_and_again(Player::First, &good).into_iter().step_by(2).take(steps.len()).collect()
}

/// Node 2p: position p, the first player moves. Node 2p + 1: the second does. Then two nodes in
/// which ended plays stay for ever: won and lost by the first.
struct Arena {
    edges: Vec<Vec<usize>>,
}

impl Arena {
    fn new(steps: &[Vec<Step>], enough: impl Fn(Player, Interval) -> bool) -> Arena {
        let (won, lost) = (2 * steps.len(), 2 * steps.len() + 1);
        let edge = |player: Player, step: &Step| match (*step, player) {
            (Step::Leaves(interval), _) => {
                if enough(player, interval) {
                    won
                } else {
                    lost
                }
            }
            (Step::Stays(child), Player::First) => 2 * child + 1,
            (Step::Stays(child), Player::Second) => 2 * child,
        };
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for steps in steps {
            for player in [Player::First, Player::Second] {
                edges.push(steps.iter().map(|step| edge(player, step)).collect());
            }
        }
        edges.extend([vec![won], vec![lost]]);
        Arena { edges }
    }

    fn won(&self) -> usize {
        self.edges.len() - 2
    }

    fn lost(&self) -> usize {
        self.edges.len() - 1
    }

    fn moves_at(node: usize) -> Player {
        if node.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// The nodes whose rows count and are worth for the first player what `holds` asks.
    fn nodes_where(&self, rows: &[Option<Score>], holds: impl Fn(i8) -> bool) -> Vec<bool> {
        let node = |row: &Option<Score>| match row {
            Some(score) => [holds(score.get()), holds(-score.get())],
            None => [false, false],
        };
        rows.iter().flat_map(node).chain([false, false]).collect()
    }

    /// Where `player` can see to it that `target` nodes come again and again.
    fn again_and_again(&self, player: Player, target: &[bool]) -> Vec<bool> {
        let other = match player {
            Player::First => Player::Second,
            Player::Second => Player::First,
        };
        let mut alive = vec![true; self.edges.len()];
        loop {
            let reach = self.attractor(&alive, player, target);
            let out_of_reach: Vec<bool> = reach.iter().map(|reached| !reached).collect();
            let gone = self.attractor(&alive, other, &out_of_reach);
            if !gone.contains(&true) {
                return alive;
            }
            alive.iter_mut().zip(gone).for_each(|(alive, gone)| *alive &= !gone);
        }
    }

    /// From where, in what is alive, `player` can force the play into `target`.
    fn attractor(&self, alive: &[bool], player: Player, target: &[bool]) -> Vec<bool> {
        let mut attracted: Vec<bool> =
            alive.iter().zip(target).map(|(&alive, &target)| alive && target).collect();
        loop {
            let mut grown = false;
            for node in (0..alive.len()).filter(|&node| alive[node]) {
                let mut next = self.edges[node].iter().filter(|&&next| alive[next]);
                let drawn = if Arena::moves_at(node) == player {
                    next.any(|&next| attracted[next])
                } else {
                    next.all(|&next| attracted[next])
                };
                grown |= drawn && !attracted[node];
                attracted[node] |= drawn;
            }
            if !grown {
                return attracted;
            }
        }
    }
}
