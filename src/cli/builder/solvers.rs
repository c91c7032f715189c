//! Who solves the layers of a build: this process, or all ranks together. Those that do not lead
//! help to solve, and to encode meanwhile.

use std::sync::Arc;
use std::thread;

use crate::error::Result;
use crate::game::Seeds;
use crate::layer::{Arena, Spill};
use crate::solver::cluster::{
    JointSolver, JointWork, Networks, Purpose, SpreadLayer, Team, Transport,
};
use crate::solver::{Kernel, Solver};
use crate::table::joint::{self, Coder};

use super::coders::{Backlog, Coders};
use super::means::Means;
use super::options::Args;
use super::ranks;
use super::scratch::Spilling;
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

/// Returns where a rank has its part of each layer: on disk if there is no room in memory.
pub fn parts_in(wanted: Wanted, ceiling: u64, spill: Spill) -> impl Fn(Seeds) -> Arena {
    move |seeds| match wanted.part_fits(seeds, ceiling) {
        true => Arena::passing(),
        false => Arena::spilled(spill.clone()),
    }
}

/// Helps rank 0 to solve what it finds missing, and to encode it meanwhile.
pub fn assist(wanted: Wanted, args: &Args, networks: Networks) -> Result<()> {
    let options = args.write_options();
    let ceiling = Means::of(args.memory, &args.tables, None)?.memory;
    let spill = Spill::new(Spilling::new(args.scratch_dir()?.to_owned(), ceiling));
    let (coders, backlog) = (&Coders::new(), Arc::<Backlog>::default());
    let parts_in = parts_in(wanted, ceiling, spill);
    let parts_in = |seeds| {
        backlog.wait_until(wanted.room_for_encoding(seeds, ceiling));
        parts_in(seeds)
    };
    thread::scope(|scope| {
        let coder = Coder::start(scope, networks);
        let take = |layer: Arc<SpreadLayer>| {
            let share = backlog.share(wanted.encoding(layer.layer().seeds()));
            coder.run(move |network| {
                let encode = || joint::assist(wanted.rules, &Team::new(network), &layer, options);
                coders.install(encode).unwrap_or_else(|error| ranks::end(&error));
                drop((layer, share));
            });
            Ok(())
        };
        joint(wanted, networks.solving, parts_in).assist(&take)
    })
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
