//! The Python package `oware_db`: tables, layers, positions and games, with arrays of numpy.
//!
//! Each class has a file of its own. What the library does happens without Python's lock, through
//! [`library::call`] or [`library::patiently`], so no panic and no lock crosses the border. No thread
//! outlives the call that began it, but for work that takes its time to end after Ctrl-C, and nothing
//! is locked without Python's lock that a fork could find locked: processes may fork.

mod answers;
mod arguments;
mod arrays;
mod batch;
mod boards;
mod building;
mod errors;
mod forecast;
mod frames;
mod game;
mod handle;
mod layer;
mod library;
mod mancala;
mod moves;
mod position;
mod tables;

use pyo3::prelude::*;

/// Endgame databases for Oware: exact scores of positions, as Python objects and numpy arrays.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::answers::{Line, Probe, ScoredMove};
    #[pymodule_export]
    use crate::building::build;
    #[pymodule_export]
    use crate::forecast::forecast;
    #[pymodule_export]
    use crate::game::{Game, Result};
    #[pymodule_export]
    use crate::layer::Layer;
    #[pymodule_export]
    use crate::library::_panic;
    #[pymodule_export]
    use crate::mancala::{MancalaLayer, MancalaTables, mancala_moves, mancala_sheets};
    #[pymodule_export]
    use crate::moves::{Move, moves, perft, sheets};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::tables::Tables;
}
