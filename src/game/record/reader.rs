//! Reading the games of a file, each as soon as it is complete.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::error::{Error, Result};
use crate::lines::take_line;

use super::builder::RecordBuilder;
use super::ogn::{Movetext, Read};
use super::{Record, plain, tags};

/// Bytes of the longest line that is read; what is beyond is not kept in memory.
pub const LONGEST_LINE: usize = 1 << 20;
/// Bytes of the longest game that is read.
pub const LONGEST_GAME: usize = 4 << 20;

/// An iterator over the games of a text, in either form. A game that cannot be read is an
/// [`Error::Record`], and the games after it follow; after [`Error::Io`] nothing does.
///
/// Bytes that are not UTF-8 read as `U+FFFD`.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// The number of the last line that was read, from 1 on.
    line: usize,
    /// The number of the last game that was finished, from 1 on.
    game: usize,
    builder: Option<RecordBuilder>,
    movetext: Movetext,
    ready: VecDeque<Result<Record>>,
    at_end: bool,
}

impl<R: BufRead> Reader<R> {
    /// Returns a reader of everything that `input` has.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            line: 0,
            game: 0,
            builder: None,
            movetext: Movetext::default(),
            ready: VecDeque::new(),
            at_end: false,
        }
    }

    /// Returns the number of the game that was returned last, from 1 on. Games that cannot be read
    /// count.
    pub fn game(&self) -> usize {
        self.game - self.ready.len()
    }

    /// Reads a line and what it finishes.
    fn read_line(&mut self) {
        let mut bytes = Vec::new();
        self.line += 1;
        match take_line(&mut self.input, &mut bytes, LONGEST_LINE) {
            Err(source) => {
                self.at_end = true;
                self.ready.push_back(Err(Error::Io {
                    doing: "reading",
                    path: "game record".into(),
                    source,
                }));
            }
            Ok(0) => {
                self.at_end = true;
                self.end_of_text();
            }
            Ok(length) => {
                let text = String::from_utf8_lossy(&bytes);
                self.take(text.trim_end_matches(['\n', '\r']), length);
            }
        }
    }

    fn end_of_text(&mut self) {
        if let (Some(opened), Some(builder)) = (self.movetext.is_open(), &mut self.builder) {
            builder.fail(
                opened.line,
                format!(
                    "`{}` is opened and never closed; add `{}`",
                    opened.with,
                    opened.closed_by()
                ),
            );
        }
        self.finish();
    }

    /// Takes a line of either form.
    fn take(&mut self, text: &str, length: usize) {
        let inside = self.movetext.is_open().is_some();
        if !inside && text.starts_with(['#', '%']) {
            return;
        }
        if let (Some(builder), "") = (&mut self.builder, text.trim()) {
            builder.end_tags();
        }
        if length > LONGEST_LINE {
            let (line, builder) = (self.line, self.builder());
            builder.fail(line, format!("the line is longer than {LONGEST_LINE} bytes; break it"));
        } else if !inside && text.trim_start().starts_with('[') {
            self.take_tags(text);
        } else if let Some((position, moves)) = plain::split(text).filter(|_| !inside) {
            self.finish();
            self.builder = Some(plain::parse(self.line, position, moves));
            self.finish();
        } else {
            self.take_movetext(text);
        }
        self.limit(length);
    }

    fn take_tags(&mut self, text: &str) {
        if self.builder.as_ref().is_some_and(RecordBuilder::is_before_tags) {
            self.finish();
        }
        let (line, builder) = (self.line, self.builder());
        match tags::parse(text) {
            Some(tags) => tags.into_iter().for_each(|tag| builder.add_tag(line, tag)),
            None => builder.fail(
                line,
                "a line that begins with `[` is a tag, as in `[South \"Player A\"]`".to_owned(),
            ),
        }
    }

    fn take_movetext(&mut self, text: &str) {
        let mut rest = text;
        while let Some((read, after)) = self.movetext.next(rest, self.line) {
            rest = after;
            let more = !matches!(read, Read::Comment(_));
            if more && self.builder.as_ref().is_some_and(RecordBuilder::has_ended) {
                self.finish();
            }
            let (line, builder) = (self.line, self.builder());
            match read {
                Read::Moves(plies) => plies.into_iter().for_each(|ply| builder.add_move(ply)),
                Read::Result(result) => builder.end(result),
                Read::Comment(text) => builder.add_comment(&text),
                Read::Mistake(what) => builder.fail(line, what),
            }
        }
    }

    /// Gives up on a game that is too long to be kept.
    fn limit(&mut self, length: usize) {
        let line = self.line;
        let Some(builder) = &mut self.builder else { return };
        builder.length += length;
        if builder.length > LONGEST_GAME {
            builder.forget();
            builder.fail(line, format!("the game is longer than {LONGEST_GAME} bytes; divide it"));
            self.movetext.forget_comment();
        }
    }

    /// Returns the record that is being read, a new one if there is none.
    fn builder(&mut self) -> &mut RecordBuilder {
        self.builder.get_or_insert_with(RecordBuilder::new)
    }

    fn finish(&mut self) {
        if let Some(builder) = self.builder.take() {
            self.game += 1;
            self.ready.push_back(builder.finish(self.game));
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        while self.ready.is_empty() && !self.at_end {
            self.read_line();
        }
        self.ready.pop_front()
    }
}
