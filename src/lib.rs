//! Endgame databases for Oware.

pub mod board;
pub mod error;
pub mod index;
pub mod moves;
pub mod notation;
pub mod probe;
pub mod rules;
pub mod score;
pub mod solver;
pub mod stats;
pub mod table;
