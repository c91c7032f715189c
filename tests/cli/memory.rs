//! The bound that `--memory` sets is one of all memory that the program holds.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use super::command;
use super::control_group::ControlGroup;
use super::peak::peak_memory;
use super::tables::{Contents, built, contents, directory, files, least_memory, seeds_of};

const STRATEGIES: [&str; 2] = ["", "--no-strategy"];

/// With no more than what is needed at least, from nothing and from tables of lower layers.
#[test]
fn keeps_to_its_memory() {
    let sheets = ["awari", "abapa"].iter();
    for (rules, strategy) in sheets.flat_map(|rules| STRATEGIES.map(|strategy| (rules, strategy))) {
        let words = format!("build --quiet --rules {rules} --seeds 16 --threads 2 {strategy}");
        let least = least_memory(rules, 16, strategy);
        for dir in [tempfile::tempdir().expect("a directory"), built(rules, 14)] {
            let (words, from) = (format!("{words} --memory {least}M"), files(dir.path()).len());
            let peak = peak_memory(command(&words).arg("--out").arg(dir.path()));
            let bound = least as u64 * 1_000_000;
            assert!(peak <= bound, "{rules} {strategy} from {from}: {peak} of {bound} bytes");
            assert!(peak > bound / 2, "a bound that nothing comes near to: {peak}, {bound}");
        }
    }
}

/// Counting all boards reads tables back, and puts aside what does not fit.
#[test]
fn keeps_to_its_memory_with_all_boards() {
    let dir = directory(&ABAPA.0);
    let counted = |words: &str, bound: u64| {
        let mut stats = command(&format!("stats --rules abapa --all-boards --json {words}"));
        stats.args(["--memory", &bound.to_string(), "--tables"]).arg(dir.path());
        let peak = peak_memory(&mut stats);
        assert!(peak <= bound, "{words}: {peak} of {bound} bytes");
        peak
    };
    let plenty = counted("", 8_000_000_000);
    let bound = plenty / 2;
    counted("", bound);
}

/// A build that has nothing on disk: its tables, and the most memory that it held.
fn in_memory(words: &str) -> (Contents, u64) {
    let dir = tempfile::tempdir().expect("a directory");
    let peak = peak_memory(command(words).args(["--memory", "64G", "--out"]).arg(dir.path()));
    (contents(dir.path()), peak)
}

fn build(rules: &str, seeds: usize) -> String {
    format!("build --quiet --no-strategy --rules {rules} --threads 2 --seeds {seeds}")
}

/// That of large layers, for all tests.
static ABAPA: LazyLock<(Contents, u64)> = LazyLock::new(|| in_memory(&build("abapa", 17)));

/// Builds within so many bytes, and fails if that was not to be had. The system refuses what is
/// more: in a control group all that is more, files in its cache included; where none can be made
/// what is more and not in files, by a little (for it counts what is reserved).
fn within_bound(words: &str, dir: &Path, bytes: u64) {
    let (oware, group) = (command("").get_program().to_owned(), ControlGroup::with_memory(bytes));
    let mut limited = match &group {
        Some(group) => group.entered(&oware),
        None => {
            let mut shell = Command::new("sh");
            let most = ((bytes + 32_000_000) / 1024).to_string();
            shell.args(["-c", r#"ulimit -d "$0" && exec "$@""#, &most]).arg(oware);
            shell
        }
    };
    limited.args(words.split_whitespace()).args(["--memory", &bytes.to_string(), "--out"]);
    let peak = peak_memory(limited.arg(dir));
    assert!(peak <= bytes, "{words}: {peak} of {bytes} bytes");
}

/// From nothing, and from tables of lower layers. Scores of all layers take much more than
/// the bound, so what is in memory of them is not hidden behind what the program takes anyway.
#[test]
fn keeps_to_a_hard_limit() {
    let awari = in_memory(&build("awari", 18));
    for (rules, seeds, below, (free, peak)) in
        [("awari", 18, None, &awari), ("abapa", 17, Some(16), &*ABAPA)]
    {
        let bound = least_memory(rules, seeds, "--no-strategy") as u64 * 1_000_000;
        assert!(*peak > bound / 2 * 3, "a bound that is none: {peak}, {bound}");
        let dir = directory(free.iter().filter(|(name, _)| Some(seeds_of(name)) <= below));
        within_bound(&build(rules, seeds), dir.path(), bound);
        assert!(contents(dir.path()) == *free, "{rules}");
    }
}

/// The same for layers that are large beside the program, with half and a quarter of what they take
/// in memory. That takes minutes.
#[test]
#[ignore = "takes minutes"]
fn keeps_to_half_and_a_quarter_to_22_seeds() {
    for rules in ["awari", "abapa"] {
        let build = build(rules, 22);
        let (free, peak) = in_memory(&build);
        for bound in [peak / 2, peak / 4] {
            let dir = tempfile::tempdir().expect("a directory");
            within_bound(&build, dir.path(), bound);
            assert!(contents(dir.path()) == free, "{rules}");
        }
    }
}
