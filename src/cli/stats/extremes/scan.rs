//! A look at every position of a layer and its moves.

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::error::Result;
use crate::game::{Board, Rules, final_score};
use crate::layer::{Layer, Rank};
use crate::pool::Pool;
use crate::probe::{Prober, ScoredMoves, Tables, of_strategy};

use super::lines::{END, Lengths, NEVER, OPEN, Paths};
use crate::cli::export::stream::in_order;

/// Positions of a piece.
const PIECE: u64 = 1 << 15;

/// How many positions are of a kind, and the one that is so most: by how much, and its rank; the
/// first of equals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub count: u64,
    pub most: Option<(i16, u64)>,
}

impl Tally {
    /// Counts a position.
    fn add(&mut self, by: i16, rank: u64) {
        self.merge(Tally { count: 1, most: Some((by, rank)) });
    }

    fn merge(&mut self, other: Tally) {
        self.count += other.count;
        let order = |most: Option<(i16, u64)>| most.map(|(by, rank)| (by, std::cmp::Reverse(rank)));
        if order(other.most) > order(self.most) {
            self.most = other.most;
        }
    }
}

/// What was found in positions that follow each other.
#[derive(Default)]
pub struct Scan {
    pub paths: Paths,
    pub quiet: Tally,
    pub swing: Tally,
}

/// Looks at a layer, on all processors.
pub fn scan(
    tables: &Tables,
    rules: &'static Rules,
    layer: Layer,
    lengths: &Lengths,
    bar: &ProgressBar,
) -> Result<Scan> {
    let probers = Pool::new(|| Prober::for_many(tables, rules));
    let mut all = Scan::default();
    let piece =
        |number: u64| probers.with(|prober| Scan::of(prober, layer, number * PIECE, lengths));
    in_order(layer.positions().div_ceil(PIECE), piece, &mut |piece: &Scan| {
        all.extend(piece);
        bar.inc(piece.paths.values.len() as u64);
        Ok(())
    })?;
    Ok(all)
}

impl Scan {
    fn of(prober: &mut Prober, layer: Layer, first: u64, lengths: &Lengths) -> Result<Scan> {
        let mut scan = Scan::default();
        for (rank, board) in (first..).zip(layer.boards(Rank(first)).take(PIECE as usize)) {
            let moves = prober.moves(&board)?;
            let value = prober.interval_of(&board, &moves)?.value();
            scan.paths.values.push(value.map_or(OPEN, |value| value.get()));
            scan.follow(prober.rules(), layer, &board, &moves, lengths);
            scan.look(rank, &moves);
        }
        Ok(scan)
    }

    fn extend(&mut self, piece: &Scan) {
        self.paths.values.extend(&piece.paths.values);
        self.paths.next.extend(&piece.paths.next);
        self.paths.distance.extend(&piece.paths.distance);
        self.paths.until.extend(&piece.paths.until);
        self.quiet.merge(piece.quiet);
        self.swing.merge(piece.swing);
    }

    /// Notes where the strategy's move leads.
    fn follow(
        &mut self,
        rules: &Rules,
        layer: Layer,
        board: &Board,
        moves: &ScoredMoves,
        lengths: &Lengths,
    ) {
        let (next, distance, until) = match of_strategy(moves) {
            None => {
                let rest = final_score(rules, board).expect("no move");
                (END, if rest.get() == 0 { NEVER } else { 0 }, 0)
            }
            Some(played) if played.captured > 0 => (END, 1 + lengths.after(rules, &played.next), 1),
            Some(played) => {
                let rank = layer.rank(&played.next).expect("a move leads into the layer");
                (rank.0 as u32, NEVER, 0)
            }
        };
        self.paths.next.push(next);
        self.paths.distance.push(distance);
        self.paths.until.push(until);
    }

    /// Looks for a single good move that is quiet, and at what hangs on the move.
    fn look(&mut self, rank: u64, moves: &ScoredMoves) {
        if moves.len() < 2 || moves.iter().any(|scored| scored.interval.value().is_none()) {
            return;
        }
        let score = |number: usize| i16::from(moves[number].interval.low.get());
        self.swing.add(score(0) - score(moves.len() - 1), rank);
        let capture = moves.iter().position(|scored| scored.played.captured > 0);
        let is_good = moves[0].collects.is_some() && moves[0].played.captured == 0;
        if let Some(capture) = capture.filter(|_| is_good && score(0) > score(1)) {
            self.quiet.add(score(0) - score(capture), rank);
        }
    }

    /// Counts the positions that the player to move loses on either side, where both can move; the
    /// cost is the sum of both losses.
    pub fn zugzwang(&self, tables: &Tables, rules: &'static Rules, layer: Layer) -> Result<Tally> {
        let (pieces, probers) =
            (layer.positions().div_ceil(PIECE), Pool::new(|| Prober::new(tables, rules)));
        let count =
            |piece| probers.with(|prober| self.lost_both_ways(prober, layer, piece * PIECE));
        (0..pieces).into_par_iter().map(count).try_reduce(Tally::default, |mut all, found| {
            all.merge(found);
            Ok(all)
        })
    }

    /// Counts those of a piece.
    fn lost_both_ways(&self, prober: &mut Prober, layer: Layer, first: u64) -> Result<Tally> {
        let (mut tally, rules) = (Tally::default(), prober.rules());
        for (rank, board) in (first..).zip(layer.boards(Rank(first)).take(PIECE as usize)) {
            let value = self.paths.values[rank as usize];
            if value >= 0 || value == OPEN {
                continue;
            }
            let turned = Board { mover: board.opponent, opponent: board.mover };
            if [&board, &turned].iter().any(|board| final_score(rules, board).is_some()) {
                continue;
            }
            let other = match layer.rank(&turned) {
                Some(other) => self.paths.values[other.0 as usize],
                // No table holds it.
                None => prober.interval(&turned)?.value().map_or(OPEN, |value| value.get()),
            };
            if other < 0 && other != OPEN {
                tally.add(-i16::from(value) - i16::from(other), rank);
            }
        }
        Ok(tally)
    }
}
