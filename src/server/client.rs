//! Clients, told apart by their addresses, and how much each may have under way.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::Request;
use axum::http::HeaderMap;
use tokio::sync::Semaphore;

use super::config::ServerLimits;

/// Clients that are remembered before those with nothing under way are forgotten.
const REMEMBERED: usize = 1024;

/// The header in which proxies say for whom they ask.
const FORWARDED: &str = "x-forwarded-for";

/// Whoever is behind an address; of version 6, behind the first half of it, which is what one
/// household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Client {
        match address.to_canonical() {
            IpAddr::V4(address) => Client(address.into()),
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                Client(Ipv6Addr::from(network).into())
            }
        }
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Client {
    /// Returns the client behind a connection, or, if that is a proxy's, the one that the proxy
    /// names. Of several names the last is the proxy's own; the others anybody can write.
    pub fn behind(peer: SocketAddr, headers: &HeaderMap, is_proxy: bool) -> Client {
        let named = || headers.get_all(FORWARDED).iter().next_back()?.to_str().ok();
        let last = || named()?.rsplit(',').next()?.trim().parse().ok();
        let address = if is_proxy { last() } else { None };
        Client::from(address.unwrap_or(peer.ip()))
    }
}

/// What a client may have under way at the same time.
#[derive(Debug)]
pub struct Places {
    /// Connections.
    pub connections: Arc<Semaphore>,
    /// Requests that take longer than a query.
    pub work: Arc<Semaphore>,
    /// Batches.
    pub batches: Arc<Semaphore>,
    /// Searches: one.
    pub searches: Arc<Semaphore>,
}

/// All clients that have something under way.
#[derive(Debug)]
pub struct Clients {
    limits: ServerLimits,
    known: Mutex<HashMap<Client, Arc<Places>>>,
}

impl Clients {
    /// Knows nobody yet.
    pub fn new(limits: ServerLimits) -> Clients {
        Clients { limits, known: Mutex::default() }
    }

    /// Returns the places of a client. Whoever occupies one of them has to hold them as well.
    pub fn places(&self, client: Client) -> Arc<Places> {
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.retain(|_, places| Arc::strong_count(places) > 1);
        }
        known.entry(client).or_insert_with(|| Arc::new(Places::new(&self.limits))).clone()
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Client, Arc<Places>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn new(limits: &ServerLimits) -> Places {
        Places {
            connections: Arc::new(Semaphore::new(limits.client_connections)),
            work: Arc::new(Semaphore::new(limits.client_work)),
            batches: Arc::new(Semaphore::new(limits.client_batches)),
            searches: Arc::new(Semaphore::new(1)),
        }
    }
}

/// Returns the client of a request.
pub fn client(request: &Request) -> Option<Client> {
    request.extensions().get().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(peer: &str, forwarded: &[&str], is_proxy: bool) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().unwrap());
        }
        let peer = SocketAddr::new(peer.parse().unwrap(), 1);
        Client::behind(peer, &headers, is_proxy).to_string()
    }

    #[test]
    fn only_a_proxy_is_believed_and_only_what_it_says_itself() {
        assert_eq!(behind("10.0.0.1", &["10.0.0.9"], false), "10.0.0.1");
        assert_eq!(behind("10.0.0.1", &["10.0.0.9"], true), "10.0.0.9");
        assert_eq!(behind("10.0.0.1", &["6.6.6.6, 10.0.0.9"], true), "10.0.0.9");
        assert_eq!(behind("10.0.0.1", &["6.6.6.6", "10.0.0.9"], true), "10.0.0.9");
        assert_eq!(behind("10.0.0.1", &["nonsense"], true), "10.0.0.1");
        assert_eq!(behind("10.0.0.1", &[], true), "10.0.0.1");
    }

    #[test]
    fn a_household_is_one_client() {
        assert_eq!(behind("2001:db8:1:2:3:4:5:6", &[], false), "2001:db8:1:2::");
        assert_eq!(behind("::ffff:10.0.0.1", &[], false), "10.0.0.1");
    }

    #[test]
    fn who_has_nothing_under_way_is_forgotten() {
        let clients = Clients::new(ServerLimits::default());
        let of = |number: u32| clients.places(IpAddr::from(number.to_be_bytes()).into());
        let held = of(0);
        let _place = held.connections.clone().try_acquire_owned().unwrap();
        for number in 1..3 * REMEMBERED as u32 {
            of(number);
        }
        assert!(clients.known().len() <= REMEMBERED);
        assert!(Arc::ptr_eq(&of(0), &held));
    }
}
