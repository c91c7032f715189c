//! How far a command is: a bar on a terminal, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Makes a bar that shows the share of `total` that is done, and a message.
pub fn share(total: u64) -> ProgressBar {
    bar(total, "{bar:30} {percent:>3} %  {msg}")
}

/// Makes a bar that counts things up to `total` and shows the time left; `things` is their plural.
pub fn count(total: u64, things: &str) -> ProgressBar {
    bar(total, &format!("{{bar:30}} {{pos}} of {{len}} {things}, {{eta}} left"))
}

fn bar(total: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
