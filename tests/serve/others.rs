//! The games beside Oware.

use serde_json::Value;

use super::{Server, add, built, oware, place, sha256};
use oware_db::server::ServerLimits;

const POSITION: &str = "0 0 1 0 0 1 2 0 0 1 0 0 0 0 1 0";

/// A server of tables of Oware and of other games.
fn server() -> Server {
    let dir = built("bao-laps", 6);
    for (sheet, seeds) in [("abapa", 3), ("bao-kujifunza-4x2", 8), ("nam-nam", 8)] {
        add(&dir, sheet, seeds);
    }
    Server::with(dir, ServerLimits::default(), &[])
}

/// What the command prints in the same place.
fn printed(server: &Server, words: &str, position: &str) -> Value {
    let tables = match words.starts_with("moves") {
        true => String::new(),
        false => format!(" --tables {}", place(&server.dir)),
    };
    serde_json::from_str(&oware(&format!("{words}{tables} --json"), position)).expect("JSON")
}

#[test]
fn answers_are_those_of_the_commands() {
    let server = server();
    for (rules, position) in [
        ("bao-laps", POSITION),
        ("bao-kujifunza-4x2", "2 1 0 0 1 2 1 1"),
        ("nam-nam", "0 2 0 0 1 1 1 0 2 0 1 0"),
        ("nam-nam", "4 4 4 4 4 4 4 4 4 4 4 4 mmmmmmmooooo"),
    ] {
        let board = position.replace(' ', "-");
        let asked = format!("rules={rules}&board={board}");
        let words = format!("--rules {rules}");
        let moves = server.get(&format!("/v1/moves?{asked}")).json();
        assert_eq!(moves, printed(&server, &format!("moves {words}"), position));
        let query = server.get(&format!("/v1/query?{asked}"));
        if position.starts_with('4') {
            assert_eq!(query.status, 404);
            continue;
        }
        let query = query.json();
        assert_eq!(query, printed(&server, &format!("query {words}"), position));
        let score = server.get(&format!("/v1/query?{asked}&scores_only=true")).json();
        assert_eq!((&score["low"], score.get("moves")), (&query["low"], None));
        let batch = server.post(&format!("/v1/batch?rules={rules}"), &format!("{position}\nx\n"));
        let lines: Vec<Value> =
            batch.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[0], query);
        assert!(lines[1]["error"]["message"].as_str().expect("text").contains(rules));
    }
}

#[test]
fn figures_are_those_of_the_command() {
    let server = server();
    let figures = server.get("/v1/stats?rules=bao-laps").json();
    let printed = oware("stats --json --rules bao-laps --tables", &place(&server.dir));
    assert_eq!(figures, serde_json::from_str::<Value>(&printed).expect("JSON"));
    let one = server.get("/v1/stats?rules=bao-laps&layer=5").json();
    assert_eq!(one["layers"].as_array().expect("layers").len(), 1);
    assert_eq!(server.get("/v1/stats?rules=bao-stores").status, 404);
    let error = server.get("/v1/stats?rules=bao-laps&layer=99999").error(400, "usage");
    assert!(error.starts_with("the game has "), "{error}");
    for wrong in ["rules=nam-nam&layer=9", "rules=bao-kujifunza-4x8&layer=64"] {
        let error = server.get(&format!("/v1/stats?{wrong}")).error(400, "usage");
        assert!(error.starts_with("there are no tables of "), "{error}");
    }
    // What the remedy names can be built.
    let error = server.get("/v1/stats?rules=bao-kujifunza-4x4").error(404, "missing_table");
    assert!(error.contains("--rules bao-kujifunza-4x4 --seeds 8`"), "{error}");
    let path = "/v1/query?rules=nam-nam&board=0-0-0-3-0-0-0-0-3-0-0-2+mmmmmmmooooo";
    let error = server.get(path).error(404, "missing_table");
    assert!(error.contains("--seeds 8 --owners mmmmmmmooooo`"), "{error}");
}

#[test]
fn what_is_about_oware_alone_says_so() {
    let server = server();
    for path in [
        "/v1/line?rules=bao-laps&board=1".to_owned(),
        "/v1/game?rules=bao-laps&board=1&moves=A".to_owned(),
        "/v1/search?rules=nam-nam&board=1".to_owned(),
        format!("/v1/query?rules=bao-laps&explain=true&board={}", POSITION.replace(' ', "-")),
    ] {
        let answer = server.get(&path);
        assert_eq!(answer.status, 400, "{path}");
        let message = answer.json()["error"]["message"].as_str().expect("text").to_owned();
        let says = ["is not a sheet of Oware", "is for Oware only"];
        assert!(says.iter().any(|part| message.contains(part)), "{path}: {message}");
    }
}

#[test]
fn tables_and_sheets_of_other_games_are_listed() {
    let server = server();
    oware(
        "build --quiet --rules nam-nam --owners mmmmmmmooooo --seeds 8 --out",
        &place(&server.dir),
    );
    let listed = |path: &str| -> Vec<Value> {
        server.get(path).json()["tables"].as_array().expect("tables").clone()
    };
    let all = listed("/v1/tables");
    let count = |rules: &str| all.iter().filter(|table| table["rules"] == rules).count();
    let counts = ["abapa", "bao-laps", "bao-kujifunza-4x2", "nam-nam", "bao-stores"].map(count);
    assert_eq!(counts, [4, 7, 1, 4, 0]);
    assert_eq!(listed("/v1/tables?rules=bao-laps").len(), 7);
    assert_eq!(listed("/v1/tables?rules=bao-stores"), [Value::Null; 0]);
    for table in all.iter().filter(|table| table["rules"] == "nam-nam") {
        let file = table["file"].as_str().expect("a name");
        let path = server.dir.path().join(file);
        assert_eq!(table["bytes"], std::fs::metadata(&path).expect("a file").len());
        assert_eq!(table["sha256"], sha256(&path));
        let has_owners = file.contains("mmmmmmmooooo");
        assert_eq!(table["owners"].as_str(), has_owners.then_some("mmmmmmmooooo"));
        assert_eq!((&table["intervals"], &table["strategy"]), (&false.into(), &true.into()));
    }
    let sheets = server.get("/v1/sheets").json();
    let others = sheets["others"].as_array().expect("sheets");
    let of = |id: &str| others.iter().find(|sheet| sheet["id"] == id).expect("a sheet");
    assert_eq!(others.len(), 10);
    assert_eq!(of("nam-nam")["layers"], serde_json::json!([0, 8]));
    assert_eq!((&of("bao-laps")["places"], &of("bao-laps")["seeds"]), (&16.into(), &32.into()));
    assert_eq!(of("bao-kujifunza-4x8")["layers"], serde_json::json!([]));
}
