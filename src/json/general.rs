//! The answers about the other games.

use serde::{Serialize, Serializer};

use super::asked::AskedPosition;
use super::games::{Game, Requested};
use crate::error::Result;
use crate::game::mancala::placement::owners_text;
use crate::game::mancala::{Layers, Outcome, Outcomes, Placement, Sheet};
use crate::probe::LineEnd;
use crate::probe::general::{GeneralAnswer, GeneralLine, GeneralProber, Known, ScoredOutcome};

/// What the rules say of a position: the document of `oware moves`.
pub struct GeneralMoves {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The position.
    pub placement: Placement,
    /// The legal moves.
    pub moves: Outcomes,
}

impl GeneralMoves {
    /// Returns what the mover gets in the end minus what the opponent gets, if the game is over.
    pub fn end(&self) -> Option<i8> {
        self.moves.is_empty().then(|| self.sheet.game.final_score(&self.placement))
    }
}

/// Everything that the tables know of a position: the document of `oware query`.
pub struct GeneralAnalysis {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The position.
    pub placement: Placement,
    /// Its score and its moves.
    pub answer: GeneralAnswer,
    /// A line of best play.
    pub line: GeneralLine,
}

/// A document about a position: its fields in their order, of which each has some.
#[derive(Serialize)]
pub struct GeneralDocument {
    rules: &'static str,
    board: Placement,
    seeds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<String>,
    #[serde(flatten)]
    score: Option<ScoreFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveFields>>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    #[serde(flatten)]
    ends: Option<LineEnd>,
}

#[derive(Serialize)]
struct ScoreFields {
    low: i8,
    high: i8,
    exact: bool,
    value: Option<i8>,
    /// `null` where there is no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Option<u8>>,
}

#[derive(Serialize)]
struct MoveFields {
    house: String,
    captured: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_captured: Option<u8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    again: bool,
    board: Placement,
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<String>,
    #[serde(flatten)]
    score: Option<ScoreFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certified: Option<bool>,
}

impl GeneralDocument {
    /// That of a position alone.
    fn of(sheet: &'static Sheet, placement: Placement) -> GeneralDocument {
        let (rules, seeds, owners) = (sheet.id, placement.seeds(), owners(sheet, &placement));
        let (score, rank, moves, end) = (None, None, None, None);
        let (board, best, line, ends) = (placement, None, None, None);
        GeneralDocument { rules, board, seeds, owners, score, rank, moves, end, best, line, ends }
    }

    /// That of `oware index` and `oware unindex`: a position and its number in its layer.
    pub fn of_rank(sheet: &'static Sheet, placement: Placement, rank: u64) -> GeneralDocument {
        GeneralDocument { rank: Some(rank), ..GeneralDocument::of(sheet, placement) }
    }
}

impl ScoreFields {
    fn of(sheet: &Sheet, low: i8, high: i8, plies: Option<u8>) -> Option<ScoreFields> {
        let (exact, value) = (low == high, (low == high).then_some(low));
        let plies = (sheet.layers == Layers::Alone).then_some(plies);
        Some(ScoreFields { low, high, exact, value, plies })
    }
}

impl MoveFields {
    fn of(sheet: &Sheet, outcome: &Outcome) -> MoveFields {
        MoveFields {
            house: outcome.label.to_string(),
            captured: outcome.mover,
            opponent_captured: sheet.has_owners.then_some(outcome.opponent),
            again: outcome.again,
            board: outcome.next,
            owners: owners(sheet, &outcome.next),
            score: None,
            certified: None,
        }
    }

    fn scored(sheet: &Sheet, scored: &ScoredOutcome) -> MoveFields {
        let &ScoredOutcome { ref outcome, low, high, certified, plies } = scored;
        let score = ScoreFields::of(sheet, low, high, plies);
        MoveFields { score, certified: Some(certified), ..MoveFields::of(sheet, outcome) }
    }
}

fn owners(sheet: &Sheet, placement: &Placement) -> Option<String> {
    sheet.has_owners.then(|| owners_text(placement.owners(), sheet.half))
}

impl Serialize for GeneralMoves {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let moves = self.moves.iter().map(|outcome| MoveFields::of(self.sheet, outcome)).collect();
        let fields = GeneralDocument::of(self.sheet, self.placement);
        GeneralDocument { moves: Some(moves), end: self.end(), ..fields }.serialize(serializer)
    }
}

impl Serialize for GeneralAnalysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let GeneralAnalysis { sheet, placement, answer, line } = self;
        let Known { low, high, plies, .. } = answer.known;
        let moves = &answer.moves;
        let best = moves.iter().filter(|scored| answer.is_best(scored));
        GeneralDocument {
            score: ScoreFields::of(sheet, low, high, plies),
            moves: Some(moves.iter().map(|scored| MoveFields::scored(sheet, scored)).collect()),
            end: moves.is_empty().then_some(low),
            best: Some(best.map(|scored| scored.outcome.label.to_string()).collect()),
            line: Some(line.texts()),
            ends: Some(line.ends),
            ..GeneralDocument::of(sheet, *placement)
        }
        .serialize(serializer)
    }
}

impl Game for &'static Sheet {
    type Position = Placement;
    type Prober = GeneralProber;
    type Moves = GeneralMoves;
    type Score = GeneralDocument;
    type Analysis = GeneralAnalysis;

    fn read(self, text: &str) -> Result<Placement> {
        self.parse(text)
    }

    fn read_asked(self, asked: AskedPosition) -> Result<Placement> {
        self.parse(&format!("{} {}", asked.board, asked.owners.unwrap_or_default()))
    }

    fn seeds(self, placement: Placement) -> usize {
        placement.seeds()
    }

    fn path_to(self, placement: Placement, seeds: usize, _: Requested) -> Option<String> {
        let outcomes = self.outcomes(&placement);
        let leads = |outcome: &&Outcome| {
            outcome.next.seeds() == seeds && self.final_score(&outcome.next).is_none()
        };
        outcomes.iter().find(leads).map(|outcome| outcome.label.to_string())
    }

    fn moves(self, placement: Placement) -> GeneralMoves {
        GeneralMoves { sheet: self, placement, moves: self.outcomes(&placement) }
    }

    fn score(prober: &mut GeneralProber, placement: Placement) -> Result<GeneralDocument> {
        let (sheet, Known { low, high, plies, .. }) = (prober.sheet(), prober.known(&placement)?);
        let score = ScoreFields::of(sheet, low, high, plies);
        Ok(GeneralDocument { score, ..GeneralDocument::of(sheet, placement) })
    }

    fn analysis(
        prober: &mut GeneralProber,
        placement: Placement,
        asked: Requested,
    ) -> Result<GeneralAnalysis> {
        let (sheet, answer) = (prober.sheet(), prober.answer(&placement)?);
        let line = prober.line(&placement, asked.line)?;
        Ok(GeneralAnalysis { sheet, placement, answer, line })
    }
}
