//! Directories of tables to ask.

use std::fs;

use tempfile::TempDir;

pub use super::copies::{Contents, contents, directory, files, seeds_of};
use super::{Run, copies, oware};

/// A directory with the tables of a sheet, which may have options behind it: copies of those that
/// were built before, and no layer is built twice.
pub fn built(rules: &str, seeds: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    copies::put_tables(&dir, rules, seeds, |place| {
        let words = format!("build --quiet --rules {rules} --seeds {seeds} --out DIR");
        let run = within(place, &words);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    });
    dir
}

/// Runs `oware` with these words, `DIR` standing for the directory.
pub fn within(dir: &TempDir, words: &str) -> Run {
    oware(&words.replace("DIR", &dir.path().display().to_string()))
}

/// The megabytes with which two threads can build so many layers at least; the scores of the last
/// are on disk then.
pub fn least_memory(rules: &str, seeds: usize, words: &str) -> usize {
    let dir = tempfile::tempdir().expect("a directory");
    let dry_run = |megabytes: usize| {
        let words = format!("{words} --rules {rules} --seeds {seeds} --memory {megabytes}M");
        within(&dir, &format!("build --json --dry-run --threads 2 {words} --out DIR/new"))
    };
    let (mut too_little, mut least) = (49, 400);
    while too_little + 1 < least {
        let between = usize::midpoint(too_little, least);
        match dry_run(between).code {
            0 => least = between,
            _ => too_little = between,
        }
    }
    let first = dry_run(least).json()["scores_on_disk_from"].as_u64();
    assert!(first.expect("a layer on disk") <= seeds as u64);
    least
}

/// Tables to 3 seeds in `low`, and from 3 to 5 in `high`, where the third is no table.
#[cfg(unix)]
fn divided() -> TempDir {
    let dir = built("abapa", 5);
    let at = |name: &str| dir.path().join(name);
    for (part, layers) in [("low", 0..=3), ("high", 4..=5)] {
        fs::create_dir(at(part)).expect("made");
        for layer in layers {
            let name = format!("abapa-0{layer}.oware");
            fs::rename(at(&name), at(part).join(name)).expect("moved");
        }
    }
    fs::write(at("high/abapa-03.oware"), "no table").expect("written");
    dir
}

/// However they are named; of a layer that both have the first one counts.
#[cfg(unix)]
#[test]
fn several_directories_are_asked_as_one() {
    let (dir, whole) = (divided(), built("abapa", 5));
    let query = "query --json 0 0 0 0 1 2  1 0 0 0 1 0 --tables";
    let expected = within(&whole, &format!("{query} DIR")).out;
    for words in ["DIR/low:DIR/high", "DIR/low --tables DIR/high", "DIR/low:DIR/none:DIR/high"] {
        assert_eq!(within(&dir, &format!("{query} {words}")).out, expected, "{words}");
    }
    let swapped = within(&dir, "stats --json --tables DIR/high:DIR/low");
    assert!(swapped.json_error(1, "corrupt_table").contains("high/abapa-03.oware"));

    let both = "--tables DIR/low:DIR/high";
    for words in ["stats --json", "check --json --proof"] {
        let found = within(&dir, &format!("{words} {both}"));
        assert_eq!(found.out, within(&whole, &format!("{words} --tables DIR")).out, "{words}");
    }
    assert!(within(&dir, &format!("check --manifest {both}")).error(2).contains("one directory"));
    assert!(within(&dir, &format!("build {both}")).error(2).contains("written to one directory"));
    let missing = "query 0 0 0 0 1 2  1 0 0 0 1 5";
    let said = within(&dir, &format!("{missing} {both}")).error(1).to_owned();
    let place = dir.path().display();
    assert!(said.contains(&format!("in {place}/low:{place}/high; ")), "{said}");
    assert!(said.contains(&format!("--seeds 10 --tables {place}/low` builds it")), "{said}");

    let commands = format!(
        "setoption name TablesPath value {place}/low:{place}/high\n\
         position fen 0-0-0-0-1-2-1-0-0-0-1-0-21-22-S\ngo depth 1\n"
    );
    let said = super::oware_fed("engine --no-tables", commands.as_bytes()).out;
    assert!(said.starts_with("info string tables of `abapa` for 0 to 5 seeds\n"), "{said}");
    assert!(said.contains(" tbhits 1 "), "{said}");

    // A directory of such a name is itself.
    fs::rename(dir.path().join("low"), dir.path().join("low:high")).expect("moved");
    let said = within(&dir, "stats --json --tables DIR/low:high").json();
    assert_eq!(said["layers"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_directory_above_the_tables_gets_a_hint() {
    let dir = built("abapa", 3);
    for (below, hint) in [("oware/tables", "above/oware/tables"), ("abapa", "above/abapa")] {
        let place = dir.path().join("above").join(below);
        fs::create_dir_all(&place).expect("made");
        let name = "abapa-03.oware";
        fs::copy(dir.path().join(name), place.join(name)).expect("copied");
        let hint = format!("`--tables {}/{hint}` has some", dir.path().display());
        for words in
            ["query 0 0 0 0 0 1  0 0 0 0 0 2 --tables DIR/above", "stats --tables DIR/above"]
        {
            let said = within(&dir, words).error(1).to_owned();
            assert!(said.ends_with(&hint) && said.contains("no abapa table"), "{said}");
        }
        fs::write(dir.path().join("games"), "0 0 0 0 0 1  0 0 0 0 0 2 moves F\n").expect("written");
        let judging = within(&dir, "verify --tables DIR/above --games DIR/games");
        assert!(judging.err.contains(&hint), "{}", judging.err);
        let words = format!("engine --tables {}/above", dir.path().display());
        assert!(super::oware_fed(&words, b"uci\n").out.contains(&hint));
        let batch = words.replace("engine", "query --batch");
        assert!(super::oware_fed(&batch, b"0 0 0 0 0 1  0 0 0 0 0 2\n").err.contains(&hint));
        // Of another sheet there are none.
        let said = within(&dir, "stats --rules awari --tables DIR/above");
        assert!(said.error(1).contains("`oware build --rules awari"), "{}", said.err);
    }
}
