//! Layers that several machines solve together: [`JointSolver`].
//!
//! Ranks run the same program. Rank 0 *leads*: it has the lower layers, whoever watches, and in
//! the end the layer. Each rank has an interval of the smaller half-board of every pair of blocks
//! (`cut`), and of every plane and of what captures are worth only the rectangles that belong to
//! it (`part`). A `sweep` goes through the pairs in the usual order; before each pair, ranks
//! exchange what crossing moves lead to, by fixed lists (`links`); within a pair, home moves need
//! lower ranks only, so that ranks follow each other through the strips (`homes`).
//!
//! Every score is computed from what it is computed from on one machine, in a sweep of the same
//! number. So scores and stamps are the same bytes, whatever the number of ranks. There is no work
//! list here for the last sweeps ([`crate::solver::tail`]): dense sweeps go on to the end.
//!
//! # Memory
//!
//! Of a layer that is being solved, a rank holds its share; what others have sent it for one pair;
//! and one block of a lower layer. The leader holds lower layers besides, as far as they are in
//! memory, and *whole* planes of a layer once it is solved, until its table is encoded, or while a
//! checkpoint is saved: this is the bound that is left.

mod beside;
mod captures;
mod crossing;
mod cut;
mod fixpoint;
mod homes;
mod links;
mod needs;
#[cfg(feature = "mpi")]
mod network;
mod pair;
mod part;
mod seat;
mod settle;
mod sheet;
mod solver;
mod sweep;
mod task;
mod threads;
mod transport;
mod whole;

pub use needs::{Balance, Needs};
#[cfg(feature = "mpi")]
pub use network::Network;
pub use solver::{JointSolver, Work};
pub use threads::Threads;
pub use transport::{Purpose, Session, Traffic, Transport};
