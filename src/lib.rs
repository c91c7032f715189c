//! Endgame databases for Oware and its relatives: exact minimax scores of every position with few
//! seeds, built layer by layer, kept in checked and compressed files, and asked by anyone.
//!
//! Data flows one way, and the modules stand in that order. A module uses only those above it.
//!
//! | room | what it knows |
//! |---|---|
//! | [`error`] | every way to fail a caller, each with its remedy |
//! | [`random`] | numbers at random, the same ones again for the same seed |
//! | [`scc`] | strongly connected components of a graph |
//! | [`lines`] | lines of any bytes, read in bounded memory |
//! | [`game`] | what is played: houses, sheets, moves, positions and games as text |
//! | [`layer`] | all positions with the same number of seeds, and what is known of them |
//! | [`solver`] | from rules to scores, a layer at a time |
//! | [`table`] | scores in files |
//! | [`probe`] | a directory of tables: scores, best moves, lines |
//! | [`certify`] | why anyone may believe it: proof and playout |
//! | [`engine`] | the playing engine, its protocol, and games between engines |
//! | [`verify`] | moves judged against the tables, and reports of many |
//! | [`json`] | everything that is said of a position, as commands and the server say it |
//! | [`server`] | the HTTP API and the page, with the feature `serve` |
//!
//! Solve four layers in memory and ask one position:
//!
//! ```
//! use oware_db::game::{Board, Seeds};
//! use oware_db::game::AWARI;
//! use oware_db::solver::{InMemory, Unobserved};
//! use oware_db::solver::{Kernel, Solver};
//!
//! let mut solver = Solver::new(&AWARI, Kernel::best());
//! let mut layers = InMemory::default();
//! for seeds in Seeds::new(3).unwrap().up_to() {
//!     let solved = solver.solve(seeds, &layers, &Unobserved)?;
//!     layers.push(solved);
//! }
//! let board = Board::new([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1]).unwrap();
//! assert_eq!(layers.layers()[3].interval(&board).unwrap().value().unwrap().get(), 3);
//! # Ok::<(), oware_db::error::Error>(())
//! ```

// Blank lines keep rustfmt from sorting the modules: they stand in the order in which data flows.

pub mod error;

pub mod random;

pub mod scc;

pub mod lines;

pub mod game;

pub mod layer;

pub mod solver;

pub mod table;

pub mod probe;

pub mod certify;

pub mod engine;

pub mod verify;

pub mod json;

#[cfg(feature = "serve")]
pub mod server;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
