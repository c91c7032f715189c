//! The guide: the details that the README omits, page by page. Its examples are tests.
//!
//! Links are those of a repository at the end of a page, and those of this documentation in `links.md`,
//! which stands before each page: of two definitions of a link the first counts.
//!
//! | page | answers |
//! |---|---|
//! | [`command_line`] | what each command does, the rule sheets, judging games and engines |
//! | [`other_games`] | Nam Nam and Bao: rules, interpretation, tables, what is solved |
//! | [`json`] | what scripts can rely on: fields, exit codes, forms of positions |
//! | [`http`] | the API of `oware serve` |
//! | [`browser`] | the page without a server, the WebAssembly package, tables on a web host |
//! | [`operating`] | memory, disk, interrupted builds, damaged files, publishing, a server |
//! | [`large`] | layers larger than memory: what moves to disk, and when |
//! | [`whole_board`] | 48 seeds on one machine: what it takes, what to type, what has been run |
//! | [`several_machines`] | builds over MPI: how to run them, measurements, a model for 48 seeds |
//! | [`performance`] | figures, and how they were measured |
//! | [`platforms`] | ARM, 32 bits, WebAssembly: vectors, what differs, how it is compiled |
//! | [`exact`] | which repetition ends a game, what is exact, how to reproduce it, open questions |
//! | [`research`] | counts of each layer, what a check proves, sources |
//! | [`theory`] | how layers are solved, the theorems and their proofs |
//! | [`file_format`] | every byte of a table |
//! | [`bindings`] | the Python package, the C library, and the contents of a release |
//! | [`exports`] | layers as files: numpy, Parquet, CSV, the published Awari database |
//! | [`learning`] | a dataset of exact values, the judge of a policy, extremes of each layer |
//! | [`puzzles`] | positions with one good move: kinds, difficulty, the puzzle of a day |
//! | [`soundness`] | unsafe code, forged files, failed calls |
//! | [`scripts`] | the contents of `scripts` |

#[doc = include_str!("links.md")]
#[doc = include_str!("command_line.md")]
pub mod command_line {}

#[doc = include_str!("links.md")]
#[doc = include_str!("other_games.md")]
pub mod other_games {}

#[doc = include_str!("links.md")]
#[doc = include_str!("json.md")]
pub mod json {}

#[doc = include_str!("links.md")]
#[doc = include_str!("http.md")]
pub mod http {}

#[doc = include_str!("links.md")]
#[doc = include_str!("browser.md")]
pub mod browser {}

#[doc = include_str!("links.md")]
#[doc = include_str!("operating.md")]
pub mod operating {}

#[doc = include_str!("links.md")]
#[doc = include_str!("large.md")]
pub mod large {}

#[doc = include_str!("links.md")]
#[doc = include_str!("whole_board.md")]
pub mod whole_board {}

#[doc = include_str!("links.md")]
#[doc = include_str!("several_machines.md")]
pub mod several_machines {}

#[doc = include_str!("links.md")]
#[doc = include_str!("performance.md")]
pub mod performance {}

#[doc = include_str!("links.md")]
#[doc = include_str!("platforms.md")]
pub mod platforms {}

#[doc = include_str!("links.md")]
#[doc = include_str!("exact.md")]
pub mod exact {}

#[doc = include_str!("links.md")]
#[doc = include_str!("research.md")]
pub mod research {}

#[doc = include_str!("links.md")]
#[doc = include_str!("theory.md")]
pub mod theory {}

#[doc = include_str!("links.md")]
#[doc = include_str!("file_format.md")]
pub mod file_format {}

#[doc = include_str!("links.md")]
#[doc = include_str!("bindings.md")]
pub mod bindings {}

#[doc = include_str!("links.md")]
#[doc = include_str!("exports.md")]
pub mod exports {}

#[doc = include_str!("links.md")]
#[doc = include_str!("learning.md")]
pub mod learning {}

#[doc = include_str!("links.md")]
#[doc = include_str!("puzzles.md")]
pub mod puzzles {}

#[doc = include_str!("links.md")]
#[doc = include_str!("soundness.md")]
pub mod soundness {}

#[doc = include_str!("links.md")]
#[doc = include_str!("scripts.md")]
pub mod scripts {}
