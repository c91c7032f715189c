//! What becomes of a report: text, JSON, a page, a baseline, and an exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::error::{Error, Result};
use crate::game::Rules;
use crate::verify::{Baseline, Report, Requirements, html};

use super::text;
use crate::cli::result_file::{ResultFile, keep_apart};
use crate::cli::{failure, output};

/// The options of a report, wherever its moves come from.
#[derive(clap::Args)]
pub struct Delivery {
    /// Also write the report as one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Maximum number of worst moves to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub worst: usize,
    /// Exit with 1 if more than this share of moves loses or is not made, e.g. 2% or 0.02
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    fail_on: Option<f64>,
    /// Exit with 1 if any figure is worse than in this baseline file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the figures of this report as a baseline file
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

fn parse_rate(text: &str) -> std::result::Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text.trim(), 1.0),
    };
    let rate = number.parse::<f64>().ok().map(|number| number / unit);
    rate.filter(|rate| (0.0..=1.0).contains(rate))
        .ok_or_else(|| "not a share, as in 2% or 0.02".to_owned())
}

impl Delivery {
    /// Prepares what the report on these files will have to reach, and where it goes. That comes
    /// before the work, so that what cannot be read or written costs no time.
    ///
    /// # Errors
    /// If that is so.
    pub fn prepared(&self, rules: &Rules, judged: &[&PathBuf]) -> Result<Prepared> {
        let (html, new_baseline) = (self.html.as_ref(), self.write_baseline.as_ref());
        keep_apart(&[html, new_baseline], judged)?;
        // A baseline may be replaced by a new one.
        keep_apart(&[html], &self.baseline.iter().collect::<Vec<_>>())?;
        let baseline =
            self.baseline.as_deref().map(|path| read_baseline(path, rules)).transpose()?;
        Ok(Prepared {
            requirements: Requirements { losing_rate: self.fail_on, baseline },
            html: html.map(|path| ResultFile::open(path)).transpose()?,
            new_baseline: new_baseline.map(|path| ResultFile::open(path)).transpose()?,
        })
    }
}

/// What a report has to reach, and where it goes.
pub struct Prepared {
    requirements: Requirements,
    html: Option<ResultFile>,
    new_baseline: Option<ResultFile>,
}

impl Prepared {
    /// Prints and writes the report, though not all of that may succeed. Returns success if it
    /// reaches what it must, everything could be read, and `done` says that all of it was judged.
    ///
    /// # Errors
    /// What `done` says, if there is nothing to report, or that there is nothing for a baseline.
    pub fn deliver(
        mut self,
        mut report: Report,
        mut done: Result<()>,
        json: bool,
    ) -> Result<ExitCode> {
        if report.games + report.foreign + report.unreadable == 0 {
            done?;
            done = Ok(());
        }
        report.cut_short = done.as_ref().err().map(ToString::to_string);
        let figures = self.figures(&report)?;
        let code = failure::report_all([
            done,
            output::dear_result(json, &report, text::page),
            self.html.as_mut().map_or(Ok(()), |file| file.add(&html::page(&report))),
            self.new_baseline
                .as_mut()
                .zip(figures)
                .map_or(Ok(()), |(file, figures)| file.add(&output::line(&figures))),
        ]);
        let is_fine = report.cut_short.is_some() || self.reaches_all(&report);
        Ok(if code == ExitCode::SUCCESS && !is_fine { ExitCode::FAILURE } else { code })
    }

    /// Returns the figures that are to be written; none of a part.
    fn figures(&self, report: &Report) -> Result<Option<Baseline>> {
        if self.new_baseline.is_none() || report.cut_short.is_some() {
            return Ok(None);
        }
        let nothing = "no move was judged, so there is no baseline to write";
        Baseline::of(report).map(Some).ok_or_else(|| Error::Usage(nothing.to_owned()))
    }

    /// Returns whether the report reaches what it must, and says where it does not.
    fn reaches_all(&self, report: &Report) -> bool {
        let complaints = self.requirements.complaints(report);
        for complaint in &complaints {
            output::note(&format!("oware: {complaint}"));
        }
        complaints.is_empty() && report.unreadable == 0
    }
}

fn read_baseline(path: &Path, rules: &Rules) -> Result<Baseline> {
    let bytes = fs::read(path).map_err(Error::io("reading", path))?;
    let wrong = |what: String| {
        Error::Usage(format!("{}: {what}; --write-baseline creates one", path.display()))
    };
    let baseline: Baseline = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("not a baseline ({error})")))?;
    if baseline.rules != rules.id {
        return Err(wrong(format!("a baseline of `{}`, not of `{}`", baseline.rules, rules.id)));
    }
    Ok(baseline)
}

#[cfg(test)]
mod tests {
    use super::parse_rate;

    #[test]
    fn rates_are_shares_or_percents() {
        assert_eq!(
            ["2%", "0.02", " 2 % ", "0", "100%"].map(|text| parse_rate(text).unwrap()),
            [0.02, 0.02, 0.02, 0.0, 1.0]
        );
        assert!(
            ["2", "-1%", "101%", "NaN", "inf", "x", "%", ""]
                .iter()
                .all(|text| parse_rate(text).is_err())
        );
    }
}
