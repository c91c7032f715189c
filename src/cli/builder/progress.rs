//! How a build gets on: a bar on a terminal, a line for each finished layer everywhere. It also
//! listens for the signals that ask it to end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::game::Seeds;
use crate::json::words::bytes;
use crate::pool::locked;
use crate::solver::{Event, Observer};

use super::report::LayerFields;
use crate::cli::{interrupt, output, progress};

/// The part of a layer's work that entering the captures is.
const CAPTURES: f64 = 0.2;

/// The build as its user sees it.
pub struct Progress {
    /// What solving each layer amounts to, in positions of a layer in memory.
    work: BTreeMap<Seeds, u64>,
    quiet: bool,
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    clock: Mutex<Clock>,
}

/// How far a build is and how fast it goes.
struct Clock {
    /// When the current layer was begun.
    since: Instant,
    /// The work done so far.
    solved: u64,
    pace: SolvingSpeed,
    /// The work that the current layer is, and how far it has come.
    at_hand: u64,
    part: f64,
    /// Whether the current layer goes on from a checkpoint: its time is that of a part.
    is_resumed: bool,
}

/// Work and the seconds that it took, of layers of which each counts twice as much as the one before:
/// small ones take longer than what they amount to.
#[derive(Clone, Copy, Default)]
struct SolvingSpeed {
    work: f64,
    seconds: f64,
}

impl SolvingSpeed {
    /// Seconds of layers before which a pace says little.
    const KNOWN: f64 = 1.0;

    fn with(self, work: u64, taken: Duration) -> SolvingSpeed {
        SolvingSpeed {
            work: self.work / 2.0 + work as f64,
            seconds: self.seconds / 2.0 + taken.as_secs_f64(),
        }
    }

    /// Returns the seconds that one unit of work takes, once that is known.
    fn of_one(self) -> Option<f64> {
        (self.seconds >= SolvingSpeed::KNOWN && self.work > 0.0).then(|| self.seconds / self.work)
    }
}

impl Clock {
    /// Starts one before any work is done, at the pace of layers before.
    fn of(pace: SolvingSpeed) -> Clock {
        let since = Instant::now();
        Clock { since, solved: 0, pace, at_hand: 0, part: 0.0, is_resumed: false }
    }

    /// Returns the time left for `remaining` work, the current layer included, at the pace of the
    /// last layers: of solving, and of what the solver had to wait for. A layer that has taken
    /// longer than that goes on as it has begun, once its captures are entered: before, waiting
    /// may be all that it has done. `None` as long as that is not known.
    fn left(&self, remaining: u64) -> Option<String> {
        let of_one = self.pace.of_one()?;
        let seconds = |work: u64| work as f64 * of_one;
        let since = self.since.elapsed().as_secs_f64();
        let expected = seconds(self.at_hand);
        let layer = match self.part {
            _ if since < expected => expected - since,
            part if part > CAPTURES => since * (1.0 / part - 1.0),
            _ => expected,
        };
        let above = seconds(remaining.saturating_sub(self.at_hand));
        Some(progress::duration(above + layer))
    }
}

impl Progress {
    /// Begins to show progress and to listen for Ctrl-C and SIGTERM. Without any work in sight there
    /// is no bar.
    pub fn start(work: &[(Seeds, u64)], quiet: bool) -> Progress {
        let total = work.iter().map(|(_, work)| work).sum();
        let bar = progress::share(total);
        if quiet || work.is_empty() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let clock = Clock::of(SolvingSpeed::default());
        let stop = Arc::new(AtomicBool::new(false));
        // The first signal asks the solver to stop at the next step, the second ends the program.
        // What a build leaves unfinished then, the next one sweeps up.
        let flag = stop.clone();
        let listening = interrupt::on_signal(move || {
            flag.store(true, Ordering::Relaxed);
            if !quiet {
                output::note("stopping after this step; press Ctrl-C again to stop at once");
            }
        });
        if listening.is_err() && !quiet {
            output::note("Ctrl-C will stop at once");
        }
        let work = work.iter().copied().collect();
        Progress { work, quiet, bar, stop, clock: Mutex::new(clock) }
    }

    fn work(&self, seeds: Seeds) -> u64 {
        self.work.get(&seeds).copied().unwrap_or_default()
    }

    /// Shows that a table is there now.
    pub fn written(&self, layer: &LayerFields) {
        let LayerFields { seeds, positions, seconds, bytes: size, .. } = layer;
        let size = bytes(*size);
        let left = self.left().map_or(String::new(), |left| format!("; {left} left"));
        self.tell(&format!(
            "layer {seeds:>2}: {positions} positions in {seconds:.2} s, {size}{left}"
        ));
    }

    /// Returns the time left if the bar is not shown.
    fn left(&self) -> Option<String> {
        let clock = locked(&self.clock);
        let remaining = self.bar.length().unwrap_or_default().saturating_sub(clock.solved);
        if remaining == 0 || !self.bar.is_hidden() { None } else { clock.left(remaining) }
    }

    /// Notes that the current layer goes on from a checkpoint.
    pub fn resumed(&self) {
        locked(&self.clock).is_resumed = true;
    }

    /// Shows that no layer is left to be solved.
    pub fn solved(&self) {
        self.bar.set_message("writing tables");
    }

    /// Returns the flag that asks all threads to stop.
    pub fn stopper(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Asks the solver to stop, as Ctrl-C does.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Says something that belongs to the progress.
    pub fn tell(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// Prints a message even if progress is not shown.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| output::note(text));
    }

    /// Shows that a part of the work on a layer is done.
    fn show(&self, seeds: Seeds, part: f64, step: &str) {
        let mut clock = locked(&self.clock);
        let total = self.bar.length().unwrap_or_default();
        (clock.at_hand, clock.part) = (self.work(seeds), part);
        // Bounds and their cores are swept one after the other; the bar never goes back.
        let position = clock.solved + (clock.at_hand as f64 * part) as u64;
        self.bar.set_position(position.max(self.bar.position()));
        let left = clock
            .left(total.saturating_sub(clock.solved))
            .map_or(String::new(), |left| format!(", {left} left"));
        self.bar.set_message(format!("layer {seeds}: {step}{left}"));
    }
}

impl Observer for Progress {
    fn notice(&self, event: Event) {
        match event {
            Event::Started { seeds } => {
                self.show(seeds, 0.0, "moves");
            }
            Event::Captures { seeds, into } => {
                let part = (into.get() + 1) as f64 / seeds.get() as f64;
                self.show(seeds, CAPTURES * part, "captures");
            }
            // How many sweeps there will be is not known, a few dozen as a rule, and they get
            // easier; so each is taken for a fifth of what is left.
            Event::Swept { seeds, sweep, .. } => {
                let part = 1.0 - 0.8f64.powi(sweep as i32);
                self.show(seeds, CAPTURES + (1.0 - CAPTURES) * part, &format!("sweep {sweep}"));
            }
            Event::Settled { seeds } => {
                let mut clock = locked(&self.clock);
                let work = self.work(seeds);
                clock.solved += work;
                if !std::mem::take(&mut clock.is_resumed) {
                    clock.pace = clock.pace.with(work, clock.since.elapsed());
                }
                clock.since = Instant::now();
                (clock.at_hand, clock.part) = (0, 0.0);
                self.bar.set_position(clock.solved);
            }
            _ => {}
        }
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What takes longer than expected is not said to be over in a moment.
    #[test]
    fn a_slow_layer_goes_on_as_it_has_begun() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let ago = |time| Instant::now().checked_sub(time).expect("a past");
        let slow = Clock {
            since: ago(minutes(10)),
            solved: 100,
            at_hand: 200,
            part: 0.5,
            ..Clock::of(SolvingSpeed::default().with(100, minutes(1)))
        };
        assert_eq!(slow.left(200).as_deref(), Some("10 min"));
        assert_eq!(slow.left(600).as_deref(), Some("14 min"));
        let waited = Clock { part: 0.01, ..slow };
        assert_eq!(waited.left(200).as_deref(), Some("2 min"));
        let fast = Clock { since: ago(minutes(1)), part: 0.9, ..waited };
        assert_eq!(fast.left(500).as_deref(), Some("4 min"), "as the others did");
    }

    /// Small layers take longer than what they amount to: they said 14 minutes of a build of 50 s.
    #[test]
    fn time_left_is_that_of_the_last_layers_and_not_said_before_it_is_known() {
        let seconds = Duration::from_secs_f64;
        let slow = SolvingSpeed::default().with(1, seconds(0.4)).with(2, seconds(0.4));
        assert_eq!(Clock::of(slow).left(1000), None);
        let fast = slow.with(100, seconds(1.0)).with(200, seconds(2.0)).with(400, seconds(4.0));
        assert_eq!(Clock::of(fast).left(3000).as_deref(), Some("30 s"));
    }
}
