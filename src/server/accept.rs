//! Connections: how many, of whom, how slow they may be, and how they end.
//!
//! A connection gets a place among all and among those of its client. Where there is none, it is
//! one of a few [reserved](Reserve) ones, which answer whoever watches the server and tell others
//! to come back later; the latest connections have those, so that nobody can sit on them.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tower::Service as _;

use super::client::{Client, Places};
use super::patient::Patient;
use super::service::Service;

/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// Connections beside all others.
const RESERVED: usize = 64;

/// Serves connections until `stop` ends; answers that are under way then are finished, as far as
/// [`ServerLimits::farewell`](super::ServerLimits::farewell) allows.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let state = service.state.clone();
    let all = Arc::new(Semaphore::new(state.limits.connections));
    let graceful = GracefulShutdown::new();
    let mut http = Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(state.limits.head);
    let mut reserve = Reserve::new(&service);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            next = listener.accept() => next,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => match Place::find(&all, &service, peer) {
                Some(place) => converse(stream, peer, place, &http, &graceful, &service),
                None => {
                    state.metrics.crowded.inc();
                    reserve.take(stream, peer);
                }
            },
            Err(error) => complain(&service, &error).await,
        }
    }
    drop(listener);
    if tokio::time::timeout(state.limits.farewell, graceful.shutdown()).await.is_err() {
        (state.log)("answers were still under way at the end and are cut off");
    }
}

/// Serves those who watch the server, health and figures alone, until `stop` ends.
pub async fn serve_admin(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let mut reserve = Reserve::of(&service, service.admin.clone());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            next = listener.accept() => next,
            () = &mut stop => return,
        };
        match accepted {
            Ok((stream, peer)) => reserve.take(stream, peer),
            Err(error) => complain(&service, &error).await,
        }
    }
}

async fn complain(service: &Service, error: &io::Error) {
    (service.state.log)(&format!("a connection could not be accepted: {error}"));
    tokio::time::sleep(BREATH).await;
}

/// The right to a connection, among all and among those of a client.
struct Place {
    _all: OwnedSemaphorePermit,
    _of_client: Option<(OwnedSemaphorePermit, Arc<Places>)>,
}

impl Place {
    fn find(all: &Arc<Semaphore>, service: &Service, peer: SocketAddr) -> Option<Place> {
        let state = &service.state;
        let of_client = if state.behind_proxy {
            None
        } else {
            let places = state.clients.places(Client::from(peer.ip()));
            Some((places.connections.clone().try_acquire_owned().ok()?, places))
        };
        let all = all.clone().try_acquire_owned().ok()?;
        Some(Place { _all: all, _of_client: of_client })
    }
}

/// Starts a task that answers on a connection and holds its place until the end.
fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
    http: &Builder,
    graceful: &GracefulShutdown,
    service: &Service,
) {
    let state = service.state.clone();
    let stream = prepared(stream, state.limits.idle);
    let answer = answering(service, service.router.clone(), peer);
    let connection = graceful.watch(http.serve_connection(stream, service_fn(answer)));
    state.metrics.connections.inc();
    tokio::spawn(async move {
        // A client may leave in the middle.
        let _ = connection.await;
        state.metrics.connections.dec();
        drop(place);
    });
}

fn prepared(stream: TcpStream, patience: Duration) -> TokioIo<Patient> {
    // Small answers go out at once; a connection that refuses that serves as well.
    let _ = stream.set_nodelay(true);
    TokioIo::new(Patient::new(stream, patience))
}

/// Returns what answers the requests of a connection, each with its client.
fn answering(
    service: &Service,
    router: Router,
    peer: SocketAddr,
) -> impl Fn(
    hyper::Request<hyper::body::Incoming>,
) -> <Router as tower::Service<hyper::Request<Body>>>::Future
+ use<> {
    let behind_proxy = service.state.behind_proxy;
    move |mut request| {
        let client = Client::behind(peer, request.headers(), behind_proxy);
        request.extensions_mut().insert(client);
        router.clone().call(request.map(Body::new))
    }
}

/// Connections for which there is no place.
struct Reserve {
    http: Builder,
    router: Router,
    service: Service,
    /// The latest ones, the oldest first.
    latest: VecDeque<AbortHandle>,
}

impl Reserve {
    fn new(service: &Service) -> Reserve {
        Reserve::of(service, service.crowded.clone())
    }

    fn of(service: &Service, router: Router) -> Reserve {
        let mut http = Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(service.state.limits.head);
        http.keep_alive(false);
        Reserve { http, router, service: service.clone(), latest: VecDeque::new() }
    }

    /// Answers one request on a connection, if it comes before as many connections as there are
    /// places have come after this one.
    fn take(&mut self, stream: TcpStream, peer: SocketAddr) {
        let stream = prepared(stream, self.service.state.limits.head);
        let answer = answering(&self.service, self.router.clone(), peer);
        let connection = self.http.serve_connection(stream, service_fn(answer));
        let task = tokio::spawn(async move {
            let _ = connection.await;
        });
        self.latest.push_back(task.abort_handle());
        if self.latest.len() > RESERVED
            && let Some(oldest) = self.latest.pop_front()
        {
            oldest.abort();
        }
    }
}
