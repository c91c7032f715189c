//! A report as a page.

use super::report::Report;

/// The page.
pub fn page(_report: &Report) -> String {
    String::new()
}
