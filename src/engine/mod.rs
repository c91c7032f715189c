//! The playing engine, what engines say to each other, and games between them.

pub mod protocol;

pub mod search;

pub mod driver;

pub mod arena;
