//! `oware query`: what a position and its moves are worth.

mod doubt;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use oware_db::board::House;
use oware_db::error::{Error, Result};
use oware_db::moves::final_score;
use oware_db::notation::{Position, Stores};
use oware_db::probe::{Line, LineEnd, Prober, ScoredMove, ScoredMoves, Tables};
use oware_db::rules::{Endless, Rules};
use oware_db::score::Interval;

use super::output::{self, PositionFields, ScoreFields, count_seeds, drawing};
use super::position::{PositionArgs, Source};
use super::{DEFAULT_TABLES, RulesArg, access, batch};

/// Tell the score of a position and of every legal move, best first, and a line of best play
///
/// A score is the number of seeds that the player to move will still get minus the number that the
/// opponent will still get; two numbers, as in `+2..+4`, are proved bounds. Captured totals, in the forms of a position that have them, do not
/// change it; they tell who wins the game.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware query \"0 0 0 0 1 2  1 0 0 0 3 0\"\n  \
                        oware query --json 0-0-0-0-1-2-1-0-0-0-3-0-20-21-S\n  \
                        oware query --batch --line 0 < positions.txt\n  \
                        oware query --batch --scores-only < positions.txt\n  \
                        oware query --explain \"0 0 0 0 0 1  0 0 1 2 1 3\"")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    rules: RulesArg,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    /// Moves of best play to show at most; 0 for none, which makes --batch much faster
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(0..=1000))]
    line: u16,
    /// Only the score of each position, without its moves; with --batch or --json
    #[arg(long, conflicts_with = "explain")]
    scores_only: bool,
    /// Say also why scores are numbers or stay between two, and what they hold for
    #[arg(long)]
    explain: bool,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl Args {
    /// Asks the tables.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let rules = self.rules.rules;
        let source = self.position.source()?;
        let tables = Tables::open(&self.tables, access(self.no_mmap))?;
        let probers = Probers { tables: &tables, rules, idle: Mutex::default() };
        let answer = |position| probers.with(|prober| Answer::of(prober, position, self.line.into()));
        let document = |position| Ok(Document::from(answer(position)?).explained(self.reason()));
        let score = |position| probers.with(|prober| ScoreDocument::of(prober, position));
        match source {
            Source::Batch if self.scores_only => return batch::answer_lines(score),
            Source::Batch => return batch::answer_lines(document),
            Source::One(position) if json && self.scores_only => output::document(&score(position)?)?,
            Source::One(_) if self.scores_only => {
                return Err(Error::Usage("--scores-only goes with --batch or --json".to_owned()));
            }
            Source::One(position) if json => output::document(&document(position)?)?,
            Source::One(position) => {
                let reason = self.reason().map(|reason| format!("\n{reason}"));
                output::text(&(answer(position)?.page() + &reason.unwrap_or_default()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What `--explain` adds.
    fn reason(&self) -> Option<&'static str> {
        self.explain.then(|| doubt::reason(self.rules.rules))
    }
}

/// Probers for any number of threads, each with what it decoded last.
struct Probers<'t> {
    tables: &'t Tables,
    rules: &'static Rules,
    idle: Mutex<Vec<Prober<'t>>>,
}

impl<'t> Probers<'t> {
    fn with<T>(&self, ask: impl FnOnce(&mut Prober<'t>) -> Result<T>) -> Result<T> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut prober = match found {
            Some(prober) => prober,
            None => Prober::new(self.tables, self.rules),
        };
        let answer = ask(&mut prober);
        idle().push(prober);
        answer
    }
}

/// Everything that is said of a position.
struct Answer {
    rules: &'static Rules,
    position: Position,
    interval: Interval,
    moves: ScoredMoves,
    over: bool,
    line: Line,
}

impl Answer {
    fn of(prober: &mut Prober, position: Position, limit: usize) -> Result<Answer> {
        Ok(Answer {
            rules: prober.rules(),
            position,
            interval: prober.interval(&position.board)?,
            moves: prober.moves(&position.board)?,
            over: final_score(prober.rules(), &position.board).is_some(),
            line: prober.line(&position.board, limit)?,
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.stores.map(|stores| Outcome::of(stores, self.interval))
    }

    /// The answer for people.
    fn page(&self) -> String {
        let seeds = count_seeds(self.position.board.seeds().get());
        let mut page = format!("{}\n{seeds} on the board. {}\n", drawing(self.position), self.verdict());
        if self.interval.value().is_none() {
            page += &doubt::meaning(self.interval);
        }
        if let Some(outcome) = self.outcome() {
            page += outcome.sentence();
            page.push('\n');
        }
        page += &self.list();
        if !self.line.moves.is_empty() {
            page += &format!("\n{}\n", best_play(&self.line));
        }
        page
    }

    /// The moves for people.
    fn list(&self) -> String {
        if self.moves.is_empty() {
            return String::new();
        }
        let mut list = "\n    house  captured   score  position for the next player\n".to_owned();
        for scored in &self.moves {
            let ScoredMove { played, interval, .. } = scored;
            let (house, captured, next) = (played.house.letter(), played.captured, played.next);
            let best = if self.secures(scored) { '>' } else { ' ' };
            let mark = if self.is_marked(scored) { '*' } else { ' ' };
            list += &format!("  {best} {house:<5}  {captured:>8}  {interval:>6}{mark} {next}\n");
        }
        if self.moves.iter().any(|scored| self.is_marked(scored)) {
            list += doubt::not_certified(self.rules);
        }
        list
    }

    /// Whether a move is certified to bring all that can be secured.
    fn secures(&self, scored: &ScoredMove) -> bool {
        scored.certified && scored.interval.low == self.interval.low
    }

    /// Whether people are told that a move may bring less than its lower end. Of moves that are
    /// worse anyway an even split needs no such footnote.
    fn is_marked(&self, scored: &ScoredMove) -> bool {
        match self.rules.endless {
            Endless::OwnSide => !scored.certified,
            Endless::EvenSplit => !scored.certified && scored.interval.low == self.interval.low,
        }
    }

    /// The score in words.
    fn verdict(&self) -> String {
        let seeds = |count: i8| count_seeds(count.unsigned_abs().into());
        let verdict = match self.interval.value().map(|score| score.get()) {
            Some(0) => "both get as many seeds".to_owned(),
            Some(score @ 1..) => format!("the mover gets {} more than the opponent", seeds(score)),
            Some(score) => format!("the opponent gets {} more than the mover", seeds(score)),
            None => format!("the mover's seeds minus the opponent's come to {}", self.interval),
        };
        match self.over {
            true => format!("The game is over: {verdict}."),
            false => format!("With best play {verdict}."),
        }
    }
}

/// Who wins the game, seeds captured before included.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Win,
    Draw,
    Loss,
    Undecided,
}

impl Outcome {
    /// Whoever ends with more seeds wins. All 48 are captured or divided in the end, so having
    /// more than the other is having at least 25: this is the 25-seed rule, and it does not
    /// matter that play stops there.
    fn of(stores: Stores, interval: Interval) -> Outcome {
        let ahead = i16::from(stores.mover) - i16::from(stores.opponent);
        let margins = (ahead + i16::from(interval.low.get()), ahead + i16::from(interval.high.get()));
        match margins {
            (1.., _) => Outcome::Win,
            (_, ..0) => Outcome::Loss,
            (0, 0) => Outcome::Draw,
            _ => Outcome::Undecided,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Outcome::Win => "With the seeds captured before, the mover wins the game.",
            Outcome::Draw => "With the seeds captured before, the game is a draw.",
            Outcome::Loss => "With the seeds captured before, the opponent wins the game.",
            Outcome::Undecided => "With the seeds captured before, the winner is not decided by these bounds.",
        }
    }
}

/// The houses of a line: upper case for the player to move, lower case for the other.
fn letters(line: &Line, with_captures: bool) -> Vec<String> {
    let text = |(ply, &(house, captured)): (usize, &(House, u8))| {
        let letter = if ply.is_multiple_of(2) { house.letter() } else { house.opponent_letter() };
        match captured {
            1.. if with_captures => format!("{letter}x{captured}"),
            _ => letter.to_string(),
        }
    };
    line.moves.iter().enumerate().map(text).collect()
}

/// A line of best play in a sentence.
fn best_play(line: &Line) -> String {
    let moves = letters(line, true);
    let text = match line.ends {
        LineEnd::GameOver => format!("{}, and the game is over.", moves.join(" ")),
        LineEnd::Limit => format!("{}, and so on.", moves.join(" ")),
        LineEnd::Circle { after } => {
            let (before, round) = moves.split_at(after);
            let before = before.iter().map(|letter| format!("{letter} ")).collect::<String>();
            format!("{before}[{}], and what stands in brackets goes round.", round.join(" "))
        }
    };
    let capture = match line.until_capture() {
        Some(1) | None => String::new(),
        Some(plies) if plies == line.moves.len() && line.moves.iter().all(|&(_, captured)| captured == 0) => {
            String::new()
        }
        Some(plies) => format!(" The first capture is move {plies}."),
    };
    format!("Best play: {text}{capture}")
}

/// What `--scores-only` leaves.
#[derive(Serialize)]
struct ScoreDocument {
    #[serde(flatten)]
    position: PositionFields,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
}

impl ScoreDocument {
    fn of(prober: &mut Prober, position: Position) -> Result<ScoreDocument> {
        let interval = prober.interval(&position.board)?;
        let outcome = position.stores.map(|stores| Outcome::of(stores, interval));
        Ok(ScoreDocument { position: position.into(), score: interval.into(), outcome })
    }
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    position: PositionFields,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    moves: Vec<MoveFields>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<i8>,
    best: Vec<char>,
    line: Vec<String>,
    line_end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    circle_after: Option<usize>,
    until_capture: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'static str>,
}

impl Document {
    fn explained(mut self, explanation: Option<&'static str>) -> Document {
        self.explanation = explanation;
        self
    }
}

#[derive(Serialize)]
struct MoveFields {
    house: char,
    captured: u8,
    board: [u8; 12],
    #[serde(flatten)]
    score: ScoreFields,
    certified: bool,
}

impl From<Answer> for Document {
    fn from(answer: Answer) -> Document {
        let secures = |each: &&ScoredMove| answer.secures(each);
        Document {
            position: answer.position.into(),
            score: answer.interval.into(),
            outcome: answer.outcome(),
            end: answer.over.then(|| answer.interval.low.get()),
            best: answer.moves.iter().filter(secures).map(|each| each.played.house.letter()).collect(),
            line: letters(&answer.line, false),
            line_end: match answer.line.ends {
                LineEnd::GameOver => "game_over",
                LineEnd::Circle { .. } => "circle",
                LineEnd::Limit => "limit",
            },
            circle_after: match answer.line.ends {
                LineEnd::Circle { after } => Some(after),
                LineEnd::GameOver | LineEnd::Limit => None,
            },
            until_capture: answer.line.until_capture(),
            moves: answer.moves.iter().map(MoveFields::from).collect(),
            explanation: None,
        }
    }
}

impl From<&ScoredMove> for MoveFields {
    fn from(scored: &ScoredMove) -> MoveFields {
        let ScoredMove { played, interval, certified } = *scored;
        MoveFields {
            house: played.house.letter(),
            captured: played.captured,
            board: played.next.houses(),
            score: interval.into(),
            certified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_db::score::Score;

    #[test]
    fn outcomes_follow_from_both_bounds() {
        let outcome = |mover, opponent, low, high| {
            let interval = Interval { low: Score::new(low), high: Score::new(high) };
            serde_json::to_value(Outcome::of(Stores { mover, opponent }, interval)).unwrap()
        };
        assert_eq!(outcome(20, 21, 2, 4), "win");
        assert_eq!(outcome(20, 21, 1, 1), "draw");
        assert_eq!(outcome(20, 21, -3, 0), "loss");
        assert_eq!(outcome(20, 21, 1, 3), "undecided");
        assert_eq!(outcome(20, 21, 0, 3), "undecided");
        assert_eq!(outcome(20, 21, 0, 1), "undecided");
    }
}
