//! What many judgements add up to.

#[cfg(feature = "serde")]
mod document;

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::game::record::RecordEnd;
use crate::game::{House, Position, Rules, Seeds};

use super::counts::Counts;
use super::judge::{Judge, Judgement};
use super::worst::{Case, Location, WorstCases};

/// Moves of a line of best play that is shown with a case.
const LINE: usize = 12;

/// Games kept whose record claims another result than the game's own.
const MOST_DISPUTES: usize = 20;

/// A report on many judged moves: counts by seeds and by player, and the worst moves. Its size
/// depends on how many players and sources there are, not on how many moves.
///
/// Threads make a report each and [merge](Report::merge) them: however moves are divided, and
/// whatever the order, the result is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The sheet.
    pub rules: &'static Rules,
    /// Names of what a [`Location`] counts, as in names of files.
    pub sources: Vec<String>,
    /// What was looked at, in one word: `game`, or `position`.
    pub unit: &'static str,
    /// Games or positions that were looked at.
    pub games: u64,
    /// Games that were skipped because they are of another sheet.
    pub foreign: u64,
    /// Games that could not be read.
    pub unreadable: u64,
    /// Moves that were not legal. What came after them is not judged.
    pub illegal: u64,
    /// Moves that an engine did not give in time.
    pub timeouts: u64,
    /// Moves that an engine did not give because it was gone.
    pub crashes: u64,
    /// Whether an engine kept its limit on positions, if it had one.
    pub overruns: Option<Overruns>,
    /// Seeds of the games that the tables decide, if scores are clamped to that.
    pub game: Option<Seeds>,
    /// Why not all that was to be judged is in it.
    pub cut_short: Option<String>,
    total: Counts,
    by_seeds: BTreeMap<usize, Counts>,
    by_player: BTreeMap<String, Counts>,
    /// Games that are over after their last move.
    ended: u64,
    /// Games whose record says something else.
    differing: u64,
    /// The first of these, by where they are.
    disputes: BTreeMap<Location, (String, RecordEnd)>,
    worst: WorstCases,
}

/// Answers of an engine that took longer than its limit on positions lets even a slow one take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Overruns {
    /// The limit, as sent to the engine: `go nodes 1000`.
    pub limit: String,
    /// The milliseconds that an answer may take.
    pub most_ms: u64,
    /// Answers that took longer.
    pub answers: u64,
}

/// A game whose record claims another result than the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Dispute<'r> {
    /// The game, and the number of its moves.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub location: Location,
    /// What the record says.
    pub claimed: &'r str,
    /// How the game ends.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub end: RecordEnd,
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
            overruns: None,
            game: None,
            cut_short: None,
            total: Counts::default(),
            by_seeds: BTreeMap::new(),
            by_player: BTreeMap::new(),
            ended: 0,
            differing: 0,
            disputes: BTreeMap::new(),
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

    /// Adds moves of a player to the counts of that name.
    pub(super) fn add_player(&mut self, player: &str, counts: &Counts) {
        self.by_player.entry(player.to_owned()).or_default().merge(counts);
    }

    /// Adds the end of a game, and what its record `claimed` it to be.
    pub(super) fn add_end(&mut self, location: Location, claimed: &str, end: RecordEnd) {
        self.ended += 1;
        if end.differs {
            self.differing += 1;
            self.add_disputes([(location, (claimed.to_owned(), end))]);
        }
    }

    fn add_disputes(&mut self, found: impl IntoIterator<Item = (Location, (String, RecordEnd))>) {
        self.disputes.extend(found);
        while self.disputes.len() > MOST_DISPUTES {
            self.disputes.pop_last();
        }
    }

    /// Says so if most of an engine's answers took too long, so that it does not seem to keep its limit
    /// on positions.
    pub fn complaint_of_overruns(&self) -> Option<String> {
        let (Overruns { limit, most_ms, answers }, asked) = (self.overruns.as_ref()?, self.games);
        (2 * answers > asked).then(|| {
            format!(
                "{answers} of {asked} answers took more than {most_ms} ms for `{limit}`: the \
                 engine seems to ignore that limit"
            )
        })
    }

    /// Returns how many games are over after their last move, and how many of these have a record
    /// that says something else.
    pub const fn ends(&self) -> (u64, u64) {
        (self.ended, self.differing)
    }

    /// Returns the first games, at most twenty, whose record says something else than how they end.
    pub fn disputes(&self) -> impl Iterator<Item = Dispute<'_>> {
        let cases = self.disputes.iter();
        cases.map(|(&location, (claimed, end))| Dispute { location, claimed, end: *end })
    }

    /// Returns the counts by player, as the tags `South` and `North` of records name them; those
    /// with the most moves judged first.
    pub fn by_player(&self) -> Vec<(&str, &Counts)> {
        let mut players: Vec<(&str, &Counts)> =
            self.by_player.iter().map(|(name, counts)| (name.as_str(), counts)).collect();
        players.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.judged()));
        players
    }

    /// Adds what another report of the same sheet and sources has.
    pub fn merge(mut self, other: Report) -> Report {
        self.games += other.games;
        self.foreign += other.foreign;
        self.unreadable += other.unreadable;
        self.illegal += other.illegal;
        self.timeouts += other.timeouts;
        self.crashes += other.crashes;
        if let (Some(ours), Some(theirs)) = (&mut self.overruns, &other.overruns) {
            ours.answers += theirs.answers;
        }
        self.total.merge(&other.total);
        for (player, counts) in &other.by_player {
            self.add_player(player, counts);
        }
        self.ended += other.ended;
        self.differing += other.differing;
        self.add_disputes(other.disputes);
        for (seeds, counts) in &other.by_seeds {
            self.by_seeds.entry(*seeds).or_default().merge(counts);
        }
        self.worst.merge(other.worst);
        self
    }

    /// Looks up a line of best play for each of the worst cases; to be called once, at the end. Where
    /// captures alone lead into the tables there is none.
    ///
    /// # Errors
    /// As [`Judge::line`].
    pub fn add_lines(&mut self, judge: &mut Judge) -> Result<()> {
        for case in self.worst.cases_mut() {
            case.line = match judge.line(&case.board, LINE) {
                Err(Error::MissingTable { .. }) => Vec::new(),
                found => found?,
            };
        }
        Ok(())
    }

    /// Returns the name of the source of a location.
    pub fn source(&self, location: Location) -> Option<&str> {
        self.sources.get(location.source).map(String::as_str)
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
    pub fn worst(&self) -> impl Iterator<Item = &Case> {
        self.worst.cases()
    }
}
