//! Lines of tags: `[Name "value"]`, with `\"` and `\\` in the value.

use std::fmt;

use super::Tag;

/// Reads the tags that a line begins with; returns them and what follows, or `None` if one of them
/// is not what a tag should be.
pub fn parse(line: &str) -> Option<(Vec<Tag>, &str)> {
    let mut tags = Vec::new();
    let mut rest = line.trim_start();
    while let Some(opened) = rest.strip_prefix('[') {
        let (name, quoted) = opened.split_once('"')?;
        let name = name.trim();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "[]{}".contains(c)) {
            return None;
        }
        let (value, after) = unquote(quoted).or_else(|| unescaped(quoted))?;
        tags.push(Tag { name: name.to_owned(), value });
        rest = after.trim_start();
    }
    Some((tags, rest))
}

/// Returns the text up to the closing quote, and what follows the bracket behind it. A backslash
/// stands for itself unless a quote or another one follows.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('"', _) => return Some((value, rest.as_str().trim_start().strip_prefix(']')?)),
            ('\\', Some(escaped @ ('"' | '\\'))) => {
                value.push(escaped);
                rest.next();
            }
            (c, _) => value.push(c),
        }
    }
    None
}

/// Returns the text up to the next quote with a bracket behind it, and what follows the bracket: what
/// programs write that escape nothing.
fn unescaped(text: &str) -> Option<(String, &str)> {
    let (value, after) = text.split_once("\"]")?;
    Some((value.to_owned(), after))
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "[{} \"{}\"]", self.name, value.replace(['\n', '\r'], " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of several lines is written in one.
    #[test]
    fn quotes_and_backslashes_are_escaped() {
        let tag = |name: &str, value: &str| Tag { name: name.to_owned(), value: value.to_owned() };
        let tags = vec![tag("Event", r#"the "last" \ game"#), tag("Site", "]")];
        let line = tags.iter().map(Tag::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(line, r#"[Event "the \"last\" \\ game"] [Site "]"]"#);
        assert_eq!(parse(&line), Some((tags, "")));
        assert_eq!(tag("Event", "one\r\ntwo").to_string(), "[Event \"one  two\"]");
    }

    /// Programs that escape nothing write a path, or a name in quotes, as it is.
    #[test]
    fn values_that_nobody_escaped_are_read() {
        for (line, value, after) in [
            (r#"[Site "C:\games"] A"#, r"C:\games", "A"),
            (r#"[Site "C:\"] A"#, r"C:\", "A"),
            (r#"[South "the "last" Ann"]"#, r#"the "last" Ann"#, ""),
            (r#"[South "{"]1. F"#, "{", "1. F"),
        ] {
            let (tags, rest) = parse(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((tags[0].value.as_str(), rest), (value, after), "{line}");
        }
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
            "[A B \"c\"]",
            "[A \"b\" c]",
            "[A \"b\\",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
