//! Engines, their search and protocol, and the games that they play.

#[path = "../cli/copies.rs"]
mod copies;
#[cfg(all(feature = "cli", unix))]
mod driver;
mod level;
#[cfg(feature = "cli")]
mod openspiel;
mod protocol;
mod record;
#[cfg(all(feature = "cli", unix))]
#[path = "../cli/scripts.rs"]
mod scripts;
mod search;
mod tables;
#[cfg(feature = "cli")]
mod verify;
