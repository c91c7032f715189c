//! Many positions in one question: `/v1/batch`, a line in, a line out, in the same order.
//!
//! A line is a position in any form, a JSON string or list of one, or an object with `board` and,
//! if known, `stores`, which is what the answers begin with.

use serde::Deserialize;

use super::parameters::{any_sheet, at_most};
use super::query::{LINE, LONGEST_LINE};
use super::{Answers, Document, Refusal};
use crate::error::Result;
use crate::json::lines::add_line;
use crate::json::{AnySheet, Game, Requested, error_document};

/// The parameters of `POST /v1/batch`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchParams {
    rules: Option<String>,
    line: Option<usize>,
    #[serde(default)]
    scores_only: bool,
}

/// What is asked of each line.
#[derive(Clone, Copy)]
pub struct EachLine {
    sheet: AnySheet,
    asked: Requested,
}

impl EachLine {
    /// Reads what is asked.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn of(params: &BatchParams) -> Result<EachLine> {
        let line = at_most("line", params.line, LINE, LONGEST_LINE)?;
        let asked = Requested { line, scores_only: params.scores_only, explain: false };
        Ok(EachLine { sheet: any_sheet(params.rules.as_deref())?, asked })
    }

    /// Appends the answer to a line, or why there is none, which it returns then, too.
    pub fn answer(self, answers: &Answers, bytes: &[u8], lines: &mut Vec<u8>) -> Option<Refusal> {
        let EachLine { sheet, asked } = self;
        let answered = match sheet {
            AnySheet::Oware(rules) => {
                answers.probers(rules).with(|prober| rules.add_answer(prober, bytes, asked, lines))
            }
            AnySheet::Other(sheet) => {
                answers.others(sheet).with(|prober| sheet.add_answer(prober, bytes, asked, lines))
            }
        };
        let refusal = Refusal::from(answered.err()?);
        add_line(&error_document(refusal.kind, &refusal.message), lines);
        Some(refusal)
    }
}

impl Answers {
    /// Answers `POST /v1/batch` where the whole body is at hand.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn batch(&self, params: BatchParams, body: &[u8]) -> Result<Document> {
        let (each, mut lines) = (EachLine::of(&params)?, Vec::new());
        for line in body.split_inclusive(|&byte| byte == b'\n') {
            each.answer(self, line, &mut lines);
        }
        Ok(Document::of_lines(lines))
    }
}
