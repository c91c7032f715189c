//! A report as the JSON document of `oware verify`.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{Dispute, Overruns, Report};
use crate::game::Seeds;
use crate::game::record::RecordEnd;
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
            worst: self.worst().map(|case| LocatedCase::of(case, &self.sources)).collect(),
            by_seeds: &self.by_seeds,
            by_player: &self.by_player,
            results: ResultsDocument::of(self),
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
    worst: Vec<LocatedCase<'r>>,
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

#[derive(Serialize)]
struct DisputeDocument<'r> {
    source: Option<&'r str>,
    game: usize,
    claimed: &'r str,
    #[serde(flatten)]
    end: RecordEnd,
}

impl ResultsDocument<'_> {
    fn of(report: &Report) -> ResultsDocument<'_> {
        let source = |location: Location| report.sources.get(location.source).map(String::as_str);
        let (ended, differing) = report.ends();
        let document = |Dispute { location, claimed, end }| DisputeDocument {
            source: source(location),
            game: location.game,
            claimed,
            end,
        };
        ResultsDocument { ended, differing, cases: report.disputes().map(document).collect() }
    }
}

/// A case with the name of its source.
#[derive(Serialize)]
struct LocatedCase<'r> {
    #[serde(flatten)]
    case: Case,
    source: Option<&'r str>,
    game: usize,
    ply: usize,
}

impl LocatedCase<'_> {
    fn of(case: Case, sources: &[String]) -> LocatedCase<'_> {
        let Location { source, game, ply } = case.location;
        let source = sources.get(source).map(String::as_str);
        LocatedCase { case, source, game, ply }
    }
}
