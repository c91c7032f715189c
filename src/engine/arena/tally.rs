//! What the results of games tell, with error bars.

/// Results of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that it has won.
    pub wins: u32,
    /// Games that nobody has.
    pub draws: u32,
    /// Games that the other has.
    pub losses: u32,
}

/// A difference of strength on the scale of chess players: 400 times the logarithm to base 10 of
/// the odds. It has no number where an engine has won, or may be taken to win, every game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// What the score says.
    pub value: Option<f64>,
    /// What its lower bound says.
    pub low: Option<f64>,
    /// What its upper bound says.
    pub high: Option<f64>,
}

/// The normal distribution has 95 % within so many standard deviations.
const NORMAL_95: f64 = 1.959_964;

impl Tally {
    /// Counts a result: 1, 0.5 or 0.
    pub fn add(&mut self, result: f64) {
        match result {
            won if won > 0.75 => self.wins += 1,
            lost if lost < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Games in all.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points by games, a draw being half a point; 0.5 without games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Between which scores the true one lies, with 95 % confidence: Wilson's interval, as if every
    /// game were won or lost. Draws, and openings played by both sides, make it wider than need be.
    pub fn bounds(&self) -> (f64, f64) {
        let games = f64::from(self.games());
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let (score, square) = (self.score(), NORMAL_95 * NORMAL_95);
        let middle = (score + square / (2.0 * games)) / (1.0 + square / games);
        let spread = (score * (1.0 - score) / games + square / (4.0 * games * games)).sqrt();
        let half = NORMAL_95 / (1.0 + square / games) * spread;
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }

    /// The same as a difference of strength.
    pub fn elo(&self) -> Elo {
        let (low, high) = self.bounds();
        Elo { value: elo(self.score()), low: elo(low), high: elo(high) }
    }
}

fn elo(score: f64) -> Option<f64> {
    let odds = score / (1.0 - score);
    (odds > 0.0 && odds.is_finite()).then(|| 400.0 * odds.log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(tally: Tally) -> (f64, f64) {
        let (low, high) = tally.bounds();
        ((low * 1e4).round() / 1e4, (high * 1e4).round() / 1e4)
    }

    #[test]
    fn bounds_are_those_of_textbooks() {
        // Wilson's interval for 8 of 10 and for 0 of 10.
        assert_eq!(rounded(Tally { wins: 8, draws: 0, losses: 2 }), (0.4902, 0.9433));
        assert_eq!(rounded(Tally { wins: 0, draws: 0, losses: 10 }), (0.0, 0.2775));
        assert_eq!(Tally::default().bounds(), (0.0, 1.0));
    }

    #[test]
    fn strength_follows_the_odds() {
        let elo = Tally { wins: 10, draws: 0, losses: 1 }.elo();
        assert!(
            (elo.value.unwrap() - 400.0).abs() < 1e-9
                && elo.low < elo.value
                && elo.value < elo.high
        );
        assert_eq!(Tally { wins: 3, draws: 4, losses: 3 }.elo().value, Some(0.0));
        assert_eq!(Tally { wins: 5, draws: 0, losses: 0 }.elo().value, None);
        assert!(Tally { wins: 5, draws: 0, losses: 0 }.elo().low.is_some());
    }

    #[test]
    fn results_are_counted() {
        let mut tally = Tally::default();
        [1.0, 0.5, 0.0, 1.0].into_iter().for_each(|result| tally.add(result));
        assert_eq!(tally, Tally { wins: 2, draws: 1, losses: 1 });
        assert_eq!((tally.games(), tally.score()), (4, 0.625));
    }
}
