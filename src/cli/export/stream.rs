//! A layer as a stream: positions in rank order with what the tables know of each, in bounded
//! memory. They are probed on all processors, piece by piece, and handed on in order.

use rayon::prelude::*;

use crate::error::Result;
use crate::game::Rules;
use crate::layer::{Layer, Rank};
use crate::pool::Pool;
use crate::probe::{Prober, Tables};

use super::shape::Rows;

/// Positions of a piece.
const PIECE: u64 = 1 << 15;

/// Hands all positions of a layer to `take`, in rank order.
pub fn stream(
    tables: &Tables,
    rules: &'static Rules,
    layer: Layer,
    take: &mut dyn FnMut(&Rows) -> Result<()>,
) -> Result<()> {
    let probers = Pool::new(|| Prober::for_many(tables, rules));
    let probe = |number| probers.with(|prober| rows(prober, layer, number * PIECE));
    in_order(layer.positions().div_ceil(PIECE), probe, take)
}

/// Makes this many pieces on all processors, and hands them on in order.
pub fn in_order<T: Send>(
    pieces: u64,
    make: impl Fn(u64) -> Result<T> + Sync + Send,
    take: &mut dyn FnMut(&T) -> Result<()>,
) -> Result<()> {
    let at_once = 4 * rayon::current_num_threads() as u64;
    for begin in (0..pieces).step_by(at_once as usize) {
        let numbers = begin..pieces.min(begin + at_once);
        let found: Vec<Result<T>> = numbers.into_par_iter().map(&make).collect();
        for piece in found {
            take(&piece?)?;
        }
    }
    Ok(())
}

fn rows(prober: &mut Prober, layer: Layer, first: u64) -> Result<Rows> {
    let mut rows = Rows { first, ..Rows::default() };
    for board in layer.boards(Rank(first)).take(PIECE as usize) {
        let interval = prober.interval(&board)?;
        rows.counts.extend(board.houses());
        rows.low.push(interval.low.get());
        rows.high.push(interval.high.get());
    }
    Ok(rows)
}
