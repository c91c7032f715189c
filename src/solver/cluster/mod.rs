//! Layers that several machines solve together: [`JointSolver`].
//!
//! Ranks run the same program. Rank 0 *leads*: it has the lower layers and the observer. Each
//! rank has an interval of the smaller half-board of every pair of blocks (`cut`), and of every plane
//! and of the values of captures only the rectangles that belong to it (`shares`). The steps of a
//! layer are those of `solver::fixpoint`. A `sweep` goes through the pairs in the usual
//! order; before each pair, ranks exchange what crossing moves lead to, by fixed lists (`links`);
//! within a pair, home moves need lower ranks only, so that ranks follow each other through the
//! strips (`homes`).
//!
//! Every score is computed from what it is computed from on one machine, in a sweep of the same
//! number. So scores are the same bytes, whatever the number of ranks. The last sweeps go
//! from change to change (`tail`).
//!
//! # Memory
//!
//! Of a layer that is being solved, a rank holds its share; what others have sent it for one pair;
//! and one block of a lower layer. Once it is solved, each keeps its part ([`SpreadLayer`]) until the
//! next layer begins, and ranks show the leader the layer block by block, who puts it where lower
//! layers are. They encode its table together, each from its part, which is
//! [handed over](JointSolver::hand_over) to the thread that does that meanwhile.
//!
//! No rank puts whole planes together, unless the leader is asked for a layer as a
//! [whole](JointSolver::whole). Checkpoints pass through the leader piece by piece; where repetition
//! leaves scores open, it settles those alone, which ranks show it. All ranks find exceptions to
//! default moves together (`claims`).

#[cfg(any(test, feature = "mpi"))]
mod agreement;
mod beside;
mod captures;
mod checkpoint;
mod claims;
mod cut;
mod field;
mod fixpoint;
mod homes;
mod links;
mod needs;
#[cfg(feature = "mpi")]
mod network;
#[cfg(feature = "mpi")]
mod pulse;
mod row_set;
mod seat;
mod shares;
mod solver;
mod spread;
mod sweep;
pub(super) mod tail;
mod task;
mod terms;
pub(super) mod transport;
#[cfg(any(test, feature = "mpi"))]
mod watch;

pub use needs::Needs;
#[cfg(feature = "mpi")]
pub use network::JobNetwork;
pub use shares::Shares;
pub use solver::{JointSolver, JointWork};
pub use spread::{SettledSpread, SpreadLayer};
pub use terms::Terms;
pub use transport::{Networks, Purpose, Talk, Team, Transport};
