//! Reading the games of a file, each as soon as it is complete.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::error::{Error, Result};
use crate::lines::{take_line, unmarked};

use super::annotation::Annotation;
use super::builder::RecordBuilder;
use super::ogn::{Movetext, Read};
use super::{REMARK, Record, plain, tags};

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
    /// What has been read since the last game, and the line in which it begins.
    before: (usize, String),
    movetext: Movetext,
    ready: VecDeque<(Result<Record>, String)>,
    /// The text of the game that was returned last, if it cannot be read.
    refused: String,
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
            before: (0, String::new()),
            movetext: Movetext::default(),
            ready: VecDeque::new(),
            refused: String::new(),
            at_end: false,
        }
    }

    /// Returns the number of the game that was returned last, from 1 on. Games that cannot be read
    /// count.
    pub fn game(&self) -> usize {
        self.game - self.ready.len()
    }

    /// Returns the text of the game that was returned last, if it cannot be read: as it was, with a
    /// comment where reading stopped, which begins with `oware:`. Of a game that is too long
    /// nothing is left but the comment. Empty after a game that has been read.
    pub fn refused(&self) -> &str {
        &self.refused
    }

    /// Reads a line and what it finishes.
    fn read_line(&mut self) {
        let mut bytes = Vec::new();
        self.line += 1;
        match take_line(&mut self.input, &mut bytes, LONGEST_LINE) {
            Err(source) => {
                self.at_end = true;
                let path = "game record".into();
                let error = Error::Io { doing: "reading", path, source };
                self.ready.push_back((Err(error), String::new()));
            }
            Ok(0) => {
                self.at_end = true;
                self.end_of_text();
            }
            Ok(length) => {
                let text = String::from_utf8_lossy(&bytes);
                self.take(unmarked(text.trim_end_matches(['\n', '\r'])), length);
            }
        }
    }

    fn end_of_text(&mut self) {
        if let Some((line, what)) = self.movetext.is_open() {
            self.builder().fail_open(line, what.to_owned());
        }
        self.finish();
    }

    /// Takes a line of either form.
    fn take(&mut self, text: &str, length: usize) {
        let inside = self.movetext.is_open().is_some();
        if !inside && text.starts_with(['#', '%']) {
            if let Some(builder) = &mut self.builder {
                builder.keep(&format!("{text}\n"), false);
            }
            return self.limit(length);
        }
        if let (Some(builder), "") = (&mut self.builder, text.trim()) {
            builder.end_paragraph();
        }
        if length > LONGEST_LINE {
            let (line, builder) = (self.line, self.builder());
            builder.fail(line, format!("the line is longer than {LONGEST_LINE} bytes; break it"));
        } else if !inside && text.trim_start().starts_with('[') {
            self.take_pieces(text, true);
        } else if let Some((position, moves)) =
            plain::split(said(text)).filter(|_| !inside && !self.goes_on_with(text))
        {
            self.finish();
            let builder = self.builder.insert(plain::parse(self.line, position, moves));
            builder.keep(said(text), true);
            self.finish();
        } else {
            self.take_pieces(text, false);
        }
        self.limit(length);
    }

    /// Whether a line of numbers alone is part of a game that has been begun.
    fn goes_on_with(&self, text: &str) -> bool {
        let is_number = |byte: u8| byte.is_ascii_digit() || b" \t,".contains(&byte);
        self.builder.as_ref().is_some_and(RecordBuilder::goes_on) && text.bytes().all(is_number)
    }

    /// Takes what is in a line: tags and moves by turns.
    fn take_pieces(&mut self, text: &str, mut are_tags: bool) {
        let mut left = Some(text);
        while let Some(text) = left {
            left = if are_tags { self.take_tags(text) } else { self.take_movetext(text) };
            are_tags = !are_tags;
        }
    }

    /// Takes tags, and returns the moves that follow them in the line, if any do.
    fn take_tags<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let parsed = tags::parse(text);
        let tags = parsed.as_ref().map_or(&[][..], |(tags, _)| tags);
        if self.builder.as_ref().is_some_and(|builder| builder.is_before(tags)) {
            self.finish();
        }
        let (line, builder) = (self.line, self.builder());
        let rest = match parsed {
            Some((tags, rest)) => {
                tags.into_iter().for_each(|tag| builder.add_tag(line, tag));
                rest
            }
            None => {
                let what = "what begins with `[` is a tag, as in `[South \"Player A\"]`";
                builder.fail(line, what.to_owned());
                ""
            }
        };
        builder.keep(&text[..text.len() - rest.len()], false);
        if !rest.is_empty() {
            return Some(rest);
        }
        self.end_line();
        None
    }

    /// Takes moves, and returns what begins with the tag that follows them in the line, if one does.
    fn take_movetext<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let mut rest = text;
        while let Some((read, after)) = self.movetext.next(rest, self.line) {
            if read == Read::Tag {
                return Some(after);
            }
            let mut piece = &rest[..rest.len() - after.len()];
            rest = after;
            let more = match &read {
                Read::Moves(moves, _) => !moves.is_empty(),
                Read::Result(_) | Read::Mistake(_) => true,
                Read::Number { .. } | Read::Comment(_) | Read::Variation(_) | Read::Tag => false,
            };
            if more && self.builder.as_ref().is_some_and(RecordBuilder::has_ended) {
                self.finish();
            }
            let (line, builder) = (self.line, self.builder());
            match read {
                Read::Moves(moves, glyphs) => {
                    moves.into_iter().for_each(|written| builder.add_move(written));
                    builder.annotate(glyphs);
                }
                Read::Number { word, is_counted } => builder.add_number(line, word, is_counted),
                Read::Result(result) => builder.end(result),
                Read::Comment(text) => {
                    if text.trim_start().starts_with(REMARK) {
                        piece = said(piece);
                    }
                    builder.annotate(Annotation::comment(&text));
                }
                Read::Variation(variation) => builder.annotate([variation]),
                Read::Mistake(what) => builder.fail(line, what),
                Read::Tag => {}
            }
            builder.keep(piece, true);
        }
        match &mut self.builder {
            Some(builder) => builder.keep(rest, true),
            None if rest.trim().is_empty() && self.before.1.is_empty() => return None,
            None if self.before.1.is_empty() => self.before = (self.line, rest.to_owned()),
            None => self.before.1.push_str(rest),
        }
        self.end_line();
        None
    }

    /// Ends the line in the text that is kept.
    fn end_line(&mut self) {
        match &mut self.builder {
            Some(builder) => builder.keep("\n", false),
            None => self.before.1.push('\n'),
        }
        if self.before.1.len() > LONGEST_GAME {
            self.before.1.clear();
        }
    }

    /// Gives up on a game that is too long to be kept.
    fn limit(&mut self, length: usize) {
        let line = self.line;
        let Some(builder) = &mut self.builder else { return };
        builder.length += length;
        if builder.length > LONGEST_GAME && builder.has_ended() {
            // What follows its result is not part of it.
            self.finish();
        } else if builder.length > LONGEST_GAME {
            builder.forget();
            builder.fail(line, format!("the game is longer than {LONGEST_GAME} bytes; divide it"));
            self.movetext.forget();
        }
    }

    /// Returns the record that is being read, a new one if there is none.
    fn builder(&mut self) -> &mut RecordBuilder {
        let (line, text) = &mut self.before;
        let line = if text.is_empty() { self.line } else { *line };
        self.builder.get_or_insert_with(|| RecordBuilder::new(line, std::mem::take(text)))
    }

    fn finish(&mut self) {
        if let Some(builder) = self.builder.take() {
            self.game += 1;
            self.ready.push_back(builder.finish(self.game));
        }
    }
}

/// Returns a text without the comment of ours that it ends with, which is written again if the game
/// still cannot be read.
fn said(text: &str) -> &str {
    let comment = text.find(REMARK.trim_end()).filter(|&at| text[..at].ends_with('{'));
    comment.map_or(text, |at| text[..at - 1].trim_end())
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        while self.ready.is_empty() && !self.at_end {
            self.read_line();
        }
        let (game, refused) = self.ready.pop_front()?;
        self.refused = refused;
        Some(game)
    }
}
