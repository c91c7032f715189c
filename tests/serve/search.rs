//! `GET /v1/search`: what the engine makes of positions.

use std::io::Write;
use std::time::{Duration, Instant};

use super::{Server, built};
use oware_db::server::ServerLimits;

pub const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

#[test]
fn the_engine_answers_above_the_tables() {
    let server = Server::new();
    let found = server.get(&format!("/v1/search?board={START}&depth=6&time=5000")).json();
    assert_eq!(
        (&found["seeds"], &found["depth"], &found["rules"]),
        (&48.into(), &6.into(), &"abapa".into())
    );
    assert!(found["estimate"].as_f64().expect("a number").abs() < 20.0, "{found}");
    let line = found["line"].as_array().expect("a line");
    assert_eq!(line[0], found["best"][0]);
    assert!(line[1].as_str().expect("a letter").chars().all(|c| c.is_ascii_lowercase()), "{found}");
    assert!(found["low"].is_null(), "an estimate is no score");
}

/// A position may have moves of its own, and what was captured is said where it is known.
#[test]
fn positions_are_read_as_elsewhere() {
    let server = Server::new();
    let ask = |words: &str| server.get(&format!("/v1/search?depth=2&board={words}")).json();
    let apart = ask("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S&moves=FaE");
    for words in ["startpos+moves+FaE", "startpos+moves+Fa&moves=E"] {
        assert_eq!(ask(words)["board"], apart["board"], "{words}");
    }
    assert_eq!(apart["stores"]["mover"], 0);
    assert!(ask("4-4-4-4-4-4-4-4-4-4-4-4&moves=FaE").get("stores").is_none());
    server.get("/v1/search?board=startpos+moves+FF").error(400, "usage");
}

#[test]
fn every_move_is_estimated_best_first_if_that_is_asked_for() {
    let server = Server::new();
    let asked = format!("/v1/search?board={START}&depth=5&time=5000&every_move=true&moves=Fa");
    let found = server.get(&asked).json();
    let moves = found["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 5, "F is empty: {found}");
    let estimates: Vec<f64> = moves.iter().filter_map(|each| each["estimate"].as_f64()).collect();
    assert!(estimates.len() == 5 && estimates.is_sorted_by(|one, next| one >= next), "{found}");
    assert_eq!(
        (&moves[0]["house"], &moves[0]["estimate"]),
        (&found["best"][0], &found["estimate"])
    );
}

/// A level chooses as `oware engine --level` does: by luck below the best, and the same for the same
/// seed.
#[test]
fn a_level_draws_its_move_by_a_seed() {
    let server = Server::new();
    let best = |words: &str| {
        let found =
            server.get(&format!("/v1/search?board={START}&depth=6&time=5000{words}")).json();
        found["best"][0].as_str().expect("a house").to_owned()
    };
    let drawn: Vec<String> = (0..30).map(|seed| best(&format!("&level=1&seed={seed}"))).collect();
    assert!(drawn.iter().any(|house| house != &drawn[0]), "{drawn:?}");
    assert_eq!(best("&level=1&seed=7"), drawn[7]);
    assert_eq!(best("&level=5&seed=7"), best(""));
    for wrong in ["level=0", "level=6", "level=2&every_move=true"] {
        server.get(&format!("/v1/search?board={START}&{wrong}")).error(400, "usage");
    }
}

/// Within the tables an estimate is what the tables say, where that is one number.
#[test]
fn within_the_tables_it_agrees_with_them() {
    let server = Server::new();
    for board in ["0-0-1-0-1-0-0-0-0-0-0-1-22-23-S", "0-0-0-0-1-2-1-0-0-0-3-0-20-21-S"] {
        let score = server.get(&format!("/v1/query?board={board}")).json();
        let found = server.get(&format!("/v1/search?board={board}&every_move=true")).json();
        let value = score["value"].as_f64().expect("one number");
        assert_eq!(found["estimate"].as_f64(), Some(value), "{found}");
    }
}

#[test]
fn the_end_of_a_game_has_no_estimate() {
    let server = Server::new();
    for asked in
        ["board=0-0-0-0-0-0-1-2-0-0-0-0-22-23-S", "board=0-0-0-0-0-1-1-0-0-0-0-3-23-20-S&moves=F"]
    {
        let found = server.get(&format!("/v1/search?{asked}&every_move=true")).json();
        assert!(found["estimate"].is_null() && found["best"].as_array().is_some_and(Vec::is_empty));
    }
}

#[test]
fn limits_are_kept_and_mistakes_named() {
    let limits = ServerLimits { search: Duration::from_millis(300), ..ServerLimits::default() };
    let server = Server::with(built("abapa", 4), limits, &[]);
    let begun = Instant::now();
    for words in ["", "&time=300", "&time=300&every_move=true"] {
        let answer = server.get(&format!("/v1/search?board={START}&depth=48{words}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    for (words, part) in [
        ("&time=301", "at most 300"),
        ("&depth=49", "at most 48"),
        ("&moves=FFF", "not a legal move"),
        ("&moves=X", "houses are A to F"),
        ("&deep=3", "deep"),
    ] {
        let refused = server.get(&format!("/v1/search?board={START}{words}"));
        assert!(refused.error(400, "usage").contains(part), "{words}: {}", refused.body);
    }
    server.get("/v1/search").error(400, "usage");
}

/// A client has one search at a time: another waits for it, and one that is left ends.
#[test]
fn a_client_who_leaves_ends_the_search() {
    let limits = ServerLimits { search: Duration::from_secs(60), ..ServerLimits::default() };
    let server = Server::with(built("abapa", 4), limits, &[]);
    let mut left = server.connect();
    let request = format!(
        "GET /v1/search?board={START}&depth=48&time=60000 HTTP/1.1\r\nhost: localhost\r\n\r\n"
    );
    left.write_all(request.as_bytes()).expect("is heard");
    std::thread::sleep(Duration::from_millis(300));
    let quick = format!("/v1/search?board={START}&depth=2");
    let refused = server.get(&quick);
    let seconds = refused.header("retry-after").expect("a time").parse::<u64>().expect("a number");
    assert!((50..=60).contains(&seconds), "{seconds}");
    refused.error(429, "io");
    drop(left);
    let ended = Instant::now();
    while server.get(&quick).status == 429 {
        assert!(ended.elapsed() < Duration::from_secs(20), "the search goes on");
    }
}
