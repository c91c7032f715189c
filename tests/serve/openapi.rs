//! The API's own description, held against what it answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Answer, Server, built};
use oware_db::server::ServerLimits;

const POSITION: &str = "board=0-0-0-0-1-2-1-0-0-0-3-0";
/// Schemas that are parts of others, and so do not name all fields that there are.
const PARTS: [&str; 6] = ["Position", "Score", "LinePart", "MovePart", "GamePart", "EstimatePart"];

/// The description, where no object may have fields that it does not name.
fn strict(document: &Value) -> Value {
    let mut document = document.clone();
    for (name, schema) in document["components"]["schemas"].as_object_mut().expect("schemas") {
        if schema["type"] == "object" && !PARTS.contains(&name.as_str()) {
            schema["unevaluatedProperties"] = json!(false);
        }
    }
    document
}

/// Checks an answer, or each line of it, against what is said of it.
#[track_caller]
fn check(document: &Value, method: &str, path: &str, answer: &Answer) {
    let kind = answer.header("content-type").expect("a type").split(';').next().expect("a type");
    let said = &document["paths"][path][method]["responses"][answer.status.to_string()]["content"]
        [kind]["schema"];
    assert!(said.is_object(), "{method} {path} {} {kind} is not described", answer.status);
    let mut schema = said.clone();
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let documents: Vec<Value> = match kind {
        "application/x-ndjson" => {
            answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
        }
        "application/json" => vec![answer.json()],
        _ => vec![json!(answer.body)],
    };
    assert!(!documents.is_empty());
    for document in &documents {
        let errors: Vec<String> =
            validator.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{method} {path}: {errors:?}: {document}");
    }
}

#[test]
fn every_answer_is_as_described() {
    let server = Server::new();
    let document = server.get("/openapi.json").json();
    let strict = strict(&document);
    let long = "1".repeat(5000);
    for (path, asked) in [
        ("/v1/query", format!("?{POSITION}")),
        ("/v1/query", "?board=0-0-0-0-0-1-1-0-0-0-0-3-20-23-S&explain=true".to_owned()),
        ("/v1/query", "?board=0-0-0-0-0-0-1-2-0-0-0-0-20-25-S".to_owned()),
        ("/v1/query", format!("?{POSITION}&scores_only=true")),
        ("/v1/query", "?board=1".to_owned()),
        ("/v1/query", "?board=4-4-4-4-4-4-4-4-4-4-4-4".to_owned()),
        ("/v1/query", format!("?board={long}")),
        ("/v1/line", "?board=0-0-1-0-1-0-0-0-0-0-0-1".to_owned()),
        ("/v1/line", String::new()),
        ("/v1/line", "?board=4-4-4-4-4-4-4-4-4-4-4-4".to_owned()),
        ("/v1/moves", format!("?{POSITION}")),
        ("/v1/moves", "?board=0-0-0-0-0-0-1-2-0-0-0-0".to_owned()),
        ("/v1/moves", "?board=x".to_owned()),
        ("/v1/moves", "?rules=nam-nam&board=4-4-4-4-4-4-4-4-4-4-4-4".to_owned()),
        ("/v1/moves", "?rules=bao-kujifunza-4x2&board=2-2-2-2-2-2-2-2".to_owned()),
        ("/v1/query", "?rules=bao-laps&board=1-2-3".to_owned()),
        ("/v1/query", "?rules=bao-laps&board=2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2".to_owned()),
        ("/v1/line", "?rules=bao-laps&board=1-2-3".to_owned()),
        ("/v1/stats", "?rules=bao-laps".to_owned()),
        ("/v1/game", "?board=0-0-1-0-1-0-0-0-0-0-0-1-22-23-S&moves=Cf".to_owned()),
        ("/v1/game", "?board=4-4-4-4-4-4-4-4-4-4-4-4&moves=Fa".to_owned()),
        ("/v1/game", "?moves=Fa".to_owned()),
        ("/v1/search", "?board=4-4-4-4-4-4-4-4-4-4-4-4&depth=3&every_move=true".to_owned()),
        ("/v1/search", "?board=0-0-0-0-0-0-1-2-0-0-0-0-22-23-S".to_owned()),
        ("/v1/search", "?board=4-4-4-4-4-4-4-4-4-4-4-4&depth=99".to_owned()),
        ("/v1/stats", String::new()),
        ("/v1/stats", "?layer=9".to_owned()),
        ("/v1/stats", "?layer=x".to_owned()),
        ("/v1/tables", String::new()),
        ("/v1/tables", "?rules=chess".to_owned()),
        ("/v1/tables", "?rules=nam-nam".to_owned()),
        ("/v1/sheets", String::new()),
        ("/v1/sheets", format!("?{long}")),
        ("/v1/sheets", "?rules=awari".to_owned()),
        ("/healthz", String::new()),
        ("/healthz", format!("?{long}")),
        ("/metrics", String::new()),
        ("/metrics", format!("?{long}")),
        ("/openapi.json", String::new()),
        ("/openapi.json", format!("?{long}")),
    ] {
        check(&strict, "get", path, &server.get(&format!("{path}{asked}")));
    }
    for (asked, body) in
        [("", "0-0-1-0-1-0-0-0-0-0-0-1-22-23-S moves CfA"), ("", "nonsense"), ("?rules=chess", "")]
    {
        check(&strict, "post", "/v1/verify", &server.post(&format!("/v1/verify{asked}"), body));
    }
    check(&strict, "post", "/v1/verify", &server.post("/v1/verify", &"#".repeat(300_000)));
    let lines = "0 0 0 0 1 2 1 0 0 0 3 0\nfoo\n0-0-0-0-0-1-1-0-0-0-0-3-20-23-S\n";
    let too_long = format!("/v1/batch?{long}");
    for asked in ["/v1/batch", "/v1/batch?scores_only=true", "/v1/batch?rules=chess", &too_long] {
        check(&strict, "post", "/v1/batch", &server.post(asked, lines));
    }
}

#[test]
fn so_are_answers_of_a_server_in_trouble() {
    let dir = built("abapa", 4);
    std::fs::write(dir.path().join("abapa-03.oware"), "dear diary").expect("writes");
    let server = Server::with(
        dir,
        ServerLimits { waiting: 0, batch: 10, batches: 0, ..ServerLimits::default() },
        &[],
    );
    let strict = strict(&server.get("/openapi.json").json());
    let mut statuses = BTreeSet::new();
    for (path, asked) in [
        ("/v1/query", "?board=0-0-1-0-1-0-0-0-0-0-0-1"),
        ("/v1/line", "?board=0-0-1-0-1-0-0-0-0-0-0-1"),
        ("/v1/game", "?board=0-0-1-0-1-0-0-0-0-0-0-1"),
        ("/v1/stats", ""),
        ("/v1/tables", ""),
    ] {
        let answer = server.get(&format!("{path}{asked}"));
        statuses.insert(answer.status);
        check(&strict, "get", path, &answer);
    }
    for lines in ["1", "0 0 1 0 1 0 0 0 0 0 0 1\n"] {
        let answer = server.post("/v1/batch", lines);
        statuses.insert(answer.status);
        check(&strict, "post", "/v1/batch", &answer);
    }
    assert_eq!(statuses, BTreeSet::from([413, 429, 500, 503]));
}

/// The routes that the source of the server lists, besides the files of the page.
#[test]
fn every_route_is_described_and_no_other() {
    let source = include_str!("../../src/server/service.rs");
    let listed: BTreeSet<(&str, &str)> = source
        .lines()
        .filter_map(|line| line.split_once(".route(\"")?.1.split_once("\", "))
        .map(|(path, rest)| (path, rest.split('(').next().expect("a method")))
        .collect();
    let document: Value =
        serde_json::from_str(include_str!("../../src/server/openapi.json")).expect("JSON");
    let described: BTreeSet<(&str, &str)> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .expect("methods")
                .keys()
                .map(move |each| (path.as_str(), each.as_str()))
        })
        .collect();
    assert!(listed.len() > 9, "{listed:?}");
    assert_eq!(listed, described);
}

/// A field that is not described would be found.
#[test]
fn the_check_can_fail() {
    let server = Server::new();
    let document = server.get("/openapi.json").json();
    let mut poorer = strict(&document);
    poorer["components"]["schemas"]["Query"]["properties"]
        .as_object_mut()
        .expect("fields")
        .remove("best");
    let answer = server.get(&format!("/v1/query?{POSITION}"));
    let found = std::panic::catch_unwind(|| check(&poorer, "get", "/v1/query", &answer));
    assert!(found.is_err());
}
