//! The playing engine, the protocol of engines, and games between them.

pub(crate) mod book;

pub mod level;

pub mod protocol;

pub mod search;

#[cfg(feature = "cli")]
pub mod driver;

#[cfg(feature = "cli")]
pub(crate) mod arena;

#[cfg(feature = "cli")]
pub use arena::MatchScore;

#[path = "../../tests/engine/mod.rs"]
#[cfg(test)]
mod tests;
