//! Sowings that never end.

/// Watches the laps of a sowing for one that was there before, by Brent's algorithm: it keeps one
/// state, and replaces it after 1, 2, 4, 8, ... laps.
pub struct Watch<S> {
    kept: S,
    laps: u64,
    until: u64,
}

impl<S: PartialEq + Copy> Watch<S> {
    /// Begins with a first state.
    pub fn new(state: S) -> Watch<S> {
        Watch { kept: state, laps: 0, until: 1 }
    }

    /// Returns whether the sowing never ends, for it has come to a state that it was in.
    pub fn has_been(&mut self, state: S) -> bool {
        if state == self.kept {
            return true;
        }
        self.laps += 1;
        if self.laps == self.until {
            (self.kept, self.until) = (state, 2 * self.until);
            self.laps = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cycle_is_found() {
        for (before, round) in (0..40).flat_map(|before| (1..40).map(move |round| (before, round)))
        {
            let state = |lap: u64| if lap < before { lap } else { before + (lap - before) % round };
            let mut watch = Watch::new(state(0));
            let found = (1..1000).find(|&lap| watch.has_been(state(lap))).expect("a cycle");
            assert!(found >= round && (0..found).any(|lap| state(lap) == state(found)));
        }
        let mut watch = Watch::new(0);
        assert!((1..10_000).all(|lap| !watch.has_been(lap)));
    }
}
