//! Clients, distinguished by their addresses, and how much work each may have in progress.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::http::HeaderMap;
use tokio::sync::Semaphore;

use crate::pool::locked;

/// Clients that are remembered before those with nothing under way are forgotten.
const REMEMBERED: usize = 1024;

/// The header in which proxies say for whom they ask.
const FORWARDED: &str = "x-forwarded-for";

/// The client behind an address; for IPv6, behind the first half of it, which is what one
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
        let last = || address(named()?.rsplit(',').next()?.trim());
        let address = if is_proxy { last() } else { None };
        Client::from(address.unwrap_or(peer.ip()))
    }
}

/// Reads an address as proxies write it, with a port or not, of version 6 in brackets or not.
pub fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.parse().ok();
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    bare().or_else(with_port).or_else(bracketed)
}

/// What clients have under way that takes longer than a query.
#[derive(Debug)]
pub struct Clients {
    most_of_client: usize,
    known: Mutex<HashMap<Client, Arc<Semaphore>>>,
}

impl Clients {
    /// Creates an empty register; a client may have this much at the same time.
    pub fn new(most_of_client: usize) -> Clients {
        Clients { most_of_client, known: Mutex::default() }
    }

    /// Returns the places of a client.
    pub fn work(&self, client: Client) -> Arc<Semaphore> {
        let mut known = locked(&self.known);
        if known.len() >= REMEMBERED {
            known.retain(|_, places| Arc::strong_count(places) > 1);
        }
        let new = || Arc::new(Semaphore::new(self.most_of_client));
        known.entry(client).or_insert_with(new).clone()
    }
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
        for (is_proxy, forwarded, found) in [
            (false, &["10.0.0.9"][..], "10.0.0.1"),
            (true, &["10.0.0.9"], "10.0.0.9"),
            (true, &["6.6.6.6, 10.0.0.9"], "10.0.0.9"),
            (true, &["6.6.6.6", "10.0.0.9"], "10.0.0.9"),
            (true, &["nonsense"], "10.0.0.1"),
            (true, &["10.0.0.9, nonsense"], "10.0.0.1"),
            (true, &[], "10.0.0.1"),
            // Proxies write ports and brackets.
            (true, &["10.0.0.9:51234"], "10.0.0.9"),
            (true, &["6.6.6.6:1,10.0.0.9:2 "], "10.0.0.9"),
            (true, &["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::"),
            (true, &["[2001:db8:1:2:3:4:5:6]"], "2001:db8:1:2::"),
            (true, &["[2001:db8:1:2:3:4:5:6]:51234"], "2001:db8:1:2::"),
            (true, &["[::ffff:10.0.0.9]:80"], "10.0.0.9"),
            (true, &["[10.0.0.9]"], "10.0.0.1"),
            (true, &["[2001:db8::1"], "10.0.0.1"),
            (true, &["10.0.0.9:"], "10.0.0.1"),
            (true, &["10.0.0.9:99999"], "10.0.0.1"),
            (true, &["unknown"], "10.0.0.1"),
        ] {
            assert_eq!(behind("10.0.0.1", forwarded, is_proxy), found, "{forwarded:?}");
        }
    }

    #[test]
    fn a_household_is_one_client() {
        assert_eq!(behind("2001:db8:1:2:3:4:5:6", &[], false), "2001:db8:1:2::");
        assert_eq!(behind("::ffff:10.0.0.1", &[], false), "10.0.0.1");
    }

    #[test]
    fn who_has_nothing_under_way_is_forgotten() {
        let clients = Clients::new(2);
        let of = |number: u32| clients.work(IpAddr::from(number.to_be_bytes()).into());
        let held = of(0);
        let _place = held.clone().try_acquire_owned().unwrap();
        for number in 1..3 * REMEMBERED as u32 {
            of(number);
        }
        assert!(locked(&clients.known).len() <= REMEMBERED);
        assert!(Arc::ptr_eq(&of(0), &held));
    }
}
