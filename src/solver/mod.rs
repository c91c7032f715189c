//! The solver.

pub mod plane;
pub mod ports;
