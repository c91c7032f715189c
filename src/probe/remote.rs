//! Tables on a web host: an address in place of a directory.
//!
//! The host has a list, `tables.json`, as `oware page` writes it, and the files it lists. Parts of
//! them are fetched when they are needed ([`FarShelf`]), and proved as files on a disk are.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use crate::error::{Error, Result};
use crate::table::{FarShelf, Fetch, Fetched};

/// Bytes of a file that is taken whole from a host that sends no parts.
const WHOLE: u64 = 64 << 20;
/// Bytes of a list.
const LIST: u64 = 1 << 20;
/// How long the host may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// The list of files.
#[derive(Deserialize)]
struct List {
    tables: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    bytes: u64,
}

/// A directory of a host.
struct Host {
    agent: Agent,
    /// Ends with a slash.
    address: String,
}

/// Opens the tables that a list at an address names.
///
/// # Errors
/// [`Error::Io`] if the list cannot be fetched, or is none.
pub(super) fn open(address: &str) -> Result<Arc<FarShelf<impl Fetch + use<>>>> {
    let host = Host::new(address, PATIENCE);
    let doing = "fetching the list of the tables there";
    let list = host.list().map_err(Error::io(doing, format!("{}tables.json", host.address)))?;
    let shelf = FarShelf::new(host);
    list.tables.into_iter().for_each(|Listed { file, bytes }| shelf.note(file, bytes));
    Ok(Arc::new(shelf))
}

impl Host {
    /// One that may be silent for so long. How long a file takes depends on its length and the line.
    fn new(address: &str, patience: Duration) -> Host {
        let config = Agent::config_builder()
            .timeout_resolve(Some(patience))
            .timeout_connect(Some(patience))
            .timeout_per_read(Some(patience))
            .build();
        let address = format!("{}/", address.trim_end_matches('/'));
        Host { agent: config.into(), address }
    }

    fn list(&self) -> io::Result<List> {
        let mut response = self.get("tables.json", None)?;
        let text = response.body_mut().with_config().limit(LIST).read_to_vec();
        let list = serde_json::from_slice(&text.map_err(io::Error::other)?);
        list.map_err(|_| io::Error::other("it is not a list of tables"))
    }

    fn get(&self, name: &str, range: Option<&Range<u64>>) -> io::Result<Response<Body>> {
        let mut request = self.agent.get(format!("{}{name}", self.address));
        if let Some(Range { start, end }) = range {
            request = request.header(header::RANGE, format!("bytes={start}-{}", end - 1));
        }
        request.call().map_err(|error| match error {
            ureq::Error::StatusCode(status) => {
                io::Error::other(format!("the host answers {status}"))
            }
            error => error.into_io(),
        })
    }
}

impl Fetch for Host {
    fn fetch(&self, name: &str, range: Range<u64>) -> io::Result<Fetched> {
        let mut response = self.get(name, Some(&range))?;
        if response.status() == StatusCode::PARTIAL_CONTENT {
            check(&response, &range)?;
            let length = range.end - range.start;
            let more = "the host sends more bytes than requested";
            return read(&mut response, length, more).map(Fetched::Part);
        }
        let whole = "the host does not support range requests, and the file is too large to keep";
        read(&mut response, WHOLE, whole).map(Fetched::Whole)
    }
}

/// Fails if what comes is not what was asked for.
fn check(response: &Response<Body>, range: &Range<u64>) -> io::Result<()> {
    let said = response.headers().get(header::CONTENT_RANGE).and_then(|said| said.to_str().ok());
    let first: Option<u64> =
        said.and_then(|said| said.strip_prefix("bytes ")?.split('-').next()?.parse().ok());
    match first {
        Some(first) if range.start == first => Ok(()),
        _ => Err(io::Error::other("the host sends another range than requested")),
    }
}

/// Reads a body of at most this many bytes; if there are `more`, this is what is wrong.
fn read(response: &mut Response<Body>, most: u64, more: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    response.body_mut().as_reader().take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(more));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread::{sleep, spawn};

    use super::*;

    /// A host that ignores ranges, and answers one request with as many pieces, each after a pause.
    fn slow(pieces: usize, pause: Duration) -> String {
        host("200 OK", pieces, pause)
    }

    /// A host that answers one request with as many pieces, each after a pause.
    fn host(status: &'static str, pieces: usize, pause: Duration) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _ = stream.read(&mut [0; 1 << 12]).expect("a request");
            let length = pieces * 3;
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).expect("sent");
            for _ in 0..pieces {
                sleep(pause);
                // The other side may have lost its patience.
                let _ = stream.write_all(b"abc");
            }
        });
        address
    }

    #[test]
    fn a_host_may_be_slow_but_not_silent() {
        let patience = Duration::from_secs(2);
        let fetch = |address: &str| Host::new(address, patience).fetch("file", 0..6);
        std::thread::scope(|scope| {
            let silent = scope.spawn(|| fetch(&slow(2, patience * 2)).expect_err("silence"));
            match fetch(&slow(6, patience / 4)) {
                Ok(Fetched::Whole(bytes)) => assert_eq!(bytes, b"abc".repeat(6)),
                other => panic!("{other:?}"),
            }
            assert_eq!(silent.join().expect("it fails").to_string(), "timeout: per read");
        });
    }

    #[test]
    fn more_than_the_range_is_refused() {
        let status = "206 Partial Content\r\ncontent-range: bytes 0-5/9";
        let address = host(status, 3, Duration::ZERO);
        let refused = Host::new(&address, Duration::from_secs(20)).fetch("file", 0..6);
        let said = refused.expect_err("too much").to_string();
        assert_eq!(said, "the host sends more bytes than requested");
    }
}
