//! Why anyone may believe a table: every score derived anew, and strategies played out.

pub mod proof;

pub mod playout;

pub mod general;

pub mod general_playout;
