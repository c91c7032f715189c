//! `oware build --dry-run` for machines that are not there.

use serde_json::Value;

use super::Run;
use super::tables::{built, files, within};

/// More memory than any machine that runs this has.
const LARGE: &str = "--memory 4000T";

/// What is solved soonest where a speed is measured that does not matter.
const FAST: &str = "--rules awari --no-strategy";

fn dry_run(words: &str) -> Run {
    let dir = tempfile::tempdir().expect("a directory");
    let run = within(&dir, &format!("build --dry-run --tables DIR/new {words}"));
    assert!(files(dir.path()).is_empty());
    run
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn layers(said: &Value) -> &[Value] {
    said["layers"].as_array().expect("layers")
}

#[test]
fn a_machine_that_is_not_there_is_forecast_layer_by_layer() {
    let said = dry_run(&format!("--json --seeds 48 {LARGE} --threads 16 --disk 2T {FAST}")).json();
    assert_eq!(layers(&said).len(), 49);
    for (seeds, layer) in layers(&said).iter().enumerate() {
        assert_eq!(layer["seeds"], seeds);
        assert!(["memory", "disk", "seconds"].iter().all(|field| number(&layer[field]) > 0.0));
    }
    let each = |field: &str| layers(&said).iter().map(|layer| number(&layer[field])).collect();
    let (memory, seconds): (Vec<f64>, Vec<f64>) = (each("memory"), each("seconds"));
    assert_eq!(number(&said["memory"]), memory.into_iter().fold(0.0, f64::max));
    assert!((number(&said["seconds"]) / seconds.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(number(&said["disk_free"]), 2e12);
}

#[test]
fn what_is_not_said_of_a_machine_does_not_matter() {
    let run = dry_run(&format!("--seeds 48 {LARGE} --threads 1024"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for words in ["1024 threads, taken from", "measured just now on", "\n     48  203648015935 "] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    let said = dry_run(&format!("--json --seeds 48 {LARGE} {FAST}")).json();
    assert!(said["disk_free"].is_null(), "{said}");
    // To measure would take longer than the build.
    let short = dry_run("--seeds 2 --disk 2T").out;
    assert!(short.contains("assuming 10 million positions a second"), "{short}");
}

/// Whether the forecast is for here or for a machine with another disk.
#[test]
fn memory_is_three_quarters_of_what_is_free_unless_it_is_given() {
    let dry_run = |words: &str| dry_run(&format!("--json --seeds 2 {FAST} {words}")).json();
    let [here, there] = ["", "--disk 2T"].map(|words| number(&dry_run(words)["memory_allowed"]));
    assert!((there / here - 1.0).abs() < 0.2, "{here} {there}");
}

#[test]
fn a_machine_that_is_too_small_is_refused_wherever_it_is() {
    let small = dry_run("--seeds 40 --memory 4000T --disk 1G");
    assert!(small.error(1).contains("1.00 GB are free"), "{}", small.err);
    let small = dry_run("--seeds 48 --memory 100M --disk 9T");
    assert!(small.error(2).contains("is possible"), "{}", small.err);
    let dir = built("awari", 2);
    assert!(within(&dir, "build --seeds 3 --disk 2T --tables DIR").error(2).contains("--dry-run"));
    let other = "build --rules nam-nam --seeds 2 --dry-run --disk 2T --tables DIR";
    assert!(within(&dir, other).error(2).contains("--disk"));
}

#[test]
fn how_large_one_can_go_is_a_table() {
    let said = dry_run(&format!("--json --seeds max --disk 2T {FAST}")).json();
    let reaches = said["reaches"].as_array().expect("sizes");
    let memory = |reach: &Value| number(&reach["memory_allowed"]);
    assert!(reaches.iter().map(memory).eq([8e9, 16e9, 32e9, 64e9, 128e9]));
    for reach in reaches {
        let [near, far] = ["in_memory", "on_disk"].map(|kind| &reach[kind]);
        assert!(number(&near["memory"]) <= memory(reach), "{reach}");
        assert!(number(&near["seeds"]) <= number(&far["seeds"]), "{reach}");
        assert!(number(&near["seconds"]) <= number(&far["seconds"]), "{reach}");
    }
    let seeds = |reach: &Value| number(&reach["in_memory"]["seeds"]);
    assert!(reaches.is_sorted_by(|one, other| seeds(one) < seeds(other)), "{reaches:?}");
    // What it says of a machine is what a build there is told.
    let seeds = seeds(&reaches[3]);
    let words = format!("--seeds {seeds} --memory 64G --disk 2T {FAST}");
    let build = dry_run(&format!("--json {words}")).json();
    assert!(build["scores_on_disk_from"].is_null(), "{build}");
    assert_eq!(build["disk"], reaches[3]["in_memory"]["disk"]);
    let run = dry_run(&format!("--seeds max --memory 64G --disk 2T {FAST}"));
    let row = run.out.lines().last().expect("a row").split_whitespace();
    assert!(row.take(3).eq(["64.0", "GB", seeds.to_string().as_str()]), "{}", run.out);
}
