//! How far a command is: a bar on a terminal, on standard error, and times in words.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Makes a bar that shows the share of `total` that is done, and a message.
pub fn share(total: u64) -> ProgressBar {
    bar(total, "{bar:20} {percent:>3} %  {wide_msg}")
}

/// Makes a bar that counts things up to `total` and shows the time left; `things` is their plural.
pub fn count(total: u64, things: &str) -> ProgressBar {
    bar(total, &format!("{{bar:20}} {{pos}} of {{len}} {things}, {{eta}} left"))
}

fn bar(total: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Writes a time in words, to one unit: `25 s`, `3 min`, `7 h`, `12 days`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        ..1.0 => "less than a second".to_owned(),
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_one_unit() {
        let words = [0.2, 25.0, 200.0, 7200.0, 1e6].map(duration);
        assert_eq!(words, ["less than a second", "25 s", "3 min", "2 h", "12 days"]);
    }
}
