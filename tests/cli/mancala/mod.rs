//! The games beside Oware on the command line.

mod commands;
#[path = "../../data/games/facts.rs"]
mod facts;
#[cfg(target_os = "linux")]
mod forecast;
