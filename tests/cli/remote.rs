//! Tables on a web host.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use super::tables::{built, contents, within};
use super::{oware, oware_on};

/// Serves the files of a directory, and a list of its tables, until the test ends.
fn host(dir: &Path) -> String {
    let tables: Vec<_> = contents(dir)
        .iter()
        .map(|(name, bytes)| serde_json::json!({"file": name, "bytes": bytes.len()}))
        .collect();
    let list = serde_json::json!({"tables": tables}).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/t", listener.local_addr().expect("an address"));
    let dir = dir.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (dir, list) = (dir.clone(), list.clone());
            std::thread::spawn(move || answer(&stream.expect("a connection"), &dir, &list));
        }
    });
    address
}

/// Answers one request with a whole file.
fn answer(mut stream: &TcpStream, dir: &Path, list: &str) {
    let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let name = head[0].split(' ').nth(1).and_then(|path| path.rsplit('/').next());
    let body = match name.expect("a path") {
        "tables.json" => Ok(list.into()),
        name => fs::read(dir.join(name)),
    };
    let (status, body) = body.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

#[test]
fn a_table_that_a_host_lacks_can_be_built_in_a_directory() {
    let dir = built("abapa", 2);
    let at = host(dir.path());
    let asked = oware_on(&format!("query --tables {at}"), "0 0 0 0 1 2  1 0 0 0 3 0");
    let listed = oware(&format!("stats --rules nam-nam --tables {at}"));
    for (rules, run) in [("abapa", asked), ("nam-nam", listed)] {
        let message = run.error(1);
        let remedy =
            format!("use a directory in place of the address; `oware build --rules {rules} ");
        assert!(message.contains(&format!(" in {at}; {remedy}")), "{message}");
        assert!(message.contains(" --tables tables`"), "{message}");
    }
    let refused = oware(&format!("build --seeds 2 --tables {at}"));
    assert!(refused.error(2).contains("not to a web host"), "{}", refused.err);
    let refused = oware(&format!("check --manifest --tables {at}"));
    assert!(refused.error(2).contains("a manifest covers one directory"), "{}", refused.err);
}

#[test]
fn a_dataset_is_the_same_wherever_the_tables_are() {
    let dir = built("abapa", 5);
    let at = host(dir.path());
    let made = |tables: &str, out: &str| {
        let words = format!("dataset --format npy --rows 500 --tables {tables} --out DIR/{out}");
        let run = within(&dir, &words);
        assert_eq!(run.code, 0, "{}", run.err);
        contents(&dir.path().join(out))
    };
    assert_eq!(made(&at, "far"), made("DIR", "near"));
}
