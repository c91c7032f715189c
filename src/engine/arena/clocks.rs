//! Time in a match: what engines receive, may use, and have used.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::engine::protocol::{Clock, Go};
use crate::error::{Error, Result};
use crate::game::Seat;

/// Seconds that a clock has at most, so that no sum of times overflows.
const LONGEST: f64 = 1e6;

/// A clock for a game: the time at the beginning, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for the game.
    pub base: Duration,
    /// Time that each move adds.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = Error;

    /// Reads seconds, as in `10+0.1` or `60`.
    fn from_str(text: &str) -> Result<TimeControl> {
        let wrong = || {
            let what = "a clock is seconds for the game and for each move, as in 10+0.1, at most a \
                        million each";
            Error::Usage(what.to_owned())
        };
        let seconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|&seconds| seconds <= LONGEST);
            Duration::try_from_secs_f64(seconds.ok_or_else(wrong)?).map_err(|_| wrong())
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = TimeControl { base: seconds(base)?, increment: seconds(increment)? };
        if control.base.is_zero() { Err(wrong()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// How fast engines play.
#[derive(Clone, Debug, Default)]
pub struct PlayingSpeed {
    /// What limits each move.
    pub go: Go,
    /// A clock for each game.
    pub control: Option<TimeControl>,
    /// What an engine may take beyond its time without losing.
    pub margin: Duration,
    /// How long an answer is waited for where no time is set.
    pub timeout: Duration,
}

impl fmt::Display for PlayingSpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.control {
            Some(control) => write!(f, "{control} s{}", self.go),
            None => write!(f, "go{}", self.go),
        }
    }
}

/// What a player thought in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Moves that it was asked for.
    pub moves: u32,
    /// All the time that it took.
    pub total: Duration,
    /// The longest that it took for a move.
    pub longest: Duration,
}

impl Times {
    /// Adds what it thought about other moves.
    pub fn merge(&mut self, other: Times) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Returns the milliseconds that it took for a move on average; 0 without moves.
    pub fn mean_milliseconds(&self) -> f64 {
        self.total.as_secs_f64() * 1000.0 / f64::from(self.moves.max(1))
    }
}

/// The clocks of a game in progress; South's first.
pub struct Clocks {
    /// What the players have thought.
    pub times: [Times; 2],
    left: [Duration; 2],
}

impl Clocks {
    /// Sets the clocks.
    pub fn new(pace: &PlayingSpeed) -> Clocks {
        let base = pace.control.map_or(Duration::ZERO, |control| control.base);
        Clocks { times: Default::default(), left: [base; 2] }
    }

    /// Returns the time control to send to the engine to move.
    pub fn go(&self, pace: &PlayingSpeed) -> Go {
        let Some(control) = pace.control else { return pace.go.clone() };
        let clock = Clock {
            south: Some(self.left[0]),
            north: Some(self.left[1]),
            south_increment: Some(control.increment),
            north_increment: Some(control.increment),
            moves: None,
        };
        Go { clock, ..pace.go.clone() }
    }

    /// Returns how long to wait for an answer of the player to move.
    pub fn limit(&self, pace: &PlayingSpeed, seat: Seat) -> Duration {
        match (pace.control, pace.go.movetime) {
            (Some(_), _) => self.left[seat as usize] + pace.margin,
            (None, Some(movetime)) => movetime + pace.margin,
            (None, None) => pace.timeout,
        }
    }

    /// Stops the clock of the player who moved, and returns whether that was in time.
    pub fn stop(&mut self, pace: &PlayingSpeed, seat: Seat, took: Duration) -> bool {
        let in_time = took <= self.limit(pace, seat);
        self.times[seat as usize].merge(Times { moves: 1, total: took, longest: took });
        if let Some(control) = pace.control {
            let left = &mut self.left[seat as usize];
            *left = left.saturating_sub(took) + control.increment;
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn clocks_run_and_get_their_increment() {
        let control = Some("1+0.1".parse().unwrap());
        let pace = PlayingSpeed { control, margin: 20 * MILLISECOND, ..PlayingSpeed::default() };
        let mut clocks = Clocks::new(&pace);
        assert_eq!(clocks.go(&pace).to_string(), " wtime 1000 btime 1000 winc 100 binc 100");
        assert!(clocks.stop(&pace, Seat::South, 300 * MILLISECOND));
        assert!(clocks.stop(&pace, Seat::North, 50 * MILLISECOND));
        assert_eq!(clocks.go(&pace).to_string(), " wtime 800 btime 1050 winc 100 binc 100");
        assert_eq!(clocks.limit(&pace, Seat::South), 820 * MILLISECOND);
        // An engine that has used up the clock and a little more has the increment left.
        assert!(clocks.stop(&pace, Seat::South, 810 * MILLISECOND));
        assert!(!clocks.stop(&pace, Seat::South, 121 * MILLISECOND));
        let south = clocks.times[0];
        assert_eq!((south.moves, south.longest), (3, 810 * MILLISECOND));
        assert!((south.mean_milliseconds() - 1231.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn a_move_has_its_time_and_the_margin() {
        let go: Go = "movetime 50".parse().unwrap();
        let pace = PlayingSpeed { go, margin: 10 * MILLISECOND, ..PlayingSpeed::default() };
        let mut clocks = Clocks::new(&pace);
        assert_eq!(clocks.go(&pace), pace.go);
        assert!(clocks.stop(&pace, Seat::South, 60 * MILLISECOND));
        assert!(!clocks.stop(&pace, Seat::South, 61 * MILLISECOND));
        let free = PlayingSpeed { timeout: 9 * MILLISECOND, ..PlayingSpeed::default() };
        assert_eq!(Clocks::new(&free).limit(&free, Seat::North), 9 * MILLISECOND);
    }

    #[test]
    fn clocks_are_seconds() {
        let control: TimeControl = "10+0.1".parse().unwrap();
        assert_eq!(control.to_string(), "10+0.1");
        assert_eq!("60".parse::<TimeControl>().unwrap().to_string(), "60+0");
        for wrong in ["", "0", "-1", "1+", "1+x", "1e99", "nan", "1+-1"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }
}
