//! `oware check --sample`: does each of some positions have the score that its moves give it?

use rayon::prelude::*;
use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::{Board, Interval, Score};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;

use super::problem::Problem;
use super::sheet::{SheetLayers, file};

/// What was compared of a rule sheet.
#[derive(Serialize)]
pub struct SampledSheet {
    pub rules: &'static str,
    pub layers: usize,
    pub positions: u64,
}

/// Looks at `count` random positions of each layer, or at all of a smaller one.
pub fn run(
    tables: &Tables,
    sheets: &[SheetLayers],
    count: u64,
    seed: u64,
    problems: &mut Vec<Problem>,
) -> Result<Vec<SampledSheet>> {
    let mut sampled = Vec::new();
    for &SheetLayers { rules, ref layers } in sheets {
        let mut looked_at = 0;
        for &seeds in layers {
            let boards = sample(Layer::of(rules, seeds), count, seed);
            looked_at += boards.len() as u64;
            let wrong: Vec<Option<String>> = boards
                .par_iter()
                .map_init(|| Prober::new(tables, rules), objection)
                .collect::<Result<_>>()?;
            let file = file(tables, rules, seeds);
            problems.extend(
                wrong.into_iter().flatten().map(|what| Problem { file: file.clone(), what }),
            );
        }
        sampled.push(SampledSheet { rules: rules.id, layers: layers.len(), positions: looked_at });
    }
    Ok(sampled)
}

/// Draws positions of a layer, or takes all if it has no more.
fn sample(layer: Layer, count: u64, seed: u64) -> Vec<Board> {
    let positions = layer.positions();
    let mut dice = Dice::new(seed ^ layer.seeds().get() as u64);
    let ranks: Vec<u64> = if positions <= count {
        (0..positions).collect()
    } else {
        (0..count).map(|_| dice.below(positions)).collect()
    };
    ranks.into_iter().filter_map(|rank| layer.position(Rank(rank))).collect()
}

/// Returns what is wrong with a position if its score is not that of its best move.
fn objection(prober: &mut Prober, board: &Board) -> Result<Option<String>> {
    let found = prober.interval(board)?;
    let moves = prober.moves(board)?;
    let best =
        |bound: fn(&Interval) -> Score| moves.iter().map(|scored| bound(&scored.interval)).max();
    let brought = best(|interval| interval.low).zip(best(|interval| interval.high));
    let brought =
        brought.map_or(Interval::exact(board.own_rows()), |(low, high)| Interval { low, high });
    let wrong = || format!("the score of `{board}` is {found}, its moves bring {brought}");
    Ok((found != brought).then(wrong))
}
