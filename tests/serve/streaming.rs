//! Batches are conversations: answered as they come in, and no faster than they are taken.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Server, built};
use oware_db::server::ServerLimits;

const HEAD: &str = "POST /v1/batch?scores_only=true HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
const LINE: &str = "0 0 1 0 1 0 0 0 0 0 0 1\n";

fn send(stream: &mut TcpStream, text: &str) {
    write!(stream, "{:x}\r\n{text}\r\n", text.len()).expect("is heard");
}

/// Reads until a line holds `part`.
fn await_line(answer: &mut impl BufRead, part: &str) {
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert!(
            answer.read_line(&mut line).expect("an answer in time") > 0,
            "it ends before {part}"
        );
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let server = Server::new();
    let mut stream = server.connect();
    stream.write_all(HEAD.as_bytes()).expect("is heard");
    let mut answer = BufReader::new(stream.try_clone().expect("a second end"));
    for (position, part) in [
        ("0 0 1 0 1 0 0 0 0 0 0 1", "\"value\":3"),
        ("foo", "\"usage\""),
        ("0 0 0 0 0 1 1 0 0 0 0 0", "\"seeds\":2"),
    ] {
        send(&mut stream, &format!("{position}\n"));
        await_line(&mut answer, part);
    }
    // A line may come in parts.
    send(&mut stream, "0 0 0 0 0 1 1 0");
    send(&mut stream, " 0 0 0 3");
    stream.write_all(b"0\r\n\r\n").expect("is heard");
    await_line(&mut answer, "\"seeds\":5");
}

#[test]
fn who_does_not_read_is_not_read_from() {
    let server = Server::with(
        built("abapa", 4),
        ServerLimits { idle: Duration::from_millis(400), ..ServerLimits::default() },
        &[],
    );
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_millis(300))).expect("a limit");
    stream.write_all(HEAD.as_bytes()).expect("is heard");
    let text = LINE.repeat(1000);
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    let mut sent = 0;
    let refused = loop {
        match stream.write(chunk.as_bytes()) {
            Ok(count) => sent += count,
            Err(error) => break error,
        }
        assert!(sent < 60 << 20, "it takes without end");
    };
    let waits = matches!(
        refused.kind(),
        ErrorKind::WouldBlock
            | ErrorKind::TimedOut
            | ErrorKind::ConnectionReset
            | ErrorKind::BrokenPipe
    );
    assert!(waits, "{refused}");
    // The thread that waited is free again: all places can be taken.
    std::thread::sleep(Duration::from_millis(900));
    for _ in 0..ServerLimits::default().batches {
        assert_eq!(server.post("/v1/batch", LINE).status, 200);
    }
}

#[test]
fn a_client_who_leaves_frees_its_place() {
    let server = Server::with(
        built("abapa", 4),
        ServerLimits { batches: 1, ..ServerLimits::default() },
        &[],
    );
    for _ in 0..5 {
        let mut stream = server.connect();
        stream.write_all(HEAD.as_bytes()).expect("is heard");
        send(&mut stream, &LINE.repeat(100));
        drop(stream);
        let begun = std::time::Instant::now();
        while server.post("/v1/batch", LINE).status == 429 {
            assert!(begun.elapsed() < Duration::from_secs(10));
        }
    }
}

#[test]
fn a_long_batch_comes_back_whole_and_in_order() {
    let server = Server::new();
    let lines: String =
        (0..20_000)
            .map(|at| {
                if at % 3 == 0 { "0 0 1 0 1 0 0 0 0 0 0 1\n" } else { "0 0 0 0 0 1 1 0 0 0 0 0\n" }
            })
            .collect();
    let answer = server.post("/v1/batch?scores_only=true", &lines).body;
    assert_eq!(answer.lines().count(), 20_000);
    for (at, line) in answer.lines().enumerate() {
        assert!(
            line.contains(if at % 3 == 0 { "\"seeds\":3" } else { "\"seeds\":2" }),
            "line {at}: {line}"
        );
    }
}

/// A place was free a moment after the end of its answer had come.
#[test]
fn who_has_its_answer_has_its_place_again() {
    let limits = ServerLimits { batches: 1, ..ServerLimits::default() };
    let server = Server::with(built("abapa", 4), limits, &[]);
    for number in 0..100 {
        let answer = server.post("/v1/batch", LINE);
        assert_eq!(answer.status, 200, "batch {number}: {}", answer.body);
    }
}
