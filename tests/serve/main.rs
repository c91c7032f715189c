//! `oware serve` as its users meet it: real requests to a real server.

mod analysis;
mod answers;
#[path = "../cli/copies.rs"]
mod copies;
mod crowd;
mod ending;
mod hosts;
mod limits;
mod manners;
mod openapi;
mod others;
mod page;
mod process;
mod search;
mod streaming;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use oware_db::answers::{Answers, Question};
use oware_db::probe::Tables;
use oware_db::server::{Config, ServerLimits, Service, serve};

/// What `oware` prints with these words and one last argument.
fn oware(words: &str, last: &str) -> String {
    let mut command = Command::cargo_bin("oware").expect("the binary");
    command.args(words.split_whitespace()).arg(last).stdin(Stdio::null());
    String::from_utf8(command.output().expect("runs").stdout).expect("text")
}

/// The SHA-256 of a file, in hexadecimal digits.
fn sha256(path: &Path) -> String {
    let sum = Sha256::digest(fs::read(path).expect("a file"));
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A directory of its own with the tables of a sheet.
fn built(rules: &str, seeds: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    add(&dir, rules, seeds);
    dir
}

/// Puts the tables of a sheet into a directory; the command builds them once for all tests.
fn add(dir: &TempDir, rules: &str, seeds: usize) {
    copies::put_tables(dir, rules, seeds, |new| {
        let build = format!("build --quiet --rules {rules} --seeds {seeds} --out");
        assert_eq!(oware(&build, &place(new)), "");
    });
}

fn place(dir: &TempDir) -> String {
    dir.path().to_str().expect("UTF-8").to_owned()
}

/// A server in this process.
struct Server {
    dir: TempDir,
    address: String,
    log: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// One of the tables to 7 seeds.
    fn new() -> Server {
        Server::with(built("abapa", 7), ServerLimits::default(), &[])
    }

    fn with(dir: TempDir, limits: ServerLimits, origins: &[&str]) -> Server {
        let tables = Tables::open(dir.path()).expect("a directory");
        let log = Arc::new(Mutex::new(Vec::new()));
        let notes = log.clone();
        let config = Config {
            limits,
            origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
            hosts: Vec::new(),
            behind_proxy: false,
            private_metrics: false,
            logs_access: false,
            log: Arc::new(move |text: &str| notes.lock().expect("a log").push(text.to_owned())),
        };
        let service = Service::new(tables, config).expect("a service");
        let (stop, stopped) = oneshot::channel();
        let (ready, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.expect("threads").block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                ready
                    .send(listener.local_addr().expect("an address").to_string())
                    .expect("someone waits");
                serve(listener, service, async { drop(stopped.await) }).await;
            });
        });
        let address = address.recv().expect("it starts");
        Server { dir, address, log, stop: Some(stop), thread: Some(thread) }
    }

    fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let request = agent().get(format!("http://{}{path}", self.address));
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.as_without_http("GET", path, "", Answer::of(request.call()))
    }

    fn post(&self, path: &str, body: &str) -> Answer {
        let answer = Answer::of(agent().post(format!("http://{}{path}", self.address)).send(body));
        self.as_without_http("POST", path, body, answer)
    }

    /// Checks that a question is answered, or refused, in the same words where no server stands
    /// between. Searches take their time, and what a server refuses for its own sake is its own.
    #[track_caller]
    fn as_without_http(&self, method: &str, address: &str, body: &str, answer: Answer) -> Answer {
        let (path, parameters) = address.split_once('?').unwrap_or((address, ""));
        let concerns = path.starts_with("/v1/") && path != "/v1/search";
        if concerns && [200, 400, 404, 405].contains(&answer.status) {
            let tables = Tables::open_early(self.dir.path()).expect("a directory");
            let question = Question { method, path, parameters, body: body.as_bytes() };
            let (status, document) = match Answers::new(tables).answer(&question) {
                Ok(document) => (200, document),
                Err(refusal) => (refusal.status, refusal.document()),
            };
            let text = String::from_utf8(document.into_bytes()).expect("text");
            assert_eq!((status, text.as_str()), (answer.status, answer.body.as_str()), "{address}");
        }
        answer
    }

    /// A connection, to speak HTTP by hand.
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        stream
    }

    /// Everything that is answered to what is said on a connection of its own.
    fn say(&self, words: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(words.as_bytes()).expect("is heard");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer that ends");
        answer
    }

    fn logged(&self) -> Vec<String> {
        self.log.lock().expect("a log").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the server panicked");
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

/// What was answered.
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn of(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
        let mut response = response.expect("an answer");
        let text = |value: &ureq::http::HeaderValue| value.to_str().expect("text").to_owned();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), text(value)))
            .collect();
        let body =
            response.body_mut().with_config().limit(1 << 30).read_to_string().expect("a body");
        Answer { status: response.status().as_u16(), headers, body }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    /// Checks that this is a failure of a kind, and gives the message.
    #[track_caller]
    fn error(&self, status: u16, kind: &str) -> String {
        let error = &self.json()["error"];
        assert_eq!((self.status, error["kind"].as_str()), (status, Some(kind)), "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/json"));
        error["message"].as_str().expect("a message").to_owned()
    }
}
