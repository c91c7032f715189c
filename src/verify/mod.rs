//! Moves judged by the tables, and reports over many judgements.
//!
//! A [`Judge`] finds what a move in a game gives away. A [`Report`] adds up judgements, of any
//! number of threads, and is written as JSON or as a page.
//!
//! What is not known is never good: a position whose table is missing, or a move to one, is
//! [`Judgement::Unknown`], and counts apart from the moves that are judged.

#[cfg(feature = "cli")]
pub(crate) mod html;

pub(crate) mod sample;

mod annotate;
mod baseline;
mod counts;
mod judge;
mod outcome;
mod report;
mod walk;
mod worst;

pub use annotate::annotate;
pub use counts::{Confidence, Counts, Rates, ThrownAwayCounts};
pub use judge::{Judge, Judgement, Loss, Scored, Verdict};
pub use outcome::{Outcome, ThrownAway};
pub use report::{Dispute, Overruns, Report};
pub use walk::judge_record;
pub use worst::{Case, Location};

// What the program says of a report.
pub(crate) use {
    baseline::{Baseline, Requirements},
    counts::percent,
};
