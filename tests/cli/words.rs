//! Errors and sizes in the words of the program.

use std::path::Path;

use oware_db::error::Error;
use oware_db::game::{AWARI, Seeds};
use oware_db::json::words::{parse_bytes, with_command};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{WriteOptions, write};

fn missing(dir: impl AsRef<Path>, id: &str, seeds: usize, owners: Option<String>) -> Error {
    Error::MissingTable { dir: dir.as_ref().into(), rules: id.into(), seeds, owners }
}

#[test]
fn bytes_are_read() {
    for (text, count) in [
        ("8G", 8_000_000_000),
        ("500M", 500_000_000),
        ("1.5 GiB", 1_610_612_736),
        ("2ki", 2048),
        ("7kb", 7000),
        ("12", 12),
        ("3 B", 3),
    ] {
        assert_eq!(parse_bytes(text), Ok(count), "{text}");
    }
    for text in ["", "G", "-1", "8X", "1.2.3", "8 G G", "½"] {
        assert!(parse_bytes(text).is_err(), "{text}");
    }
}

#[test]
fn a_damaged_table_is_reported_with_its_remedy() {
    for (path, remedy) in [
        ("my tables/awari-08.oware", "`oware build --repair --rules awari --tables 'my tables'`"),
        (
            "here/nam-nam-mmmmmmmooooo-08.oware",
            "`oware build --repair --rules nam-nam --owners mmmmmmmooooo --tables here`",
        ),
        (
            "of/mine/plain-opposite-07.oware",
            "`oware build --repair --rules plain-opposite --tables of/mine`",
        ),
        ("awari-07.oware", "`oware build --repair --rules awari --tables .`"),
        ("table in memory", "`oware build --repair`"),
    ] {
        let corrupt = Error::CorruptTable { path: path.into(), what: "it is empty".to_owned() };
        let corrupt = with_command(&corrupt);
        assert_eq!(corrupt, format!("{path}: it is empty; {remedy} rebuilds it"));
        let foreign = Error::WrongVersion { path: path.into(), found: 9, known: 2 };
        let foreign = with_command(&foreign);
        assert!(foreign.starts_with(path) && foreign.contains(remedy), "{foreign}");
    }
}

#[test]
fn remedies_say_which_games_tables_decide() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Seeds::new(3).unwrap());
    let mut solver = Solver::new(&AWARI, Kernel::best()).for_games_of(Some(game));
    let mut layers = InMemory::default();
    for seeds in game.up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    write(dir.path(), &AWARI, &*layers.layers()[3], WriteOptions::default()).unwrap();
    let (dir, rules) = (dir.path().to_owned(), "awari".to_owned());
    let missing = |seeds| missing(&dir, "awari", seeds, None);
    let (path, what) = (dir.join("awari-02.oware"), "it is empty".to_owned());
    for (error, command) in [
        (missing(2), "--rules awari --seeds 2 --game-seeds 3 --tables"),
        (missing(4), "--rules awari --seeds 4 --force --tables"),
        (Error::CorruptTable { path, what }, "--repair --rules awari --game-seeds 3 --tables"),
        (
            Error::MissingStrategy { dir: dir.clone(), rules: rules.clone(), seeds: 3 },
            "--force --rules awari --seeds 3 --game-seeds 3 --tables",
        ),
    ] {
        let said = with_command(&error);
        assert!(said.contains(&format!("`oware build {command} {}`", dir.display())), "{said}");
    }
}

#[test]
fn users_read_commands_and_sizes() {
    for (error, message) in [
        (
            missing("there", "awari", 7, None),
            "no awari table for 7 seeds in there; `oware build --rules awari --seeds 7 \
             --tables there` builds it; --dry-run shows what that takes",
        ),
        (
            missing("there", "nam-nam", 5, Some("mmmmmmmooooo".to_owned())),
            "no nam-nam table for 5 seeds and owners mmmmmmmooooo in there; `oware build \
             --rules nam-nam --seeds 5 --owners mmmmmmmooooo --tables there` builds it; \
             --dry-run shows what that takes",
        ),
        (
            Error::MissingStrategy { dir: "there".into(), rules: "awari".into(), seeds: 7 },
            "the awari table for 7 seeds in there holds no strategy; `oware build --force \
             --rules awari --seeds 7 --tables there` without --no-strategy rebuilds it with \
             one",
        ),
        (
            Error::TooLittleMemory { seeds: 9, needed: 1_500_000, allowed: 20, possible: None },
            "the layer of 9 seeds needs 1.50 MB of memory, but only 20 B are allowed; \
             raise --memory or build fewer seeds",
        ),
        (
            Error::TooLittleMemory {
                seeds: 9,
                needed: 45_000_001,
                allowed: 45_000_000,
                possible: None,
            },
            "the layer of 9 seeds needs 45000001 B of memory, but only 45000000 B are allowed; \
             raise --memory or build fewer seeds",
        ),
        (
            Error::TooLittleDisk {
                dir: "there".into(),
                needed: 12_300_000_000,
                free: 1_000,
                possible: Some(9),
            },
            "the build needs about 12.3 GB in there, but only 1.00 KB are free; \
             choose another directory or build fewer seeds: `--seeds 9` is possible",
        ),
        (
            Error::OutOfMemory { bytes: 1_500_000 },
            "could not allocate 1.50 MB; close other programs, or lower --memory if the command \
             has it",
        ),
        (
            Error::Interrupted,
            "interrupted; finished layers are kept, run the same command again to continue",
        ),
        (Error::Stopped, "interrupted"),
    ] {
        assert_eq!(with_command(&error), message);
    }
}
