//! The moves of an OGN game, read piece by piece.

use crate::game::notation::{self, WrittenMove, is_number};
use crate::game::seat::Ply;

use super::annotation::{Annotation, words};
use super::half_seeds::HalfSeeds;

/// Something read among the moves.
#[derive(Debug, PartialEq, Eq)]
pub enum Read<'t> {
    /// A move, or several run together, and the glyphs behind the last of them. Glyphs may
    /// stand alone.
    Moves(Vec<WrittenMove>, Vec<Annotation>),
    /// A number: of a move, or a move. Of a move that has its number before it, as in `1. 5`, that is
    /// known.
    Number {
        /// The number.
        word: &'t str,
        /// Whether the number of a move stands before it.
        is_counted: bool,
    },
    /// The result of the game.
    Result(&'t str),
    /// A bracket that opens a tag, with which what is left begins.
    Tag,
    /// A comment, as it stands.
    Comment(String),
    /// A variation.
    Variation(Annotation),
    /// Something that has no place there.
    Mistake(String),
}

/// A reader of moves that goes on from line to line.
#[derive(Debug, Default)]
pub struct Movetext {
    /// A comment in braces that goes on, and the line in which it was opened.
    comment: Option<(usize, String)>,
    /// How many variations are open.
    variations: usize,
    /// The line in which the outermost of them was opened, and what has been read of it, as it is
    /// written.
    variation: Option<(usize, String)>,
    /// Whether the last word was the number of a move, with its dot.
    is_counted: bool,
}

impl Movetext {
    /// Returns the line of what is still open, the comment or the outermost variation, and what to
    /// say of it. In a comment a closing brace cannot stand.
    pub fn is_open(&self) -> Option<(usize, &'static str)> {
        let comment = "a comment is opened by `{` and never closed; add the closing brace";
        let variation = "`(` is opened and never closed; add `)`";
        let opened = [(&self.comment, comment), (&self.variation, variation)];
        opened.into_iter().find_map(|(opened, what)| Some((opened.as_ref()?.0, what)))
    }

    /// Drops what has been read of a comment or a variation, which goes on.
    pub fn forget(&mut self) {
        for (_, text) in self.comment.iter_mut().chain(&mut self.variation) {
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
                match &mut self.variation {
                    Some((_, text)) => add_comment(text, &comment),
                    None => return Some((Read::Comment(comment), rest)),
                }
            }
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            if first == '[' && self.variation.is_none() {
                return Some((Read::Tag, rest));
            }
            let (word, after) = rest.split_at(word_length(rest, self.variation.is_none()));
            rest = after;
            match (first, &mut self.variation) {
                ('{', _) => self.comment = Some((line, String::new())),
                ('(', _) => self.open_variation(line),
                (')', None) => {
                    return Some((Read::Mistake("`)` without `(`; remove it".to_owned()), rest));
                }
                (')', Some(_)) => {
                    if let Some(closed) = self.close_variation() {
                        return Some((Read::Variation(closed), rest));
                    }
                }
                (';', None) => return Some((Read::Comment(after.to_owned()), "")),
                (';', Some((_, text))) => {
                    add_comment(text, after);
                    return None;
                }
                (_, Some((_, text))) => add(text, word),
                (_, None) => {
                    let is_counted = std::mem::replace(&mut self.is_counted, false);
                    match read_word(word, is_counted) {
                        Some(read) => return Some((read, rest)),
                        None => self.is_counted = true,
                    }
                }
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
                // The end of a line separates words.
                read.push_str(text);
                read.push('\n');
                self.comment = Some((opened, read));
                None
            }
        }
    }

    fn open_variation(&mut self, line: usize) {
        self.variations += 1;
        let (_, text) = self.variation.get_or_insert_with(|| (line, String::new()));
        add(text, "(");
    }

    /// Closes the innermost variation; returns the outermost if it is that.
    fn close_variation(&mut self) -> Option<Annotation> {
        self.variations -= 1;
        if let Some((_, text)) = &mut self.variation {
            text.push(')');
        }
        let (_, text) = self.variation.take_if(|_| self.variations == 0)?;
        Some(Annotation::Variation(text))
    }
}

/// Adds a word to the text of a variation, where one space stands between words.
fn add(text: &mut String, word: &str) {
    if !text.is_empty() && !text.ends_with('(') {
        text.push(' ');
    }
    text.push_str(word);
}

/// Adds a comment to the text of a variation; one without words is skipped.
fn add_comment(text: &mut String, comment: &str) {
    let comment = words(comment);
    if !comment.is_empty() {
        add(text, &format!("{{{comment}}}"));
    }
}

/// Returns the number of bytes as far as the next space or bracket. A bracket is a word. That of a tag
/// ends a word only where tags may stand.
fn word_length(text: &str, tags_may_stand: bool) -> usize {
    let ends = |c: char| c.is_whitespace() || "{}();".contains(c) || c == '[' && tags_may_stand;
    let first = text.chars().next().map_or(0, char::len_utf8);
    if text.starts_with(ends) { first } else { text.find(ends).unwrap_or(text.len()) }
}

/// Reads a word; returns `None` for numbers of moves with their dots, which are skipped.
fn read_word(word: &str, is_counted: bool) -> Option<Read<'_>> {
    let word = word.trim_end_matches(',');
    let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = ['.', '…'];
    let has_dots = unnumbered.starts_with(dots);
    let text = if has_dots { unnumbered.trim_start_matches(dots) } else { word };
    if text.is_empty() {
        return None;
    }
    if is_number(text) {
        return Some(Read::Number { word: text, is_counted: is_counted || has_dots });
    }
    if is_result(word) {
        return Some(Read::Result(word));
    }
    let (moves, glyphs) = part_glyphs(text);
    Some(
        notation::read_word(moves)
            .map_or_else(|| Read::Mistake(mistake(word)), |moves| Read::Moves(moves, glyphs)),
    )
}

/// Parts moves from the glyphs behind them: `F!?$3` has `!?` and `$3`.
fn part_glyphs(text: &str) -> (&str, Vec<Annotation>) {
    let (before, numbered) = text.split_at(text.find('$').unwrap_or(text.len()));
    let moves = before.trim_end_matches(['!', '?']);
    let numbered = numbered.split('$').skip(1).map(|number| format!("${number}"));
    let signs = Some(before[moves.len()..].to_owned()).filter(|signs| !signs.is_empty());
    (moves, signs.into_iter().chain(numbered).map(Annotation::Glyph).collect())
}

impl Annotation {
    /// Returns the moves of a variation, but not those of variations inside it, up to its end or the
    /// first word that is no move; none of anything else.
    pub fn moves(&self) -> Vec<Ply> {
        let Annotation::Variation(text) = self else { return Vec::new() };
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let (mut movetext, mut moves) = (Movetext::default(), Vec::new());
        let mut rest = inside.unwrap_or_default();
        while let Some((read, after)) = movetext.next(rest, 1) {
            match read {
                Read::Moves(written, _) => moves.extend(written.iter().map(|written| written.ply)),
                Read::Comment(_) | Read::Variation(_) | Read::Number { .. } => {}
                Read::Result(_) | Read::Mistake(_) | Read::Tag => break,
            }
            rest = after;
        }
        moves
    }
}

/// Says that a word is no move.
pub fn mistake(word: &str) -> String {
    let shown: String = word.chars().take(20).flat_map(char::escape_debug).collect();
    format!("`{shown}` is not a move; South's are A to F, North's a to f")
}

/// Returns whether a word is a result: who won, or what each player has.
pub fn is_result(word: &str) -> bool {
    let most = HalfSeeds::whole(48);
    // A half takes two bytes more, however it is written.
    let longest = |seeds: HalfSeeds| if seeds.is_whole() { 2 } else { 4 };
    let score = |text: &str| {
        HalfSeeds::read(text).is_some_and(|seeds| seeds <= most && text.len() <= longest(seeds))
    };
    matches!(word, "*" | "1/2" | "½")
        || word.split_once(is_dash).is_some_and(|(south, north)| match (south, north) {
            ("1/2", "1/2") | ("½", "½") => true,
            _ => score(south) && score(north),
        })
}

/// Returns whether a character is a dash of any length, or a minus sign.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
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
                    Read::Moves(written, glyphs) => {
                        let plies: String =
                            written.iter().map(|written| written.ply.to_string()).collect();
                        glyphs.iter().fold(plies, |text, glyph| format!("{text} {glyph}"))
                    }
                    Read::Number { word, is_counted: true } => format!(".{word}"),
                    Read::Number { word, .. } => word.to_owned(),
                    Read::Tag => return found,
                    Read::Result(result) => format!("={result}"),
                    Read::Comment(text) => format!("{{{}}}", text.trim()),
                    Read::Variation(variation) => variation.to_string(),
                    Read::Mistake(what) => format!("!{}", what.split(' ').next().unwrap()),
                });
            }
        }
        found
    }

    #[test]
    fn movetext_is_read_piece_by_piece() {
        for (text, expected) in [
            // Moves stand apart or together, with numbers or without.
            ("1. A a 2. B b", &["A", "a", "B", "b"][..]),
            ("1.A 1...a 2.Bb 3 C 3... c", &["A", "a", "Bb", "3", "C", "c"]),
            ("1. 5 2 2.0 11, c1f2", &[".5", "2", ".0", "11", "C"]),
            ("... a", &["a"]),
            // What they capture as Aualé writes it, and `oware query`; on the last move Aualé counts
            // gathered seeds, too.
            ("1. F+2 f+12 2.Ax3a×2 B+10!? $3", &["F", "f", "Aa", "B !?", " $3"]),
            ("F+ fx A+123 x3 +2", &["!`F+`", "!`fx`", "!`A+123`", "!`x3`", "!`+2`"]),
            // Glyphs stand behind moves or alone.
            ("C! c?? $4 F!?", &["C !", "c ??", " $4", "F !?"]),
            ("F$1 f!$2$10 3… e ?!", &["F $1", "f ! $2 $10", "e", " ?!"]),
            ("A!a !b", &["!`A!a`", "!`!b`"]),
            // Comments and variations.
            ("A{one}a ; two } three\nB", &["A", "{one}", "a", "{two } three}", "B"]),
            ("A {over\ntwo ( lines} a", &["A", "{over\ntwo ( lines}", "a"]),
            (
                "A ( B (C! $3{)}c ) b; )\nx ( D){ two\n words}{}) a",
                &["A", "(B (C! $3 {)} c) b {)} x (D) {two words})", "a"],
            ),
            // Results with dashes of any kind, halves, and mistakes.
            (
                "A 25-23 * 1-0 0-1 1/2-1/2 ½-½",
                &["A", "=25-23", "=*", "=1-0", "=0-1", "=1/2-1/2", "=½-½"],
            ),
            ("½ 1/2 25–23 24-24", &["=½", "=1/2", "=25–23", "=24-24"]),
            ("24.5-23.5 24½–23½", &["=24.5-23.5", "=24½–23½"]),
            (
                "1‐0 0‑1 1‒0 25—23 24―24 1/2−1/2 ½–½",
                &["=1‐0", "=0‑1", "=1‒0", "=25—23", "=24―24", "=1/2−1/2", "=½–½"],
            ),
            ("A 1-0[South \"B\"] b", &["A", "=1-0"]),
            ("G A) 1.x 49-0 }", &["!`G`", "A", "!`)`", "!`1.x`", "!`49-0`", "!`}`"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        for word in ["024-24", "+24-24", "+5-3", "024.5-23.5", "48.5-0"] {
            assert!(!is_result(word), "{word}");
        }
    }

    #[test]
    fn moves_of_a_variation_are_those_of_its_first_level() {
        let moves = |text: &str| {
            let moves = Annotation::Variation(text.to_owned()).moves();
            moves.iter().map(Ply::to_string).collect::<String>()
        };
        assert_eq!(moves("(1. F! f+2 {why} (1... e 2. A) 2. Ee 25-23)"), "FfEe");
        assert_eq!(moves("(1. F x A)") + &moves("((A) b)") + &moves("()") + &moves("A"), "Fb");
    }
}
