//! All positions with the same number of seeds: their numbers, and what is known of each.

pub mod index;

pub mod strategy;

pub mod plane;

pub mod stats;
