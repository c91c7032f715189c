//! What goes wrong: a status for the caller, and a text for each thread.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use oware_db::error::{Error, Kind};

use crate::OwareStatus;

thread_local! {
    /// The text of what went wrong last.
    static LAST: RefCell<CString> = RefCell::default();
}

/// What went wrong.
pub struct Failure {
    status: OwareStatus,
    text: String,
}

impl Failure {
    /// The game has ended before.
    pub fn game_over() -> Failure {
        Failure { status: OwareStatus::GameOver, text: "the game is over".to_owned() }
    }

    /// Says which of many boards it is about.
    pub fn of_board(self, number: usize) -> Failure {
        Failure { text: format!("boards[{number}]: {}", self.text), ..self }
    }

    /// Says which of many moves it is about.
    pub fn of_move(self, number: usize) -> Failure {
        Failure { text: format!("houses[{number}]: {}", self.text), ..self }
    }
}

/// Returns a mistake of the caller.
pub fn usage(text: impl Into<String>) -> Failure {
    Failure { status: OwareStatus::Usage, text: text.into() }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Failure {
        let status = match error.kind() {
            Kind::Usage => OwareStatus::Usage,
            Kind::MissingTable => OwareStatus::MissingTable,
            Kind::CorruptTable => OwareStatus::CorruptTable,
            Kind::Io => OwareStatus::Io,
        };
        let text = match error {
            Error::MissingTable { dir, rules, seeds } => format!(
                "{}; `oware build --rules {rules} --seeds {seeds} --tables {}` makes it",
                error.facts(),
                dir.display()
            ),
            _ => error.to_string(),
        };
        Failure { status, text }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::from(&error)
    }
}

/// Does `work`, and notes what it fails with for `oware_last_error`, a panic included.
pub fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> OwareStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return OwareStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => mistake(&*panic),
    };
    let text = CString::new(failure.text.replace('\0', " ")).unwrap_or_default();
    // A thread that is ending has no text any more.
    let _ = LAST.try_with(|last| last.replace(text));
    failure.status
}

fn mistake(panic: &(dyn Any + Send)) -> Failure {
    let literal = panic.downcast_ref::<&str>().copied();
    let text = literal.or(panic.downcast_ref::<String>().map(String::as_str));
    let text = format!("a mistake in the library: {}", text.unwrap_or("no message"));
    Failure { status: OwareStatus::Mistake, text }
}

/// Returns the text of this thread, which stays until the next failure.
pub fn keep() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: it is the text of this thread, and nothing fails meanwhile.
        unsafe { CStr::from_ptr(keep()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(last(), "");
        let status = guarded(|| panic!("no {}", "way"));
        assert_eq!(
            (status, last().as_str()),
            (OwareStatus::Mistake, "a mistake in the library: no way")
        );
        assert_eq!(guarded(|| Ok(())), OwareStatus::Ok);
        assert_eq!(guarded(|| Err(usage("a\0b"))), OwareStatus::Usage);
        assert_eq!(last(), "a b");
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
    }
}
