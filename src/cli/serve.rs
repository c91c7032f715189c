//! `oware serve`: the tables over HTTP, and the page.

use std::io;
use std::net::SocketAddr;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, lookup_host};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

use crate::error::{Error, Result};
use crate::game::SHEETS;
use crate::game::mancala::MANCALAS;
use crate::layer::general::GeneralLayer;
use crate::pool::{allowed_threads, usual_threads};
use crate::probe::Tables;
use crate::server::{Config, ServerLimits, Service, serve, serve_admin};

use super::options::{TablesArgs, parse_positive};
use super::{interrupt, output};

/// Serve the tables over HTTP: a JSON API with the answers of the commands, and a web page
///
/// Prints the address when it is ready. On SIGINT (Ctrl-C) or SIGTERM it finishes requests in
/// progress, lets searches answer with what they have found, and exits after --grace at the
/// latest. A second signal ends it at once.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware serve\n  oware serve --tables tables --listen 0.0.0.0:8048\n  \
                        curl 'http://127.0.0.1:8048/v1/query?board=0-0-0-0-1-2-1-0-0-0-3-0'"
)]
pub struct Args {
    #[command(flatten)]
    tables: TablesArgs,
    /// Address and port to listen on, e.g. `127.0.0.1:8048` or `[::1]:8048`
    ///
    /// `8048` listens on localhost only, `:8048` on all interfaces, port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8048",
          value_parser = parse_address)]
    listen: String,
    /// Also serve /healthz and /metrics on this address, unaffected by client load
    ///
    /// /metrics is then served only here.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    admin_listen: Option<String>,
    /// Take client addresses from X-Forwarded-For
    ///
    /// Only for servers that are reachable through the proxy alone, which must limit connections.
    #[arg(long)]
    behind_proxy: bool,
    /// Also answer requests for this host, e.g. `example.org`, or * for all; may be repeated
    ///
    /// On a loopback address hosts other than localhost are refused, so that pages of other sites
    /// cannot read the answers. With --behind-proxy the proxy decides.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Seconds that requests in progress may take after a signal
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    grace: Duration,
    /// Log each request to standard error
    #[arg(long)]
    access_log: bool,
    /// Maximum number of simultaneous connections
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().connections,
          value_parser = parse_positive)]
    max_connections: usize,
    /// Maximum number of simultaneous searches [default: half the number of processors]
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().searches,
          hide_default_value = true)]
    max_searches: usize,
    /// Let pages of another site read the answers (CORS), e.g. `https://example.org`, or * for
    /// all; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
}

impl Args {
    /// Serves until a signal stops it.
    pub fn run(self, _json: bool) -> Result<ExitCode> {
        let tables = self.tables.open()?;
        advise(&tables)?;
        let log = Arc::new(|text: &str| output::note(&format!("oware: {text}")));
        let limits = ServerLimits {
            connections: self.max_connections,
            searches: self.max_searches,
            farewell: self.grace,
            ..ServerLimits::default()
        };
        let config = Config {
            limits,
            origins: self.allow_origin,
            hosts: self.allow_host,
            behind_proxy: self.behind_proxy,
            private_metrics: self.admin_listen.is_some(),
            log,
            logs_access: self.access_log,
        };
        let service = Service::new(tables, config)?;
        let (events, next) = channel();
        let stop = Arc::new(Notify::new());
        watch_signals(&events, &stop)?;
        let runtime = runtime()?;
        runtime.block_on(listen(self.listen, self.admin_listen, service, events, stop))?;
        let code = wait(&next, self.grace);
        // Threads may hang, in a file system that does not answer, say; the program's end ends them.
        runtime.shutdown_background();
        Ok(code)
    }
}

/// What the server's end begins and ends with.
enum ServerEvent {
    Signal,
    Ended,
}

/// Has the first signal stop the server. The thread that waits for signals is none of the server's.
fn watch_signals(events: &Sender<ServerEvent>, stop: &Arc<Notify>) -> Result<()> {
    let (events, stop) = (events.clone(), stop.clone());
    let first = move || {
        // The receiver is gone if the server has ended without a signal.
        let _ = events.send(ServerEvent::Signal);
        stop.notify_one();
    };
    interrupt::on_signal(first).map_err(Error::io("watching", "signals"))
}

/// Waits until a signal has come and the server has ended, or has had the time to.
fn wait(next: &Receiver<ServerEvent>, grace: Duration) -> ExitCode {
    let Ok(ServerEvent::Signal) = next.recv() else { return ExitCode::FAILURE };
    if next.recv_timeout(grace).is_err() {
        output::note("oware: some threads were still busy at the end");
    }
    ExitCode::SUCCESS
}

/// Reads where to listen: a host and a port. Names are looked up when it comes to listening.
fn parse_address(text: &str) -> Result<String, String> {
    if let Some((_, rest)) = text.split_once("://") {
        let host = rest.split('/').next().unwrap_or_default();
        return Err(format!("this is a URL; write host and port alone: {host}"));
    }
    let (host, port) = match text.rsplit_once(':') {
        None => ("127.0.0.1", text),
        Some(("", port)) => ("0.0.0.0", port),
        Some(found) => found,
    };
    let wrong = |what| format!("{what}; write an address and a port, as in 127.0.0.1:8048");
    if port.parse::<u16>().is_err() {
        return Err(wrong("it does not end with a port from 0 to 65535"));
    }
    if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) {
        return Err(wrong("an IPv6 address needs brackets"));
    }
    Ok(format!("{host}:{port}"))
}

/// Reads a number of seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds =
        text.trim().parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    seconds.ok_or_else(|| "not a number of seconds, as in 1 or 0.5".to_owned())
}

/// How long a thread for long work stays when there is none.
const STAYS: Duration = Duration::from_secs(24 * 60 * 60);

/// Starts the threads that serve: fewer where the system allows no more. One for long work is among
/// them, and work waits for it where no other can be had.
fn runtime() -> Result<Runtime> {
    let threads = allowed_threads(usual_threads())?;
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(threads).thread_keep_alive(STAYS).enable_all();
    let start = || {
        let runtime = builder.build()?;
        runtime.block_on(runtime.spawn_blocking(|| ()))?;
        Ok(runtime)
    };
    let refused = || Err(io::ErrorKind::WouldBlock.into());
    unless_it_panics(start).unwrap_or_else(refused).map_err(Error::io("starting", "threads"))
}

/// Does what panics where the system refuses a thread; `None` then, without a word.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(hook);
    done.ok()
}

/// Begins to serve: until `stop` is notified, and then tells `events` that it has ended.
async fn listen(
    address: String,
    admin: Option<String>,
    service: Service,
    events: Sender<ServerEvent>,
    stop: Arc<Notify>,
) -> Result<()> {
    let (listener, found) = bind(&address).await?;
    if let Some(admin) = admin {
        let (listener, found) = bind(&admin).await?;
        output::note(&format!("oware: health and metrics at http://{found}"));
        tokio::spawn(serve_admin(listener, service.clone()));
    }
    output::text(&format!("http://{found}\n"))?;
    let serving = tokio::spawn(async move { serve(listener, service, stop.notified()).await });
    tokio::spawn(async move {
        let _ = serving.await;
        let _ = events.send(ServerEvent::Ended);
    });
    Ok(())
}

/// Begins to listen, and returns where.
async fn bind(address: &str) -> Result<(TcpListener, SocketAddr)> {
    let refused = || Error::io("listening", address);
    let mut listener = Err(io::ErrorKind::AddrNotAvailable.into());
    for found in lookup_host(address).await.map_err(refused())? {
        listener = listener_at(found);
        if listener.is_ok() {
            break;
        }
    }
    let listener = listener.map_err(refused())?;
    let address = listener.local_addr().map_err(refused())?;
    Ok((listener, address))
}

/// Listens as the standard library does, but lets 1,024 connections wait, where the system allows as
/// many, instead of 128: what it drops comes again after a second.
fn listener_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // On Windows others could take the address.
    if !cfg!(windows) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(1024)
}

/// Reports on standard error what there is to serve, or how to get it.
fn advise(tables: &Tables) -> Result<()> {
    let mut found = Vec::new();
    for rules in SHEETS {
        found.extend(tables.available(rules)?.last().map(|most| (rules.id, most.get())));
    }
    for sheet in MANCALAS {
        let seeds = tables.available(sheet)?.iter().map(GeneralLayer::seeds).max();
        found.extend(seeds.map(|most| (sheet.id, most)));
    }
    for (id, most) in &found {
        output::note(&format!("oware: tables of `{id}` up to {most} seeds"));
    }
    if found.is_empty() {
        let dir = tables.dir().display();
        output::note(&format!(
            "oware: no tables in {dir}; `oware build --tables {dir}` builds some; until then \
             answers have no scores"
        ));
    }
    Ok(())
}
