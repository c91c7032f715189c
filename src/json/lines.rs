//! Many positions at once: one a line in, one JSON object a line out, in the same order.
//!
//! What one read brings is answered and written before the next read, so a program that sends a line
//! and waits gets its answer at once. A file or a busy pipe is taken in large pieces, each spread over
//! the processors, and the answers to one are written while the next is answered.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::lines::take_line;
use crate::parallel;

/// Bytes asked of the input at a time.
const PIECE: usize = 1 << 20;
/// A reader that returns this many bytes at once probably has more.
const BUSY: usize = 1 << 15;
/// Longer lines are refused, and not kept in memory.
pub(super) const LONGEST_LINE: usize = 16_384;
/// Bytes of a line that are kept: enough to see that it is too long.
const KEPT: usize = LONGEST_LINE + 2;
/// Lines that one thread takes at a time.
const LINES_PER_TASK: usize = 16;
/// What errors call the place that answers are written to.
pub(crate) const OUTPUT: &str = "output";

/// Reads until the end and writes what `answer` makes of the lines that a read brings. The last
/// line of all may lack its end.
///
/// # Errors
/// [`Error::Io`] if the input cannot be read or the output cannot be written.
pub fn converse(
    input: impl Read,
    output: &mut (impl Write + Send),
    answer: &impl Fn(&[u8], &mut Responses),
) -> Result<()> {
    let mut input = BufReader::with_capacity(PIECE, input);
    let mut lines = Vec::new();
    thread::scope(|scope| {
        let (sender, answers) = sync_channel(1);
        let (done, written) = sync_channel(1);
        thread::Builder::new()
            .spawn_scoped(scope, move || write_all(&answers, output, &done))
            .map_err(Error::io("starting", "a thread"))?;
        let wait = || {
            let (responses, result): (Responses, Result<()>) =
                written.recv().expect("an answer to each");
            result.map(|()| responses)
        };
        // One is filled while the other, which is not here then, is written.
        let mut idle = vec![Responses::default(), Responses::default()];
        while take_lines(&mut input, &mut lines)? {
            let mut responses = idle.pop().expect("one of two is at hand");
            answer(&lines, &mut responses);
            if idle.is_empty() {
                idle.push(wait()?);
            }
            sender.send(responses).expect("it ends after this");
            if lines.len() < BUSY {
                idle.push(wait()?);
            }
            lines.clear();
        }
        if idle.len() == 1 { wait().map(drop) } else { Ok(()) }
    })
}

/// Writes what comes, and gives it back with what came of it.
fn write_all(
    answers: &Receiver<Responses>,
    output: &mut impl Write,
    done: &SyncSender<(Responses, Result<()>)>,
) {
    for responses in answers {
        let result = responses.write(output);
        if done.send((responses, result)).is_err() {
            return;
        }
    }
}

/// Reads a line, and all others that are at hand then. Returns whether there was any.
fn take_lines(input: &mut BufReader<impl Read>, lines: &mut Vec<u8>) -> Result<bool> {
    let taken = take_line(input, lines, KEPT).map_err(Error::io("reading", "input"))?;
    let at_hand = input.buffer();
    if let Some(end) = at_hand.iter().rposition(|&byte| byte == b'\n') {
        lines.extend_from_slice(&at_hand[..=end]);
        input.consume(end + 1);
    }
    Ok(taken > 0)
}

/// Responses to some lines, in their order. Their memory serves the next ones.
#[derive(Default)]
pub struct Responses(Vec<Vec<u8>>);

impl Responses {
    /// Answers lines with all threads. `respond` appends what it makes of some that follow each
    /// other.
    pub fn answer_lines(&mut self, text: &[u8], respond: impl Fn(&[&[u8]], &mut Vec<u8>) + Sync) {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        self.0.resize_with(lines.len().div_ceil(LINES_PER_TASK), Vec::new);
        let tasks = self.0.iter_mut().zip(lines.chunks(LINES_PER_TASK));
        parallel::each_of(tasks, |(responses, lines)| {
            responses.clear();
            respond(lines, responses);
        });
    }

    fn write(&self, output: &mut impl Write) -> Result<()> {
        let written = self.0.iter().try_for_each(|responses| output.write_all(responses));
        written.and_then(|()| output.flush()).map_err(Error::io("writing", OUTPUT))
    }
}

/// Returns a JSON document on a line of its own.
///
/// # Panics
/// If the document has keys that are not text.
pub fn line(document: &impl Serialize) -> String {
    let mut line = Vec::new();
    add_line(document, &mut line);
    String::from_utf8(line).expect("JSON is text")
}

/// Appends a JSON document on a line of its own to others.
///
/// # Panics
/// If the document has keys that are not text.
pub fn add_line(document: &impl Serialize, lines: &mut Vec<u8>) {
    serde_json::to_writer(&mut *lines, document)
        .expect("documents have text keys and finite numbers");
    lines.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Returns its pieces one by one, as a pipe does.
    struct InPieces<'a>(std::slice::Iter<'a, &'a [u8]>);

    impl Read for InPieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let piece = self.0.next().copied().unwrap_or_default();
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn conversation(pieces: &[&[u8]]) -> String {
        let mut output = Vec::new();
        let respond = |asked: &[&[u8]], lines: &mut Vec<u8>| {
            asked.iter().for_each(|line| add_line(&line.trim_ascii_end().len(), lines));
        };
        converse(InPieces(pieces.iter()), &mut output, &|text, responses| {
            responses.answer_lines(text, respond)
        })
        .unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn lines_may_be_cut_anywhere() {
        assert_eq!(conversation(&[b"a\nbb\n\ncc", b"c\n", b"dd", b"dd"]), "1\n2\n0\n3\n4\n");
        assert_eq!(conversation(&[]), "");
    }

    #[test]
    fn a_line_without_end_is_not_kept_whole() {
        let long = vec![b'0'; PIECE];
        assert_eq!(conversation(&[&long, &long, b"0\n1\n"]), format!("{}\n1\n", LONGEST_LINE + 2));
    }
}
