//! Five levels of play, from a beginner's to the engine's best.
//!
//! A level looks at a fixed number of positions a move and of plies, however fast the machine is.
//! Those below the best draw among the moves: one that looks better comes more often, one that
//! looks worse than the best by more than the level overlooks never. So no two games are alike. No
//! level ignores the obvious: where a capture looks best, no move is drawn that takes much less.
//! The best level has only the limits of the caller, and chooses nothing at random.
//!
//! Within the tables the lower levels look at the exact scores in the same way, and err there, too.

use std::sync::atomic::AtomicBool;

use crate::engine::search::{Engine, SearchLimits, SearchResult};
use crate::game::{Game, HOUSES};
use crate::random::Dice;

/// A level of play, from 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What makes a level.
#[derive(Clone, Copy, Debug)]
struct LevelTerms {
    /// Positions to look at for a move.
    nodes: u64,
    /// Plies to look ahead.
    depth: u32,
    /// A move that looks worse by this many hundredths of a seed is played 2.7 times less often.
    slack: f64,
    /// One that looks worse by more hundredths is not played.
    overlooks: i32,
}

/// A capture of this many seeds more, where it looks best, is never left.
const MANY: u8 = 4;

impl Level {
    /// The lowest level.
    pub const LOWEST: Level = Level(1);
    /// The level of the engine's best play.
    pub const BEST: Level = Level(5);

    /// Returns a level by its number; `None` if there is none.
    pub fn new(number: u8) -> Option<Level> {
        (Level::LOWEST.0..=Level::BEST.0).contains(&number).then_some(Level(number))
    }

    /// Returns the number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns what limits it; nothing limits the best.
    fn terms(self) -> Option<LevelTerms> {
        let terms = |nodes, depth, slack, overlooks| LevelTerms { nodes, depth, slack, overlooks };
        match self.0 {
            1 => Some(terms(u64::MAX, 1, 550.0, 550)),
            2 => Some(terms(u64::MAX, 1, 190.0, 340)),
            3 => Some(terms(u64::MAX, 2, 90.0, 190)),
            4 => Some(terms(600, 5, 40.0, 120)),
            _ => None,
        }
    }

    /// Finds a move as [`Engine::think`] does; what `dice` say decides among the moves of the lower
    /// levels. These look at all moves whatever the engine's own number of lines is, and `report`
    /// hears of each.
    pub fn think(
        self,
        engine: Engine,
        game: &Game,
        limits: &SearchLimits,
        stop: &AtomicBool,
        dice: &mut Dice,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let Some(terms) = self.terms() else {
            return engine.think(game, limits, stop, report);
        };
        let nodes = terms.nodes.min(limits.nodes);
        let limits = SearchLimits { nodes, depth: terms.depth.min(limits.depth), ..*limits };
        let (best, moves) = engine.with_lines(HOUSES).look(game, &limits, stop, report)?;
        let captured = |found: &SearchResult| {
            let played = found.line.first().and_then(|ply| game.find(ply.house));
            played.map_or(0, |played| played.captured)
        };
        let chosen = terms.choose(&moves, captured, dice);
        Some(chosen.cloned().unwrap_or(best))
    }
}

impl LevelTerms {
    /// Draws one of the moves, which capture this many seeds.
    fn choose<'f>(
        &self,
        found: &'f [SearchResult],
        captured: impl Fn(&SearchResult) -> u8,
        dice: &mut Dice,
    ) -> Option<&'f SearchResult> {
        let best = found.iter().max_by_key(|found| found.worth.hundredths())?;
        let weight = |found: &SearchResult| {
            let behind = best.worth.hundredths() - found.worth.hundredths();
            let leaves_many = captured(best) >= captured(found) + MANY;
            if behind > self.overlooks || behind > 0 && leaves_many {
                0.0
            } else {
                (-f64::from(behind) / self.slack).exp()
            }
        };
        let weights = found.iter().map(weight);
        let mut left = weights.clone().sum::<f64>() * unit(dice);
        let at = weights.clone().position(|weight| {
            left -= weight;
            left < 0.0
        });
        found.get(at?)
    }
}

/// Returns a number from 0 to 1, 1 excluded.
fn unit(dice: &mut Dice) -> f64 {
    (dice.number() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::{DEEPEST, TranspositionTable, Worth};
    use crate::game::{ABAPA, House, Ply, Position, Seat};

    /// Found moves that are worth this many hundredths.
    fn found(hundredths: &[i32]) -> Vec<SearchResult> {
        let found = |(house, &worth): (House, &i32)| SearchResult {
            line: vec![Ply { seat: Seat::South, house }],
            worth: Worth::estimate(worth),
            rank: 1 + house.index() as u32,
            ..SearchResult::default()
        };
        House::ALL.into_iter().zip(hundredths).map(found).collect()
    }

    /// How often each of two moves is drawn in 3,000.
    fn often(terms: LevelTerms, moves: &[i32]) -> Vec<u32> {
        let (moves, mut dice) = (found(moves), Dice::new(5));
        let mut counts = vec![0; moves.len()];
        for _ in 0..3000 {
            let chosen = terms.choose(&moves, |_| 0, &mut dice).expect("a move");
            counts[chosen.line[0].house.index()] += 1;
        }
        counts
    }

    #[test]
    fn what_looks_worse_is_drawn_less_often_and_what_looks_bad_never() {
        for level in (1..5).filter_map(Level::new) {
            let terms = level.terms().expect("limits");
            let slack = terms.slack as i32;
            let counts = often(terms, &[300, 300 - slack.min(100), 299 - terms.overlooks]);
            let share = f64::from(counts[1]) / f64::from(counts[0]);
            let expected = (-f64::from(slack.min(100)) / terms.slack).exp();
            assert!((share - expected).abs() < 0.1 && counts[2] == 0, "{level:?}: {counts:?}");
        }
    }

    /// The second move takes four seeds more and looks a tenth of a seed better.
    #[test]
    fn a_great_capture_that_looks_best_is_made() {
        let (moves, mut dice) = (found(&[90, 100, 80]), Dice::new(6));
        for level in (1..5).filter_map(Level::new) {
            let terms = level.terms().expect("limits");
            let mut chosen = |great: u8| -> usize {
                let captured = |found: &SearchResult| if found.rank == 2 { great } else { 0 };
                let drawn = (0..300).filter_map(|_| terms.choose(&moves, captured, &mut dice));
                drawn.filter(|found| found.rank == 2).count()
            };
            assert!(chosen(MANY) == 300 && chosen(MANY - 1) < 300, "{level:?}");
        }
    }

    #[test]
    fn higher_levels_overlook_less() {
        let terms: Vec<LevelTerms> = (1..5).filter_map(|n| Level::new(n)?.terms()).collect();
        assert_eq!(terms.len(), 4);
        for (lower, higher) in terms.iter().zip(&terms[1..]) {
            assert!(lower.slack > higher.slack && lower.overlooks > higher.overlooks);
            assert!(lower.depth <= higher.depth);
        }
        assert!(Level::BEST.terms().is_none());
    }

    /// Some looks end between the first move and the last.
    #[test]
    fn an_incomplete_look_does_not_count() {
        let game = Game::new(&ABAPA, Position::INITIAL);
        let mut incomplete = 0;
        for nodes in (1..=40).map(|some| 256 * some) {
            let hash = TranspositionTable::new(1).unwrap();
            let limits = SearchLimits { depth: DEEPEST, time: None, nodes };
            let engine = Engine::new(None, &hash, 1).with_lines(HOUSES);
            let found = engine.look(&game, &limits, &AtomicBool::new(false), &mut |_| {});
            let (best, moves) = found.unwrap();
            let whole = moves[0].depth;
            assert!(moves.len() == HOUSES && moves.iter().all(|found| found.depth == whole));
            assert!(best.depth == whole || best.depth == whole + 1, "{nodes}");
            incomplete += u32::from(best.depth > whole);
        }
        assert!(incomplete > 0);
    }
}
