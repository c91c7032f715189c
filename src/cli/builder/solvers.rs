//! Who solves the layers of a build: this process, or all ranks together.

use crate::error::Result;
use crate::game::Seeds;
use crate::layer::Arena;
use crate::solver::cluster::{JointSolver, JointWork, Purpose, Transport};
use crate::solver::{Kernel, Solver};

use super::wanted::Wanted;

/// A solver of this process, of full scores.
pub fn alone(Wanted { rules, strategies, .. }: Wanted) -> Solver {
    let solver = Solver::new(rules, Kernel::best());
    if strategies { solver } else { solver.without_strategies() }
}

/// A rank's solver, which has its part of each layer where `parts_in` says.
pub fn joint<'t>(
    Wanted { rules, strategies, game, .. }: Wanted,
    transport: &'t dyn Transport,
    parts_in: impl Fn(Seeds) -> Arena + 't,
) -> JointSolver<'t> {
    let solver = JointSolver::new(rules, Kernel::best(), transport, strategies);
    solver.for_games_of(game).with_parts_in(parts_in)
}

/// Lets the other ranks go. Returns what was done for the last layer, in words.
pub fn dismiss(mut solver: JointSolver) -> Result<Option<String>> {
    solver.dismiss()?;
    let work = solver.work();
    Ok((work.sweeps > 0).then(|| in_words(&work)))
}

fn in_words(work: &JointWork) -> String {
    let once = |purpose| work.traffic.of(purpose) as f64 / work.positions as f64;
    format!(
        "the last layer took {} sweeps, {:.2} bytes sent per position and sweep, {} messages per \
         sweep, and {:.2} bytes per position for captures and {:.2} for claims",
        work.sweeps,
        work.bytes_a_position(),
        work.traffic.sweeping_messages() / work.sweeps,
        once(Purpose::Lower),
        once(Purpose::Claims),
    )
}
