//! Refusals, in words for clients.
//!
//! Errors of the library name files and directories, for the owner of the tables. Clients learn
//! what the matter is and who can help.

use std::time::Duration;

use crate::error::{Error, Kind};
use crate::json::error_document;
use crate::json::words::{owned, with_command};

use super::Document;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// What kind of failure it is.
    pub kind: Kind,
    /// The message to clients.
    pub message: String,
    /// What only the log gets.
    pub detail: Option<String>,
    /// After which it is worth trying again, of a server that has enough to do.
    pub retry_after: Option<Duration>,
}

impl Refusal {
    /// Returns the document in place of an answer.
    pub fn document(&self) -> Document {
        Document::of(&error_document(self.kind, &self.message))
    }

    /// Returns the refusal of a path that nothing is at.
    pub fn no_such_path() -> Refusal {
        Refusal::new(404, Kind::Usage, "no such path; /openapi.json lists all paths")
    }

    /// Returns the refusal of a search where answers are given on the spot.
    pub(super) fn no_search() -> Refusal {
        Refusal::new(404, Kind::Usage, "searches are not answered here")
    }

    /// Returns the refusal of a wrong method.
    pub fn not_with_this_method() -> Refusal {
        Refusal::new(405, Kind::Usage, "wrong method; /openapi.json lists the right one")
    }

    /// Returns the refusal of a machine that fails; only the log gets its `detail`.
    pub fn internal(detail: String) -> Refusal {
        let refusal = Refusal::new(500, Kind::Io, "the server failed; its log says why");
        Refusal { detail: Some(detail), ..refusal }
    }

    /// Returns a refusal with nothing for the log, and no time to try again.
    pub fn new(status: u16, kind: Kind, message: impl Into<String>) -> Refusal {
        Refusal { status, kind, message: message.into(), detail: None, retry_after: None }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let kind = error.kind();
        match &error {
            Error::MissingTable { rules, seeds, owners, .. } => {
                let of = owned(owners.as_deref());
                let message = format!(
                    "there is no {rules} table for {seeds} seeds; `GET /v1/sheets` lists the tables \
                     that there are; `oware build --rules {rules} --seeds {seeds}{of}` where they \
                     are kept builds this one, and --dry-run shows what that takes"
                );
                Refusal::new(404, kind, message)
            }
            Error::MissingStrategy { rules, seeds, .. } => {
                let message = format!(
                    "the {rules} table for {seeds} seeds holds no strategy; `oware build --force \
                     --rules {rules} --seeds {seeds}` where the tables are kept rebuilds it with one"
                );
                Refusal::new(404, kind, message)
            }
            Error::NarrowRange { .. } => Refusal::new(404, kind, error.to_string()),
            Error::HandedOn { kind, message } => Refusal::new(400, *kind, message.clone()),
            _ if kind == Kind::Usage => Refusal::new(400, kind, error.to_string()),
            _ if kind == Kind::CorruptTable => {
                let message =
                    "a table of this server is damaged; its log names the file and the remedy";
                Refusal { detail: Some(with_command(&error)), ..Refusal::new(500, kind, message) }
            }
            _ => Refusal::internal(with_command(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_learn_no_names_of_files() {
        let dir = std::path::PathBuf::from("/secret/place");
        let (rules, seeds, owners) = ("abapa".to_owned(), 9, None);
        for (error, status) in [
            (Error::MissingTable { dir: dir.clone(), rules: rules.clone(), seeds, owners }, 404),
            (Error::MissingStrategy { dir: dir.clone(), rules, seeds }, 404),
            (Error::NarrowRange { seeds: 9, below: 8, end: 3 }, 404),
            (Error::CorruptTable { path: dir.clone(), what: "it is empty".to_owned() }, 500),
            (Error::WrongVersion { path: dir.clone(), found: 1, known: 2 }, 500),
            (Error::io("reading", dir)(std::io::ErrorKind::NotFound.into()), 500),
        ] {
            let kind = error.kind();
            let refusal = Refusal::from(error);
            assert_eq!((refusal.status, refusal.kind), (status, kind));
            assert!(!refusal.message.contains("secret"), "{}", refusal.message);
            // A page without a server says the same.
            assert!(status != 404 || !refusal.message.contains("server"), "{}", refusal.message);
            let detail = refusal.detail.as_deref();
            let logged = detail.is_some_and(|detail| detail.contains("/secret/place"));
            assert_eq!(logged, status == 500, "{refusal:?}");
        }
    }
}
