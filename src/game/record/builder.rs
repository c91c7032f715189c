//! A record as far as it has been read.

use crate::error::{Error, Result};
use crate::game::position::Position;
use crate::game::seat::Ply;

use super::{Record, RecordedMove, Tag};

/// Puts a record together from what is read piece by piece.
#[derive(Debug)]
pub struct RecordBuilder {
    /// Characters read of it.
    pub length: usize,
    tags: Vec<Tag>,
    start: Position,
    preface: Vec<String>,
    moves: Vec<RecordedMove>,
    result: Option<String>,
    /// Whether further tags belong to the next game, even if there have been no moves.
    has_all_tags: bool,
    /// What is the matter with it, and where: the first mistake.
    fault: Option<(usize, String)>,
}

impl RecordBuilder {
    /// Starts a record of which nothing has been read.
    pub fn new() -> RecordBuilder {
        RecordBuilder {
            length: 0,
            tags: Vec::new(),
            start: Position::INITIAL,
            preface: Vec::new(),
            moves: Vec::new(),
            result: None,
            has_all_tags: false,
            fault: None,
        }
    }

    /// Notes a mistake; the first of them counts.
    pub fn fail(&mut self, line: usize, what: String) {
        self.fault.get_or_insert((line, what));
    }

    /// Drops what has been read. A mistake is to follow.
    pub fn forget(&mut self) {
        self.tags.clear();
        self.preface.clear();
        self.moves.clear();
        self.has_all_tags = true;
    }

    /// Adds a tag. The position of a `FEN` tag is where the game starts.
    pub fn add_tag(&mut self, line: usize, tag: Tag) {
        if tag.name.eq_ignore_ascii_case("FEN") {
            match tag.value.parse::<Position>() {
                Ok(start) => self.start = start.as_start(),
                Err(error) => self.fail(line, error.to_string()),
            }
        }
        self.tags.push(tag);
    }

    /// Starts the game at a position that no tag of the file names, and adds the tag.
    pub fn start_at(&mut self, start: Position) {
        self.start = start.as_start();
        self.tags.push(Tag { name: "FEN".to_owned(), value: start.to_string() });
    }

    /// Adds a comment to what was read last; one without words is left out.
    pub fn add_comment(&mut self, text: &str) {
        // A comment to the end of a line may hold what would end a comment in braces.
        let text = text.replace('}', ")").split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.moves.last_mut().map_or(&mut self.preface, |last| &mut last.comments).push(text);
        }
    }

    /// Adds a move.
    pub fn add_move(&mut self, ply: Ply) {
        self.moves.push(RecordedMove { ply, comments: Vec::new() });
    }

    /// Ends the moves.
    pub fn end(&mut self, result: &str) {
        self.result = Some(result.to_owned());
    }

    /// Returns whether the result has been read.
    pub fn has_ended(&self) -> bool {
        self.result.is_some()
    }

    /// Ends the tags, at an empty line.
    pub fn end_tags(&mut self) {
        self.has_all_tags = true;
    }

    /// Returns whether tags that follow belong to the next game.
    pub fn is_before_tags(&self) -> bool {
        self.has_all_tags || self.has_ended() || !self.moves.is_empty() || !self.preface.is_empty()
    }

    /// Returns the record, which is number `game` of its file.
    ///
    /// # Errors
    /// [`Error::Record`] with the first mistake.
    pub fn finish(self, game: usize) -> Result<Record> {
        let RecordBuilder { tags, start, preface, moves, result, .. } = self;
        match self.fault {
            Some((line, what)) => Err(Error::Record { game, line, what }),
            None => Ok(Record {
                tags,
                start,
                preface,
                moves,
                result: result.unwrap_or_else(|| "*".to_owned()),
            }),
        }
    }
}
