//! Data flows one way: a module of the library uses only those that `lib.rs` lists before it.

use std::fs;
use std::path::{Path, PathBuf};

fn source(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The modules in the order in which `lib.rs` declares them.
fn modules() -> Vec<String> {
    let declared = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    source("lib.rs").lines().filter_map(declared).collect()
}

/// The files of a module, as paths under `src`.
fn files(module: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut open = vec![root.join(module)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    let file = root.join(module).with_extension("rs");
    found.extend(file.is_file().then_some(file));
    assert!(!found.is_empty(), "no source of `{module}`");
    found
}

/// A source without comments and without what only tests compile.
fn shipped(source: &str) -> String {
    let mut code = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if line == "#[cfg(test)]" {
            let mut item = lines.by_ref().take_while(|&line| line != "}");
            // An item of one line ends with a semicolon, a block with a brace of its own.
            if item.next().is_some_and(|first| !first.ends_with(';')) {
                item.for_each(drop);
            }
        } else if !trimmed.starts_with("//") {
            code += line;
            code.push('\n');
        }
    }
    code
}

/// The modules that a piece of code names: every `crate::module`, also in a group of imports.
fn named(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            None => names.extend(identifier(rest)),
            Some(group) => names.extend(members(group).into_iter().filter_map(identifier)),
        }
    }
    names
}

fn identifier(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// The members of a group of imports, as far as its closing brace.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                found.push(group[from..at].trim_start());
                from = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn data_flows_one_way() {
    let modules = modules();
    assert!(modules.len() >= 11, "only {modules:?}");
    for (place, module) in modules.iter().enumerate() {
        for file in files(module) {
            for used in named(&shipped(&source(&file))) {
                let known = modules[..=place].contains(&used);
                assert!(
                    known,
                    "{}: `{used}` does not come before `{module}` in lib.rs",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_library_does_not_know_the_command_line() {
    for file in modules().iter().flat_map(|module| files(module)) {
        let code = shipped(&source(&file));
        for word in ["clap", "indicatif", "ctrlc", "println!", "eprintln!", "process::exit"] {
            assert!(!code.contains(word), "{}: {word}", file.display());
        }
    }
}

#[test]
fn the_proof_shares_nothing_with_the_solver() {
    for file in files("certify/proof") {
        let code = shipped(&source(&file));
        assert!(!code.contains("crate::solver"), "{}", file.display());
    }
}

#[test]
fn the_map_on_the_front_page_is_complete_and_in_order() {
    let front = source("lib.rs");
    let listed = front
        .lines()
        .filter_map(|line| Some(line.strip_prefix("//! | [`")?.split_once('`')?.0.to_owned()));
    assert_eq!(listed.collect::<Vec<_>>(), modules());
}

#[test]
fn the_reader_of_sources_finds_what_it_looks_for() {
    let code = shipped(
        "//! [`crate::layer::stats`]\nuse crate::{board::{Board, Side}, moves};\n#[cfg(test)]\nmod tests {\n    use crate::probe;\n}\nlet _ = crate::score::Score::ZERO;\n",
    );
    assert_eq!(named(&code), ["board", "moves", "score"]);
}
