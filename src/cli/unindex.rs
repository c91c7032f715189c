//! `oware unindex`: the position with a number in its layer.

use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::game::mancala::Sheet;
use crate::json::general::GeneralDocument;
use crate::layer::general::GeneralLayer;
use crate::layer::{Layer, Rank};

use super::builder::general_forecast::owners_of_layer;
use super::index::{Ranked, positions, show};
use super::options::{AnySheet, SheetArg, parse_seeds};

/// Show the position with a given index (rank): the inverse of `oware index`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  oware unindex 7 1999")]
pub struct Args {
    /// Seeds on the board
    #[arg(value_name = "N", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Index of the position among those with N seeds, from 0
    #[arg(value_name = "RANK")]
    rank: u64,
    #[command(flatten)]
    rules: SheetArg,
    /// Nam Nam (`--rules nam-nam`): owner of each house [default: six houses each]
    #[arg(long, value_name = "OWNERS")]
    owners: Option<String>,
}

impl Args {
    /// Prints the position.
    pub fn run(self, json: bool) -> Result<()> {
        let (owners, rank) = (self.owners.as_deref(), self.rank);
        match self.rules.sheet {
            AnySheet::Oware(_) if owners.is_some() => {
                Err(Error::Usage("--owners requires --rules nam-nam".to_owned()))
            }
            AnySheet::Oware(rules) => {
                let layer = Layer::of(rules, self.seeds);
                self.within(layer.positions())?;
                let board = layer.position(Rank(rank)).expect("a rank of the layer");
                show(json, &Ranked { position: board.into(), rank }, board)
            }
            AnySheet::Other(sheet) => {
                let layer = self.layer(sheet)?;
                self.within(positions(&layer)?)?;
                let placement = layer.placement(rank);
                show(json, &GeneralDocument::of_rank(sheet, placement, rank), placement)
            }
        }
    }

    fn layer(&self, sheet: &'static Sheet) -> Result<GeneralLayer> {
        let seeds = self.seeds.get();
        if seeds > 0 && !sheet.has_layer(seeds) {
            let id = sheet.id;
            return Err(Error::Usage(format!("{seeds} seeds are never on the board of `{id}`")));
        }
        let owners = owners_of_layer(sheet, self.owners.as_deref())?;
        Ok(GeneralLayer::of_owners(sheet, seeds, owners))
    }

    /// Makes sure that the rank is one of this many.
    fn within(&self, positions: u64) -> Result<()> {
        let &Args { seeds, rank, .. } = self;
        if rank < positions {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "the layer of {seeds} seeds has {positions} positions, with indexes from 0 to {}, not \
             {rank}",
            positions - 1
        )))
    }
}
