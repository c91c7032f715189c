//! `oware check --proof`: are the scores right?

use std::fmt;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use oware_db::certify::proof::{Claims, Prover, Verdict};
use oware_db::error::{Error, Result};
use oware_db::game::{Endless, Rules, Seeds};
use oware_db::layer::{Layer, LayerStats};
use oware_db::probe::Tables;
use oware_db::table::file_name;

use super::{Problem, Proved, Sheet, Voice};

/// Proves the layers of each sheet, fewest seeds first, as far as they are right.
pub fn run(
    tables: &Tables,
    sheets: &[Sheet],
    voice: &Voice,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Proved>> {
    all_have_strategies(tables, sheets)?;
    let bar = bar(sheets);
    let mut proved = Vec::new();
    for sheet in sheets {
        proved.push(prove_sheet(tables, sheet, voice, problems, &bar)?);
    }
    bar.finish_and_clear();
    Ok(proved)
}

/// Makes sure that there is a strategy to look at in every layer.
pub fn all_have_strategies(tables: &Tables, sheets: &[Sheet]) -> Result<()> {
    for Sheet { rules, layers } in sheets {
        for &seeds in layers {
            let table = tables.require(rules, seeds)?;
            table.header().holds().ok_or_else(|| without_strategy(tables, rules, seeds))?;
        }
    }
    Ok(())
}

fn without_strategy(tables: &Tables, rules: &Rules, seeds: Seeds) -> Error {
    Error::MissingStrategy {
        dir: tables.dir().to_owned(),
        rules: rules.id.to_owned(),
        seeds: seeds.get(),
    }
}

/// Shows on a terminal how far the proof is.
fn bar(sheets: &[Sheet]) -> ProgressBar {
    let positions = |sheet: &Sheet| -> u64 {
        sheet.layers.iter().map(|&seeds| Layer::of(sheet.rules, seeds).positions()).sum()
    };
    let bar = ProgressBar::with_draw_target(
        Some(sheets.iter().map(positions).sum()),
        ProgressDrawTarget::stderr(),
    );
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Stops at the first layer that is not proved: those above rest on it.
fn prove_sheet(
    tables: &Tables,
    sheet: &Sheet,
    voice: &Voice,
    problems: &mut Vec<Problem>,
    bar: &ProgressBar,
) -> Result<Proved> {
    let rules = sheet.rules;
    let mut prover = Prover::new(rules);
    let mut proved = Proved { rules: rules.id, layers: 0, positions: 0, exact: 0 };
    for &seeds in &sheet.layers {
        bar.set_message(format!("proving `{}`, {seeds} seeds", rules.id));
        let start = Instant::now();
        let table = tables.require(rules, seeds)?;
        let strategy =
            table.load_strategy()?.ok_or_else(|| without_strategy(tables, rules, seeds))?;
        let mut claims = Claims::of(table.load_stored()?, strategy);
        prover.complete(&mut claims);
        let stats = claims.stats();
        let verdict = prover.admit(claims);
        bar.inc(verdict.positions);
        let file = tables.dir().join(file_name(rules, seeds)).display().to_string();
        if stats != (LayerStats { bytes: 0, ..table.stats().clone() }) {
            problems.push(Problem {
                file: file.clone(),
                what: "its figures are not those of its scores".to_owned(),
            });
        }
        if !verdict.is_proved() {
            bar.suspend(|| voice.say(&format!("{file}: NOT proved")))?;
            problems.extend(objections(&verdict, &file));
            break;
        }
        let seconds = start.elapsed().as_secs_f64();
        let line = format!("{file}: proved, {} positions in {seconds:.2} s", verdict.positions);
        bar.suspend(|| voice.say(&line))?;
        proved.add(&verdict);
    }
    Ok(proved)
}

/// What is wrong with a layer: the first positions, and how many there are.
fn objections(verdict: &Verdict, file: &str) -> Vec<Problem> {
    let (seeds, failing) = (verdict.seeds, verdict.failing);
    let summary =
        format!("the layer of {seeds} seeds is not proved: {failing} positions break a condition");
    let spelt = verdict
        .objections
        .iter()
        .map(|objection| format!("layer of {seeds} seeds, position {objection}"));
    std::iter::once(summary)
        .chain(spelt)
        .map(|what| Problem { file: file.to_owned(), what })
        .collect()
}

impl Proved {
    fn add(&mut self, verdict: &Verdict) {
        self.layers += 1;
        self.positions += verdict.positions;
        self.exact += verdict.exact;
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proved { rules, layers, positions, exact } = self;
        let most = layers.saturating_sub(1);
        let cycles = match Rules::by_id(rules).expect("a sheet").endless {
            Endless::EvenSplit => "play that goes round being worth 0",
            Endless::OwnSide(_) => "wherever a cycle is cut",
        };
        writeln!(
            f,
            "Proved of sheet `{rules}`, layers of 0 to {most} seeds, {positions} positions: every score lies within \
             its bounds, {cycles}, and the strategy collects them. {exact} scores are exact."
        )
    }
}
