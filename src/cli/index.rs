//! `oware index`: the number of a position in its layer.

use std::fmt::Display;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::game::{Position, Seeds};
use crate::json::Game;
use crate::json::general::GeneralDocument;
use crate::layer::Layer;
use crate::layer::general::GeneralLayer;

use super::options::{AnySheet, SheetArg};
use super::output;

/// Show the index (rank) of a position among those with the same number of seeds
///
/// Indexes start at 0 and follow the order of the arrays that `oware export` writes. A rule sheet
/// affects them only by the positions that cannot arise, which it leaves out. Needs no tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware index \"0 0 0 0 1 2  1 0 0 0 3 0\"\n  \
                        oware index 4 4 4 4 4 4  0 5 5 5 5 4 --rules awari")]
pub struct Args {
    /// Position, as in `oware moves`
    #[arg(value_name = "POSITION", required = true, num_args = 1..)]
    position: Vec<String>,
    #[command(flatten)]
    rules: SheetArg,
}

/// A position and its rank.
#[derive(Serialize)]
pub struct Ranked {
    #[serde(flatten)]
    pub position: Position,
    pub rank: u64,
}

impl Args {
    /// Prints the rank.
    pub fn run(self, json: bool) -> Result<()> {
        let words = self.position.join(" ");
        match self.rules.sheet {
            AnySheet::Oware(rules) => {
                let position = rules.read(&words)?;
                let board = position.board;
                let seeds: Seeds = board.seeds();
                let rank = Layer::of(rules, seeds).rank(&board).ok_or_else(|| {
                    Error::Usage(format!(
                        "the layer of {seeds} seeds does not contain {board}: after a move, the \
                         house that it emptied is empty in the opponent's row"
                    ))
                })?;
                show(json, &Ranked { position, rank: rank.0 }, rank.0)
            }
            AnySheet::Other(sheet) => {
                let placement = sheet.read(&words)?;
                let layer = GeneralLayer::around(sheet, &placement);
                positions(&layer)?;
                let rank = layer.rank(&placement);
                show(json, &GeneralDocument::of_rank(sheet, placement, rank), rank)
            }
        }
    }
}

/// Prints what was asked for.
pub fn show(json: bool, document: &impl Serialize, asked: impl Display) -> Result<()> {
    output::result(json, document, |_| format!("{asked}\n"))
}

/// Counts the positions of a layer, if there are not more than there are numbers.
pub fn positions(layer: &GeneralLayer) -> Result<u64> {
    let (positions, seeds) = (layer.positions(), layer.seeds());
    let too_many =
        || Error::Usage(format!("the layer of {seeds} seeds has more than 2^64 positions"));
    if positions < u64::MAX { Ok(positions) } else { Err(too_many()) }
}
