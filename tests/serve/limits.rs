//! A server takes on so much and no more.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use super::{Server, built};
use oware_db::server::ServerLimits;

fn limited(limits: ServerLimits) -> Server {
    Server::with(built("abapa", 4), limits, &[])
}

#[test]
fn addresses_are_not_endless() {
    let server = limited(ServerLimits { address: 100, ..ServerLimits::default() });
    let path = |length: usize| {
        format!("/v1/query?board={}", "1".repeat(length - "/v1/query?board=".len()))
    };
    assert_eq!(server.get(&path(100)).status, 400);
    assert!(server.get(&path(101)).error(414, "usage").contains("100 bytes"));
    server.get(&format!("/{}", "x".repeat(200))).error(414, "usage");
}

#[test]
fn batches_are_not_endless() {
    let server = limited(ServerLimits { batch: 1000, ..ServerLimits::default() });
    let line = "0 0 1 0 1 0 0 0 0 0 0 1\n";
    server.post("/v1/batch", &line.repeat(42)).error(413, "usage");
    assert_eq!(server.post("/v1/batch", &line.repeat(41)).body.lines().count(), 41);
    // Where the length is not known beforehand, the answers end with why they do.
    let chunk = format!("{:x}\r\n{}\r\n", 24 * 30, line.repeat(30));
    let head = "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let answer = server.say(&format!("{head}{chunk}{chunk}0\r\n\r\n"));
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("longer than 1000 bytes"),
        "{answer}"
    );
}

#[test]
fn batches_at_once_are_counted() {
    let server = limited(ServerLimits { batches: 1, ..ServerLimits::default() });
    let mut first = server.connect();
    let head = "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    first.write_all(head.as_bytes()).expect("is heard");
    let mut begun = [0; 12];
    first.read_exact(&mut begun).expect("an answer");
    assert_eq!(&begun, b"HTTP/1.1 200");
    let second = server.post("/v1/batch", "0 0 1 0 1 0 0 0 0 0 0 1\n");
    assert_eq!(second.header("retry-after"), Some("1"));
    second.error(429, "io");
    first.write_all(b"0\r\n\r\n").expect("is heard");
    let ended = Instant::now();
    while server.post("/v1/batch", "0 0 1 0 1 0 0 0 0 0 0 1\n").status == 429 {
        assert!(ended.elapsed() < Duration::from_secs(10), "the place is free again");
    }
}

#[test]
fn work_on_whole_tables_has_a_queue_that_ends() {
    let server = limited(ServerLimits { waiting: 0, ..ServerLimits::default() });
    server.get("/v1/tables").error(503, "io");
    assert_eq!([server.get("/v1/sheets").status, server.get("/v1/stats").status], [200; 2]);
}

#[test]
fn records_are_not_endless() {
    let server = limited(ServerLimits { body: 100, ..ServerLimits::default() });
    server.post("/v1/verify", &"#".repeat(101)).error(413, "usage");
    server.post("/v1/verify", &"#".repeat(100)).error(400, "usage");
}

#[test]
fn an_answer_that_takes_too_long_is_given_up() {
    let server =
        limited(ServerLimits { answer: Duration::from_millis(100), ..ServerLimits::default() });
    // A body that does not come to its end.
    let head = "POST /v1/verify HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 10\r\n\r\n";
    let answer = server.say(head);
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after: 1"), "{answer}");
    assert!(answer.contains("\"kind\":\"io\""), "{answer}");
}

#[test]
fn who_is_silent_is_cut_off() {
    let short = Duration::from_millis(200);
    let server = limited(ServerLimits { head: short, idle: short, ..ServerLimits::default() });
    std::thread::scope(|scope| {
        for words in ["", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nhost: localhost\r\n"] {
            let server = &server;
            scope.spawn(move || {
                let begun = Instant::now();
                let answer = server.say(words);
                assert!(begun.elapsed() < Duration::from_secs(10), "{words:?}: {answer}");
                assert!(!answer.contains("200 OK"));
            });
        }
    });
    // So is a batch that does not go on, and its place is free again.
    let answer = server
        .say("POST /v1/batch HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\n4\r\n");
    assert!(answer.contains("not sent or read to its end"), "{answer}");
}

#[test]
fn beyond_the_last_place_there_are_health_and_figures_alone() {
    for limits in [
        ServerLimits { connections: 1, ..ServerLimits::default() },
        ServerLimits { client_connections: 1, ..ServerLimits::default() },
    ] {
        let server = Server::with(built("abapa", 4), limits, &["*"]);
        let mut first = server.connect();
        let ask =
            |path: &str| server.say(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n"));
        // Its place is its own when it has been answered.
        first.write_all(b"GET /v1/sheets HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("is heard");
        let mut begun = [0; 12];
        first.read_exact(&mut begun).expect("an answer");
        for path in ["/healthz", "/metrics"] {
            assert!(ask(path).starts_with("HTTP/1.1 200"), "{path}");
        }
        assert!(ask("/metrics").contains("oware_crowded_connections_total 3"));
        let refused = ask("/v1/sheets");
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"));
        assert!(refused.contains("\"kind\":\"io\""), "{refused}");
        assert!(refused.contains("access-control-allow-origin: *"), "{refused}");
        drop(first);
        let ended = Instant::now();
        while server.get("/v1/sheets").status == 503 {
            assert!(ended.elapsed() < Duration::from_secs(10), "the place is free again");
        }
    }
}
