//! A position and moves from there: `/v1/game`.

use serde::Deserialize;

use super::analysis::{Analyzer, GameAnalysis};
use super::parameters::{self, missing_board, sheet};
use super::{Answers, Document};
use crate::error::Result;
use crate::game::Position;
use crate::probe::Prober;
use crate::verify::Judge;

/// The parameters of `GET /v1/game`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameParams {
    board: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    moves: String,
}

impl Answers {
    /// Answers `GET /v1/game`: every position of a game with its score, every move with its
    /// judgement.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn game(&self, params: GameParams) -> Result<Document> {
        let rules = sheet(params.rules.as_deref())?;
        let start = params.board.as_deref().ok_or_else(missing_board)?.parse()?;
        let prober = || Prober::new(&self.tables, rules);
        Ok(Document::of(&analyze(prober, start, &params.moves)?))
    }
}

fn analyze(prober: impl Fn() -> Prober, start: Position, moves: &str) -> Result<GameAnalysis> {
    let mut analyzer = Analyzer::new(prober(), Judge::new(prober()), start)?;
    for played in parameters::moves(moves) {
        let (house, wrong) = played?;
        if !analyzer.play(house)? {
            return Err(wrong(&format!("it is not legal in {}", analyzer.position())));
        }
    }
    Ok(analyzer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ABAPA;
    use crate::probe::Tables;

    #[test]
    fn illegal_moves_are_named() {
        let tables = Tables::open_early("no directory of that name").unwrap();
        let start = "0 0 0 0 1 2 1 0 0 0 3 0".parse().unwrap();
        for (moves, part) in
            [("FX", "move 2, `X`: houses"), ("A", "move 1, `A`: it is not legal in 0-0-0-0-1-2-")]
        {
            let error =
                analyze(|| Prober::new(&tables, &ABAPA), start, moves).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn games_are_not_endless() {
        let tables = Tables::open_early("no directory of that name").unwrap();
        let start = "0-0-0-1-0-0-0-0-1-0-1-0-23-22-S".parse().unwrap();
        let round =
            |times| analyze(|| Prober::new(&tables, &ABAPA), start, &"DcEeFfAaBbCd".repeat(times));
        assert!(round(83).is_ok());
        let error = round(84).err().unwrap().to_string();
        assert!(error.contains("move 1001") && error.contains("at most 1000"), "{error}");
    }
}
