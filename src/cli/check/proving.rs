//! `oware check --proof`: are the scores right?

use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::json;

use crate::certify::proof::{Claims, ProofReport, Prover};
use crate::error::Result;
use crate::game::{Endless, Repetition, Rules};
use crate::layer::LayerStats;
use crate::table::Table;

use super::findings::{Findings, Look, Problem, SheetLayers, file};
use crate::cli::options::without_strategy;

/// Returns what a table claims; `None` if it has no strategy.
fn claims(table: &Table) -> Result<Option<Claims>> {
    let Some(exceptions) = table.exceptions()? else { return Ok(None) };
    Ok(Some(Claims::of_stored(table.load_stored()?, table.settlement()?, exceptions.clone())))
}

/// Proves the layers of a sheet, which have strategies, up to the first that is not right: the layers
/// above rest on it. The bar is one of all sheets.
pub fn run(
    (Look { tables, voice, .. }, bar): (Look, &ProgressBar),
    &SheetLayers { rules, layers: ref asked }: &SheetLayers,
    problems: &mut Vec<Problem>,
) -> Result<Findings> {
    let mut prover = Prover::new(rules);
    let (mut layers, mut positions, mut exact) = (0, 0, 0);
    for &seeds in asked {
        bar.set_message(format!("proving `{}`, {seeds} seeds", rules.id));
        let start = Instant::now();
        let table = tables.require(rules, seeds)?;
        Prover::make_sure_of_room(table.layer())?;
        prover.make_sure_of_range(table.layer())?;
        let mut claims = claims(&table)?.ok_or_else(|| without_strategy(&table))?;
        prover.complete(&mut claims);
        let stats = claims.stats();
        let report = prover.admit(claims);
        bar.inc(report.positions);
        let file = file(tables, rules, seeds);
        if stats != (LayerStats { bytes: 0, ..table.stats().clone() }) {
            let what = "its figures are not those of its scores".to_owned();
            problems.push(Problem { file: file.clone(), what });
        }
        if !report.is_proved() {
            bar.suspend(|| voice.say(&format!("{file}: NOT proved")))?;
            problems.extend(objections(&report, &file));
            break;
        }
        let seconds = start.elapsed().as_secs_f64();
        let line = format!("{file}: proved, {} positions in {seconds:.2} s", report.positions);
        bar.suspend(|| voice.say(&line))?;
        layers += 1;
        positions += report.positions;
        exact += report.exact;
    }
    let id = rules.id;
    let fields = json!({ "rules": id, "layers": layers, "positions": positions, "exact": exact });
    Ok(Findings { fields, text: text(rules, layers, positions, exact) })
}

/// Returns what is wrong with a layer: the number of positions, and the first of them.
fn objections(report: &ProofReport, file: &str) -> Vec<Problem> {
    let ProofReport { seeds, failing, objections, .. } = report;
    let summary =
        format!("the layer of {seeds} seeds is not proved: {failing} positions break a condition");
    let spelt =
        objections.iter().map(|objection| format!("layer of {seeds} seeds, position {objection}"));
    let problem = |what| Problem { file: file.to_owned(), what };
    std::iter::once(summary).chain(spelt).map(problem).collect()
}

/// Says what has been proved of the layers of a sheet, from 0 seeds on.
fn text(rules: &Rules, layers: usize, positions: u64, exact: u64) -> String {
    let Some(most) = layers.checked_sub(1) else { return String::new() };
    let cycles = match rules.endless {
        Endless::EvenSplit => "with cycles worth 0",
        Endless::Drawn => "with cycles worth nothing to either player",
        Endless::OwnSide(Repetition::Agreed) => "wherever a cycle is cut",
        Endless::OwnSide(Repetition::First | Repetition::FirstOfAny) => {
            "when play ends at the first repetition"
        }
    };
    let id = rules.id;
    format!(
        "Proved `{id}`, layers 0-{most} ({positions} positions): every score is within its bounds \
         {cycles}, and the stored strategy achieves it. {exact} scores are exact.\n"
    )
}
