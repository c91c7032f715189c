//! A single position: `/v1/query`, `/v1/moves` and `/v1/line`.

use serde::{Deserialize, Serialize};

use super::parameters::{any_sheet, at_most, position, sheet};
use super::{Answers, Document};
use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{Board, Interval, Move, Position, Rules, legal_moves};
use crate::json::{AnySheet, Game, Requested};
use crate::probe::{Line, Prober};

/// Default number of moves of best play.
pub const LINE: usize = 40;
/// Moves of best play at most in an answer that is given on the spot.
pub const LONGEST_LINE: usize = 100;
/// Moves of best play at most.
const LONGEST: usize = 1000;

/// The parameters of `GET /v1/query`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryParams {
    board: Option<String>,
    rules: Option<String>,
    line: Option<usize>,
    #[serde(default)]
    scores_only: bool,
    #[serde(default)]
    explain: bool,
}

impl Answers {
    /// Answers `GET /v1/query`: the document of `oware query`, or its score alone. Positions of Oware
    /// are shown to `look` before.
    ///
    /// # Errors
    /// As for the [whole question](Answers::answer), and whatever `look` fails with.
    pub fn query(
        &self,
        params: QueryParams,
        look: impl FnOnce(&mut Prober, &Board) -> Result<()>,
    ) -> Result<Document> {
        let QueryParams { board, rules, line, scores_only, explain } = params;
        let line = at_most("line", line, LINE, LONGEST_LINE)?;
        let asked = Requested { line, scores_only, explain };
        match any_sheet(rules.as_deref())? {
            AnySheet::Oware(rules) => {
                let position = position(rules, board.as_deref())?;
                self.probers(rules).with(|prober| {
                    look(prober, &position.board)?;
                    document::<&Rules>(prober, position, asked)
                })
            }
            AnySheet::Other(_) if explain => {
                Err(Error::Usage("`explain` is for Oware only".to_owned()))
            }
            AnySheet::Other(sheet) => {
                let placement = position(sheet, board.as_deref())?;
                self.others(sheet).with(|prober| document::<&Sheet>(prober, placement, asked))
            }
        }
    }

    /// Answers `GET /v1/moves`: the document of `oware moves`, which needs no tables.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn moves(&self, params: MovesParams) -> Result<Document> {
        let MovesParams { board, rules } = params;
        let board = board.as_deref();
        Ok(match any_sheet(rules.as_deref())? {
            AnySheet::Oware(rules) => Document::of(&rules.moves(position(rules, board)?)),
            AnySheet::Other(sheet) => Document::of(&sheet.moves(position(sheet, board)?)),
        })
    }

    /// Answers `GET /v1/line`: a line of best play with every position on it.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn line(&self, params: LineParams) -> Result<Document> {
        let rules = sheet(params.rules.as_deref())?;
        let position = position(rules, params.board.as_deref())?;
        let limit = at_most("limit", params.limit, LINE, LONGEST)?;
        let line = |prober: &mut Prober| LineDocument::of(prober, position, limit);
        Ok(Document::of(&self.probers(rules).with(line)?))
    }
}

fn document<G: Game>(
    prober: &mut G::Prober,
    position: G::Position,
    asked: Requested,
) -> Result<Document> {
    Ok(match asked.scores_only {
        true => Document::of(&G::score(prober, position)?),
        false => Document::of(&G::analysis(prober, position, asked)?),
    })
}

/// The parameters of `GET /v1/moves`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesParams {
    board: Option<String>,
    rules: Option<String>,
}

/// The parameters of `GET /v1/line`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineParams {
    board: Option<String>,
    rules: Option<String>,
    limit: Option<usize>,
}

/// A line of best play with every position on it.
#[derive(Serialize)]
struct LineDocument {
    #[serde(flatten)]
    position: Position,
    #[serde(flatten)]
    interval: Interval,
    /// The largest score that the layer's table tells apart, if it does not tell all.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<i8>,
    #[serde(flatten)]
    line: Line,
    steps: Vec<Move>,
}

impl LineDocument {
    fn of(prober: &mut Prober, position: Position, limit: usize) -> Result<LineDocument> {
        let interval = prober.interval(&position.board)?;
        let range = prober.range(position.board.seeds())?.clamp_end();
        let line = prober.line(&position.board, limit)?;
        let steps = steps(prober.rules(), position.board, &line);
        Ok(LineDocument { position, interval, range, line, steps })
    }
}

/// Returns the moves of a line, each with the position that it leads to.
fn steps(rules: &Rules, mut board: Board, line: &Line) -> Vec<Move> {
    let mut steps = Vec::with_capacity(line.moves.len());
    for &(house, _) in &line.moves {
        let legal = legal_moves(rules, &board);
        let played = legal.iter().find(|played| played.house == house);
        steps.push(played.expect("lines are made of legal moves"));
        board = steps[steps.len() - 1].next;
    }
    steps
}
