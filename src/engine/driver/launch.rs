//! How to start an engine and what to expect of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::engine::protocol::shown;
use crate::error::{Error, Result};
use crate::pool::locked;

/// How to start an engine and what to expect of it.
#[derive(Debug)]
pub struct Launch {
    /// The command line as it was written.
    pub command: String,
    /// The program of the engine, and its arguments.
    pub words: Vec<String>,
    /// A program that calls [`become_guarded`](super::become_guarded) with the words that follow it,
    /// and its first arguments; starts the engine unless there are none.
    pub guard: Vec<String>,
    /// Options of the engine, names and values, set whenever it is started.
    pub options: Vec<(String, String)>,
    /// The id of the sheet that the engine is to play by, if it has an option `Rules`.
    pub sheet: Option<&'static str>,
    /// How long to wait for each of the first two answers, to `uci` and to `isready`.
    pub startup: Duration,
    /// How long to wait for an answer, beyond the time that the engine was given to think.
    pub timeout: Duration,
    /// How often the engine may be started again, over all of its [`Driver`](super::Driver)s.
    pub restarts: AtomicU32,
    /// What the engine has said of itself, to any of its drivers.
    pub introduction: Mutex<Introduction>,
}

/// What an engine says of itself when it is started.
#[derive(Clone, Debug, Default)]
pub struct Introduction {
    /// What it calls itself, if it has said so.
    pub name: Option<String>,
    /// Options that were to be set and that it does not have.
    pub unknown_options: Vec<String>,
}

impl Launch {
    /// Prepares an engine that is started by this command line, its words split as a shell splits
    /// them (quotes and backslashes; nothing is expanded). On Windows a backslash is part of a path.
    /// The engine has a minute to start, ten seconds for an answer beyond the time it was given to
    /// think, and is not started again.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no command, or a quote that does not end.
    pub fn new(command: &str) -> Result<Launch> {
        let words = words(command, cfg!(windows)).filter(|words| !words.is_empty());
        let unread = || Error::Usage(format!("`{}` is not a command line", shown(command)));
        let words = words.ok_or_else(unread)?;
        Ok(Launch {
            command: command.to_owned(),
            words,
            guard: Vec::new(),
            options: Vec::new(),
            sheet: None,
            startup: Duration::from_secs(60),
            timeout: Duration::from_secs(10),
            restarts: AtomicU32::new(0),
            introduction: Mutex::default(),
        })
    }

    /// Returns what the engine has said of itself; nothing before it has been started.
    pub fn introduction(&self) -> Introduction {
        locked(&self.introduction).clone()
    }

    /// Returns the name of the engine, or its command line as long as it has not said one.
    pub fn name(&self) -> String {
        self.introduction().name.unwrap_or_else(|| self.command.clone())
    }

    /// Notes what the engine has said of itself; it keeps a name that it does not say again.
    pub(super) fn introduce(&self, said: Introduction) {
        let mut known = locked(&self.introduction);
        *known = Introduction { name: said.name.or(known.name.take()), ..said };
    }

    /// Takes a restart, if one is left.
    pub(super) fn restart(&self) -> bool {
        self.restarts
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_ok()
    }
}

/// Splits a command line into words, or returns nothing if a quote does not end. Where paths have
/// backslashes, these stand for themselves.
fn words(command: &str, paths_have_backslashes: bool) -> Option<Vec<String>> {
    const BACKSLASH: char = '\u{1a}';
    if !paths_have_backslashes {
        return shlex::split(command);
    }
    let words = shlex::split(&command.replace('\\', BACKSLASH.encode_utf8(&mut [0; 4])))?;
    Some(words.iter().map(|word| word.replace(BACKSLASH, "\\")).collect())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn backslashes_of_windows_are_kept() {
        let found = |command, on_windows| words(command, on_windows).expect("words").join("|");
        let path = r#""C:\Program Files\my engine.exe" --tables D:\tables"#;
        assert_eq!(found(path, true), r"C:\Program Files\my engine.exe|--tables|D:\tables");
        assert_eq!(found(r"engine 'a b' c\ d", true), r"engine|a b|c\|d");
        assert_eq!(found(r"engine 'a b' c\ d", false), "engine|a b|c d");
        assert_eq!(words(r#"engine "a"#, true), None);
    }
}
