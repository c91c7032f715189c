//! Which scores a table keeps apart.
//!
//! In a game of N seeds a position with n on the board has N − n captured, so the players' totals
//! differ by at most N − n. Who wins depends on the score only while that is no larger. So a table
//! may keep scores *clamped* to −W..W, W the first score beyond N − n: within the range they are
//! exact, at its ends they say "at least" or "at most", and the outcome of every such game is known
//! all the same.
//!
//! Clamping commutes with everything a score is made of: it is monotone, symmetric, and keeps 0. A
//! capture of c leads to a layer whose range is wider by c. So a solver that clamps what captures
//! and finished games are worth finds the clamped scores, given layers below of the same game, or
//! with wider ranges.

use crate::game::board::Seeds;
use crate::game::rules::{Endless, Repetition, Rules};
use crate::game::score::{Interval, Score};

/// The scores that a layer keeps apart: all of them, or those between −W and W.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreRange {
    seeds: Seeds,
    end: i8,
    /// The game that clamped scores decide.
    game: Option<Seeds>,
    /// Whether only every other score can be.
    is_even: bool,
}

impl ScoreRange {
    /// Returns the range of full scores of positions with `seeds` seeds.
    pub const fn full(seeds: Seeds) -> ScoreRange {
        ScoreRange { seeds, end: seeds.get() as i8, game: None, is_even: false }
    }

    /// Returns the range that decides every game of `game` seeds that has come to `seeds`, or the full
    /// one if that is no wider or no game is named.
    ///
    /// # Panics
    /// If the game has fewer seeds than are on the board.
    pub fn deciding(rules: &Rules, seeds: Seeds, game: Option<Seeds>) -> ScoreRange {
        let Some(game) = game else { return ScoreRange::full(seeds) };
        let captured =
            game.get().checked_sub(seeds.get()).expect("as many seeds as are on the board");
        let beyond = captured + 1;
        let (end, is_even) = match rules.endless {
            // Every seed goes to one of the players in the end, so scores are even if the number of
            // seeds is.
            Endless::OwnSide(_) => (beyond + (beyond + seeds.get()) % 2, true),
            Endless::EvenSplit | Endless::Drawn => (beyond, false),
        };
        match end < seeds.get() {
            true => ScoreRange { seeds, end: end as i8, game: Some(game), is_even },
            false => ScoreRange::full(seeds),
        }
    }

    /// Returns whether tables of a sheet can be clamped: where each position has one score.
    pub fn can_clamp(rules: &Rules) -> bool {
        match rules.endless {
            Endless::EvenSplit | Endless::OwnSide(Repetition::First) => true,
            Endless::OwnSide(Repetition::FirstOfAny | Repetition::Agreed) | Endless::Drawn => false,
        }
    }

    /// Returns the number of seeds on the board.
    pub const fn seeds(self) -> Seeds {
        self.seeds
    }

    /// Returns W, the largest score of the range.
    pub const fn end(self) -> i8 {
        self.end
    }

    /// Returns whether no score is clamped.
    pub const fn is_full(self) -> bool {
        self.game.is_none()
    }

    /// Returns whether scores are clamped, and are all as even or odd as the end of the range.
    pub const fn is_even(self) -> bool {
        self.is_even
    }

    /// Returns whether a clamped score is the score itself.
    #[inline]
    pub fn tells(self, clamped: i8) -> bool {
        self.is_full() || (-self.end < clamped && clamped < self.end)
    }

    /// Returns W if scores are clamped.
    pub fn clamp_end(self) -> Option<i8> {
        (!self.is_full()).then_some(self.end)
    }

    /// Returns whether a layer of this range has what one of range `above` asks of those that its
    /// captures lead to.
    pub fn is_enough_for(self, above: ScoreRange) -> bool {
        let captured = above.seeds.get().saturating_sub(self.seeds.get());
        self.is_full() || self.end as usize >= above.end as usize + captured
    }

    /// Returns how many seeds the games have that clamped scores decide.
    pub const fn game(self) -> Option<Seeds> {
        self.game
    }

    /// Returns the score of the range that is closest to `score`.
    pub fn clamp(self, score: i8) -> i8 {
        score.clamp(-self.end, self.end)
    }

    /// Returns what a layer of this range says of a score that lies in an interval: bounds beyond its
    /// ends are not known there.
    pub fn known(self, Interval { low, high }: Interval) -> Interval {
        let (end, most) = (self.end, self.seeds.get() as i8);
        let low = if low.get() <= -end { -most } else { self.clamp(low.get()) };
        let high = if high.get() >= end { most } else { self.clamp(high.get()) };
        Interval { low: Score::new(low), high: Score::new(high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::{ABAPA, AWARI, MASTERS_DRAWN};

    fn seeds(count: usize) -> Seeds {
        Seeds::new(count).unwrap()
    }

    fn ends(rules: &Rules, game: usize) -> Vec<i8> {
        let range = |layer| ScoreRange::deciding(rules, seeds(layer), Some(seeds(game))).end();
        (0..=game).map(range).collect()
    }

    #[test]
    fn ranges_end_at_the_first_score_that_decides() {
        assert_eq!(ends(&AWARI, 12), [0, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]);
        assert_eq!(ends(&ABAPA, 12), [0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2]);
        assert_eq!(ends(&ABAPA, 11), [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    }

    /// With captured totals that a game can have, every interval tells who wins.
    #[test]
    fn what_is_known_decides_every_game() {
        for rules in [&ABAPA, &AWARI] {
            for (game, layer) in (1..=16).flat_map(|game| (0..=game).map(move |at| (game, at))) {
                let range = ScoreRange::deciding(rules, seeds(layer), Some(seeds(game)));
                let captured = (game - layer) as i8;
                for score in -(layer as i8)..=layer as i8 {
                    let known = range.known(Interval::exact(Score::new(score)));
                    assert!(known.low.get() <= score && score <= known.high.get());
                    for ahead in (-captured..=captured).step_by(2) {
                        let sides = [known.low, known.high].map(|end| (ahead + end.get()).signum());
                        assert_eq!(sides, [(ahead + score).signum(); 2], "{layer} of {game}");
                    }
                }
            }
        }
    }

    #[test]
    fn captures_lead_to_ranges_that_are_wide_enough() {
        for rules in [&ABAPA, &AWARI] {
            let range = |layer, game| ScoreRange::deciding(rules, seeds(layer), Some(seeds(game)));
            for layer in 1..=20 {
                for below in 0..layer {
                    assert!(range(below, 20).is_enough_for(range(layer, 20)));
                    assert!(range(below, 22).is_enough_for(range(layer, 20)));
                    assert!(ScoreRange::full(seeds(below)).is_enough_for(range(layer, 20)));
                }
            }
            assert!(!range(18, 20).is_enough_for(range(19, 22)));
            assert!(!range(18, 20).is_enough_for(ScoreRange::full(seeds(19))));
        }
    }

    #[test]
    fn knowing_again_changes_nothing() {
        let range = ScoreRange::deciding(&AWARI, seeds(9), Some(seeds(11)));
        assert_eq!(range.clamp_end(), Some(3));
        for (low, high) in (-9..=9).flat_map(|low| (low..=9).map(move |high| (low, high))) {
            let known = range.known(Interval { low: Score::new(low), high: Score::new(high) });
            assert_eq!(range.known(known), known);
        }
    }

    #[test]
    fn sheets_without_one_score_are_not_clamped() {
        assert!(ScoreRange::can_clamp(&AWARI) && ScoreRange::can_clamp(&ABAPA));
        assert!(!ScoreRange::can_clamp(&MASTERS_DRAWN));
    }
}
