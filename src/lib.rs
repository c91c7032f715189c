//! Endgame databases for Oware and its relatives: the exact score of every position with few seeds,
//! built layer by layer, kept in checked and compressed files, and asked by anyone.
//!
//! Ask a position, from tables that `oware build --seeds 3 --tables tables` makes:
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
//! | room | what it knows |
//! |---|---|
//! | [`error`] | every way to fail a caller, with the facts and the remedy |
//! | `random` | random numbers and shuffles, the same again for the same seed |
//! | `confidence` | bounds of what a sample says about the whole |
//! | `scc` | strongly connected components of a graph |
//! | `clock` | the time, where there is one |
//! | `lines` | lines of any bytes, read in bounded memory |
//! | `pool` | tools lent to any number of threads, and threads for a single call |
//! | `timeline` | what a thread does when, for benches |
//! | `simd` | registers of 16 bytes, on processors that have them, and how wide any may be |
//! | [`game`] | what is played: houses, sheets, moves, positions and games as text |
//! | [`layer`] | all positions with the same number of seeds, and what is known of them |
//! | [`solver`] | from rules to scores, a layer at a time |
//! | [`table`] | scores in files |
//! | [`probe`] | a directory of tables: scores, best moves, lines |
//! | [`certify`] | why anyone may believe it: proof and playout |
//! | [`engine`] | the playing engine, its protocol, and games between engines |
//! | [`verify`] | moves judged against the tables, and reports of many |
//! | `json` | the answers as JSON, with the feature `json`, which `cli` and `serve` have |
//! | `answers` | what `/v1/…` says, with the feature `answers`, which `serve` has |
//! | `server` | the HTTP API and the page, with the feature `serve` |
//! | [`guide`] | what the README leaves out: commands, JSON, HTTP, the file format, figures |
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
//! | rank | the number of a position in its layer, from 0 on |
//! | cell | where a position stands in memory: block, row and column |
//! | cycle, repetition | a position that recurs; a cycle is cut there and scored by the sheet |
//! | fresh history | no position that has been played can recur: as after a capture |
//! | bound, interval | scores between which the truth lies; it may depend on where a cycle is cut |
//! | strategy | default moves and the exceptions to them: how a score is achieved |
//! | claim | what a player has been promised: the mover `low`, the opponent −`high` |
//! | tight | said of a move that keeps the claim of the player who moves or waits |
//! | met | said of a claim that play which makes progress, or goes round where that pays, brings |
//! | default move, exception | the strategy's move by rule, and where it makes another one |
//! | certified | said of a move that secures what it promises, whatever the opponent does |
//! | component | positions that can all be reached from each other by quiet moves |
//! | knot | a component that play can enter but not leave, so that repetition decides its value |
//! | plane | one byte for each position of a layer, such as all lower bounds |
//! | tile | up to 2,048 positions of a block and its twin: what a probe has to decode |
//! | frame | some tiles in zstd: what a probe has to decompress |

// Blank lines keep rustfmt from sorting the modules: they stand in the order in which data flows.

pub mod error;

#[doc(hidden)]
pub mod random;

#[doc(hidden)]
pub mod confidence;

#[doc(hidden)]
pub mod scc;

#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod lines;

#[doc(hidden)]
pub mod pool;
#[doc(hidden)]
pub mod timeline;

#[doc(hidden)]
pub mod simd;

pub mod game;

pub mod layer;

pub mod solver;

pub mod table;

pub mod probe;

pub mod certify;

pub mod engine;

pub mod verify;

#[cfg(feature = "json")]
#[doc(hidden)]
pub mod json;

#[cfg(feature = "answers")]
#[doc(hidden)]
pub mod answers;

#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod server;

#[cfg(any(doc, doctest))]
pub mod guide;

pub use error::{Error, Result};
pub use game::{
    ABAPA, ABAPA_EVEN, AWARI, Board, House, Interval, MASTERS, Move, PLAIN, PLAIN_OPPOSITE,
    Position, Rules, SHEETS, Score, Seeds, final_score, legal_moves,
};
pub use probe::{Line, LineEnd, Prober, ScoredMove, Tables};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
