//! The API says what the commands say.

use serde_json::{Value, json};

use super::{Answer, Server, built, oware, place, sha256};
use oware_db::server::ServerLimits;

const POSITIONS: [&str; 8] = [
    "0-0-0-0-1-2-1-0-0-0-3-0",
    "0-0-1-0-1-0-0-0-0-0-0-1",
    "0-0-0-0-0-1-1-0-0-0-0-3-20-23-S",
    "0-0-0-0-0-1-1-0-0-0-0-3-20-23-N",
    "1%20%7C%2020%2025%20%7C%201%200%200%200%200%200%200%200%200%200%200%202",
    "0,0,0,0,0,0,1,2,0,0,0,0",
    "1+1+1+1+1+0++1+1+0+0+0+0",
    "1-1-1-1-1-1-1-0-0-0-0-0",
];

/// A position as it is typed, from how it stands in an address.
fn typed(position: &str) -> String {
    position.replace("%20", " ").replace("%7C", "|").replace('+', " ")
}

#[test]
fn clamped_scores_come_with_their_range() {
    let dir = tempfile::tempdir().expect("a directory");
    oware("build --quiet --seeds 8 --game-seeds 10 --tables", &place(&dir));
    let server = Server::with(dir, ServerLimits::default(), &[]);
    let (clamped, full) = ("0-0-0-0-1-2-1-0-0-0-4-0", "0-0-0-0-1-2-0-0-0-0-1-0");
    for (board, is_clamped) in [(clamped, true), (full, false)] {
        let ask = |path: &str| server.get(&format!("/v1/{path}board={board}")).json();
        let (query, line, game) = (ask("query?"), ask("line?"), ask("game?moves=&"));
        assert_eq!(query["range"].is_number(), is_clamped, "{query}");
        for known in [&ask("query?scores_only=true&"), &line, &game["positions"][0]] {
            assert_eq!(known["range"], query["range"], "{known}");
        }
    }
}

#[test]
fn queries_are_answered_as_by_the_command() {
    let server = Server::new();
    let tables = place(&server.dir);
    for position in POSITIONS {
        for (parameters, words) in [
            ("", ""),
            ("&line=3", "--line 3"),
            ("&scores_only=true", "--scores-only"),
            ("&explain=true", "--explain"),
        ] {
            let answer = server.get(&format!("/v1/query?board={position}{parameters}"));
            let printed =
                oware(&format!("query --json {words} --tables {tables}"), &typed(position));
            assert_eq!(
                (answer.status, answer.body + "\n"),
                (200, printed),
                "{position}{parameters}"
            );
        }
        let moves = server.get(&format!("/v1/moves?board={position}"));
        assert_eq!(moves.body + "\n", oware("moves --json", &typed(position)));
    }
}

#[test]
fn sheets_are_not_mixed_up() {
    let server = Server::with(built("masters", 4), ServerLimits::default(), &[]);
    let slam = "1-0-0-0-0-1-1-0-0-0-0-0";
    let captured = |answer: Answer| -> u64 {
        let moves = answer.json()["moves"].as_array().expect("moves").clone();
        moves.iter().filter_map(|played| played["captured"].as_u64()).sum()
    };
    assert_eq!(captured(server.get(&format!("/v1/query?rules=masters&board={slam}"))), 2);
    server.get(&format!("/v1/query?board={slam}")).error(404, "missing_table");
    assert_eq!(captured(server.get(&format!("/v1/moves?board={slam}"))), 0);
}

#[test]
fn lines_lead_where_they_say() {
    let server = Server::new();
    for position in
        ["0-0-1-0-1-0-0-0-0-0-0-1", "1-1-1-1-1-0-1-1-0-0-0-0", "0-0-0-0-0-0-1-2-0-0-0-0"]
    {
        let line = server.get(&format!("/v1/line?limit=60&board={position}")).json();
        let query = server.get(&format!("/v1/query?line=60&board={position}")).json();
        for field in ["line", "line_end", "cycle_after", "until_capture", "low", "high"] {
            assert_eq!(line[field], query[field], "{field}");
        }
        let mut at = line["board"].clone();
        let steps = line["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), line["line"].as_array().expect("a line").len());
        for step in steps {
            let numbers: Vec<String> =
                at.as_array().expect("a board").iter().map(Value::to_string).collect();
            let moves = server.get(&format!("/v1/moves?board={}", numbers.join("-"))).json();
            assert!(moves["moves"].as_array().expect("moves").contains(step), "{step} in {at}");
            at = step["board"].clone();
        }
    }
}

#[test]
fn games_are_told_with_totals_scores_and_their_end() {
    let server = Server::new();
    let game = server.get("/v1/game?board=0-0-1-0-1-0-0-0-0-0-0-1-22-23-S&moves=Cf").json();
    assert_eq!(game["ending"], json!({"reason": "no_move", "margin": 2}));
    let low: Vec<&Value> =
        game["positions"].as_array().expect("positions").iter().map(|each| &each["low"]).collect();
    assert_eq!(low, [3, -3, 3]);
    let beyond = server.get("/v1/game?board=4-4-4-4-4-4-4-4-4-4-4-4&moves=Fa").json();
    assert!(
        beyond["positions"][2]["low"].is_null() && beyond["moves"][1]["move"] == "a",
        "{beyond}"
    );
    server.get("/v1/game?board=0-0-1-0-1-0-0-0-0-0-0-1&moves=CA").error(400, "usage");
    // The position may have moves of its own.
    for words in ["startpos+moves+F&moves=aE", "startpos+moves+Fa&moves=E", "startpos+moves+FaE"] {
        let found = server.get(&format!("/v1/game?board={words}")).json();
        let houses = found["moves"].as_array().expect("moves").iter().map(|each| &each["move"]);
        assert_eq!(houses.collect::<Vec<_>>(), ["F", "a", "E"], "{words}");
    }
    server.get("/v1/game?board=startpos+moves+FF&moves=a").error(400, "usage");
}

#[test]
fn figures_are_those_of_the_command() {
    let server = Server::new();
    let tables = place(&server.dir);
    let printed = oware("stats --json --tables", &tables);
    for _ in 0..2 {
        assert_eq!(server.get("/v1/stats").body + "\n", printed, "counted, and then remembered");
    }
    let some = oware("stats --json --seeds 3 --tables", &tables);
    assert_eq!(server.get("/v1/stats?seeds=3").body + "\n", some);
    let one = server.get("/v1/stats?layer=5").json();
    assert_eq!(one["layers"].as_array().expect("layers").len(), 1);
    assert_eq!(one["layers"][0]["positions"], 4368);
    server.get("/v1/stats?layer=8").error(404, "missing_table");
    server.get("/v1/stats?layer=49").error(400, "usage");
}

#[test]
fn tables_are_listed_with_sizes_and_checksums() {
    let server = Server::new();
    for path in ["/v1/tables", "/v1/tables?rules=abapa", "/v1/tables"] {
        let listed = server.get(path).json();
        let tables = listed["tables"].as_array().expect("tables");
        assert_eq!(tables.len(), 8);
        for (seeds, table) in tables.iter().enumerate() {
            let path = server.dir.path().join(table["file"].as_str().expect("a name"));
            assert_eq!(table["seeds"], seeds);
            assert_eq!(table["bytes"], std::fs::metadata(&path).expect("a file").len());
            assert_eq!(table["sha256"], sha256(&path));
            assert_eq!(table["strategy"], true);
        }
    }
    assert_eq!(server.get("/v1/tables?rules=awari").json(), json!({"tables": []}));
    let sheets = server.get("/v1/sheets").json();
    assert_eq!(sheets["sheets"][0]["layers"], json!([0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(
        (&sheets["sheets"][2]["id"], &sheets["sheets"][2]["layers"]),
        (&json!("awari"), &json!([]))
    );
}

#[test]
fn a_table_that_is_built_later_is_found() {
    let server = Server::with(built("abapa", 1), ServerLimits::default(), &[]);
    let position = "/v1/query?board=0-0-1-0-1-0-0-0-0-0-0-1";
    server.get(position).error(404, "missing_table");
    oware("build --quiet --seeds 3 --out", &place(&server.dir));
    assert_eq!(server.get(position).json()["value"], 3);
}

#[test]
fn batches_are_answered_as_by_the_command() {
    let server = Server::new();
    let lines: String = POSITIONS.iter().map(|position| typed(position) + "\n").collect();
    let expected: String = POSITIONS
        .map(|position| server.get(&format!("/v1/query?line=5&board={position}")).body + "\n")
        .concat();
    let answer = server.post("/v1/batch?line=5", &lines);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
    assert_eq!(answer.body, expected);
    // What is answered can be asked again.
    assert_eq!(server.post("/v1/batch?line=5", &answer.body).body, expected);
    assert_eq!(server.post("/v1/batch", "").body, "");
}

#[test]
fn bad_lines_of_a_batch_get_errors_in_their_place() {
    let server = Server::new();
    let lines = "0 0 0 0 1 2 1 0 0 0 3 0\nfoo\n\n4 4 4 4 4 4 4 4 4 4 4 4\n[1,2\n\
                 {\"board\":[0,0,0,0,1,2,1,0,0,0,3,0]}";
    let answer = server.post("/v1/batch?scores_only=true", lines).body;
    let answers: Vec<Value> =
        answer.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<Option<&str>> =
        answers.iter().map(|line| line["error"]["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        [None, Some("usage"), Some("usage"), Some("missing_table"), Some("usage"), None]
    );
    assert_eq!(answers[0], answers[5]);
    assert!(!answer.contains(&place(&server.dir)));
}

#[test]
fn records_are_judged_as_by_the_command() {
    let server = Server::new();
    let record = "[FEN \"1-1-1-0-0-0-1-0-1-0-1-1-20-21-S\"]\n\n1. B a 2. A *\n";
    let judged = server.post("/v1/verify", record).json();
    let game = &judged["games"][0];
    assert_eq!(
        (&judged["rules"], &game["result"], &game["illegal"]),
        (&json!("abapa"), &json!("*"), &Value::Null)
    );
    let file = server.dir.path().join("game.ogn");
    std::fs::write(&file, record).expect("writes");
    let words = format!("verify --json --tables {} --games", place(&server.dir));
    let report: Value =
        serde_json::from_str(&oware(&words, file.to_str().expect("UTF-8"))).expect("JSON");
    let verdicts = |wanted: &str| {
        let moves = game["moves"].as_array().expect("moves");
        moves.iter().filter(|each| each["judgement"]["verdict"] == wanted).count()
    };
    assert_eq!(
        (report["judged"].as_u64(), report["best"].as_u64()),
        (Some(3), Some(verdicts("best") as u64))
    );
    let worst = &report["worst"][0];
    let first = &game["moves"][0];
    assert_eq!(
        (&worst["loss"], &worst["better"]),
        (&first["judgement"]["loss"], &first["judgement"]["better"])
    );
    assert_eq!((&worst["played"], &first["move"]), (&json!("B"), &json!("B")));
}

#[test]
fn variations_are_told_as_far_as_they_are_legal() {
    let server = Server::new();
    let record = "[FEN \"1-1-1-0-0-0-1-0-1-0-1-1-20-21-S\"]\n[Result \"24-24\"]\n\n\
                  1. B (1. A a (1... c) 2. Z) (1. b) a (1... c) (A) 2. A\n";
    let game = &server.post("/v1/verify", record).json()["games"][0];
    let expected = json!([{"at": 0, "moves": ["A", "a"]}, {"at": 1, "moves": ["c"]}]);
    assert_eq!((&game["variations"], &game["result"]), (&expected, &json!("24-24")));
    let many = format!("A {}", "(B)".repeat(300));
    let judged = server.post("/v1/verify", &many).json();
    assert_eq!(judged["games"][0]["variations"].as_array().expect("a list").len(), 100);
}

#[test]
fn records_are_read_as_far_as_they_are_legal() {
    let server = Server::new();
    let games = "0-0-1-0-1-0-0-0-0-0-0-1-22-23-S moves CfA\n0 0 0 0 1 2 1 0 0 0 3 0 moves fE\n";
    let judged = server.post("/v1/verify", games).json();
    let answers = |at: usize| {
        (
            judged["games"][at]["moves"].as_array().expect("moves").len(),
            judged["games"][at]["illegal"].clone(),
        )
    };
    assert_eq!((answers(0), answers(1)), ((2, json!("A")), (0, json!("f"))));
    let other = "[Variant \"masters\"]\n[FEN \"0-0-0-0-0-1-1-0-0-0-0-0-23-23-S\"]\n\n1. F *\n";
    let masters = server.post("/v1/verify", other).json();
    assert_eq!(
        (&masters["rules"], &masters["games"][0]["moves"][0]["captured"]),
        (&json!("masters"), &json!(2))
    );
    let unknown = server.post("/v1/verify?rules=masters", "0 0 1 0 1 0 0 0 0 0 0 1 moves C").json();
    assert!(unknown["games"][0]["moves"][0]["judgement"].is_null(), "there is no table");
    let abapa = server.post("/v1/verify?rules=abapa", other).json();
    assert_eq!(abapa["games"][0]["moves"][0]["captured"], 0);
    let many = "0 0 1 0 1 0 0 0 0 0 0 1 moves C\n".repeat(21);
    assert!(server.post("/v1/verify", &many).error(400, "usage").contains("20 games"));
    server.post("/v1/verify", "").error(400, "usage");
    server.post("/v1/verify", "[FEN \"x\"]\n\nA *\n").error(400, "usage");
}
