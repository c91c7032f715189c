//! `oware stats --all-boards`: the figures of layers with the boards that no move leads to.

use std::path::PathBuf;

use crate::error::Result;
use crate::game::Rules;
use crate::json::stats::Figures;
use crate::probe::Tables;
use crate::solver::{Layers, unreached};

use crate::cli::builder::LayerStore;
use crate::cli::options::parse_bytes;

/// What part of memory the boards that no move leads to take, and as much a layer on disk.
const SHARE: u64 = 5;

/// Which boards are counted, and where the layers are meanwhile.
#[derive(clap::Args)]
pub struct BoardCount {
    /// Count all C(n + 11, 11) boards of a layer, including those that no move leads to
    ///
    /// Those are the boards on which the opponent has six filled houses. Needs the tables of all
    /// lower layers.
    #[arg(long, conflicts_with = "knots")]
    pub all_boards: bool,
    /// Memory limit for --all-boards [default: 75 % of free memory]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, requires = "all_boards")]
    memory: Option<u64>,
    /// Directory for unnamed temporary files of layers that exceed memory [default: the table
    /// directory]
    #[arg(long, value_name = "DIR", requires = "all_boards")]
    scratch: Option<PathBuf>,
}

impl BoardCount {
    /// Adds to the figures of layers those of the boards that no move leads to.
    pub fn complete(
        &self,
        tables: &Tables,
        rules: &'static Rules,
        layers: &mut [Figures],
    ) -> Result<()> {
        let Some(most) = layers.iter().map(|layer| layer.stats.seeds).max() else { return Ok(()) };
        let store =
            LayerStore::of_tables(tables, rules, most, self.memory, self.scratch.as_deref())?;
        // While layers are loaded, there is room for that: no boards are held as yet.
        store.lower(most)?;
        let room = store.room() / SHARE;
        for Figures { stats, .. } in layers {
            *stats = stats.joined(&unreached::stats(rules, stats.seeds, &store, room)?);
        }
        Ok(())
    }
}
