//! The README and the guide keep their word: each command in them exists, and every console block
//! prints what it shows.
//!
//! After a change of what commands print, `OWARE_README=write cargo test --release --test readme --
//! --test-threads=1` puts the new output in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
#[cfg(unix)]
use rayon::prelude::*;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How many bytes the README may have: more is not read.
const README_LENGTH: usize = 10_000;

/// Returns the README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let guide = std::fs::read_dir(Path::new(ROOT).join("src/guide")).expect("a guide");
    let files = guide.map(|entry| entry.expect("a file").path());
    let mut pages: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages.insert(0, Path::new(ROOT).join("README.md"));
    pages
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn both_set_up_commands_stand_there_word_for_word() {
    let text = text(&Path::new(ROOT).join("README.md"));
    for command in ["cargo run --release -- build", "cargo test --release"] {
        assert!(
            text.lines().any(|line| line == command),
            "`{command}` is not a line of the README"
        );
    }
}

#[test]
fn readme_is_short() {
    let length = text(&Path::new(ROOT).join("README.md")).len();
    assert!(length <= README_LENGTH, "{length} bytes");
}

/// Returns the commands that a text names: the words behind `oware`.
fn named(text: &str) -> BTreeSet<String> {
    let mut words = text.split(|c: char| c.is_whitespace() || "`;|()'".contains(c)).peekable();
    let mut named = BTreeSet::new();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        let plain = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        if word == "oware" && plain(next) {
            named.insert(next.to_owned());
        }
    }
    named
}

#[test]
fn every_command_that_is_named_exists() {
    let mut named: BTreeSet<String> = pages().iter().flat_map(|path| named(&text(path))).collect();
    assert!(named.contains("build") && named.contains("query"), "{named:?}");
    if !cfg!(feature = "serve") {
        named.remove("serve");
        named.remove("page");
    }
    for command in named {
        assert!(help(&command).is_some(), "there is no `oware {command}`");
    }
}

/// Returns what a command says of itself; `None` if it does not exist.
fn help(command: &str) -> Option<String> {
    let mut oware = Command::new(cargo_bin("oware"));
    let help = oware.args([command, "--help"]).output().expect("it runs");
    help.status.success().then(|| String::from_utf8(help.stdout).expect("text"))
}

/// Options of other programs and of scripts that the pages name.
#[cfg(feature = "serve")]
const FOREIGN: [&str; 21] = [
    "--lib",
    "--no-default-features",
    "--target-dir",
    "--target",
    "--directory",
    "--cflags",
    "--libs",
    "--build-arg",
    "--features",
    "--figure",
    "--manifest-path",
    "--rm",
    "--data-binary",
    "--example",
    "--open",
    "--path",
    "--profile",
    "--release",
    "--bench",
    "--bind-to",
    "--write",
];

#[cfg(feature = "serve")]
#[test]
fn every_option_that_is_named_exists() {
    let commands = pages().iter().flat_map(|path| named(&text(path))).collect::<BTreeSet<_>>();
    let known: String = commands.iter().filter_map(|command| help(command)).collect();
    for path in pages() {
        let text = text(&path);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let is_option = |word: &str| {
            word.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic))
        };
        for option in words.filter(|word| is_option(word)) {
            let known = [' ', '\n'].iter().any(|end| known.contains(&format!("{option}{end}")));
            assert!(known || FOREIGN.contains(&option), "{}: {option}", path.display());
        }
    }
}

#[test]
fn every_script_is_described_and_every_described_script_exists() {
    let page = text(&Path::new(ROOT).join("src/guide/scripts.md"));
    let scripts = std::fs::read_dir(Path::new(ROOT).join("scripts")).expect("scripts");
    for script in scripts {
        let name = script.expect("a file").file_name().into_string().expect("UTF-8");
        assert!(page.contains(&format!("`scripts/{name}")), "`scripts/{name}` is not described");
    }
    for path in pages() {
        let text = text(&path);
        let named = text.split(|c: char| c.is_whitespace() || "`(),;".contains(c));
        for script in named.filter(|word| word.starts_with("scripts/")) {
            let script = script.trim_end_matches(['.', ':']);
            assert!(Path::new(ROOT).join(script).is_file(), "{}: {script}", path.display());
        }
    }
}

#[test]
fn links_to_files_lead_to_files() {
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
        let text = text(&Path::new(ROOT).join(name));
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("http")) {
            let file = target.split('#').next().unwrap_or_default();
            assert!(Path::new(ROOT).join(file).exists(), "{name}: {target}");
        }
    }
}

/// The pages of sources that rustdoc makes are named after the sources.
#[test]
fn links_to_sources_lead_to_sources() {
    let mut links = 0;
    for path in pages() {
        let text = text(&path);
        for link in text.split("/src/oware_db/").skip(1) {
            let source = link.split(".html").next().unwrap_or_default();
            assert!(Path::new(ROOT).join("src").join(source).is_file(), "{source}");
            links += 1;
        }
    }
    assert!(links > 0);
}

#[test]
fn every_page_is_in_the_guide() {
    let guide = text(&Path::new(ROOT).join("src/guide/mod.rs"));
    for path in pages().iter().skip(1) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        assert!(guide.contains(&format!("include_str!(\"{name}\")")), "{name}");
    }
}

/// Returns what the shell prints on standard output for a command, in `dir`, with `oware` on its
/// path.
#[cfg(unix)]
fn printed(command: &str, dir: &Path) -> String {
    let binary = cargo_bin("oware");
    let path = format!(
        "{}:{}",
        binary.parent().expect("a directory").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(dir)
        .env("PATH", path)
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the text with each console block replaced by what its commands print.
#[cfg(unix)]
fn replayed(text: &str, dir: &Path) -> String {
    let mut replayed = String::new();
    let mut in_console = false;
    for line in text.lines() {
        match line {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ => {}
        }
        let command = line.strip_prefix("$ ").filter(|_| in_console);
        if !in_console || command.is_some() || line == "```console" {
            replayed += &format!("{line}\n");
        }
        if let Some(command) = command {
            replayed += &printed(command, dir);
        }
    }
    replayed
}

/// Compares a page with what its console blocks print, in a directory of its own.
#[cfg(unix)]
fn replay(path: &Path) {
    let (text, dir) = (text(path), tempfile::tempdir().expect("a directory"));
    let replayed = replayed(&text, dir.path());
    if std::env::var_os("OWARE_README").is_some_and(|wish| wish == "write") {
        // Another test may be at a page without console blocks.
        if replayed != text {
            std::fs::write(path, &replayed).expect("written");
        }
        return;
    }
    let different = text.lines().zip(replayed.lines()).find(|(shown, printed)| shown != printed);
    assert_eq!(different, None, "{}: (shown, printed)", path.display());
    assert_eq!(text, replayed, "{}", path.display());
}

#[cfg(unix)]
#[test]
fn console_blocks_print_what_they_show() {
    pages().par_iter().for_each(|path| replay(path));
}

/// The sections of the guide's page on JSON, and commands that print every field they name.
#[cfg(unix)]
const DOCUMENTS: [(&str, &[&str]); 14] = [
    (
        "oware build",
        &[
            "oware build --quiet --json --seeds 4 --repair",
            "oware build --dry-run --json --seeds 4",
            "oware build --dry-run --json --rules awari --seeds max --memory 8G --disk 1T",
        ],
    ),
    (
        "oware moves",
        &[
            "oware moves --json '0 0 0 0 0 1  1 0 0 0 0 1'",
            "oware moves --json '0 0 0 0 1 0  0 0 0 0 0 0'",
        ],
    ),
    (
        "oware query",
        &[
            "oware query --json --explain 0-0-1-0-1-0-0-0-0-0-0-1-20-25-S",
            "oware query --json 0-0-1-0-1-0-0-0-0-0-0-1-20-20-S",
            "oware query --json '0 0 1 0 0 0  0 1 0 0 1 1'",
            "oware query --json --estimate '4 3 2 1 0 0  0 0 0 0 0 1'",
        ],
    ),
    ("oware perft", &["oware perft --json --depth 1"]),
    (
        "oware stats",
        &[
            "oware stats --json",
            "oware build --quiet --seeds 8 --tables eight && \
             oware stats --extremes --json --tables eight",
            "oware build --quiet --rules masters-drawn --seeds 2 --tables drawn && \
             oware stats --knots --json --rules masters-drawn --tables drawn",
            "oware build --quiet --rules nam-nam --owners mmmmmmmooooo --seeds 4 --tables ring && \
             oware stats --json --rules nam-nam --tables ring",
            "oware build --quiet --rules bao-kujifunza-4x2 --seeds 2 --tables small && \
             oware stats --json --rules bao-kujifunza-4x2 --tables small",
        ],
    ),
    (
        "oware rounds",
        &[
            "oware rounds --json",
            "oware rounds --json mmmmmmmooooo",
            "oware rounds --json | grep -o '[mo]\\{12\\}' | while read -r owners; do \
             echo $owners leader 8; echo $owners other 8; done | \
             grep -v 'mmmmmmoooooo other' > scores.txt; oware rounds --json --scores scores.txt",
        ],
    ),
    ("oware export", &["oware export --json --format csv --seeds 1 --out texts"]),
    ("oware dataset", &["oware dataset --json --format npy --rows 100 --out rows"]),
    (
        "oware puzzles",
        &["oware build --quiet --seeds 8 --tables eight && \
             oware puzzles --json --count 4 --tables eight"],
    ),
    ("oware index", &["oware index --json 0 0 0 0 0 1  1 0 0 0 0 1"]),
    (
        "oware check",
        &[
            "oware check --json --write-manifest --sample 1 --proof --playout 1",
            "oware check --json --tables broken",
            "oware build --quiet --rules awari --seeds 1 --tables vu && \
             oware export --rules awari --format vu --seeds 1 --tables vu --out vu > vu.txt && \
             oware check --json --tables vu --vu vu",
        ],
    ),
    (
        "oware verify",
        &[
            "oware verify --json --games games.txt",
            "oware build --quiet --rules awari --seeds 2 --tables asked && \
             oware verify --json --rules awari --tables asked --sample 4 --go 'nodes 100' \
             --engine 'oware engine --no-tables --rules awari'",
        ],
    ),
    ("oware annotate", &["oware annotate --json games.txt"]),
    (
        "oware match",
        &["echo 0-0-1-0-1-0-2-0-0-0-0-1-20-21-S > openings.txt && \
          echo 'while read -r l; do case $l in uci) echo uciok;; isready) echo readyok;; \
          go*) exit 3;; esac; done' > quitter.sh && \
          oware match --json --openings openings.txt --depth 1 --sprt 0,5 \
          --engine 'sh quitter.sh' --engine 'oware engine --no-tables'"],
    ),
];

/// Tables to four seeds, one of them damaged, another set that is damaged for good, and games: a
/// good one, one that cannot be read, and one that does not end as it says.
#[cfg(unix)]
const PREPARED: &str = "oware build --quiet --seeds 4 && cp -r tables broken && \
    echo 1 >> tables/abapa-04.oware && echo 1 >> broken/abapa-04.oware && \
    echo '1 0 0 0 1 0  0 0 0 1 0 1 moves E' > games.txt && echo 'startpos X' >> games.txt && \
    echo '[FEN \"1-0-0-0-0-1-1-0-0-0-0-3-24-18-S\"]' >> games.txt && \
    echo '[North \"B\"] [Result \"0-1\"]' >> games.txt && echo 'F+2' >> games.txt";

/// Returns the fields that a section names: what stands in backticks and is a lower-case word.
#[cfg(unix)]
fn fields(section: &str) -> BTreeSet<&str> {
    let prose =
        section.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let is_field = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    prose.filter(is_field).collect()
}

#[cfg(unix)]
#[test]
fn documents_have_the_fields_that_the_guide_names() {
    let page = text(&Path::new(ROOT).join("src/guide/json.md"));
    let dir = tempfile::tempdir().expect("a directory");
    assert_eq!(printed(PREPARED, dir.path()), "");
    for (title, commands) in DOCUMENTS {
        let (_, section) = page.split_once(&format!("## `{title}`\n")).expect("a section");
        let section = section.split("\n## ").next().expect("a section");
        let found: String = commands.iter().map(|command| printed(command, dir.path())).collect();
        for field in fields(section) {
            assert!(found.contains(&format!("\"{field}\":")), "{title}: {field} in {found}");
        }
    }
}

/// What the guide shows as the answer to a request is the answer.
#[cfg(all(unix, feature = "serve"))]
mod http {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Stdio};

    use super::*;

    /// A server that ends with the test.
    struct Server(Child);

    impl Drop for Server {
        fn drop(&mut self) {
            self.0.kill().expect("it can be ended");
            self.0.wait().expect("it ends");
        }
    }

    /// Starts `oware serve` in `dir` and returns its address, too.
    fn serve(dir: &Path) -> (Server, String) {
        let mut server = Command::new(cargo_bin("oware"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut address = String::new();
        let mut printed = BufReader::new(server.stdout.take().expect("a pipe"));
        printed.read_line(&mut address).expect("an address");
        (Server(server), address.trim_end().to_owned())
    }

    fn fetched(url: &str) -> String {
        let mut answer = ureq::get(url).call().expect("an answer");
        answer.body_mut().read_to_string().expect("text")
    }

    #[test]
    fn the_answer_shown_is_the_answer() {
        let path = Path::new(ROOT).join("src/guide/http.md");
        let page = text(&path);
        let dir = tempfile::tempdir().expect("a directory");
        assert_eq!(printed("oware build --quiet --seeds 3", dir.path()), "");
        let (_server, address) = serve(dir.path());
        let (before, rest) = page.split_once("```json\n").expect("an answer");
        let (shown, after) = rest.split_once("```\n").expect("its end");
        let url = before.rsplit("curl '").next().and_then(|rest| rest.split('\'').next());
        let url = url.expect("a request").replace("http://127.0.0.1:8048", &address);
        let answer = format!("{}\n", fetched(&url));
        if std::env::var_os("OWARE_README").is_some_and(|wish| wish == "write") {
            std::fs::write(&path, format!("{before}```json\n{answer}```\n{after}"))
                .expect("written");
            return;
        }
        assert_eq!(shown, answer);
    }
}
