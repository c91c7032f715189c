//! A game that is being read.

use crate::error::{Error, Result};
use crate::game::position::Position;
use crate::game::seat::Ply;

use super::{Record, RecordedMove, Tag};

/// What has been read of a game so far.
#[derive(Debug)]
pub struct Draft {
    /// Characters read of it.
    pub length: usize,
    tags: Vec<Tag>,
    start: Position,
    preface: Vec<String>,
    moves: Vec<RecordedMove>,
    result: Option<String>,
    /// Whether further tags are those of the next game, even if there have been no moves.
    has_all_tags: bool,
    /// What is the matter with it, and where: the first mistake.
    fault: Option<(usize, String)>,
}

impl Draft {
    /// A game of which nothing has been read.
    pub fn new() -> Draft {
        Draft {
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

    /// Notes a mistake.
    pub fn fail(&mut self, line: usize, what: String) {
        self.fault.get_or_insert((line, what));
    }

    /// Drops what has been read. To be followed by a mistake.
    pub fn forget(&mut self) {
        (self.tags, self.preface, self.moves) = Default::default();
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

    /// Starts at a position that no tag of the file tells, and tells it by one.
    pub fn start_at(&mut self, start: Position) {
        self.start = start.as_start();
        self.tags.push(Tag { name: "FEN".to_owned(), value: start.to_string() });
    }

    /// Adds a comment to what was read last. Without words it is none.
    pub fn add_comment(&mut self, text: &str) {
        // A comment to the end of a line may hold what would end one in braces.
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

    /// Whether the result has been read.
    pub fn has_ended(&self) -> bool {
        self.result.is_some()
    }

    /// Ends the tags: there is an empty line.
    pub fn end_tags(&mut self) {
        self.has_all_tags = true;
    }

    /// Whether tags that follow belong to the next game.
    pub fn is_before_tags(&self) -> bool {
        self.has_all_tags || self.has_ended() || !self.moves.is_empty() || !self.preface.is_empty()
    }

    /// The game, which is number `game` of its file; or its first mistake.
    pub fn finish(self, game: usize) -> Result<Record> {
        let Draft { tags, start, preface, moves, result, .. } = self;
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
