//! Data flows one way: a room of the library uses only those that `lib.rs` lists before it, and
//! within each folder the arrows between files form no cycle.
//!
//! Arrows are drawn from what the sources name, in `use` and elsewhere: every path that begins with
//! `crate::`, `super::` or `self::`, followed through re-exports to the file that defines its item.
//! A folder counts as one thing for the folder that it is in. The `mod.rs` of a folder stands among
//! its children: to declare and to re-export them is no arrow, to use them is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn source(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The modules in the order in which `lib.rs` declares them.
fn modules() -> Vec<String> {
    let declared = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    source("lib.rs").lines().filter_map(declared).collect()
}

/// The sources of a module, as paths under `src`.
fn files(module: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut open = vec![root.join(module)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                open.push(path)
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path)
            }
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

/// A module, as in `["table", "reader"]`; the empty one is `lib.rs`.
type Module = Vec<String>;

/// All modules of the library with the code of their files.
struct Sources(BTreeMap<Module, String>);

impl Sources {
    fn read() -> Sources {
        let mut code = BTreeMap::from([(Module::new(), shipped(&source("lib.rs")))]);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for file in modules().iter().flat_map(|room| files(room)) {
            let path = file.strip_prefix(&root).unwrap().with_extension("");
            let mut module: Module =
                path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            module.pop_if(|last| last == "mod");
            code.insert(module, shipped(&source(&file)));
        }
        Sources(code)
    }

    /// The modules whose files define what `module` names.
    fn arrows(&self, module: &Module) -> BTreeSet<Module> {
        let mut paths = paths(&self.0[module]);
        paths.extend(self.paths_down(module));
        paths.iter().filter_map(|path| self.resolve(module, path)).collect()
    }

    /// The paths by which a module uses its children, declarations and re-exports left out: those
    /// that begin with a child's name, and the re-exported names that its own code mentions.
    fn paths_down(&self, module: &Module) -> Vec<Vec<String>> {
        let code = without_exports(&self.0[module]);
        let mut found = Vec::new();
        for (at, word) in words(&code) {
            let begins = !code[..at].ends_with("::");
            let child = [module.clone(), vec![word.to_owned()]].concat();
            if begins && code[at + word.len()..].starts_with("::") && self.0.contains_key(&child) {
                found.extend(tree(&code[at..]).0);
            }
        }
        let mentioned: BTreeSet<&str> = words(&code).map(|(_, word)| word).collect();
        let exports = self.exports(module).into_iter();
        found.extend(exports.filter(|(name, _)| mentioned.contains(&**name)).map(|(_, path)| path));
        found
    }

    /// The module that defines the item that `path` names in `module`.
    fn resolve(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut at = module.clone();
        for (step, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()?),
                name => {
                    let child = [at.clone(), vec![name.to_owned()]].concat();
                    if self.0.contains_key(&child) {
                        at = child;
                    } else {
                        let exported = self.exports(&at).remove(name);
                        let defined = exported.map(|path| self.resolve(&at, &path));
                        assert!(step > 0, "{module:?}: {path:?}");
                        return defined.unwrap_or(Some(at));
                    }
                }
            }
        }
        Some(at)
    }

    /// What a module re-exports: names, and the paths that they stand for.
    fn exports(&self, module: &Module) -> BTreeMap<String, Vec<String>> {
        let statements = self.0[module].split_inclusive(';');
        let exports = statements.filter_map(|statement| Some(exported(statement)?.1));
        let paths = exports.flat_map(|paths| tree(paths).0);
        // A single name is a macro of the file's own.
        let elsewhere = paths.filter(|path| path.len() > 1);
        elsewhere.map(|path| (path.last().unwrap().clone(), path)).collect()
    }
}

/// Of a statement that re-exports: what stands before it, and the paths.
fn exported(statement: &str) -> Option<(&str, &str)> {
    let visible = ["pub use ", "pub(crate) use ", "pub(super) use "];
    visible.iter().find_map(|visible| statement.split_once(visible))
}

/// A piece of code without what it re-exports.
fn without_exports(code: &str) -> String {
    let own = |statement| exported(statement).map_or(statement, |(before, _)| before);
    code.split_inclusive(';').map(own).collect()
}

/// The identifiers of a piece of code, and where they begin.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let words = code.split(move |c| !part(c)).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr().addr() - code.as_ptr().addr(), word))
}

/// Every path of a piece of code that begins with `crate`, `super` or `self`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut within = false;
    let mut offset = 0;
    for line in code.split_inclusive('\n') {
        within = (within
            || (line.starts_with("mod ") || line.starts_with("pub mod ")) && line.ends_with("{\n"))
            && line != "}\n";
        for root in ["crate::", "super::", "self::"] {
            for (at, _) in line.match_indices(root) {
                let before = line[..at].chars().next_back();
                if before.is_none_or(|c| !c.is_alphanumeric() && !"_:$".contains(c)) {
                    let paths = tree(&code[offset + at..]).0;
                    // In a module within the file, what is above is the file.
                    let inner = |path: Vec<String>| match path[0].as_str() {
                        "super" if within => path[1..].to_vec(),
                        _ => path,
                    };
                    found.extend(paths.into_iter().map(inner));
                }
            }
        }
        offset += line.len();
    }
    found.retain(|path| {
        path.first().is_some_and(|first| ["crate", "super", "self"].contains(&first.as_str()))
    });
    found
}

/// The paths that begin where `text` begins, as in `a::{b, c::d}`, and what follows them.
fn tree(text: &str) -> (Vec<Vec<String>>, &str) {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut found = Vec::new();
        loop {
            rest = rest.trim_start().trim_start_matches(',').trim_start();
            if let Some(rest) = rest.strip_prefix('}') {
                return (found, rest);
            }
            let (paths, after) = tree(rest);
            found.extend(paths);
            rest = after;
        }
    }
    let Some(name) = identifier(text) else { return (Vec::new(), text.get(1..).unwrap_or("")) };
    let rest = &text[name.len()..];
    let Some(below) = rest.strip_prefix("::") else { return (vec![vec![name]], rest) };
    let (paths, rest) = tree(below);
    let paths = if paths.is_empty() { vec![Vec::new()] } else { paths };
    (paths.into_iter().map(|path| [vec![name.clone()], path].concat()).collect(), rest)
}

/// The arrows between the files of each folder; its own file is called `mod`.
fn arrows_within(sources: &Sources) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
    let mut found = BTreeMap::<_, BTreeMap<_, BTreeSet<_>>>::new();
    for from in sources.0.keys() {
        for to in sources.arrows(from) {
            let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
            let name = |module: &Module| module.get(shared).cloned().unwrap_or("mod".to_owned());
            if *from != to {
                let arrows = found.entry(from[..shared].to_vec()).or_default();
                arrows.entry(name(from)).or_default().insert(name(&to));
            }
        }
    }
    found
}

/// What is left of a graph when everything is taken away that leads nowhere: its cycles, and what
/// leads to them.
fn cycles(arrows: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut left = arrows.clone();
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        for targets in left.values_mut() {
            targets.retain(|target| names.contains(target));
        }
        let before = left.len();
        left.retain(|_, targets| !targets.is_empty());
        if left.len() == before {
            return left;
        }
    }
}

#[test]
fn no_cycle_between_the_files_of_a_folder() {
    let mut found = BTreeMap::new();
    for (folder, arrows) in arrows_within(&Sources::read()) {
        let cycles = cycles(&arrows);
        if !cycles.is_empty() {
            found.insert(folder.join("/"), cycles);
        }
    }
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn arrows_are_found_through_re_exports_and_groups() {
    let sources = Sources::read();
    let to = |from: [&str; 2]| sources.arrows(&from.map(str::to_owned).to_vec());
    let reader = to(["table", "reader"]);
    for expected in
        [["table", "header"], ["table", "directory"], ["game", "rules"], ["layer", "index"]]
    {
        assert!(
            reader.contains(expected.map(str::to_owned).as_slice()),
            "{expected:?}: {reader:?}"
        );
    }
    let inner = "mod wide {\n    use super::{a, b::{self, C}};\n}\n\
                 use super::{x::Y, z};\nlet _ = self::f();\n";
    let words = |path: &[String]| path.join("::");
    let found: Vec<String> = paths(inner).iter().map(|path| words(path)).collect();
    assert_eq!(found, ["super::x::Y", "super::z", "self::f"]);
}

#[test]
fn a_cycle_is_a_cycle() {
    let arrows = |pairs: &[(&str, &str)]| {
        let mut arrows = BTreeMap::<String, BTreeSet<String>>::new();
        for &(from, to) in pairs {
            arrows.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
        arrows
    };
    assert!(cycles(&arrows(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(cycles(&arrows(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])).len(), 3);
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
    for file in modules().iter().filter(|&room| room != "cli").flat_map(|room| files(room)) {
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
    // Rooms that not every choice of features has are no links.
    let room = |line: &str| {
        let name = line.strip_prefix("//! | ")?.trim_start_matches('[').strip_prefix('`')?;
        Some(name.split_once('`')?.0.to_owned())
    };
    assert_eq!(front.lines().filter_map(room).collect::<Vec<_>>(), modules());
}

#[test]
fn the_reader_of_sources_finds_what_it_looks_for() {
    let code = shipped(
        "//! [`crate::layer::stats`]\nuse crate::{board::{Board, Side}, moves};\n\
         #[cfg(test)]\nmod tests {\n    use crate::probe;\n}\nlet _ = crate::score::Score::ZERO;\n",
    );
    assert_eq!(named(&code), ["board", "moves", "score"]);
}

/// Every block of unsafe code outside the vector kernels is named on the page of the guide.
#[test]
fn unsafe_blocks_are_those_that_the_guide_names() {
    let page = source("guide/soundness.md");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `src/")?.split('|').map(str::trim);
        let file = cells.next()?.trim_end_matches('`').to_owned();
        Some((file, cells.next()?.parse().ok()?))
    };
    let named: BTreeMap<String, usize> = page.lines().filter_map(row).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    for path in modules().iter().flat_map(|module| files(module)) {
        let name = path.strip_prefix(&root).expect("under src").display().to_string();
        let is_kernel = ["simd/", "solver/kernel/"].iter().any(|room| name.starts_with(room));
        if path.extension().is_some_and(|kind| kind == "rs") && !is_kernel {
            let blocks = shipped(&source(&path)).matches("unsafe {").count();
            found.extend((blocks > 0).then_some((name, blocks)));
        }
    }
    assert_eq!(named, found);
    assert!(found.values().sum::<usize>() <= 10);
}
