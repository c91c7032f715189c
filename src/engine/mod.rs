//! The playing engine, the protocol of engines, and games between them.

#[doc(hidden)]
pub mod book;

pub mod level;

pub mod protocol;

pub mod search;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod driver;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod arena;
