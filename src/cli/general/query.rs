//! `oware query` of the games beside Oware.

use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::mancala::{Circling, Layers, Sheet};
use oware_db::json::general::{GeneralAnalysis, GeneralScore, read_line};
use oware_db::json::lines::add_line;
use oware_db::pool::Pool;
use oware_db::probe::LineEnd;
use oware_db::probe::general::{GeneralProber, GeneralTables, ScoredOutcome};

use super::page;
use crate::cli::batch::answer_lines;
use crate::cli::options::TablesArgs;
use crate::cli::output;
use crate::cli::position::PositionArgs;

/// What is asked for.
pub struct Asked<'a> {
    /// The position, or those of a batch.
    pub position: &'a PositionArgs,
    /// Where the tables are.
    pub tables: &'a TablesArgs,
    /// Moves of best play at most.
    pub line: u16,
    /// No moves, only the score.
    pub scores_only: bool,
}

/// Asks the tables.
pub fn run(sheet: &'static Sheet, asked: &Asked, json: bool) -> Result<ExitCode> {
    let one = asked.position.placement(sheet)?;
    let tables = GeneralTables::open(&asked.tables.dir);
    let probers = Pool::new(|| GeneralProber::new(&tables, sheet));
    let analysis = |prober: &mut GeneralProber, placement| {
        GeneralAnalysis::of(prober, placement, asked.line.into())
    };
    let mut prober = GeneralProber::new(&tables, sheet);
    match one {
        None if asked.scores_only => {
            return answer_lines(&probers, |prober, line, lines| {
                add_line(&GeneralScore::of(prober, read_line(sheet, line)?)?, lines);
                Ok(())
            });
        }
        None => {
            return answer_lines(&probers, |prober, line, lines| {
                add_line(&analysis(prober, read_line(sheet, line)?)?, lines);
                Ok(())
            });
        }
        Some(placement) if asked.scores_only && json => {
            output::document(&GeneralScore::of(&mut prober, placement)?)?
        }
        Some(_) if asked.scores_only => {
            return Err(Error::Usage("--scores-only goes with --batch or --json".to_owned()));
        }
        Some(placement) => output::result(json, &analysis(&mut prober, placement)?, text)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(found: &GeneralAnalysis) -> String {
    let (sheet, placement) = (found.sheet, &found.placement);
    let seeds = page::seeds(sheet, placement);
    let mut text = format!("{}\n{seeds} {}\n", page::drawing(sheet, placement), verdict(found));
    if found.answer.moves.is_empty() {
        return text;
    }
    text += "\n    move  captured   score  position for the next player\n";
    for scored in &found.answer.moves {
        let best = if found.answer.is_best(scored) { '>' } else { ' ' };
        let (outcome, label) = (&scored.outcome, scored.outcome.label);
        text += &format!(
            "  {best} {label:<4}  {:>8}  {:>6}  {}{}\n",
            page::captured(outcome),
            worth(found, scored),
            outcome.next,
            page::again(outcome)
        );
    }
    text + &best_play(found)
}

fn worth(found: &GeneralAnalysis, scored: &ScoredOutcome) -> String {
    match (found.sheet.layers, scored.plies) {
        (Layers::Alone, None) => "draw".to_owned(),
        (Layers::Alone, Some(plies)) => {
            format!("{} {plies}", if scored.low > 0 { "win" } else { "loss" })
        }
        (Layers::BySeeds, _) if scored.low < scored.high => {
            format!("{}..{}", signed(scored.low), signed(scored.high))
        }
        (Layers::BySeeds, _) => signed(scored.low),
    }
}

fn signed(score: i8) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

fn verdict(found: &GeneralAnalysis) -> String {
    let (sheet, known) = (found.sheet, found.answer.known);
    if found.answer.moves.is_empty() {
        return page::game_over(sheet, known.low);
    }
    match (sheet.layers, known.plies) {
        (Layers::Alone, None) => "With best play the game goes round, and is drawn.".to_owned(),
        (Layers::Alone, Some(plies)) => {
            let result = if known.low > 0 { "wins" } else { "loses" };
            format!("With best play the mover {result} in {}.", page::plies(plies))
        }
        (Layers::BySeeds, _) if known.low < known.high => format!(
            "Play can go round for ever, and draw the game: a mover who is ahead by more than {} \
             wins, one who is ahead by less than {} loses.",
            -known.low, -known.high
        ),
        (Layers::BySeeds, _) => format!("With best play {}.", page::ahead(known.low)),
    }
}

fn best_play(found: &GeneralAnalysis) -> String {
    let moves = found.line.texts();
    if moves.is_empty() {
        return String::new();
    }
    let round = match found.sheet.circling {
        Circling::Drawn => "and that is a draw",
        Circling::EvenSplit | Circling::Never => "and what stands in brackets goes round",
    };
    match found.line.ends {
        LineEnd::GameOver => {
            format!("\nBest play: {}, and the game is over.\n", moves.join(" "))
        }
        LineEnd::Limit => format!("\nBest play: {}, and so on.\n", moves.join(" ")),
        LineEnd::Cycle { after } => {
            let (before, cycle) = moves.split_at(after);
            let before: String = before.iter().map(|each| format!("{each} ")).collect();
            format!("\nBest play: {before}[{}], {round}.\n", cycle.join(" "))
        }
    }
}
