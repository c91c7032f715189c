//! The command itself: its address, its notes, its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;

use super::{agent, built, oware, place};

/// Starts a server and gives its address.
fn started(tables: &str) -> (Child, String) {
    started_with("--listen 127.0.0.1:0", tables)
}

pub fn started_with(words: &str, tables: &str) -> (Child, String) {
    let mut command = Command::cargo_bin("oware").expect("the binary");
    command.arg("serve").args(words.split_whitespace()).args(["--tables", tables]);
    command.stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe"))
        .read_line(&mut line)
        .expect("an address");
    let address = line.trim().strip_prefix("http://").expect("a URL").to_owned();
    (child, address)
}

pub fn signal(child: &Child, name: &str) {
    assert!(
        Command::new("kill")
            .args([name, &child.id().to_string()])
            .status()
            .expect("kills")
            .success()
    );
}

/// Exit code and notes, of a process that ends in time.
pub fn ended(mut child: Child) -> (Option<i32>, String) {
    let begun = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("ends");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_when_what_is_under_way_is_done() {
    for name in ["-INT", "-TERM"] {
        let dir = built("abapa", 4);
        let (child, address) = started_with("--listen 0 --grace 60", &place(&dir));
        let mut stream = TcpStream::connect(&address).expect("a connection");
        let head =
            "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("is heard");
        let mut begun = [0; 12];
        stream.read_exact(&mut begun).expect("an answer");
        signal(&child, name);
        // New connections are refused, the answer under way goes on.
        let asked = Instant::now();
        while TcpStream::connect(&address).is_ok() {
            assert!(asked.elapsed() < Duration::from_secs(10), "it still listens");
        }
        stream.write_all(b"18\r\n0 0 1 0 1 0 0 0 0 0 0 1\n\r\n0\r\n\r\n").expect("is heard");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer that ends");
        assert!(answer.contains("\"value\":3") && answer.ends_with("0\r\n\r\n"), "{answer}");
        let (code, notes) = ended(child);
        assert_eq!(code, Some(0), "{notes}");
        assert!(notes.contains("tables of `abapa` up to 4 seeds"), "{notes}");
    }
}

#[test]
#[cfg(unix)]
fn without_tables_it_says_how_to_get_some() {
    let dir = tempfile::tempdir().expect("a directory");
    let (child, address) = started(&place(&dir));
    let status = |path: &str| {
        agent().get(format!("http://{address}{path}")).call().expect("an answer").status().as_u16()
    };
    assert_eq!(status("/v1/moves?board=4-4-4-4-4-4-4-4-4-4-4-4"), 200);
    assert_eq!(status("/v1/query?board=4-4-4-4-4-4-4-4-4-4-4-4"), 404);
    signal(&child, "-TERM");
    let (code, notes) = ended(child);
    assert!(code == Some(0) && notes.contains("`oware build --tables"), "{notes}");
}

#[test]
#[cfg(unix)]
fn an_address_may_be_a_name_or_a_port_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    for (words, host) in
        [("--listen localhost:0", ""), ("--listen :0", "0.0.0.0:"), ("--listen 0", "127.0.0.1:")]
    {
        let (child, address) = started_with(words, &place(&dir));
        assert!(address.starts_with(host), "{words}: {address}");
        let port = address.rsplit(':').next().expect("a port");
        let url = format!("http://localhost:{port}/healthz");
        assert_eq!(agent().get(url).call().expect("an answer").status(), 200);
        signal(&child, "-TERM");
        assert_eq!(ended(child).0, Some(0));
    }
}

/// A connection for which there is no room comes again after a second. Old systems have room for 128.
#[test]
#[cfg(target_os = "linux")]
fn hundreds_may_wait_to_be_accepted() {
    let room = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("a number");
    if room.trim().parse::<u32>().expect("a number") < 512 {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let (child, address) = started(&place(&dir));
    signal(&child, "-STOP");
    let address = address.parse().expect("an address");
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(500));
    let waiting = (0..400).map(connect).collect::<Result<Vec<_>, _>>();
    signal(&child, "-CONT");
    assert!(waiting.is_ok(), "{waiting:?}");
    signal(&child, "-TERM");
    assert_eq!(ended(child).0, Some(0));
}

#[test]
#[cfg(unix)]
fn requests_are_logged_and_watchers_have_an_address_of_their_own_if_that_is_wanted() {
    let dir = built("abapa", 3);
    let words = "--listen 0 --admin-listen 127.0.0.1:0 --access-log --behind-proxy";
    let (mut child, address) = started_with(words, &place(&dir));
    let mut notes = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut admin = String::new();
    while !admin.contains("health and metrics at ") {
        admin.clear();
        assert!(notes.read_line(&mut admin).expect("a line") > 0, "it says where");
    }
    let admin = admin.trim().rsplit("at ").next().expect("an address").to_owned();
    let status = |url: String| {
        let asked = agent().get(url).header("x-forwarded-for", "6.6.6.6, 10.1.2.3");
        asked.call().expect("an answer").status().as_u16()
    };
    assert_eq!(status(format!("{admin}/healthz")), 200);
    assert_eq!(status(format!("{admin}/metrics")), 200);
    assert_eq!(status(format!("{admin}/v1/sheets")), 404);
    assert_eq!(status(format!("http://{address}/metrics")), 404);
    assert_eq!(status(format!("http://{address}/v1/sheets")), 200);
    signal(&child, "-TERM");
    let mut log = String::new();
    notes.read_to_string(&mut log).expect("text");
    let line = log.lines().find(|line| line.contains("/v1/sheets") && line.contains("status=200"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains("client=10.1.2.3") && line.contains("method=GET"), "{line}");
    assert_eq!(child.wait().expect("ends").code(), Some(0));
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let run = |words: &str| {
        let mut command = Command::cargo_bin("oware").expect("the binary");
        let output =
            command.args(words.split_whitespace()).stdin(Stdio::null()).output().expect("runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address");
    let (code, notes) = run(&format!("serve --listen {address}"));
    assert!(code == Some(1) && notes.contains(&address.to_string()), "{notes}");
    for words in [
        "serve --listen nowhere",
        "serve --listen 99999",
        "serve --listen ::1:8048",
        "serve --max-connections many",
        "serve --max-connections 0",
        "serve --max-searches many",
        "serve --grace soon",
        "serve --grace=-1",
        "serve --allow-host example.org:80 --listen 127.0.0.1:0",
        "serve --allow-origin example.org --listen 127.0.0.1:0",
        "serve 7",
    ] {
        assert_eq!(run(words).0, Some(2), "{words}");
    }
    let (code, notes) = run("serve --listen http://localhost:8048/");
    assert!(code == Some(2) && notes.contains("host and port alone: localhost:8048"), "{notes}");
    assert!(oware("serve --json --allow-origin x --listen", "127.0.0.1:0").contains("\"usage\""));
}

#[test]
fn help_has_an_example() {
    let help = oware("serve", "--help");
    assert!(
        help.contains("Examples:") && help.contains("curl 'http://127.0.0.1:8048/v1/query?board="),
        "{help}"
    );
}
