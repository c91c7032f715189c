//! The moves of an OGN game: reading them piece by piece, and writing a game.

use std::fmt;

use crate::game::play::Game;
use crate::game::rules::Rules;
use crate::game::seat::{Ply, Seat};

use super::Record;

/// Something read among the moves.
#[derive(Debug, PartialEq, Eq)]
pub enum Read<'t> {
    /// A move, or several run together.
    Moves(Vec<Ply>),
    /// The result of the game.
    Result(&'t str),
    /// A comment.
    Comment(String),
    /// Something that has no place there.
    Mistake(String),
}

/// What is not closed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// In which line.
    pub line: usize,
    /// By `{` or `(`.
    pub with: char,
}

impl Opened {
    /// Returns what closes it.
    pub const fn closed_by(self) -> char {
        if self.with == '{' { '}' } else { ')' }
    }
}

/// A reader of moves that goes on from line to line.
#[derive(Debug, Default)]
pub struct Movetext {
    /// A comment in braces that goes on, and where it was opened.
    comment: Option<(Opened, String)>,
    /// How many variations are open.
    variations: usize,
    /// Where the outermost of them was opened.
    variation: Option<Opened>,
}

impl Movetext {
    /// Returns what is still open: the comment, or the outermost variation.
    pub fn is_open(&self) -> Option<Opened> {
        self.comment.as_ref().map(|(opened, _)| *opened).or(self.variation)
    }

    /// Drops what has been read of a comment, which goes on.
    pub fn forget_comment(&mut self) {
        if let Some((_, text)) = &mut self.comment {
            text.clear();
        }
    }

    /// Reads the next thing in what is left of line number `line`; returns it and what is left
    /// then.
    pub fn next<'t>(&mut self, text: &'t str, line: usize) -> Option<(Read<'t>, &'t str)> {
        let mut rest = text;
        loop {
            if self.comment.is_some() {
                let (comment, after) = self.read_comment(rest)?;
                rest = after;
                if self.variations == 0 {
                    return Some((Read::Comment(comment), rest));
                }
            }
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let (word, after) = rest.split_at(word_length(rest));
            rest = after;
            match first {
                '{' => self.comment = Some((Opened { line, with: first }, String::new())),
                '(' => self.open_variation(line),
                ')' if self.variations > 0 => self.close_variation(),
                ')' => return Some((Read::Mistake("`)` without `(`; remove it".to_owned()), rest)),
                ';' if self.variations == 0 => return Some((Read::Comment(after.to_owned()), "")),
                ';' => return None,
                _ if self.variations == 0 => {
                    if let Some(read) = read_word(word) {
                        return Some((read, rest));
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads a comment that is open. If it ends here, returns it and what follows.
    fn read_comment<'t>(&mut self, text: &'t str) -> Option<(String, &'t str)> {
        let (opened, mut read) = self.comment.take()?;
        match text.split_once('}') {
            Some((last, after)) => {
                read.push_str(last);
                Some((read, after))
            }
            None => {
                // The end of a line separates words. A variation's comments are not kept.
                if self.variations == 0 {
                    read.push_str(text);
                    read.push('\n');
                }
                self.comment = Some((opened, read));
                None
            }
        }
    }

    fn open_variation(&mut self, line: usize) {
        self.variations += 1;
        self.variation.get_or_insert(Opened { line, with: '(' });
    }

    fn close_variation(&mut self) {
        self.variations -= 1;
        if self.variations == 0 {
            self.variation = None;
        }
    }
}

/// Returns the number of bytes as far as the next space or bracket. A bracket is a word.
fn word_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "{}();".contains(c);
    let first = text.chars().next().map_or(0, char::len_utf8);
    if text.starts_with(ends) { first } else { text.find(ends).unwrap_or(text.len()) }
}

/// Reads a word; returns `None` for numbers of moves and `$` annotations, which are skipped.
fn read_word(word: &str) -> Option<Read<'_>> {
    let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = ['.', '…'];
    let text =
        if unnumbered.starts_with(dots) { unnumbered.trim_start_matches(dots) } else { word };
    let text = text.split('$').next().unwrap_or_default().trim_end_matches(['!', '?']);
    if unnumbered.is_empty() || text.is_empty() {
        return None;
    }
    if is_result(word) {
        return Some(Read::Result(word));
    }
    Some(plies(text).map_or_else(|| Read::Mistake(mistake(word)), Read::Moves))
}

/// Reads moves that are run together, each perhaps with what it captures: `F`, `f+12`, `Fx3`.
pub fn plies(text: &str) -> Option<Vec<Ply>> {
    let mut found = Vec::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        found.push(Ply::from_letter(letter)?);
        if let Some(number) = rest.as_str().strip_prefix(['+', 'x', '×']) {
            let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
            // The number is not looked at: programs differ in what they count on the last move.
            if !(1..=2).contains(&(number.len() - after.len())) {
                return None;
            }
            rest = after.chars();
        }
    }
    Some(found)
}

/// Says that a word is no move.
pub fn mistake(word: &str) -> String {
    let shown: String = word.chars().take(20).flat_map(char::escape_debug).collect();
    format!("`{shown}` is no move; South's are A to F, North's a to f")
}

/// Returns whether a word is a result: who won, or what each player has.
pub fn is_result(word: &str) -> bool {
    let score = |text: &str| text.len() <= 2 && text.parse::<u8>().is_ok_and(|seeds| seeds <= 48);
    matches!(word, "*" | "1/2-1/2" | "½-½" | "1/2" | "½")
        || word.split_once(['-', '–']).is_some_and(|(south, north)| score(south) && score(north))
}

/// Columns of a line of moves.
const WIDTH: usize = 80;

/// How a move shows what it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureMark {
    /// As Aualé writes it: `F+2`.
    Plus,
    /// As `oware query` writes it: `Fx2`.
    Cross,
}

impl CaptureMark {
    const fn sign(self) -> char {
        match self {
            CaptureMark::Plus => '+',
            CaptureMark::Cross => 'x',
        }
    }
}

/// A record whose moves are written with what they capture.
#[derive(Clone, Debug)]
pub struct WithCaptures<'r> {
    record: &'r Record,
    mark: CaptureMark,
    /// By move, up to the first that is not legal.
    captured: Vec<u8>,
}

impl Record {
    /// Returns the record for writing with captures, as far as the moves are legal by `rules`. What
    /// the end of the game brings does not count as captured.
    pub fn with_captures(&self, rules: &'static Rules, mark: CaptureMark) -> WithCaptures<'_> {
        let mut game = Game::new(rules, self.start);
        let captured = self.moves.iter().map_while(|played| game.play(played.ply).ok());
        WithCaptures { record: self, mark, captured: captured.map(|made| made.captured).collect() }
    }
}

impl fmt::Display for WithCaptures<'_> {
    /// Writes OGN as the record itself does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marked = |place: usize| match self.captured.get(place) {
            None | Some(0) => String::new(),
            Some(count) => format!("{}{count}", self.mark.sign()),
        };
        write_record(f, self.record, marked)
    }
}

impl fmt::Display for Record {
    /// Writes OGN: the tags, an empty line if there are any, moves and comments in lines of at most
    /// 80 characters, as far as words allow, and the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_record(f, self, |_| String::new())
    }
}

fn write_record(
    f: &mut fmt::Formatter<'_>,
    record: &Record,
    marked: impl Fn(usize) -> String,
) -> fmt::Result {
    record.tags.iter().try_for_each(|tag| writeln!(f, "{tag}"))?;
    if !record.tags.is_empty() {
        writeln!(f)?;
    }
    let mut column = 0;
    for piece in pieces(record, marked) {
        let length = piece.chars().count();
        let before = match column {
            0 => "",
            _ if column + 1 + length > WIDTH => "\n",
            _ => " ",
        };
        column = if before == " " { column + 1 + length } else { length };
        write!(f, "{before}{piece}")?;
    }
    writeln!(f)
}

/// Returns what line breaks do not divide: moves, each with its number and what `marked` says of
/// it, words of comments, and the result.
fn pieces(record: &Record, marked: impl Fn(usize) -> String) -> Vec<String> {
    let mut pieces = Vec::new();
    add_comments(&mut pieces, &record.preface);
    let mut number = 1;
    let mut needs_number = true;
    for (place, played) in record.moves.iter().enumerate() {
        let ply = played.ply;
        if ply.seat == Seat::South && place > 0 {
            number += 1;
        }
        let mark = marked(place);
        pieces.push(match ply.seat {
            Seat::South => format!("{number}. {ply}{mark}"),
            Seat::North if needs_number => format!("{number}... {ply}{mark}"),
            Seat::North => format!("{ply}{mark}"),
        });
        add_comments(&mut pieces, &played.comments);
        // Only a move right after South's needs none.
        needs_number = ply.seat == Seat::North || !played.comments.is_empty();
    }
    pieces.push(record.result.clone());
    pieces
}

fn add_comments(pieces: &mut Vec<String>, comments: &[String]) {
    for comment in comments {
        pieces.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut movetext = Movetext::default();
        let mut found = Vec::new();
        for (line, text) in text.lines().enumerate() {
            let mut rest = text;
            while let Some((read, after)) = movetext.next(rest, line + 1) {
                rest = after;
                found.push(match read {
                    Read::Moves(plies) => plies.iter().map(Ply::to_string).collect(),
                    Read::Result(result) => format!("={result}"),
                    Read::Comment(text) => format!("{{{}}}", text.trim()),
                    Read::Mistake(what) => format!("!{}", what.split(' ').next().unwrap()),
                });
            }
        }
        found
    }

    #[test]
    fn moves_stand_apart_or_together_with_numbers_or_without() {
        assert_eq!(read("1. A a 2. B b"), ["A", "a", "B", "b"]);
        assert_eq!(read("1.A 1...a 2.Bb 3 C! c?? $4 F!?"), ["A", "a", "Bb", "C", "c", "F"]);
        assert_eq!(read("... a"), ["a"]);
    }

    /// Aualé writes `F+2`, `oware query` `Fx2`; on the last move Aualé counts gathered seeds, too.
    #[test]
    fn moves_may_say_what_they_capture() {
        assert_eq!(read("1. F+2 f+12 2.Ax3a×2 B+10!? $3"), ["F", "f", "Aa", "B"]);
        assert_eq!(read("F$1 f!$2 3… e"), ["F", "f", "e"]);
        assert_eq!(read("F+ fx A+123 x3 +2"), ["!`F+`", "!`fx`", "!`A+123`", "!`x3`", "!`+2`"]);
    }

    #[test]
    fn comments_and_variations() {
        assert_eq!(read("A{one}a ; two } three\nB"), ["A", "{one}", "a", "{two } three}", "B"]);
        assert_eq!(read("A {over\ntwo ( lines} a"), ["A", "{over\ntwo ( lines}", "a"]);
        assert_eq!(read("A (B (C {)} c) b; )\nx) a"), ["A", "a"]);
    }

    #[test]
    fn results_and_mistakes() {
        assert_eq!(
            read("A 25-23 * 1-0 0-1 1/2-1/2 ½-½"),
            ["A", "=25-23", "=*", "=1-0", "=0-1", "=1/2-1/2", "=½-½"]
        );
        assert_eq!(read("½ 1/2 25–23 24-24"), ["=½", "=1/2", "=25–23", "=24-24"]);
        assert_eq!(read("G A) 1.x 49-0 }"), ["!`G`", "A", "!`)`", "!`1.x`", "!`49-0`", "!`}`"]);
    }
}
