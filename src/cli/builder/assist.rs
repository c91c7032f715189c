//! What ranks do that do not lead: they help to solve, and to encode meanwhile.

use std::sync::Arc;
use std::thread;

use crate::error::Result;
use crate::layer::Spill;
use crate::solver::cluster::{Networks, SpreadLayer, Team};
use crate::table::joint::{self, Coder};

use super::OwareBuild;
use super::coders::{Backlog, Coders};
use super::means::Means;
use super::ranks;
use super::scratch::Spilling;
use super::solvers;

impl OwareBuild<'_> {
    /// Helps rank 0 to solve what it finds missing, and to encode it meanwhile.
    pub fn assist(&self, networks: Networks) -> Result<()> {
        let (wanted, options) = (self.wanted, self.args.write_options());
        let ceiling = Means::of(self.args.memory, &self.args.tables, None)?.memory;
        let spill = Spill::new(Spilling::new(self.scratch()?.to_owned(), ceiling));
        let (coders, backlog) = (&Coders::new(), Arc::<Backlog>::default());
        let parts_in = self.parts_in(ceiling, spill);
        let parts_in = |seeds| {
            backlog.wait_until(wanted.room_for_encoding(seeds, ceiling));
            parts_in(seeds)
        };
        thread::scope(|scope| {
            let joint = Coder::start(scope, networks);
            let take = |layer: Arc<SpreadLayer>| {
                let share = backlog.share(wanted.encoding(layer.layer().seeds()));
                joint.run(move |network| {
                    let encode =
                        || joint::assist(wanted.rules, &Team::new(network), &layer, options);
                    coders.install(encode).unwrap_or_else(|error| ranks::end(&error));
                    drop((layer, share));
                });
                Ok(())
            };
            solvers::joint(wanted, networks.solving, parts_in).assist(&take)
        })
    }
}
