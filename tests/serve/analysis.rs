//! What is answered without a server: games that `/v1/game` follows, and tables that are no files.

use std::sync::Arc;

use serde_json::{Value, json};

use oware_db::answers::{Answers, Question};
use oware_db::game::{ABAPA, Seeds};
use oware_db::probe::Tables;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{InMemoryShelf, WriteOptions, file_name, to_bytes};

/// What `GET` of this path is answered with, or the message of the refusal.
fn asked(tables: Tables, path: &str, parameters: &str) -> Result<Value, String> {
    let question = Question { method: "GET", path, parameters, body: &[] };
    match Answers::new(tables).answer(&question) {
        Ok(document) => Ok(serde_json::from_slice(&document.into_bytes()).expect("JSON")),
        Err(refusal) => Err(refusal.message),
    }
}

/// A game without any table.
fn analyzed(start: &str, moves: &str) -> Result<Value, String> {
    let tables = Tables::open_early("no directory of that name").expect("not looked for");
    let parameters = format!("board={}&moves={moves}", start.replace(' ', "+"));
    asked(tables, "/v1/game", &parameters)
}

fn analysis(start: &str, moves: &str) -> Value {
    analyzed(start, moves).expect("an analysis")
}

#[test]
fn captures_are_counted_for_who_makes_them() {
    for (start, letter, next) in [
        ("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", "F", "0-0-0-0-0-0-0-0-0-0-0-3-22-23-N"),
        ("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "f", "0-0-0-0-0-3-0-0-0-0-0-0-20-25-S"),
    ] {
        let game = analysis(start, "F");
        assert_eq!(
            (&game["moves"][0]["move"], &game["positions"][1]["start"]),
            (&json!(letter), &json!(next))
        );
    }
}

#[test]
fn endings_are_seen_from_souths_side() {
    let ending = |start, moves| analysis(start, moves)["ending"].clone();
    assert_eq!(
        ending("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "F"),
        json!({"reason": "decided", "margin": -5})
    );
    assert_eq!(ending("0-0-0-0-0-0-1-2-0-0-0-0-20-25-S", "")["reason"], "decided");
    assert_eq!(
        ending("0-0-0-0-0-0-1-2-0-0-0-0-22-23-S", ""),
        json!({"reason": "no_move", "margin": -4})
    );
    assert_eq!(ending("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", ""), Value::Null);
}

#[test]
fn a_cycle_names_the_position_that_came_back_and_may_be_played_on() {
    let moves = "CbEaDbEeAcBdDeCfEaDbCcBdFaAcBdEbDeEdCcEeDdEeFfCaDcEdFfBaCbDcEeFfAaBbCd";
    let start = "0-3-1-1-1-0-1-3-0-1-1-0-18-18-S";
    let game = analysis(start, moves);
    assert_eq!(
        (&game["ending"]["reason"], &game["positions"][70]["repeats"]),
        (&json!("repetition"), &json!(58))
    );
    assert!((0..70).all(|at| game["positions"][at]["repeats"].is_null()));
    // South has captured one seed more than North, and its row holds one less.
    let (at, margin) = (&game["positions"][70], &game["ending"]["margin"]);
    assert_eq!(
        (&at["low"], &at["stores"], margin),
        (&json!(-1), &json!({"mover": 23, "opponent": 22}), &json!(0))
    );
    let on = analysis(start, &format!("{moves}{}", &moves[58..68]));
    assert!(on["ending"].is_null() && on["positions"][80]["repeats"].is_null());
}

#[test]
fn wrong_moves_are_named_and_games_are_not_endless() {
    let (short, cycle) = ("0 0 0 0 1 2 1 0 0 0 3 0", "0-0-0-1-0-0-0-0-1-0-1-0-23-22-S");
    let round = |times| "DcEeFfAaBbCd".repeat(times);
    for (start, moves, parts) in [
        (short, "FX".to_owned(), ["move 2, `X`: houses", ""]),
        (short, "A".to_owned(), ["move 1, `A`: it is not legal in 0-0-0-0-1-2-", ""]),
        (cycle, round(84), ["move 1001", "at most 1000"]),
    ] {
        let error = analyzed(start, &moves).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    assert!(analyzed(cycle, &round(83)).is_ok());
}

#[test]
fn tables_on_a_shelf_are_listed_without_checksums() {
    let (seeds, shelf) = (Seeds::new(0).expect("few"), InMemoryShelf::default());
    let mut solver = Solver::new(&ABAPA, Kernel::best());
    let solved = solver.solve(seeds, &InMemory::default(), &Unobserved).expect("solves");
    let bytes = to_bytes(&ABAPA, &solved, WriteOptions::default()).expect("memory");
    let length = bytes.len();
    shelf.put(file_name(&ABAPA, seeds), bytes);
    let tables = Tables::on_shelf("this page", Arc::new(shelf));
    let listed = asked(tables, "/v1/tables", "").expect("a list");
    let table = &listed["tables"][0];
    assert_eq!((&table["file"], &table["bytes"]), (&json!("abapa-00.oware"), &json!(length)));
    assert_eq!(table.get("sha256"), None);
}

/// Nothing here can wait for a search; that another method is wrong holds everywhere.
#[test]
fn searches_are_not_answered_on_the_spot() {
    let tables = Tables::open_early("no directory of that name").expect("not looked for");
    let status = |method| {
        let question = Question { method, path: "/v1/search", parameters: "", body: &[] };
        Answers::new(tables.clone()).answer(&question).map(drop).unwrap_err().status
    };
    assert_eq!((status("GET"), status("POST")), (404, 405));
}
