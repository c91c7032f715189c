//! Moves judged against the tables, and what many judgements add up to.
//!
//! A [`Judge`] says of a move in a game what it gives away. A [`Report`] adds up judgements, of any
//! number of threads, and is written as JSON ([`Report::document`]) or as a page ([`html::page`]).
//!
//! What is not known is never good: a position whose table is missing, or a move to one, is
//! [`Judgement::Unknown`], and counts apart from the moves that are judged.

#[doc(hidden)]
pub mod html;

#[doc(hidden)]
pub mod sample;

mod annotate;
mod baseline;
mod judge;
mod outcome;
mod report;
mod tally;
mod walk;
mod worst;

pub use annotate::annotate;
#[doc(hidden)]
pub use baseline::{Baseline, Limits};
pub use judge::{Judge, Judgement, Loss, Scored, Verdict};
pub use outcome::{Outcome, Turn};
pub use report::{Document, Place, Report};
#[doc(hidden)]
pub use tally::percent;
pub use tally::{Rates, Tally, Turns};
pub use walk::judge_record;
pub use worst::Case;
