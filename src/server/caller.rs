//! Who asks, and on which connection.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tower::Service as _;

use super::client::Client;
use super::pace::{Awaited, Pace};
use super::stages::Follower;

/// Who asks; every request has it among its extensions.
#[derive(Clone)]
pub struct Caller {
    /// The client.
    pub client: Client,
    /// The pace of its connection.
    pub pace: Arc<Pace>,
    /// Whether the connection has come to an address that only this machine reaches.
    pub at_loopback: bool,
    /// How far the server's end has come.
    pub stage: Follower,
}

impl Caller {
    /// Returns who has sent a request.
    ///
    /// # Panics
    /// If it has not come through [`Answering`].
    pub fn of(request: &Request) -> &Caller {
        request.extensions().get().expect("every request has come on a connection")
    }
}

/// Answers the requests of a connection.
pub struct Answering {
    /// What answers.
    pub router: Router,
    /// The other end.
    pub peer: SocketAddr,
    /// Whether that is a proxy.
    pub behind_proxy: bool,
    /// Who asks, unless a proxy names another client.
    pub caller: Caller,
}

impl hyper::service::Service<hyper::Request<Incoming>> for Answering {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        let pace = self.caller.pace.clone();
        let asked = pace.ask();
        let client = Client::behind(self.peer, request.headers(), self.behind_proxy);
        request.extensions_mut().insert(Caller { client, ..self.caller.clone() });
        let request = request.map(|body| match body.is_end_stream() {
            true => Body::empty(),
            false => Body::new(Awaited::new(body, pace)),
        });
        let answer = self.router.clone().call(request);
        Box::pin(async move {
            let response = answer.await?;
            // The body has what says that it is on its way until it has gone.
            let held = move |error| {
                let _ = &asked;
                error
            };
            Ok(response.map(|body| Body::new(body.map_err(held))))
        })
    }
}
