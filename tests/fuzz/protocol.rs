//! What has to hold for any line that engines, or those who drive them, may send.

use oware_db::engine::protocol::{Command, Reply};

/// Reads a line both ways; what is understood is written and read again. Says whether it was
/// anything.
///
/// # Panics
/// If what is written is read as something else.
pub fn exchange(line: &str) -> bool {
    let command = Command::parse(line);
    if let Err(error) = &command {
        assert!(error.to_string().len() < 500, "{error}");
    }
    let command = command.ok().flatten();
    if let Some(command) = &command {
        let written = command.to_string();
        assert_eq!(
            Command::parse(&written).expect("a command").as_ref(),
            Some(command),
            "{written}"
        );
    }
    let reply = Reply::parse(line);
    if let Err(error) = &reply {
        assert!(error.to_string().len() < 500, "{error}");
    }
    let reply = reply.ok().flatten();
    if let Some(reply) = &reply {
        let written = reply.to_string();
        assert_eq!(Reply::parse(&written).expect("a reply").as_ref(), Some(reply), "{written}");
    }
    command.is_some() || reply.is_some()
}
