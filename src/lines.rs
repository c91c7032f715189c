//! Lines of any bytes, read in bounded memory: one by one, or in blocks of whole lines.
//!
//! Input may come from a program that misbehaves: a line may have no end, or not be text. No reader
//! here keeps more of a line than a limit allows.

use std::io::{self, BufRead, ErrorKind};

/// Reads lines one by one.
#[derive(Debug)]
pub struct BoundedLines<R> {
    input: R,
    longest: usize,
    line: Vec<u8>,
}

/// A line that was read, or a piece of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedLine<'a> {
    /// The bytes of the line without its end, as far as they are kept.
    pub bytes: &'a [u8],
    /// Number of bytes that the line took in the input, its end included.
    pub taken: usize,
}

impl BoundedLine<'_> {
    /// Returns the line as text, without white space at its end. What is not UTF-8 is replaced by
    /// `U+FFFD`.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(self.bytes).trim_end().to_owned()
    }
}

impl<R: BufRead> BoundedLines<R> {
    /// Makes a reader that keeps at most `longest` bytes of each line of `input`.
    pub fn new(input: R, longest: usize) -> BoundedLines<R> {
        BoundedLines { input, longest, line: Vec::new() }
    }

    /// Reads the next line; `None` at the end of the input. What is beyond the limit is skipped.
    ///
    /// # Errors
    /// Whatever reading the input fails with.
    pub fn next_line(&mut self) -> io::Result<Option<BoundedLine<'_>>> {
        self.read(usize::MAX)
    }

    /// Reads the next line, but not beyond the limit: the rest of a longer line comes with the next
    /// call. So whoever reads a line without an end can count what it has taken.
    ///
    /// # Errors
    /// Whatever reading the input fails with.
    pub fn next_piece(&mut self) -> io::Result<Option<BoundedLine<'_>>> {
        self.read(self.longest)
    }

    /// Reads as far as the end of a line, the end of the input, or `most` bytes.
    fn read(&mut self, most: usize) -> io::Result<Option<BoundedLine<'_>>> {
        self.line.clear();
        let mut taken = 0;
        while taken < most {
            let piece = fill(&mut self.input)?;
            let piece = &piece[..piece.len().min(most - taken)];
            if piece.is_empty() {
                break;
            }
            let end = piece.iter().position(|&byte| byte == b'\n');
            let count = end.map_or(piece.len(), |end| end + 1);
            let room = self.longest - self.line.len();
            self.line.extend_from_slice(&piece[..end.unwrap_or(count).min(room)]);
            self.input.consume(count);
            taken += count;
            if end.is_some() {
                break;
            }
        }
        Ok((taken > 0).then_some(BoundedLine { bytes: &self.line, taken }))
    }
}

/// Reads lines in blocks: what one read of the input brings, as far as its last line ends.
#[derive(Debug)]
pub struct LineBlocks<R> {
    input: R,
    longest: usize,
    pending: Vec<u8>,
    /// Bytes of `pending` that were handed out.
    whole: usize,
}

impl<R: BufRead> LineBlocks<R> {
    /// Makes a reader that keeps little more than `longest` bytes of a line whose end is not there
    /// yet. A block is as large as what `input` has buffered.
    pub fn new(input: R, longest: usize) -> LineBlocks<R> {
        LineBlocks { input, longest, pending: Vec::new(), whole: 0 }
    }

    /// Reads once and returns the whole lines that are there, with their ends; `None` at the end of
    /// the input. A block may be empty, and the last line of all may lack its end.
    ///
    /// # Errors
    /// Whatever reading the input fails with.
    pub fn next_block(&mut self) -> io::Result<Option<&[u8]>> {
        self.pending.drain(..self.whole);
        self.pending.truncate(self.longest);
        let piece = fill(&mut self.input)?;
        let (count, end) = (piece.len(), piece.iter().rposition(|&byte| byte == b'\n'));
        self.whole = match end {
            Some(end) => self.pending.len() + end + 1,
            None if count == 0 => self.pending.len(),
            None => 0,
        };
        self.pending.extend_from_slice(piece);
        self.input.consume(count);
        Ok((count > 0 || self.whole > 0).then_some(&self.pending[..self.whole]))
    }
}

/// Returns what the input has buffered, after one read if that is nothing; nothing at its end.
fn fill(input: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok([]) => return Ok(&[]),
            Ok(_) => break,
        }
    }
    // What is buffered is handed out again, without another read.
    input.fill_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    const LONGEST: usize = 1 << 16;

    fn pieces(input: &[u8]) -> Vec<(String, usize)> {
        let mut lines = BoundedLines::new(input, LONGEST);
        std::iter::from_fn(|| lines.next_piece().unwrap().map(|line| (line.to_text(), line.taken)))
            .collect()
    }

    #[test]
    fn lines_of_any_bytes() {
        let found = pieces(b"a b \r\n\n\xff\nend");
        let text: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(text, ["a b", "", "\u{fffd}", "end"]);
        assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), 12);
    }

    #[test]
    fn no_line_is_longer_than_the_longest() {
        let endless = vec![b'x'; 5 * LONGEST];
        let found = pieces(&endless);
        assert!(found.len() >= 4 && found.iter().all(|(line, _)| line.len() <= LONGEST));
        assert_eq!(found.iter().map(|(_, taken)| taken).sum::<usize>(), endless.len());
    }

    #[test]
    fn what_is_beyond_the_limit_is_skipped() {
        let mut lines = BoundedLines::new(&b"abcdef\ngh\nijklm"[..], 4);
        for (bytes, taken) in [(&b"abcd"[..], 7), (b"gh", 3), (b"ijkl", 5)] {
            assert_eq!(lines.next_line().unwrap(), Some(BoundedLine { bytes, taken }));
        }
        assert_eq!(lines.next_line().unwrap(), None);
    }

    /// Fails now and then as a system call does that a signal interrupts, and gives few bytes.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = buffer.len().min(3);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn interrupted_reads_are_repeated() {
        let input = BufReader::new(Interrupted(b"one\ntwo\nthree", false));
        let mut lines = BoundedLines::new(input, 9);
        let found: Vec<String> =
            std::iter::from_fn(|| lines.next_line().unwrap().map(|line| line.to_text())).collect();
        assert_eq!(found, ["one", "two", "three"]);
    }

    #[test]
    fn blocks_are_whole_lines() {
        let input = BufReader::new(Interrupted(b"a\nbb\nccccc\nd", false));
        let mut blocks = LineBlocks::new(input, 9);
        let mut found = Vec::new();
        while let Some(block) = blocks.next_block().unwrap() {
            found.push(String::from_utf8(block.to_vec()).unwrap());
        }
        found.retain(|block| !block.is_empty());
        assert_eq!(found, ["a\n", "bb\n", "ccccc\n", "d"]);
    }
}
