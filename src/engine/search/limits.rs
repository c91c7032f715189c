//! When a search stops.

use std::time::Duration;

use crate::engine::protocol::Go;
use crate::game::Seat;

/// The most plies that a search looks ahead.
pub const DEEPEST: u32 = 64;

/// When a search stops: at a depth, after a time or a number of nodes, or when it is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Plies to look ahead.
    pub depth: u32,
    /// Time to take.
    pub time: Option<Duration>,
    /// Positions to visit, by all threads together; checked now and then.
    pub nodes: u64,
}

/// Time to take where nothing else limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Moves that a clock has to last for, where nothing says how many.
const MOVES_TO_COME: u32 = 20;
/// What is kept of a clock, for the way that a move takes to be heard.
const RESERVE: Duration = Duration::from_millis(30);

impl SearchLimits {
    /// Returns the limits that `go` sets for the player of `seat`, whose clock counts.
    pub fn of(go: &Go, seat: Seat) -> SearchLimits {
        let limited = go.depth.is_some() || go.nodes.is_some() || go.infinite;
        let share = go.clock.of(seat).map(|(left, increment)| {
            let moves = go.clock.moves.map_or(MOVES_TO_COME, |moves| moves.clamp(1, 50) + 1);
            let most = left.saturating_sub(RESERVE.min(left / 2)) / 2;
            (left / moves + increment * 3 / 4).min(most)
        });
        SearchLimits {
            depth: go.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST),
            time: match share {
                Some(share) if !go.infinite => Some(go.movetime.unwrap_or(share).min(share)),
                _ => go.movetime.or((!limited).then_some(DEFAULT_TIME)),
            },
            nodes: go.nodes.unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(go: &str) -> Option<Duration> {
        SearchLimits::of(&go.parse().unwrap(), Seat::South).time
    }

    #[test]
    fn a_clock_is_never_used_up_by_a_move() {
        for left in [1, 2, 10, 40, 100, 1000, 60_000] {
            for more in ["", " winc 5000", " movestogo 1", " winc 100 movestogo 3"] {
                let time = time(&format!("wtime {left} btime 1{more}")).unwrap();
                assert!(2 * time <= Duration::from_millis(left), "{left}{more}: {time:?}");
            }
        }
        let ten = time("wtime 10000 btime 1 winc 100").unwrap();
        assert_eq!(ten, Duration::from_millis(575));
    }

    /// Nor does a game of usual length leave half of it.
    #[test]
    fn a_game_uses_most_of_its_clock() {
        for (clock, increment) in [(10_000, 0), (60_000, 0), (10_000, 100)] {
            let mut left = clock;
            for _ in 0..35 {
                let go = format!("wtime {left} winc {increment}");
                left -= time(&go).unwrap().as_millis() as u64;
                left += increment;
            }
            assert!(4 * left < clock + 35 * increment, "{left} of {clock} + {increment}");
        }
    }

    #[test]
    fn the_clock_of_the_other_player_and_infinity_do_not_count() {
        assert_eq!(time("depth 3 btime 5"), None);
        assert_eq!(time("wtime 500 infinite"), None);
        assert_eq!(time("wtime 60000 movetime 7"), Some(Duration::from_millis(7)));
    }
}
