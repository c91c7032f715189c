//! The commands, as scripts use them.

use std::path::Path;

use assert_cmd::Command;
use oware_db::probe::Tables;
use serde_json::Value;

use super::facts::facts;

fn oware(arguments: &str, dir: &Path) -> Command {
    let mut command = Command::cargo_bin("oware").unwrap();
    command.current_dir(dir).env_remove("OWARE_TABLES");
    command.args(shlex_split(arguments));
    command
}

/// Words, of which those in quotes belong together.
fn shlex_split(text: &str) -> Vec<String> {
    text.split('"')
        .enumerate()
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

pub fn json(arguments: &str, dir: &Path) -> Value {
    let output = oware(&format!("{arguments} --json"), dir).assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("one JSON document")
}

#[test]
fn moves_are_written_as_the_contract_says() {
    let dir = tempfile::tempdir().unwrap();
    let at = |rules: &str, position: &str| {
        json(&format!("moves --rules {rules} \"{position}\""), dir.path())
    };
    let found = at("bao-stores", "0 0 0 0 1 0 2 0  5 2 2 1 3 0 1 2");
    assert_eq!(found["moves"][1]["house"], "G");
    assert_eq!(found["moves"][1]["again"], true);
    assert_eq!(found["moves"][1]["captured"], 1);
    assert_eq!(
        found["moves"][1]["board"],
        serde_json::json!([0, 0, 0, 0, 1, 0, 0, 1, 5, 2, 2, 1, 3, 0, 1, 2])
    );
    assert_eq!(found["moves"][0].get("again"), None);
    let found = at("nam-nam", "13 0 0 1 1 0  0 2 0 0 2 1");
    assert_eq!(
        (&found["moves"][0]["captured"], &found["moves"][0]["opponent_captured"]),
        (&4.into(), &4.into())
    );
    assert_eq!(found["owners"], "mmmmmmoooooo");
    let found = at("nam-nam", "0 0 0 0 0 0  4 0 2 0 1 1");
    assert_eq!(
        (&found["moves"][0]["house"], &found["moves"][0]["captured"]),
        (&"-".into(), &0.into())
    );
    let found = at("nam-nam", "4 4 4 4 4 4 4 4 4 4 4 4 mmmmmmmooooo");
    assert_eq!(found["moves"].as_array().unwrap().len(), 7);
    assert_eq!(found["moves"][6]["house"], "G");
    let found =
        at("bao-kujifunza-4x8", "0 0 0 1 0 0 0 0 0 1 0 1 1 1 1 3 1 16 7 0 1 3 0 4 0 5 2 0 5 2 5 4");
    assert_eq!(found["moves"][0]["house"], "15+");
    assert_eq!(at("bao-laps", "0 0 0 0 0 0 0 0  0 0 1 0 0 0 2 0")["final"], -3);
}

#[test]
fn a_batch_answers_each_line() {
    let dir = tempfile::tempdir().unwrap();
    let lines = facts("bao-laps-moves.jsonl.gz").join("\n") + "\nnonsense\n";
    let output = oware("moves --rules bao-laps --batch", dir.path())
        .write_stdin(lines.clone())
        .assert()
        .code(1);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), lines.lines().count());
    for (line, answer) in lines.lines().zip(&answers).take(answers.len() - 1) {
        let fact: Value = serde_json::from_str(line).unwrap();
        let (expected, found) =
            (fact["moves"].as_array().unwrap(), answer["moves"].as_array().unwrap());
        assert_eq!(expected.len(), found.len());
        for (expected, found) in expected.iter().zip(found) {
            assert_eq!((&expected[1], &expected[3]), (&found["captured"], &found["board"]));
        }
    }
    assert!(answers.last().unwrap()["error"]["message"].as_str().unwrap().contains("bao-laps"));
}

#[test]
fn every_sheet_goes_through_the_tools() {
    let dir = tempfile::tempdir().unwrap();
    for (sheet, seeds) in [
        ("bao-stores", 6),
        ("bao-laps", 6),
        ("bao-laps-drawn", 6),
        ("nam-nam", 8),
        ("bao-kujifunza-4x2", 8),
        ("bao-kujifunza-4x3", 6),
        ("bao-kujifunza-4x4", 4),
        ("bao-kujifunza-4x5", 4),
        ("bao-kujifunza-4x6", 3),
        ("bao-kujifunza-4x8", 3),
    ] {
        let built = json(&format!("build --rules {sheet} --seeds {seeds} --quiet"), dir.path());
        let last = built["layers"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["seeds"], seeds);
        let again = json(&format!("build --rules {sheet} --seeds {seeds} --quiet"), dir.path());
        assert!(again["layers"].as_array().unwrap().iter().all(|layer| layer["kept"] == true));
        let stats = json(&format!("stats --rules {sheet}"), dir.path());
        let layer = stats["layers"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&layer["positions"], &layer["bytes"]), (&last["positions"], &last["bytes"]));
        let fact = facts("layers.tsv").into_iter().find(|fact| {
            let fields: Vec<&str> = fact.split('\t').collect();
            let id = if fields[0] == "bao-kujifunza" {
                format!("{}-{}", fields[0], fields[1])
            } else {
                fields[0].to_owned()
            };
            id == sheet && fields[2] == seeds.to_string() && fields[1] != "mmmmmmmooooo"
        });
        if let Some(fact) = fact {
            let fields: Vec<&str> = fact.split('\t').collect();
            let found = ["wins", "draws", "losses", "low_sum"].map(|name| layer[name].to_string());
            assert_eq!(found, fields[4..8], "{fact}");
        }
        let checked = json(&format!("check --rules {sheet} --proof --playout 50"), dir.path());
        assert_eq!(checked["problems"], serde_json::json!([]));
        assert_eq!(checked["proved"]["layers"], stats["layers"].as_array().unwrap().len());
        assert_eq!(checked["played"]["shortfalls"], 0);
        oware(&format!("check --rules {sheet}"), dir.path()).assert().success();
        let shown = oware(&format!("stats --rules {sheet}"), dir.path()).assert().success();
        let shown = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
        assert!(shown.contains("  longest") && !shown.contains("exact"), "{shown}");
    }
    let everything = json("check --proof --sample 20", dir.path());
    assert_eq!(everything["files"], 7 * 3 + 2 + 6);
    for found in ["proved", "sampled"].map(|name| everything[name].as_array().unwrap()) {
        let layers = found.iter().map(|sheet| sheet["layers"].as_u64().unwrap());
        assert_eq!((found.len(), layers.sum::<u64>()), (10, 7 * 3 + 2 + 6), "{everything}");
        assert!(found.iter().all(|sheet| sheet["rules"].is_string()), "{everything}");
    }
}

/// A move that ends the game is a best one where it keeps the score.
#[test]
fn moves_that_end_the_game_are_certified() {
    let dir = tempfile::tempdir().unwrap();
    json("build --rules bao-laps --seeds 1 --quiet", dir.path());
    let found = json(r#"query --rules bao-laps "0 0 0 0 0 0 1 0  0 0 0 0 0 0 0 0""#, dir.path());
    assert_eq!((&found["low"], &found["best"]), (&serde_json::json!(1), &serde_json::json!(["G"])));
}

#[test]
fn scores_are_the_best_of_their_moves() {
    let dir = tempfile::tempdir().unwrap();
    for (sheet, seeds, position) in [
        ("bao-stores", 6, "0 0 1 0 0 1 1 0  0 1 0 1 0 0 1 0"),
        ("bao-laps", 6, "0 0 1 0 0 1 2 0  0 1 0 0 0 0 1 0"),
        ("nam-nam", 8, "0 2 0 0 1 1  1 0 2 0 1 0"),
        ("nam-nam --owners mmmmmmmooooo", 8, "0 2 0 0 1 1  1 0 2 0 1 0 mmmmmmmooooo"),
        ("bao-kujifunza-4x2", 8, "2 1 0 0  1 2 1 1"),
    ] {
        json(&format!("build --rules {sheet} --seeds {seeds} --quiet"), dir.path());
        let id = sheet.split(' ').next().unwrap();
        let found = json(&format!("query --rules {id} \"{position}\""), dir.path());
        let moves = found["moves"].as_array().unwrap();
        let best = moves.iter().map(|each| each["low"].as_i64().unwrap()).max();
        assert_eq!(best, found["low"].as_i64(), "{found}");
        assert!(!found["best"].as_array().unwrap().is_empty());
        for each in moves {
            let board: Vec<String> =
                each["board"].as_array().unwrap().iter().map(Value::to_string).collect();
            let owners = each["owners"].as_str().unwrap_or("");
            let next =
                json(&format!("query --rules {id} \"{} {owners}\"", board.join(" ")), dir.path());
            let gain = each["captured"].as_i64().unwrap()
                - each["opponent_captured"].as_i64().unwrap_or(0);
            let (low, high) = (next["low"].as_i64().unwrap(), next["high"].as_i64().unwrap());
            let expected = if each["again"] == true { gain + low } else { gain - high };
            assert_eq!(each["low"].as_i64(), Some(expected), "{each}");
        }
        oware(&format!("query --rules {id} \"{position}\""), dir.path()).assert().success();
    }
}

#[test]
fn mistakes_are_sentences() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, code, part) in [
        ("moves --rules bao-laps \"1 2 3\"", 2, "3 numbers instead of 16"),
        ("moves --rules bao-laps \"33 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\"", 2, "the game has 32"),
        ("moves --rules nam-nam \"4 4 4 4 4 4 4 4 4 4 4 4 mmmm\"", 2, "is not 12 letters"),
        (
            "moves --rules bao-stores \"0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 mmmmmmmmoooooooo\"",
            2,
            "no owners",
        ),
        ("moves --rules nam-nam \"-1 4 4 4 4 4 4 4 4 4 4 4\"", 2, "nam-nam"),
        ("build --rules bao-laps --seeds 33", 2, "at most 32"),
        ("build --rules nam-nam --owners xyz", 2, "12 letters"),
        ("build --owners mmmmmmmooooo", 2, "--rules nam-nam"),
        ("build --rules bao-laps --seeds 20 --memory 1M", 2, "memory"),
        (
            "export --rules bao-laps --format npy --seeds 3 --out x",
            1,
            "oware build --rules bao-laps",
        ),
        ("export --rules bao-laps --format vu --seeds 3 --out x", 2, "add --rules awari"),
        ("export --rules bao-laps --format csv --owners x --seeds 3 --out x", 2, "--rules nam-nam"),
        ("export --rules nam-nam --format csv --owners x --seeds 8 --out x", 2, "12 letters"),
        ("export --rules nam-nam --format csv --seeds 9-11 --out x", 2, "no layer of so many"),
        ("engine --rules nam-nam", 2, "is not a sheet of Oware"),
        ("query --rules bao-stores \"3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3\"", 1, "can build up to"),
        (
            "query --rules bao-kujifunza-4x8 \"2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\"",
            1,
            "more than 10^19 positions",
        ),
        ("stats --rules bao-laps", 1, "oware build --rules bao-laps"),
        ("check --rules nam-nam", 1, "oware build --rules nam-nam"),
    ] {
        let output = oware(arguments, dir.path()).assert().code(code);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(error.contains(part), "{arguments}: {error}");
        let output = oware(&format!("{arguments} --json"), dir.path()).assert().code(code);
        let document = serde_json::from_slice::<Value>(&output.get_output().stdout);
        assert!(
            arguments.starts_with("engine") || document.unwrap()["error"]["message"].is_string()
        );
    }
    let error =
        json_error("query --rules bao-laps \"2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\"", dir.path());
    assert_eq!(error["error"]["kind"], "missing_table");
}

#[test]
fn little_memory_makes_the_same_tables() {
    let dir = tempfile::tempdir().unwrap();
    for (sheet, seeds, memory) in [("nam-nam", 8, "1M"), ("bao-laps", 6, "1M")] {
        let build = format!("build --rules {sheet} --seeds {seeds}");
        let output = oware(&format!("{build} --memory {memory} --out a"), dir.path()).assert();
        let notes = String::from_utf8(output.success().get_output().stderr.clone()).unwrap();
        assert!(notes.contains("computing them again in each round"), "{notes}");
        let output = oware(&format!("{build} --out b"), dir.path()).assert();
        let notes = String::from_utf8(output.success().get_output().stderr.clone()).unwrap();
        assert!(!notes.contains("computing them again in each round"), "{notes}");
        let read = |tables: &str| {
            std::fs::read(dir.path().join(format!("{tables}/{sheet}-{seeds:02}.oware"))).unwrap()
        };
        assert!(read("a") == read("b"), "{sheet}");
    }
}

#[test]
fn help_is_the_same_for_all_sheets() {
    let dir = tempfile::tempdir().unwrap();
    for command in ["build", "query", "moves", "perft", "stats", "check"] {
        let help = |arguments: &str| {
            let output = oware(&format!("{command} {arguments} --help"), dir.path()).assert();
            String::from_utf8(output.success().get_output().stdout.clone()).unwrap()
        };
        assert_eq!(help(""), help("--rules bao-laps"));
    }
}

#[test]
fn options_of_oware_alone_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let position = "\"2 2 2 2 2 2 2 2  2 2 2 2 2 2 2 2\"";
    for arguments in [
        &format!("query --rules bao-laps --explain {position}")[..],
        "stats --rules bao-laps --knots",
        "build --rules bao-laps --no-strategy",
        "check --rules bao-laps --vu scores",
    ] {
        let output = oware(arguments, dir.path()).assert().code(2);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        let remedy = match arguments.contains("--vu") {
            true => "compares tables of awari; use --rules awari",
            false => "is for Oware only; omit it with",
        };
        assert!(error.contains(remedy), "{error}");
    }
}

#[test]
fn damaged_tables_are_repaired() {
    let dir = tempfile::tempdir().unwrap();
    json("build --rules bao-laps --seeds 5 --quiet", dir.path());
    let path = dir.path().join("tables/bao-laps-04.oware");
    let good = std::fs::read(&path).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    std::fs::write(&path, &bad).unwrap();
    let checked = oware("--json check --rules bao-laps", dir.path()).assert().code(1);
    let checked: Value = serde_json::from_slice(&checked.get_output().stdout).unwrap();
    let problem = &checked["problems"][0];
    assert_eq!(problem["file"], "tables/bao-laps-04.oware");
    assert!(!problem["what"].as_str().unwrap().contains("bao-laps-04.oware:"), "{problem}");
    let report = json("build --rules bao-laps --repair --quiet", dir.path());
    assert_eq!(report["replaced"].as_array().unwrap().len(), 1);
    let built = |layer: &Value| layer.get("kept").is_none();
    let layers = report["layers"].as_array().unwrap();
    assert_eq!(layers.iter().filter(|layer| built(layer)).count(), 1);
    assert!(std::fs::read(&path).unwrap() == good);
}

/// A file far above all others makes no build of all layers between.
#[test]
fn a_misnamed_table_above_a_gap_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    json("build --rules bao-laps --seeds 4 --quiet", dir.path());
    let table = |seeds: usize| dir.path().join(format!("tables/bao-laps-{seeds:02}.oware"));
    std::fs::copy(table(3), table(30)).unwrap();
    let repaired = oware("--json build --rules bao-laps --repair", dir.path()).assert().success();
    let said = String::from_utf8(repaired.get_output().stderr.clone()).unwrap();
    assert!(said.contains("bao-laps-30.oware: not what its name says"), "{said}");
    let report: Value = serde_json::from_slice(&repaired.get_output().stdout).unwrap();
    assert_eq!(report["replaced"], serde_json::json!([]));
    assert_eq!(report["layers"].as_array().unwrap().last().unwrap()["seeds"], 4);
    // So is one of another game.
    json("build --rules abapa --seeds 3 --quiet", dir.path());
    let abapa = |seeds: usize| dir.path().join(format!("tables/abapa-{seeds:02}.oware"));
    std::fs::copy(table(3), abapa(40)).unwrap();
    std::fs::copy(abapa(3), table(30)).unwrap();
    for (rules, most) in [("abapa", 3), ("bao-laps", 4)] {
        let report = json(&format!("build --rules {rules} --repair --quiet"), dir.path());
        assert_eq!(report["replaced"], serde_json::json!([]));
        assert_eq!(report["layers"].as_array().unwrap().last().unwrap()["seeds"], most);
    }
}

/// A killed build has its finished layers, and goes on with the others.
#[test]
fn an_interrupted_build_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let name = |seeds: usize| dir.path().join(format!("tables/nam-nam-{seeds:02}.oware"));
    let exe = assert_cmd::cargo::cargo_bin("oware");
    let mut child = std::process::Command::new(exe)
        .args(["build", "--rules", "nam-nam", "--seeds", "20", "--quiet"])
        .current_dir(dir.path())
        .env_remove("OWARE_TABLES")
        .spawn()
        .unwrap();
    while !name(12).exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!name(20).exists());
    let report = json("build --rules nam-nam --seeds 12 --quiet", dir.path());
    let kept = |at: usize| report["layers"][at]["kept"] == true;
    assert!(kept(0) && kept(1) && kept(2));
    json("build --rules nam-nam --seeds 12 --quiet --out fresh", dir.path());
    let fresh = dir.path().join("fresh/nam-nam-12.oware");
    assert!(std::fs::read(name(12)).unwrap() == std::fs::read(fresh).unwrap());
    let names = std::fs::read_dir(dir.path().join("tables")).unwrap();
    let names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{names:?}");
}

#[test]
fn manifests_and_samples_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    json("build --rules bao-laps-drawn --seeds 6 --quiet", dir.path());
    json("build --rules bao-kujifunza-4x2 --seeds 5 --quiet", dir.path());
    let written = json("check --rules bao-laps-drawn --write-manifest", dir.path());
    assert_eq!(written["manifest"]["files"], 7);
    let compared = json("check --rules bao-laps-drawn --manifest", dir.path());
    assert_eq!(compared["problems"], serde_json::json!([]));
    oware("check --manifest", dir.path()).assert().code(1);
    assert_eq!(json("check --write-manifest", dir.path())["manifest"]["files"], 8);
    assert_eq!(json("check --manifest", dir.path())["problems"], serde_json::json!([]));
    let sampled = json("check --rules bao-laps-drawn --sample 500", dir.path());
    assert_eq!(sampled["sampled"]["layers"], 7);
    assert_eq!(sampled["sampled"]["positions"], 1 + 16 + 136 + 4 * 500);
    json("check --rules bao-kujifunza-4x2 --sample 100", dir.path());
    std::fs::rename(
        dir.path().join("tables/bao-laps-drawn-05.oware"),
        dir.path().join("tables/bao-laps-drawn-05.gone"),
    )
    .unwrap();
    oware("check --rules bao-laps-drawn --manifest", dir.path()).assert().code(1);
}

#[test]
fn what_is_about_oware_alone_refuses_other_sheets() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("game"), "").unwrap();
    for command in [
        "engine",
        "annotate game",
        "match --engine x --engine y",
        "verify --engine x",
        "verify --games game",
    ] {
        for sheet in ["bao-laps", "nam-nam", "bao-kujifunza-4x3"] {
            let arguments = format!("{command} --rules {sheet}");
            let output = oware(&arguments, dir.path()).assert().code(2);
            let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
            assert!(
                error.contains("which is all this command handles; build, query"),
                "{arguments}: {error}"
            );
        }
    }
}

#[test]
fn ranks_and_positions_come_back() {
    let dir = tempfile::tempdir().unwrap();
    for (sheet, seeds, owners) in [
        ("bao-stores", 20, ""),
        ("bao-laps", 32, ""),
        ("nam-nam", 12, ""),
        ("nam-nam", 12, "--owners mmmmmmmooooo"),
        ("bao-kujifunza-4x2", 16, ""),
        ("bao-kujifunza-4x8", 20, ""),
    ] {
        for rank in [0, 1, 12_345] {
            let asked = format!("unindex --rules {sheet} {owners} {seeds} {rank}");
            let found = json(&asked, dir.path());
            assert_eq!(found["seeds"], seeds);
            let text = oware(&asked, dir.path()).assert().success();
            let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
            let asked = format!("index --rules {sheet} \"{}\"", text.trim());
            assert_eq!(json(&asked, dir.path()), found);
        }
    }
    for wrong in [
        "unindex --rules bao-stores 1 16",
        "unindex --rules nam-nam 9 0",
        "unindex --rules bao-laps 33 0",
        "unindex --rules bao-laps --owners mmmmmmoooooo 8 0",
        "unindex --owners mmmmmmoooooo 8 0",
        "unindex --rules bao-kujifunza-4x8 48 0",
        "index --rules bao-laps 1 2 3",
    ] {
        oware(wrong, dir.path()).assert().code(2);
    }
}

fn json_error(arguments: &str, dir: &Path) -> Value {
    let output = oware(&format!("{arguments} --json"), dir).assert().code(1);
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn paths_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(json("perft --rules bao-laps --depth 5", dir.path())["count"], 1859);
    assert_eq!(
        json(
            "perft --rules nam-nam --depth 4 \"4 4 4 4 4 4 4 4 4 4 4 4 mmmmmmmooooo\"",
            dir.path()
        )["count"],
        610
    );
    assert_eq!(json("perft --rules=bao-kujifunza-4x2 --depth 2", dir.path())["count"], 0);
}

#[test]
fn the_match_of_nam_nam_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let built = json("build --rules nam-nam --owners all --seeds 8 --quiet", dir.path());
    // Each class has a layer of nothing and one of eight seeds.
    assert_eq!(built["layers"].as_array().unwrap().len(), 2 * 32);
    json("build --rules nam-nam --owners mmmmmmmooooo --seeds 8 --quiet --out one", dir.path());
    let name = "nam-nam-mmmmmmmooooo-08.oware";
    let [all, one] =
        ["tables", "one"].map(|tables| std::fs::read(dir.path().join(tables).join(name)));
    assert!(all.unwrap() == one.unwrap(), "what is built does not depend on other owners");
    // The same houses, seen from another place.
    json("build --rules nam-nam --owners ommmmoooooom --seeds 8 --quiet", dir.path());
    let classes = json("rounds", dir.path());
    let classes = classes["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 32);
    assert!(classes.iter().all(|class| class["layers"] == serde_json::json!([0, 8])));
    assert_eq!((&classes[1]["owners"], &classes[1]["houses"]), (&"mmmmmmmooooo".into(), &7.into()));
    // Owners as the other player sees them are the same class.
    for owners in ["mmmmmmmooooo", "ommmmmoooooo"] {
        let round = json(&format!("rounds {owners} --begins other"), dir.path());
        assert_eq!((&round["owners"], &round["begins"]), (&"mmmmmmmooooo".into(), &"other".into()));
        let results = round["results"].as_array().unwrap();
        assert_eq!((results.len(), &results[0]["winner"]), (13, &"leader".into()));
        assert_eq!((&results[4]["houses"], &results[4]["leads"]), (&8.into(), &"leader".into()));
        assert_eq!(results[4]["choices"].as_array().unwrap().len(), 10);
        assert_eq!(results[12]["winner"], "other");
        assert_eq!(results[9]["leads"], "other");
        assert_eq!(results[9]["choices"][0]["begins"], "other");
    }
    let refused = oware("rounds mmm", dir.path()).assert().code(2);
    let error = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(error.contains("12 letters m or o") && error.contains("`mmmmmmoooooo`"), "{error}");
    let page = oware("rounds mmmmmmmooooo", dir.path()).assert().success();
    let page = String::from_utf8(page.get_output().stdout.clone()).unwrap();
    let line = "   6 houses: six houses each, the other player begins: mmmmmmoooooo";
    assert!(page.contains(line.trim_start()), "{page}");
}

#[test]
fn a_match_of_given_scores_is_solved() {
    let dir = tempfile::tempdir().unwrap();
    let rounds = json("rounds", dir.path());
    let owners = rounds["classes"].as_array().unwrap().iter().map(|class| &class["owners"]);
    let owners: Vec<&str> = owners.map(|owners| owners.as_str().unwrap()).collect();
    // Whoever leads wins eight houses' worth in each round, and the beginner of the first a house.
    let mut lines = "mmmmmmoooooo leader 8 # the first round\n".to_owned();
    for owners in &owners[1..] {
        lines += &format!("{owners} leader 16\n{owners} other 48\n");
    }
    std::fs::write(dir.path().join("scores.txt"), &lines).unwrap();
    let found = json("rounds --scores scores.txt", dir.path());
    let found = found["rounds"].as_array().unwrap();
    assert_eq!(found.len(), 63);
    let of = |owners: &str, begins: &str| {
        let is = |each: &&Value| each["owners"] == owners && each["begins"] == begins;
        let each = found.iter().find(is).unwrap();
        (each["winner"].clone(), each["rounds"].clone())
    };
    assert_eq!(of("mmmmmmmooooo", "other"), ("leader".into(), 1.into()));
    assert_eq!(of("mmmmmmmooooo", "leader"), ("leader".into(), 2.into()));
    assert_eq!(of("mmmmmmoooooo", "leader"), ("leader".into(), 2.into()));
    oware("rounds --scores scores.txt", dir.path()).assert().success();
    for (lines, part) in [
        (lines.replace("mmmmmmmooooo other 48", ""), "no score of the round `mmmmmmmooooo other`"),
        (lines.replace("# the first round", "first"), "scores.txt:1: a line is"),
        (lines.replace("leader 8 #", "nobody 8 #"), "neither `leader` nor `other`"),
        (lines.replace("leader 8 #", "leader 7 #"), "multiple of four"),
        (format!("{lines}mmmmmmoooooo leader 8\n"), "has a score on a line before"),
        (lines.replace("mmmmmmoooooo", "mmmommmooooo"), "no match reaches these owners"),
    ] {
        std::fs::write(dir.path().join("scores.txt"), lines).unwrap();
        let refused = oware("rounds --scores scores.txt", dir.path()).assert().code(2);
        let error = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(error.contains(part), "{error}");
    }
}

/// Every row of a layer's exports, against the library.
#[test]
fn exports_have_every_position_in_rank_order() {
    let dir = tempfile::tempdir().unwrap();
    for (rules, owners, seeds, stem, beside) in [
        ("bao-laps-drawn", "", 5, "bao-laps-drawn-05", "stamps"),
        ("bao-stores", "", 4, "bao-stores-04", ""),
        ("nam-nam", "--owners mmmmmmmooooo", 8, "nam-nam-mmmmmmmooooo-08", "stamps"),
        ("bao-kujifunza-4x2", "", 9, "bao-kujifunza-4x2-09", "plies"),
    ] {
        json(&format!("build --rules {rules} {owners} --seeds {seeds} --quiet"), dir.path());
        let export = format!("export --rules {rules} {owners} --seeds {seeds} --out x");
        let text = json(&format!("{export} --format csv"), dir.path());
        let arrays = json(&format!("{export} --format npy --boards"), dir.path());
        let text_file = dir.path().join(text["files"][0]["file"].as_str().unwrap());
        assert_eq!(text_file, dir.path().join(format!("x/{stem}.csv")));
        let text = std::fs::read_to_string(text_file).unwrap();
        let array = |name: &str| {
            let bytes = std::fs::read(dir.path().join(format!("x/{name}-{stem}.npy"))).unwrap();
            let head = String::from_utf8_lossy(&bytes[10..128]).into_owned();
            (head, bytes[128..].to_vec())
        };
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        let sheet = oware_db::game::mancala::Sheet::by_id(rules).unwrap();
        let places = 2 * sheet.half;
        let numbers =
            if beside == "plies" { vec!["low", "high", "plies"] } else { vec!["low", "high"] };
        assert_eq!(head[1 + places..], numbers);
        let first = if beside == "plies" { "mover_0" } else { "mover_a" };
        assert_eq!((head[0], head[1]), ("rank", first));
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let layers = tables.available(sheet).unwrap();
        let layer = layers.into_iter().find(|layer| layer.seeds() == seeds).unwrap();
        let solved = tables.require(sheet, layer).unwrap().load().unwrap();
        assert_eq!(arrays["files"][0]["positions"], layer.positions());
        let (head, boards) = array("boards");
        assert!(head.contains(&format!("({}, {places})", layer.positions())), "{head}");
        let bytes = |name: &str| array(name).1;
        assert!(
            bytes("low") == solved.low.iter().map(|low| low.cast_unsigned()).collect::<Vec<_>>()
        );
        assert!(
            bytes("high")
                == solved.high().iter().map(|high| high.cast_unsigned()).collect::<Vec<_>>()
        );
        if !beside.is_empty() {
            assert!(Some(bytes(beside)) == solved.stamps, "{rules}");
        }
        assert_eq!(arrays["files"].as_array().unwrap().len(), 3 + usize::from(!beside.is_empty()));
        for (rank, placement) in layer.placements(0, solved.low.len()).enumerate() {
            assert_eq!(boards[rank * places..][..places], *placement.counts());
            let counts: Vec<String> = placement.counts().iter().map(u8::to_string).collect();
            let (low, high) = solved.bounds(&placement);
            let mut line = format!("{rank},{},{low},{high}", counts.join(","));
            if beside == "plies" {
                line += &format!(",{}", solved.stamps.as_ref().unwrap()[rank]);
            }
            assert_eq!(lines.next(), Some(&*line));
        }
        assert_eq!(lines.next(), None);
    }
}

/// A build that is killed in the middle of a layer goes on from its checkpoint to the same bytes.
#[test]
fn a_killed_layer_goes_on_from_its_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let layers = [
        ("bao-stores", "09", ""),
        ("nam-nam", "08", "--memory 1M"),
        ("bao-kujifunza-4x2", "16", ""),
    ];
    for (rules, seeds, memory) in layers {
        let build = format!("build --rules {rules} --seeds {seeds} {memory}");
        let table = |tables: &str| dir.path().join(format!("{tables}/{rules}-{seeds}.oware"));
        let checkpoint = table("tables").with_extension("oware.checkpoint");
        // On a busy machine a layer may be ready before this test is told of its checkpoint.
        let was_caught = (0..20).any(|_| {
            let _ = std::fs::remove_file(table("tables"));
            let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("oware"))
                .args(shlex_split(&format!("{build} --checkpoint-seconds 0 --quiet")))
                .current_dir(dir.path())
                .env_remove("OWARE_TABLES")
                .spawn()
                .unwrap();
            while !checkpoint.exists() && !table("tables").exists() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            checkpoint.exists() && !table("tables").exists()
        });
        assert!(was_caught, "{rules}: always too quick");
        let output = oware(&build, dir.path()).assert().success();
        let notes = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(notes.contains("continues from a checkpoint"), "{notes}");
        assert!(!checkpoint.exists());
        json(&format!("{build} --quiet --out fresh"), dir.path());
        let [found, fresh] =
            ["tables", "fresh"].map(|tables| std::fs::read(table(tables)).unwrap());
        assert!(found == fresh, "{rules}");
    }
    // One that is damaged is not believed.
    std::fs::remove_file(dir.path().join("tables/nam-nam-08.oware")).unwrap();
    std::fs::write(dir.path().join("tables/nam-nam-08.oware.checkpoint"), "dear diary").unwrap();
    let build = "build --rules nam-nam --seeds 8 --memory 1M";
    let output = oware(build, dir.path()).assert().success();
    let notes = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(notes.contains("the layer starts over"), "{notes}");
    // One that was left beside its table is of no use.
    let left = dir.path().join("tables/nam-nam-08.oware.checkpoint");
    std::fs::write(&left, "dear diary").unwrap();
    oware(&format!("{build} --quiet"), dir.path()).assert().success();
    assert!(!left.exists());
}

#[test]
fn the_forecast_says_what_memory_and_disk_are_needed() {
    let dir = tempfile::tempdir().unwrap();
    let needed = json("build --rules bao-stores --seeds 10 --dry-run", dir.path());
    let number = |needed: &Value, name: &str| needed[name].as_u64().unwrap();
    assert_eq!(number(&needed, "positions"), 5_311_735);
    let sum = |name: &str| -> u64 {
        needed["layers"].as_array().unwrap().iter().map(|layer| number(layer, name)).sum()
    };
    assert_eq!(sum("positions"), 5_311_735);
    assert_eq!(sum("table"), number(&needed, "disk"));
    assert!(number(&needed, "disk") <= number(&needed, "disk_free"));
    json("build --rules bao-stores --seeds 10 --quiet", dir.path());
    let files = std::fs::read_dir(dir.path().join("tables")).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes <= number(&needed, "disk"), "{bytes} {needed}");
    let rest = json("build --rules bao-stores --seeds 10 --dry-run", dir.path());
    assert_eq!(number(&rest, "disk"), 0, "all tables are there");
    assert_eq!((number(&rest, "kept"), number(&rest, "positions")), (11, 0));
    assert_eq!(rest["layers"], serde_json::json!([]));
    let most = json("build --rules bao-laps --seeds max --dry-run", dir.path());
    assert!(number(&most, "memory") <= number(&most, "memory_allowed"));
    assert!(number(&most, "disk") <= number(&most, "disk_free"));
    let error = json_error("build --rules bao-laps-drawn --seeds 32 --memory 900000G", dir.path());
    assert!(
        error["error"]["message"].as_str().unwrap().contains("the build needs about"),
        "{error}"
    );
}

#[test]
fn what_is_missing_of_unequal_owners_is_built_by_the_command_that_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let query = "query --rules nam-nam 3-0-0-0-0-0-2-0-0-0-1-2-mmmmmmmooooo";
    json("build --rules nam-nam --seeds 8 --quiet", dir.path());
    let error = json_error(query, dir.path());
    let message = error["error"]["message"].as_str().unwrap();
    let command = message.split("`oware ").nth(1).and_then(|rest| rest.split('`').next());
    let command = command.unwrap_or_else(|| panic!("{message}"));
    json(&format!("{} --quiet", command.split(" --tables").next().unwrap()), dir.path());
    assert_eq!(json(query, dir.path())["board"][11], 2);
}
