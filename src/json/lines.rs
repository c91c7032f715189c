//! Many positions at once: one a line in, one JSON object a line out, in the same order.
//!
//! What one read brings is answered and written before the next read. A file or a busy pipe is so
//! taken in large pieces, each spread over the processors, and a program that sends a line and
//! waits gets its answer at once.

use std::io::{self, Read, Write};

use rayon::prelude::*;
use serde::Serialize;

use super::ErrorDocument;
use crate::error::{Error, Result};
use crate::game::Position;

/// Bytes asked of the input at a time.
const PIECE: usize = 1 << 20;
/// Longer lines are refused, and not kept in memory.
const LONGEST_LINE: usize = 4096;
/// Lines that one thread takes at a time.
const LINES_PER_TASK: usize = 16;

/// Reads until the end and writes what `answer` makes of the lines that a read brings. The last line
/// of all may lack its end.
///
/// # Errors
/// [`Error::Io`] if the input cannot be read or the output cannot be written.
pub fn converse(
    input: &mut impl Read,
    output: &mut impl Write,
    answer: &impl Fn(&[u8], &mut Responses),
) -> Result<()> {
    let mut piece = vec![0; PIECE];
    let mut responses = Responses::default();
    let mut pending = Vec::new();
    loop {
        let count = read_some(input, &mut piece)?;
        pending.extend_from_slice(&piece[..count]);
        if count == 0 {
            answer(&pending, &mut responses);
            return responses.write(output);
        }
        let whole = pending.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        answer(&pending[..whole], &mut responses);
        responses.write(output)?;
        pending.drain(..whole);
        pending.truncate(LONGEST_LINE + 1);
    }
}

fn read_some(input: &mut impl Read, piece: &mut [u8]) -> Result<usize> {
    loop {
        match input.read(piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map_err(Error::io("reading", "input")),
        }
    }
}

/// Responses to some lines, in their order. Their memory serves the next ones.
#[derive(Default)]
pub struct Responses(Vec<Vec<u8>>);

impl Responses {
    /// Answers lines with all threads. `respond` appends what it says of one.
    pub fn to_lines(&mut self, text: &[u8], respond: impl Fn(&[u8], &mut Vec<u8>) + Sync) {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        self.0.resize_with(lines.len().div_ceil(LINES_PER_TASK), Vec::new);
        self.0.par_iter_mut().zip(lines.par_chunks(LINES_PER_TASK)).for_each(
            |(responses, lines)| {
                responses.clear();
                lines.iter().for_each(|line| respond(line, responses));
            },
        );
    }

    fn write(&self, output: &mut impl Write) -> Result<()> {
        let written = self.0.iter().try_for_each(|responses| output.write_all(responses));
        written.and_then(|()| output.flush()).map_err(Error::io("writing", "output"))
    }
}

/// A JSON document on a line of its own.
///
/// # Panics
/// If the document has keys that are not text.
pub fn line(document: &impl Serialize) -> String {
    let mut line = Vec::new();
    add_line(document, &mut line);
    String::from_utf8(line).expect("JSON is text")
}

/// The same behind others.
///
/// # Panics
/// As [`line()`].
pub fn add_line(document: &impl Serialize, lines: &mut Vec<u8>) {
    serde_json::to_writer(&mut *lines, document)
        .expect("documents have text keys and finite numbers");
    lines.push(b'\n');
}

/// Adds the line that says why there is no answer.
pub fn add_error(error: &Error, lines: &mut Vec<u8>) {
    add_line(&ErrorDocument::from(error), lines);
}

/// The position on a line.
///
/// # Errors
/// [`Error::Notation`] if there is none, or the line is too long to be one.
pub fn read_line(bytes: &[u8]) -> Result<Position> {
    let wrong = |what: String| Error::Notation { what };
    if bytes.len() > LONGEST_LINE {
        return Err(wrong(format!("the line is longer than {LONGEST_LINE} bytes")));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| wrong("the line is not UTF-8 text".to_owned()))?;
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its pieces one by one, as a pipe does.
    struct Pieces<'a>(std::slice::Iter<'a, &'a [u8]>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let piece = self.0.next().copied().unwrap_or_default();
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn conversation(pieces: &[&[u8]]) -> String {
        let mut output = Vec::new();
        let respond =
            |line: &[u8], lines: &mut Vec<u8>| add_line(&line.trim_ascii_end().len(), lines);
        converse(&mut Pieces(pieces.iter()), &mut output, &|text, responses| {
            responses.to_lines(text, respond)
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
