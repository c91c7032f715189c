//! The README keeps its word: each command in it exists, and the tour prints what it shows.
//!
//! After a change of what commands print, `OWARE_README=write cargo test --release --test readme`
//! puts the new output in.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

fn readme() -> String {
    std::fs::read_to_string(README).expect("a README")
}

#[test]
fn both_set_up_commands_stand_there_word_for_word() {
    let text = readme();
    for command in ["cargo run --release -- build", "cargo test --release"] {
        assert!(
            text.lines().any(|line| line == command),
            "`{command}` is not a line of the README"
        );
    }
}

#[test]
fn every_command_that_is_named_exists() {
    let text = readme();
    let mut words = text.split(|c: char| c.is_whitespace() || "`;|()".contains(c)).peekable();
    let mut named = std::collections::BTreeSet::new();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        let plain = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        if word == "oware" && plain(next) {
            named.insert(next.to_owned());
        }
    }
    assert!(named.contains("build") && named.contains("query"), "{named:?}");
    if !cfg!(feature = "serve") {
        named.remove("serve");
    }
    for command in named {
        let help =
            Command::new(cargo_bin("oware")).args([&command, "--help"]).output().expect("it runs");
        assert!(help.status.success(), "there is no `oware {command}`");
    }
}

/// What the shell prints on standard output for a command, in `dir`, with `oware` on its path.
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

/// The text with each block of the tour replaced by what its commands print.
#[cfg(unix)]
fn replayed(text: &str, dir: &Path) -> String {
    let (mut replayed, mut in_tour) = (String::new(), false);
    for line in text.lines() {
        match line {
            "```console" => in_tour = true,
            "```" => in_tour = false,
            _ => {}
        }
        let command = line.strip_prefix("$ ");
        if !in_tour || command.is_some() || line == "```console" {
            replayed += &format!("{line}\n");
        }
        if let (true, Some(command)) = (in_tour, command) {
            replayed += &printed(command, dir);
        }
    }
    replayed
}

#[cfg(unix)]
#[test]
fn the_tour_prints_what_it_shows() {
    let (text, dir) = (readme(), tempfile::tempdir().expect("a directory"));
    let replayed = replayed(&text, dir.path());
    if std::env::var_os("OWARE_README").is_some_and(|wish| wish == "write") {
        std::fs::write(README, &replayed).expect("written");
        return;
    }
    let different = text.lines().zip(replayed.lines()).find(|(shown, printed)| shown != printed);
    assert_eq!(different, None, "(shown, printed)");
    assert_eq!(text, replayed);
}
