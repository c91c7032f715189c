//! The answers to `/v1/…`, independent of the transport: the server and the worker of the page
//! without a server call this module.
//!
//! ```text
//!  server    HTTP in and out; how much at once, for how long, for whom ──┐
//!  worker    messages of a browser's page ───────────────────────────────┴─► Answers
//! ```
//!
//! A [`Question`] is a method, a path, parameters and a body; the answer is a [`Document`], or a
//! [`Refusal`] with the status that HTTP has for it. Nothing here knows of sockets, time limits of a
//! server, or other clients.

mod analysis;
pub(crate) mod batch;
mod checksums;
mod document;
pub mod parameters;
pub(crate) mod query;
pub(crate) mod records;
mod refusal;
pub mod search;
pub(crate) mod stats;
pub(crate) mod tables;

pub use document::Document;
pub use refusal::Refusal;

use serde::de::DeserializeOwned;

use self::checksums::Checksums;
use self::parameters::parameters;
use crate::engine::search::TranspositionTable;
use crate::error::Result;
use crate::game::mancala::{MANCALAS, Sheet};
use crate::game::{Rules, SHEETS};
use crate::pool::Pool;
use crate::probe::general::GeneralProber;
use crate::probe::{Prober, Tables};

/// Megabytes in which a search remembers positions.
const HASH: usize = 16;

/// What questions are answered from; threads share it.
pub struct Answers {
    tables: Tables,
    probers: [Pool<'static, Prober>; SHEETS.len()],
    others: [Pool<'static, GeneralProber>; MANCALAS.len()],
    checksums: Checksums,
    /// What searches remember positions in.
    transpositions: Pool<'static, TranspositionTable>,
}

/// A question as HTTP has it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// `GET` or `POST`.
    pub method: &'q str,
    /// The path, as in `/v1/query`.
    pub path: &'q str,
    /// What stands behind the question mark.
    pub parameters: &'q str,
    /// The body, of a `POST`.
    pub body: &'q [u8],
}

impl Question<'_> {
    /// Reads the parameters of a path that is asked by this method.
    fn parameters<T: DeserializeOwned>(&self, method: &str) -> Result<T, Refusal> {
        match self.method == method {
            true => Ok(parameters(self.parameters)?),
            false => Err(Refusal::not_with_this_method()),
        }
    }
}

impl Answers {
    /// Returns answers from `tables`.
    pub fn new(tables: Tables) -> Answers {
        Answers {
            probers: SHEETS.map(|rules| {
                let tables = tables.clone();
                Pool::new(move || Prober::new(&tables, rules))
            }),
            others: MANCALAS.map(|sheet| {
                let tables = tables.clone();
                Pool::new(move || GeneralProber::new(&tables, sheet))
            }),
            tables,
            checksums: Checksums::default(),
            transpositions: Pool::new(|| {
                TranspositionTable::new(HASH).expect("memory for a small table")
            }),
        }
    }

    /// Answers a question on the spot, all but `GET /v1/search`, which takes its
    /// time: [`Search`](search::Search).
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn answer(&self, question: &Question) -> Result<Document, Refusal> {
        match question.path {
            "/v1/query" => Ok(self.query(question.parameters("GET")?, |_, _| Ok(()))?),
            "/v1/moves" => Ok(self.moves(question.parameters("GET")?)?),
            "/v1/line" => Ok(self.line(question.parameters("GET")?)?),
            "/v1/game" => Ok(self.game(question.parameters("GET")?)?),
            "/v1/stats" => Ok(self.stats(question.parameters("GET")?)?),
            "/v1/tables" => Ok(self.tables(question.parameters("GET")?)?),
            "/v1/sheets" => Ok(self.sheets(question.parameters("GET")?)?),
            "/v1/verify" => Ok(self.verify(question.parameters("POST")?, question.body)?),
            "/v1/batch" => Ok(self.batch(question.parameters("POST")?, question.body)?),
            "/v1/search" if question.method == "GET" => Err(Refusal::no_search()),
            "/v1/search" => Err(Refusal::not_with_this_method()),
            _ => Err(Refusal::no_such_path()),
        }
    }

    /// Returns the probers of a sheet.
    pub fn probers(&self, rules: &Rules) -> &Pool<'static, Prober> {
        let at = SHEETS.iter().position(|sheet| *sheet == rules).expect("one of the sheets");
        &self.probers[at]
    }

    /// Returns the probers of a sheet of another game.
    pub fn others(&self, sheet: &Sheet) -> &Pool<'static, GeneralProber> {
        let at = MANCALAS.iter().position(|other| *other == sheet).expect("one of the sheets");
        &self.others[at]
    }
}
