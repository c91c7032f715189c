//! Connections: how many, of whom, how slow they may be, and how they end.
//!
//! A connection gets one of the [places](super::places), another client's if need be. Where there
//! is none, it is one of a few [reserved](Reserve) ones, which answer monitoring requests and ask
//! others to come back later; the latest connections get those, so that no client can occupy them.
//!
//! A server that stops accepts what has arrived, answers what has been asked, and ends connections
//! that wait for a request, half a head of one included.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper::server::conn::http1::{Builder, Connection};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::caller::{Answering, Caller};
use super::client::Client;
use super::pace::Pace;
use super::patient::Patient;
use super::places::{Losers, Lost, Place, Places};
use super::service::Service;
use super::stages::{Follower, Stage, Stages, reached};
use super::state::AppState;

/// How long to wait when the system has no more connections to give, and how long what is on its
/// way when the server stops may take.
const BREATH: Duration = Duration::from_millis(50);

/// Connections reserved in addition to all others.
const RESERVED: usize = 64;

/// How long connections are accepted after the end that have been made before.
const LAST_CALL: Duration = Duration::from_millis(250);

/// Serves connections until `stop` ends; answers that are under way then are finished, as far as
/// [`ServerLimits::farewell`](super::ServerLimits::farewell) allows.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let stages = Stages::new(Stage::Open);
    let mut hall = Hall::new(&listener, &service, &stages);
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            next = listener.accept() => hall.receive(next).await,
            () = &mut stop => break,
        }
    }
    let end = Instant::now() + LAST_CALL;
    // Each waits for the timer's millisecond at most.
    while Instant::now() < end
        && let Ok(next) = timeout(Duration::ZERO, listener.accept()).await
    {
        hall.receive(next).await;
    }
    drop((listener, hall));
    close(&stages, &service.state).await;
}

/// Finishes what is under way, and says so if something has to be cut off: it gets half of the time to
/// come to its end, and most of the rest to say that it does not.
async fn close(stages: &Stages, state: &AppState) {
    let grace = state.config.limits.farewell;
    stages.send_replace(Stage::Closing);
    if timeout(grace / 2, stages.closed()).await.is_err() {
        (state.config.log)("answers still in progress at the end are cut off");
        stages.send_replace(Stage::Cutting);
        let _ = timeout(grace / 8 * 3, stages.closed()).await;
    }
    stages.send_replace(Stage::Over);
}

/// Serves those who watch the server, health and figures alone, as long as the program goes on.
pub async fn serve_admin(listener: TcpListener, service: Service) {
    let stages = Stages::new(Stage::Open);
    let router = service.admin.clone();
    let mut reserve = Reserve::new(Door::new(&listener, &service, router, &stages));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => reserve.take(stream, peer),
            Err(error) => complain(&service.state, &error).await,
        }
    }
}

async fn complain(state: &AppState, error: &io::Error) {
    (state.config.log)(&format!("a connection could not be accepted: {error}"));
    tokio::time::sleep(BREATH).await;
}

/// Where connections are received.
struct Hall {
    door: Door,
    places: Arc<Places>,
    reserve: Reserve,
}

impl Hall {
    fn new(listener: &TcpListener, service: &Service, stages: &Stages) -> Hall {
        let limits = &service.state.config.limits;
        Hall {
            door: Door::new(listener, service, service.router.clone(), stages),
            places: Places::new(limits.connections, limits.client_connections, Losers::Greedy),
            reserve: Reserve::new(Door::new(listener, service, service.crowded.clone(), stages)),
        }
    }

    async fn receive(&mut self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        let state = self.door.state.clone();
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => return complain(&state, &error).await,
        };
        let client = (!state.config.behind_proxy).then(|| Client::from(peer.ip()));
        let pace = Pace::new();
        match self.places.take(client, &pace) {
            Some((place, lost)) => {
                let talk = self.door.open(stream, peer, pace, state.config.limits.idle);
                tokio::spawn(hold(state, talk, place, lost));
            }
            None => {
                state.metrics.crowded.inc();
                self.reserve.take(stream, peer);
            }
        }
    }
}

/// Answers on a connection until it ends or loses its place.
async fn hold(state: Arc<AppState>, talk: Conversation, place: Place, lost: Lost) {
    state.metrics.connections.inc();
    tokio::select! {
        () = talk.go_on() => {}
        _ = lost => {}
    }
    state.metrics.connections.dec();
    drop(place);
}

/// What connections at a listener are answered with.
struct Door {
    http: Builder,
    router: Router,
    state: Arc<AppState>,
    stage: Follower,
    at_loopback: bool,
}

impl Door {
    fn new(listener: &TcpListener, service: &Service, router: Router, stages: &Stages) -> Door {
        let state = service.state.clone();
        let mut http = Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(state.config.limits.head);
        let at_loopback =
            listener.local_addr().is_ok_and(|at| at.ip().to_canonical().is_loopback());
        Door { http, router, state, stage: stages.subscribe(), at_loopback }
    }

    /// Begins to answer on a connection, whose other end may leave it for as long as `patience`.
    fn open(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        pace: Arc<Pace>,
        patience: Duration,
    ) -> Conversation {
        // Small answers go out at once; a connection that refuses that serves as well.
        let _ = stream.set_nodelay(true);
        let stream = TokioIo::new(Patient::new(stream, patience, pace.clone()));
        let stage = self.stage.clone();
        let caller =
            Caller { client: peer.ip().into(), pace, at_loopback: self.at_loopback, stage };
        let (router, behind_proxy) = (self.router.clone(), self.state.config.behind_proxy);
        let answering = Answering { router, peer, behind_proxy, caller: caller.clone() };
        let connection = Box::pin(self.http.serve_connection(stream, answering));
        Conversation { connection, caller }
    }
}

/// A connection on which requests are answered.
struct Conversation {
    connection: Pin<Box<Connection<TokioIo<Patient>, Answering>>>,
    caller: Caller,
}

impl Conversation {
    /// Goes on until the client leaves or the server ends.
    async fn go_on(mut self) {
        let stage = self.caller.stage.clone();
        tokio::select! {
            // A client may leave in the middle.
            _ = self.connection.as_mut() => return,
            () = reached(&stage, Stage::Closing) => {}
        }
        tokio::select! {
            () = self.finish() => {}
            () = reached(&stage, Stage::Over) => {}
        }
    }

    /// Answers what has been asked, if that has arrived already.
    async fn finish(&mut self) {
        let mut is_open = timeout(BREATH, self.connection.as_mut()).await.is_err();
        self.connection.as_mut().graceful_shutdown();
        while is_open && !self.caller.pace.waits_for_head() {
            is_open = timeout(BREATH, self.connection.as_mut()).await.is_err();
        }
    }
}

/// Connections for which there is no place.
struct Reserve {
    door: Door,
    /// The latest ones, the oldest first.
    latest: VecDeque<AbortHandle>,
}

impl Reserve {
    fn new(mut door: Door) -> Reserve {
        door.http.keep_alive(false);
        Reserve { door, latest: VecDeque::new() }
    }

    /// Answers one request on a connection, if it comes before as many connections as there are
    /// places have come after this one.
    fn take(&mut self, stream: TcpStream, peer: SocketAddr) {
        let talk = self.door.open(stream, peer, Pace::new(), self.door.state.config.limits.head);
        self.latest.push_back(tokio::spawn(talk.go_on()).abort_handle());
        if self.latest.len() > RESERVED
            && let Some(oldest) = self.latest.pop_front()
        {
            oldest.abort();
        }
    }
}
