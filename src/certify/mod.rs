//! Verification of tables: every score derived again, and strategies played out.

pub mod proof;

pub mod playout;

pub mod general;

pub mod general_playout;
