//! Which moves secure what they promise: see [`ScoredMove::certified`].

use arrayvec::ArrayVec;

use crate::error::Result;
use crate::game::{Board, Endless, HOUSES, Score, Seeds};
use crate::layer::{Layer, Moment, UNSTAMPED};

use super::Prober;
use super::scored_move::ScoredMove;

/// The moves of a position that keep its `low`.
type Keeping<'a> = ArrayVec<&'a mut ScoredMove, HOUSES>;

impl Prober {
    /// Marks the moves of a position that secure their `low`.
    pub(super) fn certify(&mut self, board: &Board, moves: &mut [ScoredMove]) -> Result<()> {
        let returns = Layer::of(self.rules(), board.seeds()).cell(board).is_some();
        for scored in moves.iter_mut() {
            scored.certified = scored.played.captured > 0
                || !returns
                || self.is_worst_or_a_cycle(board.seeds(), scored.interval.low);
        }
        let mut keeping = keeping(moves);
        if keeping.iter().any(|scored| scored.certified) {
            return Ok(());
        }
        if let [only] = &mut keeping[..] {
            only.certified = true;
            return Ok(());
        }
        self.certify_by_stamps(board.seeds(), keeping)
    }

    /// Returns whether nothing is worse than `claim`, or any cycle is worth as much.
    fn is_worst_or_a_cycle(&self, seeds: Seeds, claim: Score) -> bool {
        let loses_all = -i32::from(claim.get()) == seeds.get() as i32;
        let even_split = self.rules().endless == Endless::EvenSplit && claim <= Score::ZERO;
        loses_all || even_split
    }

    /// Marks the quiet moves that the strategy may make: those to the children whose claims settled
    /// earliest.
    fn certify_by_stamps(&mut self, seeds: Seeds, mut keeping: Keeping) -> Result<()> {
        let mut moments = ArrayVec::<Moment, HOUSES>::new();
        for scored in &keeping {
            let Some(moment) = self.moment(&scored.played.next)? else { return Ok(()) };
            moments.push(moment);
        }
        let Some(least) = moments.iter().min().filter(|least| least.stamp != UNSTAMPED) else {
            return Ok(());
        };
        let hold = self.is_hold(seeds, least.stamp)?;
        for (scored, moment) in keeping.iter_mut().zip(&moments) {
            scored.certified = if hold { moment.stamp == least.stamp } else { moment == least };
        }
        Ok(())
    }

    /// Returns when the claim against the mover of a position in a table settled; `None` if the
    /// table has no strategy.
    fn moment(&mut self, board: &Board) -> Result<Option<Moment>> {
        let cell = Layer::of(self.rules(), board.seeds())
            .cell(board)
            .expect("a move leads to a position of the layer");
        let (table, scratch) = self.table(board.seeds())?;
        Ok(table.stamp(cell, scratch)?.map(|stamp| Moment::new(stamp, board)))
    }

    fn is_hold(&mut self, seeds: Seeds, stamp: u8) -> Result<bool> {
        let (table, _) = self.table(seeds)?;
        Ok(table.header().holds().is_some_and(|holds| holds.contains(stamp)))
    }
}

fn keeping(moves: &mut [ScoredMove]) -> Keeping<'_> {
    let best = moves.iter().map(|scored| scored.interval.low).max();
    moves.iter_mut().filter(|scored| Some(scored.interval.low) == best).collect()
}
