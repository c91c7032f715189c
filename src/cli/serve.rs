//! `oware serve`: the tables over HTTP, and the page.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal;

use oware_db::error::{Error, Result};
use oware_db::game::SHEETS;
use oware_db::probe::Tables;
use oware_db::server::{Config, ServerLimits, Service, serve};

use super::options::TablesArgs;
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
    /// Address and port to listen at; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8048")]
    listen: SocketAddr,
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
        let config = Config { limits: ServerLimits::default(), origins: self.allow_origin, log };
        let service = Service::new(tables, config)?;
        runtime()?.block_on(listen(self.listen, service))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn runtime() -> Result<Runtime> {
    Builder::new_multi_thread().enable_all().build().map_err(Error::io("starting", "threads"))
}

async fn listen(address: SocketAddr, service: Service) -> Result<()> {
    let refused = || Error::io("listening", address.to_string());
    let listener = TcpListener::bind(address).await.map_err(refused())?;
    let stop = stop()?;
    output::text(&format!("http://{}\n", listener.local_addr().map_err(refused())?))?;
    serve(listener, service, stop).await;
    Ok(())
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
            "oware: no tables in {dir}; `oware build --out {dir}` makes some; until then there are \
             rules but no scores"
        ));
    }
    Ok(())
}
