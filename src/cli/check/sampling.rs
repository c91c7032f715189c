//! `oware check --sample`: does each of some positions have the score that its moves give it?

use rayon::prelude::*;
use serde_json::json;

use crate::error::Result;
use crate::game::{Board, Interval, legal_moves};
use crate::layer::{Layer, Rank};
use crate::probe::{Prober, better};
use crate::random::Dice;

use super::findings::{Findings, Look, Problem, SheetLayers, file};

/// Looks at `count` random positions of each layer of a sheet, or at all of a smaller one.
pub fn run(
    Look { tables, seed, .. }: Look,
    &SheetLayers { rules, ref layers }: &SheetLayers,
    count: u64,
    problems: &mut Vec<Problem>,
) -> Result<Findings> {
    let mut positions = 0;
    for &seeds in layers {
        let layer = Layer::of(rules, seeds);
        let ranks = sample(layer.positions(), count, seed ^ seeds.get() as u64);
        let wrong = |prober: &mut Prober, rank| {
            layer.position(Rank(rank)).map_or(Ok(None), |board| objection(prober, &board))
        };
        let prober = || Prober::new(tables, rules);
        look(&file(tables, rules, seeds), &ranks, prober, wrong, problems)?;
        positions += ranks.len();
    }
    let (rules, layers) = (rules.id, layers.len());
    let fields = json!({ "rules": rules, "layers": layers, "positions": positions });
    Ok(Findings { fields, text: text(rules, layers, positions) })
}

/// Looks at the positions of a layer with these ranks: `wrong` says what is wrong with one.
pub fn look<P>(
    file: &str,
    ranks: &[u64],
    prober: impl Fn() -> P + Sync + Send,
    wrong: impl Fn(&mut P, u64) -> Result<Option<String>> + Sync + Send,
    problems: &mut Vec<Problem>,
) -> Result<()> {
    let found = ranks.par_iter().map_init(prober, |prober, &rank| wrong(prober, rank));
    let found = found.collect::<Result<Vec<Option<String>>>>()?.into_iter().flatten();
    problems.extend(found.map(|what| Problem { file: file.to_owned(), what }));
    Ok(())
}

/// Says what was compared of a sheet.
pub fn text(rules: &str, layers: usize, positions: usize) -> String {
    format!(
        "Sampled `{rules}`: {positions} positions of {layers} layers, compared with their moves.\n"
    )
}

/// Draws ranks of a layer, or takes all if it has no more.
pub fn sample(positions: u64, count: u64, seed: u64) -> Vec<u64> {
    let mut dice = Dice::new(seed);
    if positions <= count {
        (0..positions).collect()
    } else {
        (0..count).map(|_| dice.below(positions)).collect()
    }
}

/// Returns what is wrong with a position if its score is not that of its best move. A score that a
/// search has settled need not be: of the moves of such layers bounds are compared, and the score has
/// to lie within them.
fn objection(prober: &mut Prober, board: &Board) -> Result<Option<String>> {
    let (score, bounds) = (prober.interval(board)?, prober.bounds(board)?);
    let mut brought = None;
    for played in legal_moves(prober.rules(), board).iter() {
        let child = match played.captured {
            0 => prober.bounds(&played.next)?,
            _ => prober.interval(&played.next)?,
        };
        brought = Some(better(brought, child.after_capture(played.captured)));
    }
    let range = prober.range(board.seeds())?;
    let brought = brought.map_or(Interval::exact(board.own_rows()), |brought| range.known(brought));
    if bounds != brought {
        return Ok(Some(format!("the score of `{board}` is {bounds}, its moves give {brought}")));
    }
    let is_within = bounds.low <= score.low && score.high <= bounds.high;
    Ok((!is_within).then(|| format!("the score of `{board}` is {score}, beyond {bounds}")))
}
