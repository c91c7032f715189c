//! The games beside Oware: `GET /v1/query`, `GET /v1/moves`, `POST /v1/batch` and `GET /v1/stats`
//! answer about their sheets, too, as the commands do. The page shows Oware alone.

use axum::Json;
use axum::response::{IntoResponse, Response};

use super::params::missing_board;
use super::state::AppState;
use crate::error::Result;
use crate::game::mancala::{Placement, Sheet};
use crate::json::general::{
    GeneralAnalysis, GeneralMoves, GeneralScore, GeneralStatsDocument, read_line,
};
use crate::json::lines::add_line;
use crate::layer::general::GeneralLayer;

/// What is to be told of a position.
#[derive(Clone, Copy)]
pub struct Asked {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// Moves of best play at most.
    pub limit: usize,
    /// Only the score.
    pub scores_only: bool,
}

impl Asked {
    /// Answers about the parameter `board`.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::error::Error::Usage) if it is no position, and whatever is wrong with a table.
    pub fn query(&self, state: &AppState, board: Option<&str>) -> Result<Response> {
        let placement = placement(self.sheet, board)?;
        state.others(self.sheet).with(|prober| {
            if self.scores_only {
                return Ok(Json(GeneralScore::of(prober, placement)?).into_response());
            }
            Ok(Json(GeneralAnalysis::of(prober, placement, self.limit)?).into_response())
        })
    }

    /// Appends the answer to a line of a batch.
    ///
    /// # Errors
    /// As [`Asked::query`].
    pub fn answer(&self, state: &AppState, bytes: &[u8], lines: &mut Vec<u8>) -> Result<()> {
        let placement = read_line(self.sheet, bytes)?;
        state.others(self.sheet).with(|prober| {
            if self.scores_only {
                add_line(&GeneralScore::of(prober, placement)?, lines);
            } else {
                add_line(&GeneralAnalysis::of(prober, placement, self.limit)?, lines);
            }
            Ok(())
        })
    }
}

/// Returns the legal moves of the parameter `board`.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) if it is no position.
pub fn moves(sheet: &'static Sheet, board: Option<&str>) -> Result<Response> {
    Ok(Json(GeneralMoves::of(sheet, placement(sheet, board)?)).into_response())
}

fn placement(sheet: &Sheet, board: Option<&str>) -> Result<Placement> {
    sheet.parse(board.ok_or_else(missing_board)?)
}

/// Returns the figures of all layers, of those up to `most`, or of `one`.
///
/// # Errors
/// [`crate::error::Error::MissingTable`] if there is none, and whatever is wrong with one.
pub fn stats(
    state: &AppState,
    sheet: &'static Sheet,
    most: Option<usize>,
    one: Option<usize>,
) -> Result<Response> {
    let mut layers = state.general.available(sheet)?;
    layers.retain(|layer| {
        most.is_none_or(|most| layer.seeds() <= most) && one.is_none_or(|one| layer.seeds() == one)
    });
    if layers.is_empty() {
        let seeds = one.or(most).unwrap_or_default().min(sheet.most);
        return Err(state.general.missing(&GeneralLayer::new(sheet, seeds)));
    }
    Ok(Json(GeneralStatsDocument::of(&state.general, sheet, &layers)?).into_response())
}
