//! What closing the claims of a layer comes to.

use crate::layer::strategy::{Exception, Exceptions};

/// What can be said of the claims of a layer.
#[derive(Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Whether all of them are met.
    pub claims_are_met: bool,
    /// Where the strategy that meets them does not make the default move.
    pub exceptions: Exceptions,
}

impl Certificate {
    /// Of exceptions in any order.
    pub(super) fn new(claims_are_met: bool, exceptions: Vec<Exception>) -> Certificate {
        Certificate { claims_are_met, exceptions: Exceptions::new(exceptions) }
    }
}
