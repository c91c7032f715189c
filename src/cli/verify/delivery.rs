//! What becomes of a report: text, JSON, a page, a baseline, and an exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::verify::{Baseline, Report, Requirements, html};

use super::text;
use crate::cli::output;

/// The options of a report, wherever its moves come from.
#[derive(clap::Args)]
pub struct Delivery {
    /// Also write the report as one self-contained page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Number of worst moves to show, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub worst: usize,
    /// Exit with 1 if a greater share of the moves judged loses, as in 2% or 0.02
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    fail_on: Option<f64>,
    /// Exit with 1 if any figure is worse than in this baseline
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the figures of this report as a baseline for later ones
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
    /// Returns what the report will have to reach. It is read before the work begins, so that a
    /// baseline that cannot be read costs no time.
    pub fn requirements(&self, rules: &Rules) -> Result<Requirements> {
        let baseline =
            self.baseline.as_deref().map(|path| read_baseline(path, rules)).transpose()?;
        Ok(Requirements { losing_rate: self.fail_on, baseline })
    }

    /// Prints and writes the report. Returns success if it reaches what it must and everything
    /// could be read.
    pub fn deliver(
        &self,
        report: &Report,
        requirements: &Requirements,
        json: bool,
    ) -> Result<ExitCode> {
        if let Some(path) = &self.html {
            write(path, &html::page(report))?;
        }
        if let Some(path) = &self.write_baseline {
            let baseline = Baseline::of(report).ok_or_else(|| {
                Error::Usage("no move was judged, so there is no baseline to write".to_owned())
            })?;
            write(path, &output::line(&baseline))?;
        }
        output::result(json, report, text::page)?;
        let complaints = requirements.complaints(report);
        for complaint in &complaints {
            output::note(&format!("oware: {complaint}"));
        }
        let good = complaints.is_empty() && report.unreadable == 0;
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn read_baseline(path: &Path, rules: &Rules) -> Result<Baseline> {
    let bytes = fs::read(path).map_err(Error::io("reading", path))?;
    let wrong = |what: String| {
        Error::Usage(format!("{}: {what}; --write-baseline makes one", path.display()))
    };
    let baseline: Baseline = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("not a baseline ({error})")))?;
    if baseline.rules != rules.id {
        return Err(wrong(format!("a baseline of `{}`, not of `{}`", baseline.rules, rules.id)));
    }
    Ok(baseline)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(Error::io("writing", path))
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
