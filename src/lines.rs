//! Lines from a program that may misbehave: of any bytes, of any length, without an end.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Bytes that [`BoundedLines`] hands out at a time.
pub const LONGEST_LINE: usize = 1 << 16;

/// Returns at most so many characters of a text, none of them a control character, to be quoted.
pub fn shown(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let rest = if text.chars().nth(most).is_some() { "..." } else { "" };
    text.chars().take(most).map(plain).collect::<String>() + rest
}

/// Reads a line and appends its first `longest` bytes to `line`, and the newline if it has one.
/// Returns the number of bytes read; 0 at the end of input.
///
/// # Errors
/// The errors of reading the input; a read that is interrupted is tried again.
pub fn take_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<usize> {
    let mut taken = 0;
    let mut room = longest;
    loop {
        let piece = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        let end = piece.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(piece.len());
        let kept = length.min(room);
        line.extend_from_slice(&piece[..kept]);
        room -= kept;
        let count = length + usize::from(end.is_some());
        input.consume(count);
        taken += count;
        if end.is_some() {
            line.push(b'\n');
        }
        if end.is_some() || count == 0 {
            return Ok(taken);
        }
    }
}

/// Returns a line without the byte order mark that some editors and shells begin a file with. Where
/// files are strung together it stands at the head of any line.
pub fn unmarked(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Returns the bytes of a line without a byte order mark at their head.
pub fn unmarked_bytes(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}

/// Lines of any bytes, each of at most [`LONGEST_LINE`] bytes of the input.
#[derive(Debug)]
pub struct BoundedLines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> BoundedLines<R> {
    /// Returns the lines of `input`.
    pub fn new(input: R) -> BoundedLines<R> {
        BoundedLines { input: BufReader::new(input), line: Vec::new() }
    }

    /// Reads the next line, and returns it without its end and a byte order mark, and with the number
    /// of bytes that it took; `None` at the end of input. What is not UTF-8 is replaced. A line that
    /// is too long is returned piece by piece, so that its reader can count.
    ///
    /// # Errors
    /// The errors of reading the input.
    pub fn next_line(&mut self) -> io::Result<Option<(String, usize)>> {
        self.line.clear();
        let mut input = self.input.by_ref().take(LONGEST_LINE as u64);
        let taken = take_line(&mut input, &mut self.line, LONGEST_LINE)?;
        let line = String::from_utf8_lossy(unmarked_bytes(&self.line));
        Ok((taken > 0).then(|| (line.trim_end().to_owned(), taken)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<(String, usize)> {
        let mut lines = BoundedLines::new(input);
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    #[test]
    fn lines_are_of_any_bytes_without_byte_order_marks() {
        let marked = "\u{feff}a\n\u{feff}\nb\u{feff}".as_bytes();
        for (input, lines) in [
            (&b"a b \r\n\n\xff\nend"[..], &["a b", "", "\u{fffd}", "end"][..]),
            (marked, &["a", "", "b\u{feff}"]),
        ] {
            let found = all(input);
            assert!(found.iter().map(|(line, _)| line).eq(lines), "{found:?}");
            assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), input.len());
        }
        assert_eq!((unmarked("\u{feff}a"), unmarked_bytes(b"a")), ("a", &b"a"[..]));
    }

    #[test]
    fn no_line_is_longer_than_the_longest() {
        let endless = vec![b'x'; 5 * LONGEST_LINE];
        let found = all(&endless);
        assert!(found.len() >= 4 && found.iter().all(|(line, _)| line.len() <= LONGEST_LINE));
        assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), endless.len());
    }

    #[test]
    fn of_a_long_line_the_beginning_is_kept_and_the_end_of_line() {
        let mut input = BufReader::with_capacity(3, &b"0123456789\nab\nc"[..]);
        let mut kept = Vec::new();
        let counts = [(); 4].map(|()| take_line(&mut input, &mut kept, 5).unwrap());
        assert_eq!((counts, &kept[..]), ([11, 3, 1, 0], &b"01234\nab\nc"[..]));
    }
}
