//! Every way in which the library can fail a caller: the facts, and what to do about it.

use std::fmt;
use std::path::PathBuf;

/// A failure of the library.
///
/// Its message ([`fmt::Display`]) is [`Error::facts`] and, after a semicolon, [`Error::remedy`]. A
/// program that has a command or a request for the remedy words it so for its own users.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A position that cannot be read.
    Notation {
        /// What is wrong with it.
        what: String,
    },
    /// A move that the rules do not allow.
    IllegalMove {
        /// The letter of the move.
        ply: String,
        /// The position, in the engines' form.
        position: String,
    },
    /// An unknown sheet id.
    UnknownRules {
        /// The id.
        id: String,
        /// All known ids.
        known: String,
    },
    /// The table of a layer is missing.
    MissingTable {
        /// Directory searched.
        dir: PathBuf,
        /// Sheet.
        rules: String,
        /// Layer.
        seeds: usize,
        /// Whose the houses are, as `--owners` takes it, where not each player's are the own half.
        owners: Option<String>,
    },
    /// The table of another layer, which the answer for a position needs, is missing.
    Needed {
        /// The [`Error::MissingTable`].
        missing: Box<Error>,
        /// What it is needed for, as in `Fx3`.
        by: String,
    },
    /// A table lacks the required strategy.
    MissingStrategy {
        /// Directory of the table.
        dir: PathBuf,
        /// Sheet.
        rules: String,
        /// Layer.
        seeds: usize,
    },
    /// The table of a lower layer clamps scores that a layer above has to distinguish.
    NarrowRange {
        /// The layer to be solved.
        seeds: usize,
        /// The lower layer.
        below: usize,
        /// The largest score that its table distinguishes.
        end: i8,
    },
    /// A file is damaged or has the wrong contents.
    CorruptTable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file has a format version that this program does not read.
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u8,
        /// Version that this program reads.
        known: u8,
    },
    /// Scores that no strategy achieves, though a solver that started over would have proved them.
    Unproved {
        /// Layer.
        seeds: usize,
    },
    /// The directory of the tables does not exist.
    NoDirectory {
        /// Its path.
        dir: PathBuf,
    },
    /// The operating system refused.
    Io {
        /// The attempted operation, as in `writing`.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A build needs more memory than its limit allows.
    TooLittleMemory {
        /// Layer.
        seeds: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// Seeds of the largest layer that fits, if known.
        possible: Option<usize>,
    },
    /// The disk is too small for a build.
    TooLittleDisk {
        /// Directory of the tables or of the temporary files.
        dir: PathBuf,
        /// Bytes needed there, as forecast.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Seeds of the largest layer that fits, if known.
        possible: Option<usize>,
    },
    /// The system could not allocate memory.
    OutOfMemory {
        /// Bytes requested.
        bytes: u64,
    },
    /// Another MPI process of the build is lost.
    RankLost {
        /// Its number.
        rank: usize,
        /// Seconds without a response, if that is all that is known.
        silent: Option<u64>,
    },
    /// Another MPI process was started with different options or another version.
    RanksDiffer {
        /// Its number.
        rank: usize,
        /// What is different.
        what: String,
        /// Its value in that process.
        there: String,
        /// Its value in process 0.
        here: String,
    },
    /// MPI processes computed different results for a layer.
    RanksDisagree {
        /// Its number.
        rank: usize,
        /// The layer.
        seeds: usize,
    },
    /// The user asked to stop a build; finished layers are kept.
    Interrupted,
    /// The user stopped an operation that has to start over.
    Stopped,
    /// A game record that cannot be read.
    Record {
        /// Number of the game in its file, from 1 on.
        game: usize,
        /// Line of the file, from 1 on.
        line: usize,
        /// What is wrong there, and what to do about it.
        what: String,
    },
    /// The weights of the engine's evaluation cannot be used.
    Evaluation {
        /// What is wrong with them.
        why: &'static str,
    },
    /// A failure of an earlier run, which a line of its output hands on.
    HandedOn {
        /// Its kind.
        kind: Kind,
        /// Its message.
        message: String,
    },
    /// A mistake of the user of a program that is built on the library, in words.
    Usage(String),
}

/// The four kinds of failure that scripts distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The caller's mistake.
    Usage,
    /// A table that has not been built.
    MissingTable,
    /// A table that is not what it should be.
    CorruptTable,
    /// The machine or its user got in the way.
    Io,
}

impl Kind {
    /// Returns the kind that has this name.
    pub fn by_name(name: &str) -> Option<Kind> {
        let all = [Kind::Usage, Kind::MissingTable, Kind::CorruptTable, Kind::Io];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the word that JSON documents have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Usage => "usage",
            Kind::MissingTable => "missing_table",
            Kind::CorruptTable => "corrupt_table",
            Kind::Io => "io",
        }
    }

    /// Returns the exit code of a program that ends with it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Kind::Usage => 2,
            Kind::MissingTable | Kind::CorruptTable | Kind::Io => 1,
        }
    }
}

impl Error {
    /// Returns which kind of failure this is.
    pub const fn kind(&self) -> Kind {
        match self {
            Error::Notation { .. }
            | Error::IllegalMove { .. }
            | Error::UnknownRules { .. }
            | Error::Record { .. }
            | Error::Evaluation { .. }
            | Error::Usage(_) => Kind::Usage,
            Error::HandedOn { kind, .. } => *kind,
            Error::Needed { missing, .. } => missing.kind(),
            Error::MissingTable { .. }
            | Error::MissingStrategy { .. }
            | Error::NarrowRange { .. } => Kind::MissingTable,
            Error::CorruptTable { .. } | Error::WrongVersion { .. } | Error::Unproved { .. } => {
                Kind::CorruptTable
            }
            Error::Io { .. }
            | Error::NoDirectory { .. }
            | Error::TooLittleMemory { .. }
            | Error::TooLittleDisk { .. }
            | Error::OutOfMemory { .. }
            | Error::RankLost { .. }
            | Error::RanksDiffer { .. }
            | Error::RanksDisagree { .. }
            | Error::Interrupted
            | Error::Stopped => Kind::Io,
        }
    }

    /// Returns what happened, without advice.
    pub fn facts(&self) -> String {
        match self {
            Error::Notation { what } => format!("not a position: {what}"),
            Error::IllegalMove { ply, position } => {
                format!("{ply} is not a legal move in {position}")
            }
            Error::UnknownRules { id, .. } => format!("unknown rules `{id}`"),
            Error::MissingTable { dir, rules, seeds, owners } => {
                let owners = owners.as_ref().map(|owners| format!(" and owners {owners}"));
                let owners = owners.unwrap_or_default();
                format!("no {rules} table for {seeds} seeds{owners} in {}", dir.display())
            }
            Error::Needed { missing, by } => format!("{}, needed for {by}", missing.facts()),
            Error::MissingStrategy { dir, rules, seeds } => {
                let dir = dir.display();
                format!("the {rules} table for {seeds} seeds in {dir} holds no strategy")
            }
            Error::NarrowRange { seeds, below, end } => format!(
                "the layer of {seeds} seeds needs scores beyond {end}, at which the table of \
                 {below} seeds clamps them"
            ),
            Error::CorruptTable { path, what } => format!("{}: {what}", path.display()),
            Error::WrongVersion { path, found, known } => format!(
                "{}: it has format version {found}, but this program reads version {known}",
                path.display()
            ),
            Error::Unproved { seeds } => {
                format!(
                    "the layer of {seeds} seeds: no strategy achieves the scores that were found"
                )
            }
            Error::NoDirectory { dir } => format!("{}: no such directory", dir.display()),
            Error::Io { doing, path, source } => {
                format!("{}: {doing} failed: {source}", path.display())
            }
            Error::TooLittleMemory { seeds, needed, allowed, .. } => format!(
                "the layer of {seeds} seeds needs {needed} bytes of memory, but only {allowed} are \
                 allowed"
            ),
            Error::OutOfMemory { bytes } => {
                format!("could not allocate {bytes} bytes")
            }
            Error::TooLittleDisk { dir, needed, free, .. } => {
                let dir = dir.display();
                format!("the build needs about {needed} bytes in {dir}, but only {free} are free")
            }
            Error::RankLost { rank, silent: None } => format!("lost MPI process {rank}"),
            Error::RankLost { rank, silent: Some(seconds) } => {
                format!("MPI process {rank} has not responded for {seconds} s")
            }
            Error::RanksDiffer { rank, what, there, here } => {
                format!("MPI process {rank} has {what} {there}, but process 0 has {here}")
            }
            Error::RanksDisagree { rank, seeds } => {
                format!("MPI process {rank} and process 0 disagree on layer {seeds}")
            }
            Error::Interrupted | Error::Stopped => "interrupted".to_owned(),
            Error::Record { game, line, what } => format!("game {game}, line {line}: {what}"),
            Error::Evaluation { why } => format!("unusable weights of the evaluation: {why}"),
            Error::HandedOn { message: what, .. } | Error::Usage(what) => what.clone(),
        }
    }

    /// Returns what to do about it, where the library knows; it names no commands.
    pub fn remedy(&self) -> Option<String> {
        let advice = match self {
            Error::Notation { .. } => {
                "write twelve numbers, mover first, as in `0 0 0 0 1 2  1 0 0 0 3 0`"
            }
            Error::UnknownRules { known, .. } => return Some(format!("known sheets: {known}")),
            Error::MissingTable { .. } => "build the missing layers",
            Error::Needed { missing, .. } => return missing.remedy(),
            Error::MissingStrategy { .. } => "rebuild the table with its strategy",
            Error::NarrowRange { .. } => {
                "build it for games of as few seeds, or rebuild the tables below it"
            }
            Error::CorruptTable { .. } | Error::WrongVersion { .. } => "rebuild the table",
            Error::Unproved { .. } => {
                "check the tables below it, remove its checkpoint and rebuild it"
            }
            Error::NoDirectory { .. } => "check the path, or build tables there",
            Error::TooLittleMemory { .. } => "allow more memory or build fewer seeds",
            Error::TooLittleDisk { .. } => "choose another directory or build fewer seeds",
            Error::OutOfMemory { .. } => "free memory or lower the limit",
            Error::Evaluation { .. } => {
                "the hand-written evaluation is used instead; train them again"
            }
            Error::RanksDiffer { .. } => {
                "start the same program with the same options on all machines"
            }
            Error::RanksDisagree { .. } => {
                "it gets no table; test the memory of the machines and build again"
            }
            Error::RankLost { .. } | Error::Interrupted => {
                "finished layers are kept, run the same build again to continue"
            }
            Error::IllegalMove { .. }
            | Error::Io { .. }
            | Error::Stopped
            | Error::Record { .. }
            | Error::HandedOn { .. }
            | Error::Usage(_) => return None,
        };
        Some(advice.to_owned())
    }

    /// Returns a function for `map_err`: an I/O error becomes one that says what was being done
    /// to which file.
    pub fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { doing, path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Error::Io { source, .. } = self { Some(source) } else { None }
    }
}

/// The [`std::result::Result`] of this library, whose error is [`Error`] unless another is named.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_the_facts_and_the_remedy() {
        let missing = Error::MissingTable {
            dir: "there".into(),
            rules: "abapa".into(),
            seeds: 7,
            owners: None,
        };
        assert_eq!(missing.facts(), "no abapa table for 7 seeds in there");
        assert_eq!(missing.remedy().unwrap(), "build the missing layers");
        assert_eq!(
            missing.to_string(),
            "no abapa table for 7 seeds in there; build the missing layers"
        );
        assert_eq!(Error::Stopped.to_string(), "interrupted");
    }

    #[test]
    fn an_io_error_has_its_source() {
        let error = Error::io("reading", "file")(std::io::ErrorKind::NotFound.into());
        assert!(std::error::Error::source(&error).is_some());
        assert_eq!(error.to_string(), "file: reading failed: entity not found");
    }
}
