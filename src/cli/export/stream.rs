//! A layer as a stream: positions in rank order with what the tables know of each, in bounded
//! memory. They are probed on all processors, piece by piece, and handed on in order.

use rayon::prelude::*;

use oware_db::error::Result;
use oware_db::game::{Board, Rules};
use oware_db::layer::{Layer, Rank};
use oware_db::pool::Pool;
use oware_db::probe::{Prober, Tables};

/// Positions of a piece.
const PIECE: u64 = 1 << 15;

/// Positions that follow each other, and what is known of them.
pub struct Piece {
    /// Rank of the first.
    pub first: Rank,
    pub boards: Vec<Board>,
    pub low: Vec<i8>,
    pub high: Vec<i8>,
}

/// Hands all positions of a layer to `take`, in rank order.
pub fn stream(
    tables: &Tables,
    rules: &'static Rules,
    layer: Layer,
    take: &mut dyn FnMut(&Piece) -> Result<()>,
) -> Result<()> {
    let probers = Pool::new(|| Prober::for_many(tables, rules));
    let probe = |number| probers.with(|prober| Piece::of(prober, layer, number * PIECE));
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

impl Piece {
    fn of(prober: &mut Prober, layer: Layer, first: u64) -> Result<Piece> {
        let first = Rank(first);
        let boards: Vec<Board> = layer.boards(first).take(PIECE as usize).collect();
        let intervals = boards.iter().map(|board| prober.interval(board));
        let intervals = intervals.collect::<Result<Vec<_>>>()?;
        let low = intervals.iter().map(|interval| interval.low.get()).collect();
        let high = intervals.iter().map(|interval| interval.high.get()).collect();
        Ok(Piece { first, boards, low, high })
    }
}
