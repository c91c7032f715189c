//! Requests name one host, and a server for its own machine answers as that machine alone.

use super::process::{ended, signal, started_with};
use super::{Server, built, place};

fn asked(hosts: &str) -> String {
    format!("GET /v1/sheets HTTP/1.1\r\n{hosts}connection: close\r\n\r\n")
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// A request without a host, or with two, is no request of HTTP 1.1.
#[test]
fn a_request_names_one_host() {
    let server = Server::new();
    for (hosts, expected) in [
        ("", "400"),
        ("host: localhost\r\nhost: localhost\r\n", "400"),
        ("host: localhost\r\nhost: example.org\r\n", "400"),
        ("host: \r\n", "400"),
        ("host: a b\r\n", "400"),
        ("host: me@localhost\r\n", "400"),
        ("host: localhost\r\n", "200"),
    ] {
        let answer = server.say(&asked(hosts));
        assert_eq!(status(&answer), expected, "{hosts:?}: {answer}");
        assert!(expected == "200" || answer.contains("\"kind\":\"usage\""), "{answer}");
    }
    let old = asked("").replace("HTTP/1.1", "HTTP/1.0");
    assert_eq!(status(&server.say(&old)), "200", "HTTP 1.0 has no hosts");
}

/// A page of another site lets its name lead here, and would read the answers as if they were its
/// own site's.
#[test]
fn a_name_that_leads_here_is_not_enough_at_loopback() {
    let server = Server::new();
    let port = server.address.rsplit(':').next().expect("a port").to_owned();
    for host in [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "127.0.0.1",
        "[::1]",
        "localhost:1",
        "127.0.0.9",
        "[::1]:9",
    ] {
        let answer = server.say(&asked(&format!("host: {host}\r\n")));
        assert_eq!(status(&answer), "200", "{host}: {answer}");
    }
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "localhost.evil.example",
        "10.0.0.1",
        "0.0.0.0",
        "[::]",
        "2130706433",
        ".",
    ] {
        for path in ["/", "/v1/sheets", "/healthz", "/v1/nothing"] {
            let request = asked(&format!("host: {host}\r\n")).replace("/v1/sheets", path);
            let answer = server.say(&request);
            assert_eq!(status(&answer), "421", "{host} {path}: {answer}");
            assert!(answer.contains("--allow-host"), "{answer}");
        }
    }
    let absolute = "GET http://evil.example/v1/sheets HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    assert_eq!(status(&server.say(absolute)), "421");
}

#[test]
#[cfg(unix)]
fn other_names_are_answered_where_that_is_meant() {
    let dir = built("abapa", 2);
    for (words, host, expected) in [
        ("--listen 0", "box.example", 421),
        ("--listen 0 --allow-host box.example --allow-host b.example", "Box.Example", 200),
        ("--listen 0 --allow-host box.example", "other.example", 421),
        ("--listen 0 --allow-host *", "other.example", 200),
        ("--listen 0 --behind-proxy", "other.example", 200),
        ("--listen :0", "other.example", 200),
    ] {
        let (child, address) = started_with(words, &place(&dir));
        let url =
            format!("http://127.0.0.1:{}/v1/sheets", address.rsplit(':').next().expect("a port"));
        let answer = super::agent().get(url).header("host", host).call().expect("an answer");
        assert_eq!(answer.status().as_u16(), expected, "{words} {host}");
        signal(&child, "-TERM");
        assert_eq!(ended(child).0, Some(0));
    }
}
