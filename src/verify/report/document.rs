//! A report as the JSON document of `oware verify`.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{Dispute, Overruns, Report};
use crate::game::Seeds;
use crate::verify::counts::Counts;
use crate::verify::worst::{Case, Location};

impl Serialize for Report {
    /// Writes the document of `oware verify`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = ReportDocument {
            rules: self.rules.id,
            game_seeds: self.game,
            games: self.games,
            foreign: self.foreign,
            unreadable: self.unreadable,
            total: &self.total,
            unknown: self.total.unknown,
            illegal: self.illegal,
            timeouts: self.timeouts,
            crashes: self.crashes,
            overruns: self.overruns.as_ref(),
            cut_short: self.cut_short.as_deref(),
            worst: self.worst().map(|case| self.worst_case(case)).collect(),
            by_seeds: &self.by_seeds,
            by_player: &self.by_player,
            results: self.results(),
        };
        document.serialize(serializer)
    }
}

/// The fields of a report as JSON.
#[derive(Serialize)]
struct ReportDocument<'r> {
    rules: &'static str,
    game_seeds: Option<Seeds>,
    games: u64,
    foreign: u64,
    unreadable: u64,
    #[serde(flatten)]
    total: &'r Counts,
    unknown: u64,
    illegal: u64,
    timeouts: u64,
    crashes: u64,
    overruns: Option<&'r Overruns>,
    cut_short: Option<&'r str>,
    worst: Vec<CaseDocument<'r>>,
    by_seeds: &'r BTreeMap<usize, Counts>,
    by_player: &'r BTreeMap<String, Counts>,
    results: ResultsDocument<'r>,
}

/// What the records say of results.
#[derive(Serialize)]
struct ResultsDocument<'r> {
    ended: u64,
    differing: u64,
    cases: Vec<DisputeDocument<'r>>,
}

/// A dispute is about a whole game, not a move.
#[derive(Serialize)]
struct DisputeDocument<'r> {
    source: Option<&'r str>,
    game: usize,
    #[serde(flatten)]
    dispute: Dispute<'r>,
}

/// A case with the name of its source, the number of its game, and that of its move.
#[derive(Serialize)]
struct CaseDocument<'r> {
    #[serde(flatten)]
    case: &'r Case,
    source: Option<&'r str>,
    game: usize,
    ply: usize,
}

impl Report {
    fn worst_case<'r>(&'r self, case: &'r Case) -> CaseDocument<'r> {
        let Location { game, ply, .. } = case.location;
        CaseDocument { case, source: self.source(case.location), game, ply }
    }

    fn results(&self) -> ResultsDocument<'_> {
        let (ended, differing) = self.ends();
        let cases = self.disputes().map(|dispute| {
            let (source, game) = (self.source(dispute.location), dispute.location.game);
            DisputeDocument { source, game, dispute }
        });
        ResultsDocument { ended, differing, cases: cases.collect() }
    }
}
