//! Connections: how many, how slow they may be, and how they end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::Service;

/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// Serves connections until `stop` ends; answers that are under way then are finished, as far as
/// [`Limits::farewell`](super::Limits::farewell) allows.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let limits = service.state.limits.clone();
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.idle);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let place = places.clone().acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                (service.state.log)(&format!("a connection could not be accepted: {error}"));
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let connection = http.serve_connection(
            TokioIo::new(prepared(stream)),
            TowerToHyperService::new(service.router.clone()),
        );
        let connection = graceful.watch(connection);
        let state = service.state.clone();
        state.metrics.connections.inc();
        tokio::spawn(async move {
            // A client who leaves in the middle is its own business.
            let _ = connection.await;
            state.metrics.connections.dec();
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.farewell, graceful.shutdown()).await.is_err() {
        (service.state.log)("answers were still under way at the end and are cut off");
    }
}

/// Small answers go out at once.
fn prepared(stream: TcpStream) -> TcpStream {
    let _ = stream.set_nodelay(true);
    stream
}
