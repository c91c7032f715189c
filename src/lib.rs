//! Endgame databases for Oware.

pub mod score;
pub mod board;
pub mod error;
pub mod index;
pub mod moves;
pub mod notation;
pub mod rules;
pub mod solver;
