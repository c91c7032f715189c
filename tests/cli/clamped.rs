//! Tables that keep what decides games of N seeds: `oware build --game-seeds`.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use super::tables::{built, within};
use super::{Run, command, oware, oware_on};

/// A directory of `awari` to 10 seeds for games of 12.
fn clamped() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    let said =
        oware(&format!("build --quiet --rules awari --seeds 10 --game-seeds 12 --tables {path}"));
    assert_eq!(said.code, 0, "{}", said.err);
    dir
}

fn asked(dir: &tempfile::TempDir, command: &str) -> Run {
    oware(&format!("{command} --rules awari --tables {}", dir.path().display()))
}

#[test]
fn figures_are_those_of_full_tables_clamped() {
    let (dir, full) = (clamped(), built("awari", 10));
    let clamped = asked(&dir, "stats --json").json();
    let full = within(&full, "stats --json --rules awari --tables DIR").json();
    let layers = |said: &Value| said["layers"].as_array().unwrap().clone();
    for (seeds, (clamped, full)) in layers(&clamped).iter().zip(layers(&full)).enumerate() {
        let end = 13 - seeds as i64;
        let range = (end < seeds as i64).then_some(end);
        assert_eq!(clamped["range"], Value::from(range), "{seeds}");
        let mut counts = std::collections::BTreeMap::new();
        for (score, count) in full["histogram"].as_object().unwrap() {
            let score: i64 = score.parse().unwrap();
            let score = range.map_or(score, |end| score.clamp(-end, end));
            *counts.entry(score).or_insert(0) += count.as_u64().unwrap();
        }
        let found = clamped["histogram"].as_object().unwrap();
        assert_eq!(found.len(), counts.len());
        for (score, count) in counts {
            assert_eq!(found[&score.to_string()], count, "{seeds} seeds, {score}");
        }
        for figure in ["positions", "wins", "draws", "losses"] {
            assert_eq!(clamped[figure], full[figure], "{seeds} seeds, {figure}");
        }
    }
    assert!(asked(&dir, "stats").out.contains("From 7 seeds on, scores are clamped"));
    let proved = asked(&dir, "check --proof");
    assert!(proved.code == 0 && proved.out.contains("layers 0-10 ("), "{}", proved.out);
    assert_eq!(asked(&dir, "check --sample 500").code, 0);
}

/// Whatever is asked for, only layers that such games have are looked at.
#[test]
fn games_have_layers_up_to_their_seeds() {
    let dir = clamped();
    let build = |words: &str| asked(&dir, &format!("build {words}"));
    let told = build("--dry-run --json --game-seeds 12").json();
    assert_eq!(told["possible_seeds"], 12, "{told}");
    let told = build("--dry-run --json --seeds max --game-seeds 12").json();
    assert_eq!(told["layers"].as_array().unwrap().len(), 2);
    assert_eq!(told["reaches"][0]["on_disk"]["seeds"], 12);
    let refused = build("--seeds 12 --game-seeds 12 --memory 1M");
    assert_eq!(refused.code, 2, "{}", refused.err);
    let beyond = "a game of 9 seeds has no layer of 10; build at most --seeds 9";
    for words in ["--repair", "--seeds 10"] {
        let refused = build(&format!("{words} --game-seeds 9"));
        assert!(refused.code == 2 && refused.err.contains(beyond), "{}", refused.err);
    }
    assert_eq!(build("--repair --game-seeds 12").code, 0);
    assert_eq!(build("--seeds max --game-seeds 12").code, 0);
    assert!(dir.path().join("awari-12.oware").exists());
}

/// What is known, and who wins with any totals that such games have.
#[test]
fn answers_say_what_is_known() {
    let (dir, full) = (clamped(), built("awari", 10));
    // The mover gets all but a few.
    let board = "0 0 0 0 0 6  1 1 1 1 0 0";
    let query = |dir: &tempfile::TempDir, words: &str| {
        let dir = dir.path().display();
        oware_on(&format!("query --line 0 --rules awari --tables {dir} {words}"), board)
    };
    let (said, known) = (query(&dir, "--json").json(), query(&full, "--json").json());
    let score = known["value"].as_i64().unwrap();
    assert!(score.abs() > 3, "{score}");
    let expected = if score > 0 { [3, 10] } else { [-10, -3] };
    assert_eq!(
        [&said["low"], &said["high"]],
        [&Value::from(expected[0]), &Value::from(expected[1])]
    );
    assert!(said["range"] == 3 && said["exact"] == false && said["value"].is_null());
    assert!(known.get("range").is_none());
    for (mover, opponent) in [(0, 2), (1, 1), (2, 0)] {
        let houses = board.split_whitespace().collect::<Vec<_>>().join("-");
        let said = asked(&dir, &format!("query --json {houses}-{mover}-{opponent}-S")).json();
        let ahead = mover - opponent + score;
        let outcome = ["loss", "draw", "win"][(ahead.signum() + 1) as usize];
        assert_eq!(said["outcome"], outcome);
    }
    let page = query(&dir, "");
    assert!(page.out.contains("The table distinguishes scores from -3 to +3"), "{}", page.out);
}

#[test]
fn a_build_goes_on_with_what_is_enough() {
    let dir = clamped();
    for (options, says) in [
        ("--seeds 10", "full scores are requested"),
        ("--seeds 11 --game-seeds 14", "--game-seeds 14 needs more"),
        ("--seeds 13 --game-seeds 12", "a game of 12 seeds has no layer of 13"),
    ] {
        let refused = asked(&dir, &format!("build --quiet {options}"));
        assert!(refused.code == 2 && refused.err.contains(says), "{}", refused.err);
    }
    let refused = oware("build --rules abapa-every --game-seeds 12 --tables nowhere");
    assert!(refused.code == 2 && refused.err.contains("intervals"), "{}", refused.err);
    assert!(!std::path::Path::new("nowhere").exists());
    // Layers of larger games, and full ones, do for smaller games.
    assert_eq!(asked(&dir, "build --quiet --seeds 11 --game-seeds 11").code, 0);
    let stats = asked(&dir, "stats --json").json();
    let range = |seeds: usize| stats["layers"][seeds]["range"].clone();
    assert_eq!((range(10), range(11)), (Value::from(3), Value::from(1)));
    assert_eq!(asked(&dir, "check --proof").code, 0);
    assert_eq!(asked(&dir, "build --quiet --seeds 10 --force").code, 0);
    assert!(asked(&dir, "stats --json --seeds 10").json()["layers"][10]["range"].is_null());
}

/// A database of Awari says one score of each position.
#[test]
fn clamped_tables_are_no_database_of_full_scores() {
    let dir = clamped();
    let out = dir.path().join("out");
    let export = |format: &str| {
        let out = out.display();
        asked(&dir, &format!("export --seeds 10 --format {format} --out {out}"))
    };
    let refused = export("vu");
    assert!(refused.code == 2 && refused.err.contains("is clamped"), "{}", refused.err);
    assert_eq!(export("npy").code, 0);
}

/// What only full scores tell is refused, and the rest agrees with them.
#[test]
fn clamped_tables_claim_no_more_than_they_keep() {
    let (dir, full) = (clamped(), built("awari", 10));
    for words in ["stats --extremes", "stats --knots", "puzzles --kind longest-win --count 1"] {
        let refused = asked(&dir, words);
        let remedy = "is clamped; build full tables in another directory";
        assert!(refused.code == 2 && refused.err.contains(remedy), "{words}: {}", refused.err);
    }
    let scores = dir.path().join("scores");
    let scores = scores.display();
    let export =
        format!("export --rules awari --format vu --seeds 0-10 --tables DIR --out {scores}");
    assert_eq!(within(&full, &export).code, 0);
    let compared = asked(&dir, &format!("check --vu {scores}"));
    assert!(compared.code == 0 && compared.out.contains("all scores agree"), "{}", compared.out);

    // A random player: what it loses for certain is no more, what it may lose no less.
    let engine = cargo_bin("oware").display().to_string();
    let engine = format!("'{engine}' engine --rules awari --no-tables");
    let lost = |dir: &tempfile::TempDir| {
        let mut verify = command("verify --json --rules awari --sample 500");
        verify.arg("--tables").arg(dir.path()).args(["--go", "depth 1", "--engine", &engine]);
        let said = Run::of(verify.output().expect("runs")).json();
        ["mean_loss", "mean_loss_at_most"].map(|name| said[name].as_f64().expect("a number"))
    };
    let (clamped, full) = (lost(&dir), lost(&full));
    assert!(clamped[0] <= full[0] && full[0] < clamped[1], "{clamped:?} {full:?}");
}

/// Tables above stay, and so must what they rest on.
#[test]
fn layers_below_kept_tables_are_not_built_narrower() {
    let dir = clamped();
    let build = |words: &str| asked(&dir, &format!("build --quiet {words}"));
    std::fs::remove_file(dir.path().join("awari-08.oware")).unwrap();
    let refused = build("--seeds 10 --game-seeds 10");
    assert!(refused.code == 2 && refused.err.contains("rests on more"), "{}", refused.err);
    assert!(refused.err.contains("use --game-seeds 12"), "{}", refused.err);
    assert!(!dir.path().join("awari-08.oware").exists());
    assert_eq!(build("--seeds 8 --game-seeds 12").code, 0);
    assert_eq!(asked(&dir, "check --proof").code, 0);

    // Without the lower ones a forecast is of what is built, as the build is.
    assert_eq!(build("--seeds 6").code, 0);
    let told = build("--seeds 6 --dry-run");
    assert_eq!(told.code, 0, "{}", told.err);

    let full = built("awari", 10);
    let narrower = "build --quiet --rules awari --seeds 6 --game-seeds 7 --force --tables DIR";
    let refused = within(&full, narrower);
    assert!(refused.code == 2 && refused.err.contains("leave --game-seeds out"), "{}", refused.err);
}
