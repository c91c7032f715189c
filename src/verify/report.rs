//! What many judgements add up to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::game::{House, Position, Rules, Seeds};

use super::counts::{Counts, ThrownAwayCounts};
use super::judge::{Judge, Judgement};
use super::outcome::ThrownAway;
use super::worst::{Case, Location, WorstCases};

/// Moves of a line of best play that is shown with a case.
const LINE: usize = 12;

/// What many judgements add up to. Its size does not depend on their number.
///
/// Threads make a report each and [merge](Report::merge) them: however moves are divided, and
/// whatever the order, the result is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The sheet.
    pub rules: &'static Rules,
    /// Names of what a [`Location`] counts, as in names of files.
    pub sources: Vec<String>,
    /// What was looked at, in one word: `game`, or `position`.
    pub unit: &'static str,
    /// Games or positions that were looked at.
    pub games: u64,
    /// Games that were left out because they are of another sheet.
    pub foreign: u64,
    /// Games that could not be read.
    pub unreadable: u64,
    /// Moves that were not legal. What came after them is not judged.
    pub illegal: u64,
    /// Moves that an engine did not give in time.
    pub timeouts: u64,
    /// Moves that an engine did not give because it was gone.
    pub crashes: u64,
    total: Counts,
    by_seeds: BTreeMap<usize, Counts>,
    worst: WorstCases,
}

impl Report {
    /// Returns a report with nothing in it, which will keep the `worst` worst cases.
    pub fn new(rules: &'static Rules, sources: Vec<String>, worst: usize) -> Report {
        Report {
            rules,
            sources,
            unit: "game",
            games: 0,
            foreign: 0,
            unreadable: 0,
            illegal: 0,
            timeouts: 0,
            crashes: 0,
            total: Counts::default(),
            by_seeds: BTreeMap::new(),
            worst: WorstCases::new(worst),
        }
    }

    /// Adds the judgement of a move that was played in the position `at`.
    pub fn add(&mut self, at: &Position, played: House, location: Location, judgement: &Judgement) {
        self.total.add(judgement);
        match judgement {
            Judgement::Illegal => self.illegal += 1,
            Judgement::Unknown => {}
            Judgement::Scored(scored) => {
                self.by_seeds.entry(at.board.seeds().get()).or_default().add(judgement);
                self.worst.add(at, played, location, scored);
            }
        }
    }

    /// Adds what another report of the same sheet and sources has.
    pub fn merge(mut self, other: Report) -> Report {
        self.games += other.games;
        self.foreign += other.foreign;
        self.unreadable += other.unreadable;
        self.illegal += other.illegal;
        self.timeouts += other.timeouts;
        self.crashes += other.crashes;
        self.total.merge(&other.total);
        for (seeds, counts) in &other.by_seeds {
            self.by_seeds.entry(*seeds).or_default().merge(counts);
        }
        self.worst.merge(other.worst);
        self
    }

    /// Looks up a line of best play for each of the worst cases; to be called once, at the end.
    ///
    /// # Errors
    /// As [`Judge::line`].
    pub fn add_lines(&mut self, judge: &mut Judge) -> Result<()> {
        for (board, line) in self.worst.lines() {
            *line = judge.line(board, LINE)?;
        }
        Ok(())
    }

    /// Returns the counts of all judgements.
    pub const fn total(&self) -> &Counts {
        &self.total
    }

    /// Returns the counts by the seeds on the board before the move, without the moves that are
    /// inside no table.
    pub fn by_seeds(&self) -> impl Iterator<Item = (Seeds, &Counts)> {
        self.by_seeds.iter().filter_map(|(&seeds, counts)| Some((Seeds::new(seeds)?, counts)))
    }

    /// Returns the worst cases, worst first.
    pub fn worst(&self) -> impl Iterator<Item = Case> + '_ {
        self.worst.cases()
    }

    /// Returns the report as `oware verify --json` prints it.
    pub fn document(&self) -> Document<'_> {
        Document {
            rules: self.rules.id,
            games: self.games,
            foreign: self.foreign,
            unreadable: self.unreadable,
            total: (&self.total).into(),
            unknown: self.total.unknown,
            illegal: self.illegal,
            timeouts: self.timeouts,
            crashes: self.crashes,
            worst: self.worst().map(|case| self.case_fields(&case)).collect(),
            by_seeds: self.by_seeds.iter().map(|(&seeds, counts)| (seeds, counts.into())).collect(),
        }
    }

    fn case_fields(&self, case: &Case) -> CaseFields<'_> {
        CaseFields {
            board: case.board.houses(),
            seeds: case.board.seeds().get(),
            captured: case.captured,
            played: case.played.letter(),
            loss: [case.loss.min, case.loss.max],
            better: case.better.iter().map(|house| house.letter()).collect(),
            turn: case.thrown_away,
            line: case.line.clone(),
            times: case.times,
            source: self.sources.get(case.location.source).map(String::as_str),
            game: case.location.game,
            ply: case.location.ply,
        }
    }
}

/// A report as JSON.
#[derive(Serialize)]
pub struct Document<'r> {
    rules: &'static str,
    games: u64,
    foreign: u64,
    unreadable: u64,
    #[serde(flatten)]
    total: CountsFields<'r>,
    unknown: u64,
    illegal: u64,
    timeouts: u64,
    crashes: u64,
    worst: Vec<CaseFields<'r>>,
    by_seeds: BTreeMap<usize, CountsFields<'r>>,
}

#[derive(Serialize)]
struct CountsFields<'r> {
    judged: u64,
    best: u64,
    safe: u64,
    losing: u64,
    mean_loss: Option<f64>,
    mean_loss_at_most: Option<f64>,
    worst_loss: u8,
    results_thrown_away: ThrownAwayCounts,
    losses: &'r BTreeMap<u8, u64>,
}

impl<'r> From<&'r Counts> for CountsFields<'r> {
    fn from(counts: &'r Counts) -> CountsFields<'r> {
        let rates = counts.rates();
        CountsFields {
            judged: counts.judged(),
            best: counts.best,
            safe: counts.safe,
            losing: counts.losing,
            mean_loss: rates.map(|rates| rates.mean_loss),
            mean_loss_at_most: rates.map(|rates| rates.mean_loss_at_most),
            worst_loss: counts.worst_loss(),
            results_thrown_away: counts.thrown_away,
            losses: &counts.losses,
        }
    }
}

#[derive(Serialize)]
struct CaseFields<'r> {
    board: [u8; 12],
    seeds: usize,
    captured: [u8; 2],
    played: char,
    loss: [u8; 2],
    better: Vec<char>,
    turn: Option<ThrownAway>,
    line: Vec<char>,
    times: u64,
    source: Option<&'r str>,
    game: usize,
    ply: usize,
}
