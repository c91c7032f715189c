//! `oware query`: what a position and its moves are worth.

use std::process::ExitCode;

use anstyle::AnsiColor;

use crate::engine::search::{Engine, TranspositionTable};
use crate::error::{Error, Kind, Result};
use crate::game::{Endless, House, Interval, Move, Position, Rules};
use crate::json::estimate::{EstimatedMove, EstimatedPosition};
use crate::json::lines::add_line;
use crate::json::need::with_need;
use crate::json::{Game, PositionAnalysis, Requested, ScoreDocument, doubt};
use crate::pool::Pool;
use crate::probe::general::GeneralProber;
use crate::probe::{Line, LineEnd, Prober, ScoredMove, Tables, best_of};
use crate::verify::Outcome;

use super::elsewhere;
use super::general;
use super::options::{AnySheet, SheetArg, TablesArgs, refuse};
use super::output::{self, count_seeds, drawing};
use super::position::{PositionArgs, answer_lines};

/// Show the score of a position and of its moves, best first, and a line of best play
///
/// A score is the number of seeds that the player to move will still get minus the number that the
/// opponent will still get. Two numbers, as in `+2..+4`, are proven bounds. Captured totals, in
/// notations that include them, do not change the score; they decide who wins the game. In Bao la
/// Kujifunza the score is 1 for a win, 0 for a draw and -1 for a loss, with the number of plies to
/// the end.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware query \"0 0 0 0 1 2  1 0 0 0 3 0\"\n  \
                        oware query --json 0-0-0-0-1-2-1-0-0-0-3-0-20-21-S\n  \
                        oware query --batch --line 0 < positions.txt\n  \
                        oware query --batch --scores-only < positions.txt\n  \
                        oware query --explain \"0 0 0 0 0 1  0 0 1 2 1 3\"\n  \
                        oware query --estimate \"4 4 4 4 4 4  4 4 4 4 4 4\"")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    rules: SheetArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// Maximum length of the line of best play; 0 omits it, which makes --batch much faster
    #[arg(long, value_name = "N", default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1000))]
    line: u16,
    /// Print only the score of each position, without its moves (with --batch or --json)
    #[arg(long, conflicts_with_all = ["explain", "line"])]
    scores_only: bool,
    /// Explain why a score is one number or two, and under which conditions it holds
    #[arg(long)]
    explain: bool,
    /// If a table is missing, print an estimate by the engine instead; it is not a proven score
    #[arg(long, conflicts_with = "scores_only")]
    estimate: bool,
}

/// Megabytes in which an estimate remembers positions.
const HASH: usize = 16;

impl Args {
    /// Asks the tables.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        match self.rules.sheet {
            AnySheet::Oware(rules) => {
                let position = self.position.of(rules)?;
                self.position.note_sheet(rules);
                if position.is_none() {
                    elsewhere::note(&self.tables.dir()?, rules.id);
                }
                let tables = self.tables.open()?;
                let prober = |for_many| match for_many {
                    true => Prober::for_many(&tables, rules),
                    false => Prober::new(&tables, rules),
                };
                let page = |found: &PositionAnalysis| {
                    let reason = found.explanation.as_ref().map(|reason| format!("\n{reason}"));
                    let unsure = misses(found) && lacks_strategy(&tables, found);
                    let unsure = if unsure { NOT_ACHIEVED } else { "" };
                    text(found) + unsure + &reason.unwrap_or_default()
                };
                let estimate = |position| self.estimate(&tables, rules, position);
                self.ask(rules, position, prober, (page, estimate), json)
            }
            AnySheet::Other(sheet) => {
                refuse(sheet, &[("--explain", self.explain), ("--estimate", self.estimate)])?;
                let position = self.position.of(sheet)?;
                if position.is_none() {
                    elsewhere::note(&self.tables.dir()?, sheet.id);
                }
                let tables = self.tables.open()?;
                let prober = |_| GeneralProber::new(&tables, sheet);
                self.ask(sheet, position, prober, (general::analysis, |_| None), json)
            }
        }
    }

    /// Asks the engine, if that is wanted; `None` if there is nothing to estimate.
    fn estimate(
        &self,
        tables: &Tables,
        rules: &'static Rules,
        position: Position,
    ) -> Option<EstimatedPosition> {
        let wanted = self.estimate.then(|| TranspositionTable::new(HASH))?;
        let engine = wanted.as_ref().ok().map(|hash| Engine::new(Some(tables), hash, 1))?;
        EstimatedPosition::of(&engine, rules, position)
    }

    /// Asks for a position, or for those of the lines of standard input. The words say how people
    /// read an answer, and what there is where a table is missing.
    fn ask<G: Game>(
        &self,
        game: G,
        position: Option<G::Position>,
        prober: impl Fn(bool) -> G::Prober + Send + Sync,
        (page, estimate): (
            impl FnOnce(&G::Analysis) -> String,
            impl Fn(G::Position) -> Option<EstimatedPosition> + Sync,
        ),
        json: bool,
    ) -> Result<ExitCode> {
        let &Args { line, scores_only, explain, .. } = self;
        let asked = Requested { line: line.into(), scores_only, explain };
        let Some(position) = position else {
            return answer_lines(&Pool::new(|| prober(true)), |prober, line, lines| {
                let Err(error) = game.add_answer(prober, line, asked, lines) else { return Ok(()) };
                let Ok(position) = game.read_line(line) else { return Err(error) };
                let found = instead(&error, position, &estimate)
                    .ok_or_else(|| with_need(game, position, asked, error))?;
                add_line(&found, lines);
                Ok(())
            });
        };
        let mut prober = prober(false);
        let needing = |error| with_need(game, position, asked, error);
        if !scores_only {
            match G::analysis(&mut prober, position, asked) {
                Ok(answer) => output::styled_result(json, &answer, page)?,
                Err(error) => match instead(&error, position, estimate) {
                    Some(found) => output::styled_result(json, &found, estimated)?,
                    None => return Err(needing(error)),
                },
            }
        } else if json {
            output::document(&G::score(&mut prober, position).map_err(needing)?)?;
        } else {
            return Err(Error::Usage("--scores-only requires --batch or --json".to_owned()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns what there is in place of an answer, if a table is missing.
fn instead<P>(
    error: &Error,
    position: P,
    estimate: impl Fn(P) -> Option<EstimatedPosition>,
) -> Option<EstimatedPosition> {
    if error.kind() == Kind::MissingTable { estimate(position) } else { None }
}

/// Returns the answer for people.
fn text(answer: &PositionAnalysis) -> String {
    let &ScoreDocument { position, interval, range, outcome, ref undecided_because } =
        &answer.score;
    let seeds = count_seeds(position.board.seeds().get());
    let mut page = format!("{}\n{seeds} on the board. {}\n", drawing(position), verdict(answer));
    if let Some(end) = range.filter(|_| interval.value().is_none()) {
        page += &format!(
            "The table distinguishes scores from {:+} to {end:+}, which decides its games.\n",
            -end
        );
    } else if interval.value().is_none() {
        page += &doubt::meaning(answer.rules, interval);
    } else if best_of(&answer.moves).is_some_and(|best| best != interval) {
        page += &doubt::history(interval);
    }
    if let Some(why) = undecided_because {
        page += &format!("The winner is unknown: {why}.\n");
    } else if let Some(outcome) = outcome {
        page += winner(outcome);
        page.push('\n');
    }
    page += &list(answer);
    if !answer.line.moves.is_empty() {
        page += &format!("\n{}\n", best_play(&answer.line));
    }
    page
}

/// Lists the moves for people.
fn list(answer: &PositionAnalysis) -> String {
    if answer.moves.is_empty() {
        return String::new();
    }
    let mut list = "\n    house  captured   score  position for the next player\n".to_owned();
    for scored in &answer.moves {
        let ScoredMove { played: Move { house, captured, next }, interval, .. } = scored;
        let best = if answer.best.contains(house) { '>' } else { ' ' };
        let mark = if is_marked(answer, scored) { '*' } else { ' ' };
        let score = colour(format!("{:>6}", interval.to_string()), *interval);
        let row = format!("  {best} {:<5}  {captured:>8}  {score}{mark} {next}", house.letter());
        list += &(if best == '>' { output::strong(&row) } else { row });
        list.push('\n');
    }
    if answer.moves.iter().any(|scored| is_marked(answer, scored)) {
        list += doubt::not_certified(answer.rules);
    }
    list
}

/// Returns whether a footnote says that a move may bring less than its lower end. Under an even
/// split a move that is worse anyway needs no footnote.
fn is_marked(answer: &PositionAnalysis, scored: &ScoredMove) -> bool {
    match answer.rules.endless {
        Endless::OwnSide(_) => !scored.certified,
        Endless::EvenSplit | Endless::Drawn => {
            !scored.certified && scored.interval.low == answer.score.interval.low
        }
    }
}

/// Returns the score in words.
fn verdict(answer: &PositionAnalysis) -> String {
    let ScoreDocument { interval, range, .. } = answer.score;
    let minus = "the mover's seeds minus the opponent's are";
    let verdict = match (interval.value(), range) {
        (Some(score), _) => output::ahead(score.get()),
        (None, Some(end)) if interval.low.get() == end => format!("{minus} at least {end:+}"),
        (None, Some(end)) if interval.high.get() == -end => format!("{minus} at most {:+}", -end),
        (None, _) => format!("{minus} {interval}"),
    };
    let over = answer.end.is_some();
    format!("{} {verdict}.", if over { "The game is over:" } else { "With best play" })
}

/// Colours a score where a terminal shows it: green for more than the opponent, red for less.
fn colour(text: String, interval: Interval) -> String {
    match interval {
        Interval { low, .. } if low.get() > 0 => output::coloured(AnsiColor::Green, &text),
        Interval { high, .. } if high.get() < 0 => output::coloured(AnsiColor::Red, &text),
        _ => text,
    }
}

/// Says who wins the game.
fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "With the seeds captured before, the mover wins the game.",
        Outcome::Draw => "With the seeds captured before, the game is a draw.",
        Outcome::Loss => "With the seeds captured before, the opponent wins the game.",
        Outcome::Undecided => {
            "With the seeds captured before, these bounds do not decide the winner."
        }
    }
}

/// Returns the moves of a line: upper case for the player to move, lower case for the other.
fn moves(line: &Line) -> Vec<String> {
    let text = |(letter, &(_, captured)): (char, &(House, u8))| match captured {
        0 => letter.to_string(),
        _ => format!("{letter}x{captured}"),
    };
    line.letters().zip(&line.moves).map(text).collect()
}

/// What is said of a line without a strategy that does not come to the score.
const NOT_ACHIEVED: &str =
    "The tables hold no strategy here: this line does not achieve the score.\n";

/// Whether the line of an exact score comes to an end without achieving it.
fn misses(found: &PositionAnalysis) -> bool {
    let is_whole = found.line.ends != LineEnd::Limit && found.score.range.is_none();
    is_whole && found.score.interval.value().is_some() && found.distance.is_none()
}

/// Whether tables that a line leads through hold no strategy.
fn lacks_strategy(tables: &Tables, found: &PositionAnalysis) -> bool {
    let table = |seeds| tables.require(found.rules, seeds);
    let mut layers = found.score.position.board.seeds().up_to();
    layers.any(|seeds| table(seeds).is_ok_and(|table| !table.header().has_strategy()))
}

/// Returns a line of best play in a sentence.
fn best_play(line: &Line) -> String {
    let moves = moves(line);
    let text = output::best_play(&moves, line.ends, "and the moves in brackets repeat");
    match line.moves.iter().position(|&(_, captured)| captured > 0) {
        None | Some(0) => text,
        Some(at) => format!("{text} The first capture is move {}.", at + 1),
    }
}

/// Returns an estimate for people.
fn estimated(found: &EstimatedPosition) -> String {
    let seeds = count_seeds(found.position.board.seeds().get());
    let line: Vec<String> = found.line.iter().map(char::to_string).collect();
    format!(
        "{}\n{seeds} on the board, and a table is missing: an estimate, not a score.\n\
         {}\n{}{}\nExpected play: {}.\n",
        drawing(found.position),
        expectation(found),
        reliability(found),
        estimates(&found.moves),
        line.join(" ")
    )
}

/// Says who gets more, and who wins if the best move decides the game.
fn expectation(found: &EstimatedPosition) -> String {
    let best = found.moves[0].estimate;
    let estimate = best.estimate;
    let (more, less) = if estimate < 0.0 { ("opponent", "mover") } else { ("mover", "opponent") };
    let wins = match best.outcome {
        Some(Outcome::Win) => ", and wins the game",
        Some(Outcome::Loss) => ", and the mover loses the game",
        _ => "",
    };
    let seeds = estimate.abs();
    format!("The engine expects that the {more} gets {seeds:.1} seeds more than the {less}{wins}.")
}

/// Says how far from the score such an estimate is.
fn reliability(found: &EstimatedPosition) -> String {
    let seeds = count_seeds(found.position.board.seeds().get());
    match found.mean_error.flatten() {
        Some(error) => {
            format!("With {seeds} such estimates were {error:.1} seeds off on average.\n")
        }
        None => format!("How far off such estimates are with {seeds} has not been measured.\n"),
    }
}

fn estimates(moves: &[EstimatedMove]) -> String {
    let mut list = "\n    house  captured  estimate  position for the next player\n".to_owned();
    for EstimatedMove { played, estimate } in moves {
        let (house, captured, next) = (played.house.letter(), played.captured, played.next);
        list += &format!("    {house:<5}  {captured:>8}  {:>+8.1}  {next}\n", estimate.estimate);
    }
    list
}
