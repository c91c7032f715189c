//! Layers that are solved, proved and played: the fast solver against slow ones and facts from outside.

mod agreement;
mod checkpoints;
mod claims;
mod clamped;
mod cluster;
mod default_moves;
mod drawn;
mod exact;
mod fixpoints;
mod knots;
mod large;
mod laws;
mod layers;
mod mancala;
pub mod oracle;
mod own_side;
mod playout;
mod proof;
pub mod threads;
mod traffic;
mod unreached;
