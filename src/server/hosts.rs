//! The hosts that requests name. Each names one, and at an address that only this machine reaches
//! it is this machine.
//!
//! A page of another site may let its own name lead to 127.0.0.1, and is then taken for the site
//! that it reads from (DNS rebinding). What it asks bears its name.

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{StatusCode, Version, header};

use super::caller::Caller;
use super::client::address;
use crate::answers::Refusal;
use crate::error::{Error, Result};

/// Names that a server at a loopback address answers to, besides those of this machine: without a
/// port, and `*` for all.
#[derive(Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads names; `*` stands for all.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is no name.
    pub fn new(names: Vec<String>) -> Result<Hosts> {
        let are_all = names.iter().any(|name| name == "*");
        match names.iter().find(|name| !are_all && !is_name(name)) {
            None => Ok(Hosts(names)),
            Some(name) => Err(Error::Usage(format!(
                "`{name}` is not a host name; write one as in `example.org`, or *"
            ))),
        }
    }

    /// Refuses requests that name no host, several, or one that this server is not.
    ///
    /// # Errors
    /// The refusal that says so.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let named = named(request)?;
        if !Caller::of(request).at_loopback {
            return Ok(());
        }
        let mut hosts = named.iter().chain(request.uri().authority()).map(Authority::host);
        match hosts.find(|host| !is_this_machine(host) && !self.include(host)) {
            None => Ok(()),
            Some(host) => Err(misdirected(host)),
        }
    }

    fn include(&self, host: &str) -> bool {
        self.0.iter().any(|name| name == "*" || name.eq_ignore_ascii_case(host))
    }
}

fn is_name(text: &str) -> bool {
    text.parse::<Authority>().is_ok_and(|authority| authority.host() == text)
}

/// Returns the host that a request names; old versions need none.
fn named(request: &Request) -> Result<Option<Authority>, Refusal> {
    let wrong = |what: &str| {
        let message =
            format!("{what}; send the header `Host` once, with the server's name and port");
        Refusal::usage(StatusCode::BAD_REQUEST, message)
    };
    let mut values = request.headers().get_all(header::HOST).iter();
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value.as_bytes(),
        (None, _) if request.version() < Version::HTTP_11 => return Ok(None),
        (None, _) => return Err(wrong("the request names no host")),
        (Some(_), Some(_)) => return Err(wrong("the request names several hosts")),
    };
    let host = Authority::try_from(value).ok().filter(|host| !host.as_str().contains('@'));
    host.map(Some).ok_or_else(|| wrong("the host of the request is not a name"))
}

/// Whether a name never leads to another machine.
fn is_this_machine(host: &str) -> bool {
    address(host).is_some_and(|address| address.to_canonical().is_loopback())
        || host.strip_suffix('.').unwrap_or(host).eq_ignore_ascii_case("localhost")
}

fn misdirected(host: &str) -> Refusal {
    let host: String = host.chars().take(100).collect();
    Refusal::usage(
        StatusCode::MISDIRECTED_REQUEST,
        format!(
            "this server answers only as `localhost`, not as `{host}`; use `localhost`, or start \
             it with --allow-host {host}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_hosts_have_no_port_and_no_path() {
        for name in ["example.org", "box", "10.0.0.1", "[::1]", "*"] {
            assert!(Hosts::new(vec![name.to_owned()]).is_ok(), "{name}");
        }
        for name in ["", "example.org:80", "http://example.org", "example.org/", "a b", "me@here"] {
            assert!(Hosts::new(vec![name.to_owned()]).is_err(), "{name}");
        }
        let hosts = Hosts::new(vec!["Example.org".to_owned()]).unwrap();
        assert!(hosts.include("example.ORG") && !hosts.include("example.com"));
    }
}
