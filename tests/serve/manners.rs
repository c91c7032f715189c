//! What holds for every answer: failures, headers, other sites, figures.

use std::fs;

use super::{Server, built, place};
use oware_db::server::ServerLimits;

const POSITION: &str = "board=0-0-0-0-1-2-1-0-0-0-3-0";

#[test]
fn mistakes_are_told_with_a_remedy() {
    let server = Server::new();
    for (path, part) in [
        ("/v1/query".to_owned(), "`board` is missing"),
        ("/v1/query?board=1-2-3".to_owned(), "3 numbers instead of 12"),
        ("/v1/query?board=-1-0-0-0-0-0-0-0-0-0-0-0".to_owned(), "negative"),
        (format!("/v1/query?{POSITION}&rules=chess"), "known sheets: abapa"),
        (format!("/v1/query?{POSITION}&rules=chess"), "/v1/sheets"),
        (format!("/v1/query?{POSITION}&sheet=awari"), "unknown field `sheet`"),
        ("/v1/sheets?rules=awari".to_owned(), "unknown field `rules`"),
        (format!("/v1/query?{POSITION}&line=101"), "at most 100"),
        (format!("/v1/query?{POSITION}&line=x"), "line"),
        (format!("/v1/query?{POSITION}&line=-1"), "line"),
        (format!("/v1/query?{POSITION}&{POSITION}"), "duplicate"),
        (format!("/v1/line?{POSITION}&limit=1001"), "at most 1000"),
        ("/v1/game?board=0-0-1-0-1-0-0-0-0-0-0-1&moves=G".to_owned(), "houses are A to F"),
        ("/v1/query?board=%ff%fe".to_owned(), ""),
    ] {
        let message = server.get(&path).error(400, "usage");
        assert!(message.contains(part) && message.len() < 300, "{path}: {message}");
    }
    assert_eq!(server.logged(), [""; 0], "mistakes of those who ask are not logged");
}

#[test]
fn what_is_not_there_is_not_found() {
    let server = Server::new();
    let message = server.get("/v1/query?board=4-4-4-4-4-4-4-4-4-4-4-4").error(404, "missing_table");
    assert!(message.contains("oware build --rules abapa --seeds 48"), "{message}");
    for path in
        ["/nothing", "/v1", "/v1/", "/v2/query", "/../Cargo.toml", "/page/index.html", "/%2e%2e/x"]
    {
        server.get(path).error(404, "usage");
    }
    server.post("/v1/query", "").error(405, "usage");
    server.get("/v1/batch").error(405, "usage");
    assert!(
        server
            .say("HEAD /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 200")
    );
}

#[test]
fn a_damaged_table_is_told_without_names_and_logged_with_them() {
    let dir = built("abapa", 7);
    let path = dir.path().join("abapa-07.oware");
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 4;
    bytes[middle] ^= 0x55;
    fs::write(&path, bytes).expect("writes");
    fs::write(dir.path().join("abapa-05.oware"), "dear diary").expect("writes");
    let server = Server::with(dir, ServerLimits::default(), &[]);
    let name = place(&server.dir);
    for query in
        [format!("/v1/query?{POSITION}"), "/v1/query?board=0-0-0-0-1-2-1-0-0-0-1-0".to_owned()]
    {
        let message = server.get(&query).error(500, "corrupt_table");
        assert!(!message.contains(&name) && message.contains("log"), "{message}");
    }
    let whole = server.get("/v1/stats").error(500, "corrupt_table");
    let batch = server.post("/v1/batch", "0 0 0 0 1 2 1 0 0 0 3 0\n").body;
    assert!(
        !whole.contains(&name) && !batch.contains(&name) && batch.contains("corrupt_table"),
        "{batch}"
    );
    let logged = server.logged();
    assert!(logged.len() >= 4 && logged.iter().all(|line| line.contains(&name)), "{logged:?}");
    assert!(logged[0].contains("oware build --repair"), "{logged:?}");
}

#[test]
fn browsers_are_told_to_be_careful() {
    let server = Server::new();
    for path in ["/", "/main.js", "/v1/sheets", "/nothing", "/v1/query?board=x", "/metrics"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none';") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self';"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert!(answer.header("cache-control").is_some(), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    }
}

#[test]
fn other_sites_are_let_in_only_if_asked_for() {
    let foreign = ("origin", "https://example.org");
    let allowed = |origins: &[&str], origin| {
        let server = Server::with(built("abapa", 1), ServerLimits::default(), origins);
        let answer = server.get_with("/v1/sheets", &[("origin", origin)]);
        answer.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(allowed(&[], foreign.1), None);
    assert_eq!(
        allowed(&["https://example.org"], foreign.1).as_deref(),
        Some("https://example.org")
    );
    assert_eq!(allowed(&["https://example.org"], "https://example.com"), None);
    assert_eq!(allowed(&["*"], foreign.1).as_deref(), Some("*"));
    let server = Server::with(built("abapa", 1), ServerLimits::default(), &["https://example.org"]);
    let asked = "OPTIONS /v1/batch HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\norigin: https://example.org\r\n\
                 access-control-request-method: POST\r\n\r\n";
    let answer = server.say(asked);
    assert!(
        answer.starts_with("HTTP/1.1 200")
            && answer.contains("access-control-allow-methods: GET,POST"),
        "{answer}"
    );
}

#[test]
fn everything_is_counted() {
    let server = Server::new();
    for _ in 0..3 {
        server.get(&format!("/v1/query?{POSITION}"));
    }
    server.get("/v1/query");
    server.get("/some/thing");
    server.post("/v1/batch", "1\n2\n");
    assert!(server.get("/healthz").body.contains("\"status\":\"ok\""));
    let metrics = server.get("/metrics").body;
    for line in [
        "oware_requests_total{route=\"/v1/query\",status=\"200\"} 3",
        "oware_requests_total{route=\"/v1/query\",status=\"400\"} 1",
        "oware_requests_total{route=\"none\",status=\"404\"} 1",
        "oware_request_seconds_count{route=\"/v1/query\"} 4",
        "oware_cached_queries_total{found=\"no\"} 1",
        "oware_cached_queries_total{found=\"yes\"} 2",
        "oware_batch_lines_total 2",
    ] {
        assert!(metrics.lines().any(|each| each == line), "{line}: {metrics}");
    }
    assert!(
        metrics.lines().any(|line| line.starts_with("oware_connections "))
            && metrics.ends_with("# EOF\n")
    );
}

/// A body that is packed would be read as if it were not.
#[test]
fn a_content_encoding_that_is_not_understood_is_refused() {
    let server = Server::new();
    let line = "0 0 1 0 1 0 0 0 0 0 0 1\n";
    for path in ["/v1/batch", "/v1/verify"] {
        for (encoding, status) in [("gzip", 415), ("identity, br", 415), ("Identity", 200)] {
            let body = if path == "/v1/batch" { line } else { "4 4 4 4 4 4 4 4 4 4 4 4 moves F\n" };
            let answer = server.say(&format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-encoding: {encoding}\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            ));
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{path} {encoding}: {answer}"
            );
            assert_eq!(
                answer.contains(&format!("send the body without `{encoding}`")),
                status == 415
            );
        }
    }
}

/// A body whose chunks are broken was called too long.
#[test]
fn a_broken_body_is_a_mistake_and_not_too_long() {
    let server = Server::new();
    let chunked = |path: &str, body: &str| {
        server.say(&format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             transfer-encoding: chunked\r\n\r\n{body}"
        ))
    };
    for broken in ["xyz\r\n", "-1\r\n", "3\r\nabcdef\r\n", "ffffffffffffffffff\r\n"] {
        let answer = chunked("/v1/verify", broken);
        assert!(answer.starts_with("HTTP/1.1 400"), "{broken:?}: {answer}");
        assert!(answer.contains("\"kind\":\"usage\""), "{answer}");
        // The answer to a batch has begun.
        let answer = chunked("/v1/batch", &format!("18\r\n0 0 1 0 1 0 0 0 0 0 0 1\n\r\n{broken}"));
        assert!(
            answer.contains("\"value\":3") && answer.contains("chunks are malformed"),
            "{answer}"
        );
    }
}
