//! A record as far as it has been read, and its text, which is returned if it cannot be read.

use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::game::notation::{self, WrittenMove};
use crate::game::position::Position;
use crate::game::seat::Seat;

use super::annotation::{Annotation, words};
use super::ogn::{is_result, mistake};
use super::{REMARK, Record, RecordedMove, Tag};

/// Puts a record together from what is read piece by piece.
#[derive(Debug, Default)]
pub struct RecordBuilder {
    /// Bytes read of it.
    pub length: usize,
    tags: Vec<Tag>,
    /// Their names, in small letters.
    names: HashSet<String>,
    /// Where the game starts, if not at the beginning.
    start: Option<Position>,
    preface: Vec<Annotation>,
    moves: Vec<RecordedMove>,
    /// Numbers as long as there are no letters: then they are the moves, else numbers of moves.
    numbers: Vec<Number>,
    result: Option<String>,
    /// Whether further tags belong to the next game, even if there have been no moves.
    has_all_tags: bool,
    /// Whether an empty line came after the tags.
    has_paragraph: bool,
    /// What is the matter with it, and where: the first mistake.
    fault: Option<(usize, String)>,
    text: String,
    /// The line in which the text begins.
    first_line: usize,
    /// Where in the text a comment may say what the matter is.
    place: Option<usize>,
}

/// A number among the moves.
#[derive(Debug)]
struct Number {
    line: usize,
    word: String,
    /// Whether the number of a move stands before it, so that it is a move.
    is_counted: bool,
    annotations: Vec<Annotation>,
}

impl RecordBuilder {
    /// Starts a record of which nothing has been read but perhaps `text`, which begins in line
    /// `line`.
    pub fn new(line: usize, text: String) -> RecordBuilder {
        RecordBuilder { text, first_line: line, ..RecordBuilder::default() }
    }

    /// Notes a mistake; the first of them counts.
    pub fn fail(&mut self, line: usize, what: String) {
        self.fault.get_or_insert((line, what));
    }

    /// Notes that something was opened in line `line` and not closed.
    pub fn fail_open(&mut self, line: usize, what: String) {
        self.fail(line, what);
        // A comment after it would be inside it, so it stands at the end of the line before.
        let breaks = self.text.match_indices('\n').map(|(at, _)| at);
        let before = line.checked_sub(self.first_line + 1);
        self.place = before.map_or(Some(0), |line| breaks.clone().nth(line)).or(self.place);
    }

    /// Keeps a piece of the text. Among the moves is where a comment may stand.
    pub fn keep(&mut self, text: &str, among_moves: bool) {
        self.text.push_str(text);
        if among_moves && !text.trim().is_empty() {
            self.has_all_tags = true;
            if self.fault.is_some() {
                self.place.get_or_insert(self.text.len());
            }
        }
    }

    /// Drops what has been read. A mistake is to follow.
    pub fn forget(&mut self) {
        self.text = String::new();
        self.place = Some(0);
        self.tags.clear();
        self.names.clear();
        self.preface.clear();
        self.moves.clear();
        self.numbers.clear();
        self.has_all_tags = true;
    }

    /// Adds a tag. The position of a `FEN` tag is where the game starts.
    pub fn add_tag(&mut self, line: usize, tag: Tag) {
        if tag.name.eq_ignore_ascii_case("FEN") {
            match tag.value.parse::<Position>() {
                Ok(start) => self.start = Some(start.as_start()),
                Err(error) => self.fail(line, error.to_string()),
            }
        }
        self.names.insert(tag.name.to_ascii_lowercase());
        self.tags.push(tag);
    }

    /// Starts the game at a position that no tag of the file names, and adds the tag.
    pub fn start_at(&mut self, start: Position) {
        self.start = Some(start.as_start());
        self.tags.push(Tag { name: "FEN".to_owned(), value: start.to_string() });
    }

    /// Returns who moves first.
    pub fn seat(&self) -> Seat {
        self.start.unwrap_or(Position::INITIAL).seat
    }

    /// Adds something that is said of what was read last.
    pub fn annotate(&mut self, said: impl IntoIterator<Item = Annotation>) {
        let last = match self.moves.last_mut() {
            Some(last) => Some(&mut last.annotations),
            None => self.numbers.last_mut().map(|last| &mut last.annotations),
        };
        last.unwrap_or(&mut self.preface).extend(said);
    }

    /// Adds a move. Numbers before it were not moves.
    pub fn add_move(&mut self, WrittenMove { ply, captured }: WrittenMove) {
        for number in self.numbers.drain(..) {
            self.preface.extend(number.annotations);
        }
        self.moves.push(RecordedMove { captured, ..RecordedMove::new(ply) });
    }

    /// Adds a number, which is a move if there are no letters.
    pub fn add_number(&mut self, line: usize, word: &str, is_counted: bool) {
        if self.moves.is_empty() {
            let annotations = Vec::new();
            self.numbers.push(Number { line, word: word.to_owned(), is_counted, annotations });
        }
    }

    /// Takes the numbers for moves, but a single one that may be the number of a move.
    fn resolve_numbers(&mut self) {
        let numbers = std::mem::take(&mut self.numbers);
        if let [Number { is_counted: false, .. }] = numbers[..] {
            return self.preface.extend(numbers.into_iter().flat_map(|it| it.annotations));
        }
        let words: Vec<&str> = numbers.iter().map(|number| number.word.as_str()).collect();
        match notation::numbers(&words, self.seat()) {
            Ok(plies) => {
                let moves = plies.into_iter().zip(numbers).map(|(ply, number)| RecordedMove {
                    annotations: number.annotations,
                    ..RecordedMove::new(ply)
                });
                self.moves.extend(moves);
            }
            Err(wrong) => {
                let line = numbers.iter().find(|number| number.word == wrong).map(|it| it.line);
                let what = mistake(wrong);
                self.fail(line.unwrap_or(self.first_line), what);
            }
        }
    }

    /// Ends the moves.
    pub fn end(&mut self, result: &str) {
        self.result = Some(result.to_owned());
    }

    /// Returns whether tags or moves have been read, and no result: what is still to come is part of it.
    pub fn goes_on(&self) -> bool {
        !(self.has_ended() || self.tags.is_empty() && self.moves.is_empty())
    }

    /// Returns whether the result has been read.
    pub fn has_ended(&self) -> bool {
        self.result.is_some()
    }

    /// Notes an empty line. Tags may go on after it, but none of them a second time.
    pub fn end_paragraph(&mut self) {
        self.has_paragraph = true;
    }

    /// Returns whether these tags, which follow, belong to the next game.
    pub fn is_before(&self, tags: &[Tag]) -> bool {
        let is_known = |tag: &Tag| self.names.contains(&tag.name.to_ascii_lowercase());
        self.has_all_tags
            || self.has_ended()
            || !(self.moves.is_empty() && self.numbers.is_empty() && self.preface.is_empty())
            || self.has_paragraph && tags.iter().any(is_known)
    }

    /// Returns the record, which is number `game` of its file; or [`Error::Record`] with the first
    /// mistake, and the text with a comment that tells it.
    pub fn finish(mut self, game: usize) -> (Result<Record>, String) {
        self.resolve_numbers();
        let RecordBuilder { tags, preface, moves, result, .. } = self;
        let start = self.start.unwrap_or(Position::INITIAL);
        match self.fault {
            Some((line, what)) => {
                let text = remarked(&self.text, self.place.unwrap_or(self.text.len()), &what);
                (Err(Error::Record { game, line, what }), text)
            }
            None => {
                let mut record = Record { tags, start, preface, moves, result: String::new() };
                record.result = result.unwrap_or_else(|| result_of_tags(&record).to_owned());
                (Ok(record), String::new())
            }
        }
    }
}

/// Returns what the `Result` tag says if that is a result, else `*`.
fn result_of_tags(record: &Record) -> &str {
    record.tag("Result").map(str::trim).filter(|result| is_result(result)).unwrap_or("*")
}

/// Puts a comment into a text, which then has no space around it.
fn remarked(text: &str, place: usize, what: &str) -> String {
    let what = words(what);
    let (before, after) = text.split_at(place);
    let [before, after] = [before.trim_start(), after.trim_end()];
    let comment = format!("{{{REMARK}{what}}}");
    match before.trim_end() {
        "" => format!("{comment} {}", after.trim_start()).trim_end().to_owned(),
        before_it if after.is_empty() => format!("{before_it} {comment}"),
        _ => format!("{before} {comment}{after}"),
    }
}
