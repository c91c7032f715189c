//! Endgame databases for Oware and its relatives: exact minimax scores of every position with few
//! seeds, built layer by layer, kept in checked and compressed files, and asked by anyone.
//!
//! Data flows one way, and the modules stand in that order. A module uses only those above it.
//!
//! | module | what it knows |
//! |---|---|
//! | [`error`] | every way to fail a caller, each with its remedy |
//! | [`score`] | what a position is worth: scores and intervals |
//! | [`board`] | houses, rows, positions |
//! | [`rules`] | the sheets: every game of the family as one value |
//! | [`notation`] | positions and moves as text |
//! | [`moves`] | how Oware is played |
//! | [`index`] | positions as dense numbers |
//! | [`strategy`] | how a score is collected, and what certifies it |
//! | [`solver`] | from rules to scores, a layer at a time |
//! | [`stats`] | what papers publish about a layer |
//! | [`table`] | scores in files |
//! | [`probe`] | a directory of tables: scores, best moves, lines |
//! | [`proof`] | every score and stamp of a layer, derived anew |
//! | [`knots`] | where the doubt of a layer is born |
//! | [`playout`] | our strategy against every defence, with real history |
//! | [`game`] | a game as it goes on, and how the rules end it |
//! | [`protocol`] | what engines and those who drive them say to each other |
//! | [`record`] | games as text |
//! | [`verify`] | moves judged against the tables, and reports of many |
//! | [`sample`] | positions to try an engine on |
//! | [`search`] | the playing engine: alpha-beta above the tables, their strategy below |
//! | [`driver`] | an engine as a child process, whatever it does |
//! | [`arena`] | games between two engines, and what they tell of strength |
//! | [`checksum`] | what a file is known by |
//! | [`answer`] | everything that is said of a position, as commands and the server say it |
//! | [`server`] | the HTTP API and the page, with the feature `serve` |
//!
//! Solve four layers in memory and ask one position:
//!
//! ```
//! use oware_db::board::{Board, Seeds};
//! use oware_db::rules::AWARI;
//! use oware_db::solver::ports::{InMemory, Unobserved};
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

pub mod score;

pub mod board;

pub mod rules;

pub mod notation;

pub mod moves;

pub mod index;

pub mod strategy;

pub mod solver;

pub mod stats;

pub mod table;

pub mod probe;

pub mod proof;

pub mod knots;

pub mod playout;

pub mod game;

pub mod protocol;

pub mod record;

pub mod verify;

pub mod sample;

pub mod search;

pub mod driver;

pub mod arena;

pub mod checksum;

pub mod answer;

#[cfg(feature = "serve")]
pub mod server;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
