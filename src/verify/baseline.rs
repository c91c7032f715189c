//! What a report must reach: a rate of losing moves, or an earlier report.
//!
//! Moves that were asked for and not made count as losing for the rate. A baseline has them as a
//! figure of its own, `failures`, and not in its rates.

use super::counts::percent;
use super::report::Report;

/// The figures of a report, kept to compare later ones with.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Baseline {
    /// The sheet.
    pub rules: String,
    /// Moves that were judged.
    pub judged: u64,
    /// Share of them that gave away at least a seed.
    pub losing_rate: f64,
    /// Seeds given away for sure, per move judged.
    pub mean_loss: f64,
    /// Results thrown away, per move judged.
    pub thrown_away_rate: f64,
    /// Moves that were illegal, late or missing.
    pub failures: u64,
}

impl Baseline {
    /// Returns the figures of a report; `None` if nothing was judged.
    pub fn of(report: &Report) -> Option<Baseline> {
        let rates = report.total().rates()?;
        Some(Baseline {
            rules: report.rules.id.to_owned(),
            judged: report.total().judged(),
            losing_rate: rates.losing,
            mean_loss: rates.mean_loss,
            thrown_away_rate: rates.thrown_away,
            failures: failures(report),
        })
    }

    /// The share of failures in the moves that were asked for.
    fn failing_rate(&self) -> f64 {
        self.failures as f64 / (self.judged + self.failures) as f64
    }

    /// In which ways a later report is worse than this one.
    fn complaints(&self, now: &Baseline) -> Vec<String> {
        let mean = |mean: f64| format!("{mean:.4}");
        let failures = "moves illegal, late or missing";
        let complaints = [
            worse("moves that lose", self.losing_rate, now.losing_rate, percent),
            worse("seeds lost per move", self.mean_loss, now.mean_loss, mean),
            worse("results thrown away", self.thrown_away_rate, now.thrown_away_rate, percent),
            worse(failures, self.failing_rate(), now.failing_rate(), percent),
        ];
        complaints.into_iter().flatten().collect()
    }
}

/// The complaint about a figure that has risen. Written and read again, a rate is still the same
/// number, so that they can be compared as they are.
fn worse(what: &str, before: f64, now: f64, shown: fn(f64) -> String) -> Option<String> {
    (now > before).then(|| format!("{what}: {} now, {} in the baseline", shown(now), shown(before)))
}

/// Moves that were asked for and not made, by way of an illegal one, silence or a crash.
fn failures(report: &Report) -> u64 {
    report.illegal + report.timeouts + report.crashes
}

/// The share of moves that lose. One that was not made is one of them.
fn losing_or_missing_rate(report: &Report) -> f64 {
    let losing = report.total().losing + failures(report);
    losing as f64 / (report.total().judged() + failures(report)) as f64
}

fn nothing_judged(report: &Report) -> String {
    let Report { illegal, timeouts, crashes, .. } = report;
    match failures(report) {
        0 => "no move was judged; are there tables of the positions that were played?".to_owned(),
        _ => format!(
            "no move was judged: {illegal} illegal moves, {timeouts} time-outs, {crashes} crashes"
        ),
    }
}

/// What a report must reach.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// The greatest share of moves that lose, those that were asked for and not made among them.
    pub losing_rate: Option<f64>,
    /// A report that must not be better in any figure.
    pub baseline: Option<Baseline>,
}

impl Requirements {
    /// Returns why a report fails; nothing if it does not. With any requirement, a report that
    /// judged nothing fails; without one, that of an engine that never answered.
    pub fn complaints(&self, report: &Report) -> Vec<String> {
        let answers = report.total().judged() + report.total().unknown + report.illegal;
        if answers == 0 && failures(report) > 0 {
            return vec![format!("the engine never answered; {}", nothing_judged(report))];
        }
        if self.losing_rate.is_none() && self.baseline.is_none() {
            return Vec::new();
        }
        let Some(now) = Baseline::of(report) else {
            return vec![nothing_judged(report)];
        };
        let mut found = Vec::new();
        let rate = losing_or_missing_rate(report);
        if let Some(limit) = self.losing_rate.filter(|&limit| rate > limit) {
            found.push(format!(
                "moves that lose: {}, allowed are {}",
                percent(rate),
                percent(limit)
            ));
        }
        match &self.baseline {
            Some(baseline) if baseline.rules != now.rules => {
                found.push(format!(
                    "the baseline is of `{}`, the report of `{}`",
                    baseline.rules, now.rules
                ));
            }
            Some(baseline) => found.extend(baseline.complaints(&now)),
            None => {}
        }
        found
    }
}
