//! What goes wrong: a status for the caller, and for each thread the status of its last call and a
//! text.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use oware_db::error::{Error, Kind};

use crate::OwareStatus;

thread_local! {
    /// How the last call ended, and what went wrong in it.
    static LAST: RefCell<(OwareStatus, CString)> =
        RefCell::new((OwareStatus::Ok, CString::default()));
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

    /// Says which of many questions it is about, unless it is a file or the machine that is at fault.
    pub fn of_question(self, number: usize, error: &Error) -> Failure {
        match error.kind() {
            Kind::Usage | Kind::MissingTable => self.of_board(number),
            Kind::CorruptTable | Kind::Io => self,
        }
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
            Error::MissingTable { dir, rules, seeds, owners } => {
                let owners = owners.as_ref().map(|owners| format!(" --owners {owners}"));
                format!(
                    "{}; `oware build --rules {rules} --seeds {seeds}{} --tables {}` builds it",
                    error.facts(),
                    owners.unwrap_or_default(),
                    dir.display()
                )
            }
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

/// Does `work`, and notes how it ended for `oware_last_error`, a panic included.
pub fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> OwareStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return note(OwareStatus::Ok, CString::default()),
        Ok(Err(failure)) => failure,
        Err(panic) => mistake(&*panic),
    };
    note(failure.status, CString::new(failure.text.replace('\0', " ")).unwrap_or_default())
}

/// Does `work` that cannot fail, and leaves what is known of the last call: cleaning up does not take
/// the words from what made it necessary.
pub fn quietly(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        guarded(|| Err(mistake(&*panic)));
    }
}

/// A thread that is ending has nothing any more.
fn note(status: OwareStatus, text: CString) -> OwareStatus {
    let _ = LAST.try_with(|last| last.replace((status, text)));
    status
}

fn mistake(panic: &(dyn Any + Send)) -> Failure {
    let literal = panic.downcast_ref::<&str>().copied();
    let text = literal.or(panic.downcast_ref::<String>().map(String::as_str));
    let text = format!("a mistake in the library: {}", text.unwrap_or("no message"));
    Failure { status: OwareStatus::Mistake, text }
}

/// Returns the text of this thread, which stays until its next call.
pub fn last_text() -> *const c_char {
    LAST.try_with(|last| last.borrow().1.as_ptr()).unwrap_or(c"".as_ptr())
}

/// Returns how the last call of this thread ended.
pub fn last_status() -> OwareStatus {
    LAST.try_with(|last| last.borrow().0).unwrap_or(OwareStatus::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: it is the text of this thread, and nothing fails meanwhile.
        unsafe { CStr::from_ptr(last_text()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(last(), "");
        let status = guarded(|| panic!("no {}", "way"));
        assert_eq!(
            (status, last().as_str()),
            (OwareStatus::Mistake, "a mistake in the library: no way")
        );
        assert_eq!(last_status(), OwareStatus::Mistake);
        assert_eq!(guarded(|| Ok(())), OwareStatus::Ok);
        assert_eq!((last_status(), last().as_str()), (OwareStatus::Ok, ""));
        assert_eq!(guarded(|| Err(usage("a\0b"))), OwareStatus::Usage);
        quietly(|| ());
        assert_eq!((last_status(), last().as_str()), (OwareStatus::Usage, "a b"));
        quietly(|| panic!("in the end"));
        assert_eq!(last(), "a mistake in the library: in the end");
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
    }
}
