//! The answers about the games beside Oware.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::lines::LONGEST_LINE;
use crate::error::{Error, Result};
use crate::game::mancala::placement::{own_half, owners_text};
use crate::game::mancala::{Layers, Outcome, Placement, Sheet};
use crate::layer::general::GeneralLayer;
use crate::probe::general::{
    GeneralAnswer, GeneralLine, GeneralLineEnd, GeneralProber, GeneralTables, Known, ScoredOutcome,
};
use crate::table::general::GeneralStats;

/// What the rules say of a position: the document of `oware moves`.
pub struct GeneralMoves {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The position.
    pub placement: Placement,
    /// The legal moves.
    pub moves: Vec<Outcome>,
}

impl GeneralMoves {
    /// Returns the legal moves of a position.
    pub fn of(sheet: &'static Sheet, placement: Placement) -> GeneralMoves {
        GeneralMoves { sheet, placement, moves: sheet.outcomes(&placement).into_iter().collect() }
    }

    /// Returns what the mover gets in the end minus what the opponent gets, if the game is over.
    pub fn end(&self) -> Option<i8> {
        self.moves.is_empty().then(|| self.sheet.game.final_score(&self.placement))
    }
}

/// What a position is worth: the document of `oware query --scores-only`.
pub struct GeneralScore {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The position.
    pub placement: Placement,
    /// What is known of it.
    pub known: Known,
}

impl GeneralScore {
    /// Asks the tables.
    ///
    /// # Errors
    /// As [`GeneralProber::known`].
    pub fn of(prober: &mut GeneralProber, placement: Placement) -> Result<GeneralScore> {
        Ok(GeneralScore { sheet: prober.sheet(), placement, known: prober.known(&placement)? })
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

impl GeneralAnalysis {
    /// Asks the tables about a position, and for a line of at most `limit` moves.
    ///
    /// # Errors
    /// As [`GeneralProber::known`].
    pub fn of(
        prober: &mut GeneralProber,
        placement: Placement,
        limit: usize,
    ) -> Result<GeneralAnalysis> {
        let sheet = prober.sheet();
        let answer = prober.answer(&placement)?;
        Ok(GeneralAnalysis { sheet, placement, answer, line: prober.line(&placement, limit)? })
    }
}

/// A position and its number in its layer: the document of `oware index` and `oware unindex`.
pub struct GeneralRanked {
    /// The sheet.
    pub sheet: &'static Sheet,
    /// The position.
    pub placement: Placement,
    /// Its number.
    pub rank: u64,
}

impl Serialize for GeneralRanked {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        position(&mut map, self.sheet, &self.placement)?;
        map.serialize_entry("rank", &self.rank)?;
        map.end()
    }
}

/// The fields of a position.
fn position<M: SerializeMap>(
    map: &mut M,
    sheet: &Sheet,
    placement: &Placement,
) -> std::result::Result<(), M::Error> {
    map.serialize_entry("rules", sheet.id)?;
    map.serialize_entry("board", placement)?;
    map.serialize_entry("seeds", &placement.seeds())?;
    if sheet.has_owners {
        map.serialize_entry("owners", &owners_text(placement.owners(), sheet.half))?;
    }
    Ok(())
}

/// The fields of a score.
fn score<M: SerializeMap>(map: &mut M, low: i8, high: i8) -> std::result::Result<(), M::Error> {
    map.serialize_entry("low", &low)?;
    map.serialize_entry("high", &high)?;
    map.serialize_entry("exact", &(low == high))?;
    map.serialize_entry("value", &(low == high).then_some(low))
}

/// The fields of a move.
fn outcome<M: SerializeMap>(
    map: &mut M,
    sheet: &Sheet,
    outcome: &Outcome,
) -> std::result::Result<(), M::Error> {
    map.serialize_entry("house", &outcome.label.to_string())?;
    map.serialize_entry("captured", &outcome.mover)?;
    if sheet.has_owners {
        map.serialize_entry("opponent_captured", &outcome.opponent)?;
    }
    if outcome.again {
        map.serialize_entry("again", &true)?;
    }
    map.serialize_entry("board", &outcome.next)?;
    if sheet.has_owners {
        map.serialize_entry("owners", &owners_text(outcome.next.owners(), sheet.half))?;
    }
    Ok(())
}

struct Played<'a>(&'a Sheet, &'a Outcome);

impl Serialize for Played<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        outcome(&mut map, self.0, self.1)?;
        map.end()
    }
}

struct Scored<'a>(&'a Sheet, &'a ScoredOutcome);

impl Serialize for Scored<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Scored(sheet, scored) = *self;
        let mut map = serializer.serialize_map(None)?;
        outcome(&mut map, sheet, &scored.outcome)?;
        score(&mut map, scored.low, scored.high)?;
        if sheet.layers == Layers::Alone {
            map.serialize_entry("plies", &scored.plies)?;
        }
        map.serialize_entry("certified", &scored.certified)?;
        map.end()
    }
}

impl Serialize for GeneralMoves {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        position(&mut map, self.sheet, &self.placement)?;
        let moves: Vec<Played> =
            self.moves.iter().map(|outcome| Played(self.sheet, outcome)).collect();
        map.serialize_entry("moves", &moves)?;
        if let Some(end) = self.end() {
            map.serialize_entry("final", &end)?;
        }
        map.end()
    }
}

impl Serialize for GeneralAnalysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let GeneralAnalysis { sheet, placement, answer, line } = self;
        let mut map = serializer.serialize_map(None)?;
        position(&mut map, sheet, placement)?;
        score(&mut map, answer.known.low, answer.known.high)?;
        if sheet.layers == Layers::Alone {
            map.serialize_entry("plies", &answer.known.plies)?;
        }
        let moves: Vec<Scored> = answer.moves.iter().map(|scored| Scored(sheet, scored)).collect();
        map.serialize_entry("moves", &moves)?;
        if answer.moves.is_empty() {
            map.serialize_entry("final", &answer.known.low)?;
        }
        let best = answer.moves.iter().filter(|scored| answer.is_best(scored));
        let best: Vec<String> = best.map(|scored| scored.outcome.label.to_string()).collect();
        map.serialize_entry("best", &best)?;
        map.serialize_entry("line", &line.texts())?;
        let (end, after) = match line.ends {
            GeneralLineEnd::GameOver => ("game_over", None),
            GeneralLineEnd::Cycle { after } => ("cycle", Some(after)),
            GeneralLineEnd::Limit => ("limit", None),
        };
        map.serialize_entry("line_end", end)?;
        if let Some(after) = after {
            map.serialize_entry("cycle_after", &after)?;
        }
        map.end()
    }
}

impl Serialize for GeneralScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let GeneralScore { sheet, placement, known } = self;
        let mut map = serializer.serialize_map(None)?;
        position(&mut map, sheet, placement)?;
        score(&mut map, known.low, known.high)?;
        if sheet.layers == Layers::Alone {
            map.serialize_entry("plies", &known.plies)?;
        }
        map.end()
    }
}

/// The figures of the layers of a sheet.
#[derive(Serialize)]
pub struct GeneralStatsDocument {
    /// The id of the sheet.
    pub rules: &'static str,
    /// By layer.
    pub layers: Vec<GeneralLayerStats>,
}

/// The figures of a layer.
#[derive(Serialize)]
pub struct GeneralLayerStats {
    /// What its table says.
    #[serde(flatten)]
    pub stats: GeneralStats,
    /// Whose the houses are, where not each player's are the own half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
}

impl GeneralStatsDocument {
    /// Reads the figures of these layers.
    ///
    /// # Errors
    /// [`Error::MissingTable`] if one has no table, and whatever is wrong with one.
    pub fn of(
        tables: &GeneralTables,
        sheet: &'static Sheet,
        layers: &[GeneralLayer],
    ) -> Result<GeneralStatsDocument> {
        let figures = |layer: &GeneralLayer| -> Result<GeneralLayerStats> {
            let has_owners = layer.owners() != own_half(sheet.half);
            let owners = has_owners.then(|| owners_text(layer.owners(), sheet.half));
            Ok(GeneralLayerStats { stats: tables.require(layer)?.stats().clone(), owners })
        };
        let layers = layers.iter().map(figures).collect::<Result<_>>()?;
        Ok(GeneralStatsDocument { rules: sheet.id, layers })
    }
}

/// Reads the position on a line: a text, or JSON: such a text, a list of numbers, or an object with
/// one of them as `board` and perhaps `owners`, as the answers are.
///
/// # Errors
/// [`Error::Usage`] and [`Error::Notation`] if there is none.
pub fn read_line(sheet: &Sheet, bytes: &[u8]) -> Result<Placement> {
    let wrong = |what: &str| Error::Notation { what: what.to_owned() };
    if bytes.len() > LONGEST_LINE {
        return Err(wrong("the line is too long"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| wrong("the line is not UTF-8 text"))?;
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return sheet.parse(text);
    }
    let json: serde_json::Value =
        serde_json::from_str(text).map_err(|_| wrong("the line is no JSON"))?;
    let board = json.get("board").unwrap_or(&json);
    let mut words = match board {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(counts) => {
            counts.iter().map(|count| format!("{count} ")).collect::<String>()
        }
        _ => return Err(wrong("a line of JSON is a text, a list of numbers, or has a `board`")),
    };
    if let Some(owners) = json.get("owners").and_then(|owners| owners.as_str()) {
        words = format!("{words} {owners}");
    }
    sheet.parse(&words)
}
