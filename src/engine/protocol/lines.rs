//! Lines of text from somebody who need not mean well.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Bytes of a line that are kept; the rest of it is skipped.
pub const LONGEST_LINE: usize = 1 << 16;

/// Reads lines of any bytes. No line takes more memory than [`LONGEST_LINE`].
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// The lines of `input`.
    pub fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::new(input), line: Vec::new() }
    }

    /// The next line without its end, and how many bytes it took; `None` at the end of input. What
    /// is not UTF-8 is replaced, and what is too long is cut off. A line that has no end is handed
    /// out piece by piece, so that whoever waits for its end can count.
    ///
    /// # Errors
    /// As reading the input.
    pub fn next_line(&mut self) -> io::Result<Option<(String, usize)>> {
        self.line.clear();
        let mut taken = 0;
        while taken < LONGEST_LINE {
            let piece = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                piece => piece?,
            };
            if piece.is_empty() {
                break;
            }
            let end = piece.iter().position(|&byte| byte == b'\n');
            let count = end.map_or(piece.len(), |end| end + 1);
            let room = LONGEST_LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(&piece[..end.unwrap_or(count).min(room)]);
            self.input.consume(count);
            taken += count;
            if end.is_some() {
                break;
            }
        }
        Ok((taken > 0).then(|| (String::from_utf8_lossy(&self.line).trim_end().to_owned(), taken)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<(String, usize)> {
        let mut lines = Lines::new(input);
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    #[test]
    fn lines_of_any_bytes() {
        let found = all(b"a b \r\n\n\xff\nend");
        let text: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(text, ["a b", "", "\u{fffd}", "end"]);
        assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), 12);
    }

    #[test]
    fn no_line_is_longer_than_the_longest() {
        let endless = vec![b'x'; 5 * LONGEST_LINE];
        let found = all(&endless);
        assert!(found.len() >= 4 && found.iter().all(|(line, _)| line.len() <= LONGEST_LINE));
        assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), endless.len());
    }
}
