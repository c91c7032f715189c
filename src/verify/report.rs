//! What many judgements add up to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::game::{House, Position, Rules, Seeds};

use super::judge::{Judge, Judgement};
use super::outcome::Turn;
use super::tally::{Tally, Turns};
use super::worst::{Case, Worst};

/// Where a move was played. Earlier places come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// Which of the [sources](Report::sources), from 0 on.
    pub source: usize,
    /// Number of the game or position in it, from 1 on.
    pub game: usize,
    /// Number of the move, from 1 on; each player's counts.
    pub ply: usize,
}

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
    /// What a [`Place`] counts: names of files, for instance.
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
    total: Tally,
    by_seeds: BTreeMap<usize, Tally>,
    worst: Worst,
}

impl Report {
    /// A report with nothing in it, which will keep the `worst` worst cases.
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
            total: Tally::default(),
            by_seeds: BTreeMap::new(),
            worst: Worst::new(worst),
        }
    }

    /// Adds the judgement of a move that was played in the position `at`.
    pub fn add(&mut self, at: &Position, played: House, place: Place, judgement: &Judgement) {
        self.total.add(judgement);
        match judgement {
            Judgement::Illegal => self.illegal += 1,
            Judgement::Unknown => {}
            Judgement::Scored(scored) => {
                self.by_seeds.entry(at.board.seeds().get()).or_default().add(judgement);
                self.worst.add(at, played, place, scored);
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
        for (seeds, tally) in &other.by_seeds {
            self.by_seeds.entry(*seeds).or_default().merge(tally);
        }
        self.worst.merge(other.worst);
        self
    }

    /// Looks up a line of best play for each of the worst cases. To be done once, at the end.
    ///
    /// # Errors
    /// As [`Judge::line`].
    pub fn add_lines(&mut self, judge: &mut Judge) -> Result<()> {
        for (board, line) in self.worst.lines() {
            *line = judge.line(board, LINE)?;
        }
        Ok(())
    }

    /// All judgements.
    pub const fn total(&self) -> &Tally {
        &self.total
    }

    /// Judgements by the seeds on the board before the move; moves inside no table are left out.
    pub fn by_seeds(&self) -> impl Iterator<Item = (Seeds, &Tally)> {
        self.by_seeds.iter().filter_map(|(&seeds, tally)| Some((Seeds::new(seeds)?, tally)))
    }

    /// The worst cases, worst first.
    pub fn worst(&self) -> impl Iterator<Item = Case> + '_ {
        self.worst.cases()
    }

    /// The report as `oware verify --json` prints it.
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
            by_seeds: self.by_seeds.iter().map(|(&seeds, tally)| (seeds, tally.into())).collect(),
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
            turn: case.turn,
            line: case.line.clone(),
            times: case.times,
            source: self.sources.get(case.place.source).map(String::as_str),
            game: case.place.game,
            ply: case.place.ply,
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
    total: TallyFields<'r>,
    unknown: u64,
    illegal: u64,
    timeouts: u64,
    crashes: u64,
    worst: Vec<CaseFields<'r>>,
    by_seeds: BTreeMap<usize, TallyFields<'r>>,
}

#[derive(Serialize)]
struct TallyFields<'r> {
    judged: u64,
    best: u64,
    safe: u64,
    losing: u64,
    mean_loss: Option<f64>,
    mean_loss_at_most: Option<f64>,
    worst_loss: u8,
    results_thrown_away: Turns,
    losses: &'r BTreeMap<u8, u64>,
}

impl<'r> From<&'r Tally> for TallyFields<'r> {
    fn from(tally: &'r Tally) -> TallyFields<'r> {
        let rates = tally.rates();
        TallyFields {
            judged: tally.judged(),
            best: tally.best,
            safe: tally.safe,
            losing: tally.losing,
            mean_loss: rates.map(|rates| rates.mean_loss),
            mean_loss_at_most: rates.map(|rates| rates.mean_loss_at_most),
            worst_loss: tally.worst_loss(),
            results_thrown_away: tally.turns,
            losses: &tally.losses,
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
    turn: Option<Turn>,
    line: Vec<char>,
    times: u64,
    source: Option<&'r str>,
    game: usize,
    ply: usize,
}
