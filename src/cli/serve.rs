//! `oware serve`: the tables over HTTP, and the page.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal;

use oware_db::error::{Error, Result};
use oware_db::game::SHEETS;
use oware_db::probe::Tables;
use oware_db::server::{Config, ServerLimits, Service, serve, serve_admin};

use super::options::{TablesArgs, parse_positive};
use super::output;

/// Serve the tables over HTTP: an API that answers as the commands do, and a page
///
/// Prints the address when it is ready. It stops on SIGINT (Ctrl-C) or SIGTERM, when the answers
/// under way are finished.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware serve\n  oware serve --tables tables --listen 0.0.0.0:8048\n  \
                        curl 'http://127.0.0.1:8048/v1/query?board=0-0-0-0-1-2-1-0-0-0-3-0'"
)]
pub struct Args {
    #[command(flatten)]
    tables: TablesArgs,
    /// Address and port to listen at, as in `127.0.0.1:8048`, `localhost:8048` or `[::1]:8048`; a
    /// port alone, `8048`, is one of this machine for itself, `:8048` one for everybody who reaches
    /// it; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8048")]
    listen: ListenAddress,
    /// Answer /healthz and /metrics at this address, too, which nobody else can crowd; /metrics is
    /// answered here alone then
    #[arg(long, value_name = "ADDRESS")]
    admin_listen: Option<ListenAddress>,
    /// Clients are those that a proxy names in X-Forwarded-For. Only for servers that nobody
    /// reaches but through the proxy; it has to limit connections
    #[arg(long)]
    behind_proxy: bool,
    /// Write a line for each request on standard error
    #[arg(long)]
    access_log: bool,
    /// Connections at once
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().connections,
          value_parser = parse_positive)]
    max_connections: usize,
    /// Searches at once; half of the processors if left out
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().searches,
          hide_default_value = true)]
    max_searches: usize,
    /// Let pages of another site read the answers, as in `https://example.org`, or * for all; can
    /// be given several times
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
            ..ServerLimits::default()
        };
        let config = Config {
            limits,
            origins: self.allow_origin,
            behind_proxy: self.behind_proxy,
            private_metrics: self.admin_listen.is_some(),
            log,
            logs_access: self.access_log,
        };
        let service = Service::new(tables, config)?;
        runtime()?.block_on(listen(self.listen, self.admin_listen, service))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Where to listen: a host and a port. Names are looked up when it comes to listening.
#[derive(Clone)]
struct ListenAddress(String);

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<ListenAddress, String> {
        if let Some((_, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default();
            return Err(format!(
                "this is the address of a page; write host and port alone: {host}"
            ));
        }
        let (host, port) = match text.rsplit_once(':') {
            None => ("127.0.0.1", text),
            Some(("", port)) => ("0.0.0.0", port),
            Some(found) => found,
        };
        let wrong = |what| format!("{what}; write an address and a port, as in 127.0.0.1:8048");
        if port.parse::<u16>().is_err() {
            return Err(wrong("there is no port from 0 to 65535 at the end"));
        }
        if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) {
            return Err(wrong("an address of version 6 stands in brackets"));
        }
        Ok(ListenAddress(format!("{host}:{port}")))
    }
}

fn runtime() -> Result<Runtime> {
    Builder::new_multi_thread().enable_all().build().map_err(Error::io("starting", "threads"))
}

async fn listen(
    address: ListenAddress,
    admin: Option<ListenAddress>,
    service: Service,
) -> Result<()> {
    let (listener, found) = address.bind().await?;
    let stop = stop()?;
    if let Some(admin) = admin {
        let (listener, found) = admin.bind().await?;
        output::note(&format!("oware: health and figures at http://{found}"));
        tokio::spawn(serve_admin(listener, service.clone(), std::future::pending()));
    }
    output::text(&format!("http://{found}\n"))?;
    serve(listener, service, stop).await;
    Ok(())
}

impl ListenAddress {
    /// Begins to listen, and returns where.
    async fn bind(&self) -> Result<(TcpListener, SocketAddr)> {
        let refused = || Error::io("listening", self.0.clone());
        let listener = TcpListener::bind(&self.0).await.map_err(refused())?;
        let address = listener.local_addr().map_err(refused())?;
        Ok((listener, address))
    }
}

/// Returns what ends when a signal comes. The signals are watched from now on.
fn stop() -> Result<impl Future<Output = ()>> {
    let interrupt = signal::ctrl_c();
    #[cfg(unix)]
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())
        .map_err(Error::io("watching", "signals"))?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = interrupt.await;
    })
}

/// Reports on standard error what there is to serve, or how to get it.
fn advise(tables: &Tables) -> Result<()> {
    let mut any = false;
    for rules in SHEETS {
        if let Some(most) = tables.available(rules)?.last() {
            output::note(&format!("oware: tables of `{}` up to {most} seeds", rules.id));
            any = true;
        }
    }
    if !any {
        let dir = tables.dir().display();
        output::note(&format!(
            "oware: no tables in {dir}; `oware build --tables {dir}` makes some; until then there are \
             rules but no scores"
        ));
    }
    Ok(())
}
