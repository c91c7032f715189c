//! Connections: how many, how slow they may be, and how they end.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::service::Service;

/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// Serves connections until `stop` ends; answers that are under way then are finished, as far as
/// [`ServerLimits::farewell`](super::ServerLimits::farewell) allows.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let state = service.state.clone();
    let places = Arc::new(Semaphore::new(state.limits.connections));
    let graceful = GracefulShutdown::new();
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(state.limits.idle);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (accepted, place) = tokio::select! {
            next = accept(&listener, &places) => next,
            () = &mut stop => break,
        };
        match accepted {
            Ok(stream) => converse(stream, place, &http, &graceful, &service),
            Err(error) => {
                (state.log)(&format!("a connection could not be accepted: {error}"));
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(state.limits.farewell, graceful.shutdown()).await.is_err() {
        (state.log)("answers were still under way at the end and are cut off");
    }
}

/// Waits for a place and then for a connection.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (io::Result<TcpStream>, OwnedSemaphorePermit) {
    let place = places.clone().acquire_owned().await.expect("nobody closes it");
    let accepted = listener.accept().await.map(|(stream, _)| stream);
    (accepted, place)
}

/// Starts a task that answers on a connection and holds its place until the end.
fn converse(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    http: &Builder,
    graceful: &GracefulShutdown,
    service: &Service,
) {
    // Small answers go out at once; a connection that refuses that serves as well.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(service.router.clone());
    let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), router));
    let state = service.state.clone();
    state.metrics.connections.inc();
    tokio::spawn(async move {
        // A client may leave in the middle.
        let _ = connection.await;
        state.metrics.connections.dec();
        drop(place);
    });
}
