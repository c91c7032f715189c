//! What a record says in addition to the moves.

use std::fmt;

/// Something that stands behind a move, or before the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Annotation {
    /// A glyph, as it was written: `!`, `?!`, or its number as in PGN, `$4`.
    Glyph(String),
    /// A comment, with single spaces between words and no braces.
    Comment(String),
    /// Other moves, with their brackets and all that is inside, as text with single spaces: `(1. B
    /// {a comment} b (1... c))`. It is not asked what they are.
    Variation(String),
}

impl Annotation {
    /// Returns a text as a comment; `None` if it has no words. A brace that would end the comment
    /// becomes a bracket.
    pub fn comment(text: &str) -> Option<Annotation> {
        let text = words(text);
        (!text.is_empty()).then_some(Annotation::Comment(text))
    }

    /// Returns the text of a comment; `None` of anything else.
    pub fn as_comment(&self) -> Option<&str> {
        match self {
            Annotation::Comment(text) => Some(text),
            Annotation::Glyph(_) | Annotation::Variation(_) => None,
        }
    }

    /// Returns its text.
    pub fn text(&self) -> &str {
        match self {
            Annotation::Glyph(text) | Annotation::Comment(text) | Annotation::Variation(text) => {
                text
            }
        }
    }
}

/// Writes the annotation as OGN has it, a comment in braces.
impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Annotation::Comment(text) => write!(f, "{{{text}}}"),
            Annotation::Glyph(text) | Annotation::Variation(text) => f.write_str(text),
        }
    }
}

/// Returns the words of a comment. One to the end of a line may hold what would end a comment in
/// braces.
pub fn words(text: &str) -> String {
    text.replace('}', ")").split_whitespace().collect::<Vec<_>>().join(" ")
}
