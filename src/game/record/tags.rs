//! Lines of tags: `[Name "value"]`, with `\"` and `\\` in the value.

use std::fmt;

use super::Tag;

/// Reads the tags of a line; returns `None` if there is anything else.
pub fn parse(line: &str) -> Option<Vec<Tag>> {
    let mut tags = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (name, quoted) = rest.strip_prefix('[')?.split_once('"')?;
        let name = name.trim();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "[]{}".contains(c)) {
            return None;
        }
        let (value, after) = unquote(quoted)?;
        tags.push(Tag { name: name.to_owned(), value });
        rest = after.trim_start().strip_prefix(']')?.trim_start();
    }
    Some(tags)
}

/// Returns the text up to the closing quote, and what follows the quote.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "[{} \"{value}\"]", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        let tag = |name: &str, value: &str| Tag { name: name.to_owned(), value: value.to_owned() };
        let tags = vec![tag("Event", r#"the "last" \ game"#), tag("Site", "]")];
        let line = tags.iter().map(Tag::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(line, r#"[Event "the \"last\" \\ game"] [Site "]"]"#);
        assert_eq!(parse(&line), Some(tags));
    }

    #[test]
    fn anything_else_is_not_a_tag() {
        for line in [
            "[",
            "[]",
            "[A]",
            "[A \"b\"",
            "[A \"b]",
            "[\"b\"]",
            "[A \"b\"] c",
            "[A B \"c\"]",
            "[A \"b\\",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
