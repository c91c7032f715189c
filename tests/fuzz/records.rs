//! Any text as game records.

use oware_db::error::Error;
use oware_db::game::record::{Reader, Record};

/// Reads the games of a text, and what is written of them again. Says whether there was a game, and
/// whether there was one that cannot be read.
///
/// # Panics
/// If a game reads as another one once it is written, or a message names no line.
pub fn examine(text: &[u8]) -> [bool; 2] {
    let mut found = [false; 2];
    let lines = text.split(|&byte| byte == b'\n').count();
    for (place, game) in Reader::new(text).enumerate() {
        match game {
            Ok(record) => {
                let written = record.to_string();
                let again: Vec<Record> =
                    Reader::new(written.as_bytes()).map(|game| game.expect("readable")).collect();
                assert_eq!(again, [record], "{written:?}");
                found[0] = true;
            }
            Err(Error::Record { game, line, what }) => {
                assert!(
                    game == place + 1 && (1..=lines).contains(&line) && !what.is_empty(),
                    "{game} {line} {what}"
                );
                found[1] = true;
            }
            Err(error) => panic!("{error}"),
        }
    }
    found
}
