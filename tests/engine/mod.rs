//! Engines, their search and protocol, and the games that they play.

#[path = "../cli/copies.rs"]
mod copies;
mod level;
mod protocol;
mod record;
mod search;
mod tables;
#[cfg(feature = "cli")]
mod verify;
