//! Endgame databases for Oware and its relatives: the exact score of every position with few seeds,
//! built layer by layer, stored in checksummed, compressed files, and queried from them.
//!
//! Query a position, from tables that `oware build --seeds 3 --tables tables` builds:
//!
//! ```
//! use oware_db::{ABAPA, Position, Prober, Tables};
//!
//! # use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
//! # use oware_db::{Error, Seeds, table};
//! # let temporary = tempfile::tempdir().unwrap();
//! # let dir = temporary.path();
//! # let mut solver = Solver::new(&ABAPA, Kernel::best());
//! # let mut layers = InMemory::default();
//! # for seeds in Seeds::new(3).unwrap().up_to() {
//! #     let solved = solver.solve(seeds, &layers, &Unobserved)?;
//! #     table::write(dir, &ABAPA, &solved, table::WriteOptions::default())?;
//! #     layers.push(solved);
//! # }
//! let tables = Tables::open(dir)?;
//! let mut prober = Prober::new(&tables, &ABAPA); // one for each thread
//! // The houses of the player to move, then the opponent's, each from left to right.
//! let Position { board, .. } = "0 0 0 0 0 1  1 0 0 0 0 1".parse()?;
//! let score = prober.interval(&board)?;
//! for scored in prober.moves(&board)? {
//!     println!("{}: {}", scored.played.house, scored.interval);
//! }
//! assert_eq!(prober.moves(&board)?[0].interval, score);
//! # Ok::<(), Error>(())
//! ```
//!
//! An engine links the library alone (`default-features = false`): no command line, no server. The
//! feature `serde` makes rules, positions, scores, moves and reports serializable.
//!
//! # Rooms
//!
//! Data flows one way, and the modules stand in that order. A module uses only those above it.
//!
//! | room | contents |
//! |---|---|
//! | [`error`] | all errors, with the facts and the remedy |
//! | [`random`] | random numbers and shuffles, reproducible from a seed |
//! | `confidence` | confidence bounds of a sample |
//! | `scc` | strongly connected components of a graph |
//! | `clock` | the time, if the platform has a clock |
//! | `lines` | lines of any bytes, read in bounded memory |
//! | [`pool`] | tools shared by any number of threads, and threads for a single call |
//! | `parallel` | tasks on all threads, compiled once |
//! | [`timeline`] | a record of what each thread does when, for benches |
//! | `simd` | registers of 16 bytes, and the detection of wider ones |
//! | [`game`] | the games: houses, sheets, moves, positions and games as text |
//! | [`layer`] | all positions with the same number of seeds, and their bounds |
//! | [`solver`] | from rules to scores, one layer at a time |
//! | [`table`] | scores in files |
//! | [`probe`] | a directory of tables: scores, best moves, lines |
//! | [`certify`] | independent verification: proof and playout |
//! | [`engine`] | the playing engine, its protocol, and games between engines |
//! | [`verify`] | moves judged by the tables, and reports |
//! | `json` | the answers as JSON, with the feature `json`, which `cli` and `serve` include |
//! | `answers` | the answers to `/v1/…`, with the feature `answers`, which `serve` includes |
//! | `server` | the HTTP API and the page, with the feature `serve` |
//! | `cli` | the program `oware`, with the feature `cli` |
//! | [`guide`] | the details that the README omits: commands, JSON, HTTP, the file format, figures |
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | house | one of a player's six pits, `A` to `F`, left to right from where the player sits |
//! | row | the six houses of a player |
//! | seat | South or North: where a player sits, regardless of who is to move |
//! | seed | what is sown and captured; the game has 48 |
//! | sow | empty a house and drop its seeds one by one into the houses that follow |
//! | capture | take the opponent's seeds off the board, from houses that sowing left with 2 or 3 |
//! | grand slam | a capture of every seed in the opponent's row; sheets differ in what it does |
//! | feed | move so that an opponent without seeds has some again |
//! | sheet | a set of rules with every axis spelled out: [`ABAPA`], [`AWARI`] and others |
//! | score | the seeds that the mover will still get minus those that the opponent will |
//! | layer | all positions with the same number of seeds; captures lead to lower layers |
//! | block | the positions of a layer with the same number of seeds in the mover's row |
//! | rank | the index of a position in its layer, from 0 (an MPI process has a number, too, which the code calls its rank) |
//! | cell | the place of a position in memory: block, row and column |
//! | cycle, repetition | a position that recurs; a cycle is cut there and scored by the sheet |
//! | fresh history | no earlier position of the game can recur, as after a capture |
//! | bound, interval | scores between which the true score lies; it may depend on where a cycle is cut |
//! | strategy | default moves and the exceptions to them: how a score is achieved |
//! | claim | a guaranteed score: the mover's is `low`, the opponent's −`high` |
//! | tight | said of a move that keeps a claim |
//! | met | said of a claim that play achieves by making progress, or by cycling where that pays |
//! | default move, exception | the strategy's move by rule, and the positions where it plays another one |
//! | certified | said of a move that secures its score, whatever the opponent does |
//! | component | positions that can all be reached from each other by quiet moves |
//! | knot | a component that play can enter but not leave, so that repetition decides its value |
//! | plane | one byte for each position of a layer, such as all lower bounds |
//! | tile | up to 2,048 positions of a block and its twin: the unit that a probe decodes |
//! | frame | some tiles in zstd: the unit that a probe decompresses |

// Part of what the program uses is for it alone, and private.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

// Blank lines keep rustfmt from sorting the modules: they are in the order in which data flows.

pub mod error;

pub mod random;

mod confidence;

mod scc;

mod clock;
mod lines;

pub mod pool;

mod parallel;

pub mod timeline;

mod simd;

pub mod game;

pub mod layer;

pub mod solver;

pub mod table;

pub mod probe;

pub mod certify;

pub mod engine;

pub mod verify;

#[cfg(feature = "json")]
pub mod json;

#[cfg(feature = "answers")]
pub mod answers;

#[cfg(feature = "serve")]
pub mod server;

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(any(doc, doctest))]
pub mod guide;

pub use error::{Error, Result};
pub use game::{
    ABAPA, ABAPA_EVEN, AWARI, Board, House, Interval, MASTERS, Move, PLAIN, PLAIN_OPPOSITE,
    Position, Rules, SHEETS, Score, Seeds, final_score, legal_moves,
};
pub use probe::{Line, LineEnd, Prober, ScoredMove, Tables};

// Unit tests that stand in `tests/` name the library as others do.
#[cfg(test)]
extern crate self as oware_db;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
