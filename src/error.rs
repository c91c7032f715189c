//! Every way in which the library can fail a caller, each with its remedy.

use std::path::{Path, PathBuf};

/// What went wrong, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A position that cannot be read.
    #[error(
        "not a position: {what}; write twelve numbers, mover first, as in `0 0 0 0 1 2  1 0 0 0 3 0`"
    )]
    Notation {
        /// What is the matter with it.
        what: String,
    },
    /// An id that no sheet has.
    #[error("unknown rules `{id}`; known sheets: {known}")]
    UnknownRules {
        /// What was asked for.
        id: String,
        /// All ids there are.
        known: String,
    },
    /// There is no table for a layer.
    #[error("no {rules} table for {seeds} seeds in {}; `oware build --rules {rules} --seeds {seeds} --out {}` makes it", dir.display(), dir.display())]
    MissingTable {
        /// Directory searched.
        dir: PathBuf,
        /// Sheet.
        rules: String,
        /// Layer.
        seeds: usize,
    },
    /// A table is there, but without the strategy that is needed.
    #[error("the {rules} table for {seeds} seeds in {} holds no strategy; `oware build --force --rules {rules} --seeds {seeds} --out {}`, without --no-strategy, makes one that does", dir.display(), dir.display())]
    MissingStrategy {
        /// Directory of the table.
        dir: PathBuf,
        /// Sheet.
        rules: String,
        /// Layer.
        seeds: usize,
    },
    /// A file is not what it should be.
    #[error("{}: {what}; `{}` makes it anew", path.display(), repair(path))]
    CorruptTable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file of a version this program does not read.
    #[error("{}: table format version {found}, this program reads version {known}; use the matching release, or `{}` makes it anew", path.display(), repair(path))]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u16,
        /// Version understood.
        known: u16,
    },
    /// The operating system refused.
    #[error("{}: {doing} failed: {source}", path.display())]
    Io {
        /// What was tried, as in `writing`.
        doing: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A build needs more memory than it was allowed.
    #[error("the layer of {seeds} seeds needs {} of memory and {} are allowed; raise --memory or build fewer seeds", bytes(*needed), bytes(*allowed))]
    TooLittleMemory {
        /// Layer.
        seeds: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The disk is too small for a build.
    #[error("the tables need about {} in {} and {} are free; choose another --out or build fewer seeds", bytes(*needed), dir.display(), bytes(*free))]
    TooLittleDisk {
        /// Directory of the tables.
        dir: PathBuf,
        /// Bytes needed, as forecast.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// The user asked to stop.
    #[error("interrupted; finished layers are kept, run the same command again to go on")]
    Interrupted,
    /// The user asked to stop something that has to begin anew.
    #[error("interrupted")]
    Stopped,
    /// A game record that cannot be read.
    #[error("game {game}, line {line}: {what}")]
    Record {
        /// Number of the game in its file, from 1 on.
        game: usize,
        /// Line of the file, from 1 on.
        line: usize,
        /// What is wrong there, and what to do about it.
        what: String,
    },
    /// A bad argument of any other kind.
    #[error("{0}")]
    Usage(String),
}

/// The four kinds of failure that scripts tell apart.
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
    /// The word that `--json` prints.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Usage => "usage",
            Kind::MissingTable => "missing_table",
            Kind::CorruptTable => "corrupt_table",
            Kind::Io => "io",
        }
    }

    /// The exit code that goes with it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Kind::Usage => 2,
            Kind::MissingTable | Kind::CorruptTable | Kind::Io => 1,
        }
    }
}

impl Error {
    /// Which kind of failure this is.
    pub const fn kind(&self) -> Kind {
        match self {
            Error::Notation { .. }
            | Error::UnknownRules { .. }
            | Error::Record { .. }
            | Error::Usage(_) => Kind::Usage,
            Error::MissingTable { .. } | Error::MissingStrategy { .. } => Kind::MissingTable,
            Error::CorruptTable { .. } | Error::WrongVersion { .. } => Kind::CorruptTable,
            Error::Io { .. }
            | Error::TooLittleMemory { .. }
            | Error::TooLittleDisk { .. }
            | Error::Interrupted
            | Error::Stopped => Kind::Io,
        }
    }

    /// For `map_err`: an I/O error with what was being done to which file.
    pub fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { doing, path, source }
    }
}

/// The command that builds the table `path` anew, as far as its name tells: `dir/awari-07.oware`.
fn repair(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let dir = path.parent().map(|dir| if dir == Path::new("") { Path::new(".") } else { dir });
    match (stem.and_then(|stem| stem.rsplit_once('-')), dir) {
        (Some((rules, _)), Some(dir)) => {
            format!("oware build --repair --rules {rules} --out {}", dir.display())
        }
        _ => "oware build --repair".to_owned(),
    }
}

/// A result of this library.
pub type Result<T> = std::result::Result<T, Error>;

/// `1.5 MB`, for people: powers of 1000, three digits.
#[doc(hidden)]
pub fn bytes(count: u64) -> String {
    let mut value = count as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if value < 999.5 {
            let digits = if unit == "B" || value >= 99.95 {
                0
            } else if value >= 9.995 {
                1
            } else {
                2
            };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.2} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_table_is_told_with_its_remedy() {
        for (path, remedy) in [
            (
                "of/mine/plain-opposite-07.oware",
                "`oware build --repair --rules plain-opposite --out of/mine`",
            ),
            ("awari-07.oware", "`oware build --repair --rules awari --out .`"),
            ("table in memory", "`oware build --repair`"),
        ] {
            let corrupt = Error::CorruptTable { path: path.into(), what: "it is empty".to_owned() }
                .to_string();
            assert_eq!(corrupt, format!("{path}: it is empty; {remedy} makes it anew"));
            let foreign = Error::WrongVersion { path: path.into(), found: 9, known: 2 }.to_string();
            assert!(foreign.starts_with(path) && foreign.contains(remedy), "{foreign}");
        }
    }
}
