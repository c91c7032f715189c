//! Which moves secure what they promise: see [`ScoredMove::certified`].

use arrayvec::ArrayVec;

use crate::error::Result;
use crate::game::{Board, Endless, HOUSES, House, Move, Score, Seeds, final_score};
use crate::layer::{Exceptions, Layer};

use super::Prober;
use super::scored_move::ScoredMove;

/// What each move of a position secures, as far as the position's table tells: that is what its
/// strategy achieves.
type Lows = ArrayVec<Score, HOUSES>;

/// Moves of a position that keep what is to be secured.
type Keeping<'a> = ArrayVec<&'a mut ScoredMove, HOUSES>;

impl Prober {
    /// Marks the moves of a position that secure their `low`, and those that achieve what is
    /// claimed there.
    pub(super) fn certify(
        &mut self,
        board: &Board,
        claim: Option<Score>,
        moves: &mut [ScoredMove],
    ) -> Result<()> {
        let returns = Layer::of(self.rules(), board.seeds()).cell(board).is_some();
        let range = self.range(board.seeds())?;
        for scored in moves.iter_mut() {
            let ends = || final_score(self.rules(), &scored.played.next).is_some();
            scored.certified = scored.played.captured > 0
                || !returns
                || self.is_worst_or_a_cycle(board.seeds(), scored.interval.low)
                || !range.is_full() && ends();
        }
        let lows = moves.iter().map(|scored| range.known(scored.interval).low).collect();
        let is_quiet = |scored: &ScoredMove| scored.played.captured == 0;
        if returns && moves.iter().any(is_quiet) && self.has_settled(board.seeds())? {
            return self.certify_settled(board, claim, &lows, moves);
        }
        self.certify_keeping(board, &lows, moves)
    }

    /// Marks the moves of a position of a layer in which a search has settled scores.
    fn certify_settled(
        &mut self,
        board: &Board,
        claim: Option<Score>,
        lows: &Lows,
        moves: &mut [ScoredMove],
    ) -> Result<()> {
        let (bounds, score) = (self.bounds(board)?, self.interval(board)?);
        let claim = claim.unwrap_or(score.low);
        if claim <= bounds.low {
            let lows = self.bound_lows(lows, moves)?;
            return self.certify_keeping(board, &lows, moves);
        }
        let held = self.settlement(board)?;
        if let Some(house) = held.and_then(|(settlement, rank)| settlement.house(rank, claim)) {
            let found = moves.iter_mut().find(|scored| scored.played.house == house);
            collect(found.into_iter(), claim);
        } else if claim <= score.low {
            // Outside of knots nothing that has been comes back.
            collect(moves.iter_mut().filter(|scored| scored.interval.low >= claim), claim);
        } else {
            return self.certify_settled(board, Some(score.low), lows, moves);
        }
        Ok(())
    }

    /// Returns what each move secures wherever a cycle is cut, given what it secures with fresh
    /// history.
    fn bound_lows(&mut self, lows: &Lows, moves: &[ScoredMove]) -> Result<Lows> {
        let mut low = |(scored, low): (&ScoredMove, &Score)| match scored.played.captured {
            0 => Ok(self.bounds(&scored.played.next)?.after_capture(0).low),
            _ => Ok(*low),
        };
        moves.iter().zip(lows).map(&mut low).collect()
    }

    /// Marks the moves that the strategy may make of those that keep what wherever a cycle is cut
    /// can be secured.
    fn certify_keeping(
        &mut self,
        board: &Board,
        lows: &Lows,
        moves: &mut [ScoredMove],
    ) -> Result<()> {
        let low = lows.iter().copied().max();
        let both = moves.iter_mut().zip(lows).filter(|(_, kept)| Some(**kept) == low);
        let mut keeping: Keeping = both.map(|(scored, _)| scored).collect();
        let Some(low) = low else { return Ok(()) };
        if let [only] = &mut keeping[..] {
            only.certified = true;
        } else if !keeping.iter().any(|scored| scored.certified) {
            self.certify_by_strategy(board, &mut keeping)?;
        }
        // Of a capture a clamped table below may tell more.
        let told = |scored: &ScoredMove| match scored.played.captured {
            0 => low,
            _ => scored.interval.low,
        };
        let certified = || keeping.iter().filter(|scored| scored.certified);
        let most = certified().map(|scored| told(scored)).max();
        keeping.retain(|scored| scored.certified && Some(told(scored)) == most);
        collect(keeping.into_iter(), low);
        Ok(())
    }

    /// Returns whether nothing is worse than `claim`, or any cycle is worth as much.
    fn is_worst_or_a_cycle(&self, seeds: Seeds, claim: Score) -> bool {
        let loses_all = -i32::from(claim.get()) == seeds.get() as i32;
        let even_split = self.rules().endless == Endless::EvenSplit && claim <= Score::ZERO;
        loses_all || even_split
    }

    /// Returns the house of the quiet move that the strategy of the table makes for a score instead of
    /// the first that keeps it.
    pub(super) fn exception(&mut self, board: &Board, score: Score) -> Result<Option<House>> {
        let is_held = Layer::of(self.rules(), board.seeds()).cell(board).is_some();
        if !is_held || self.is_worst_or_a_cycle(board.seeds(), score) {
            return Ok(None);
        }
        Ok(self.exception_of_strategy(board)?.flatten())
    }

    /// Returns the house that the exceptions name for a position, if they do; nothing of a table without
    /// a strategy.
    fn exception_of_strategy(&mut self, board: &Board) -> Result<Option<Option<House>>> {
        let (table, _) = self.table(board.seeds())?;
        let house = |all: &Exceptions| table.layer().rank(board).and_then(|rank| all.house(rank));
        Ok(table.exceptions()?.map(house))
    }

    /// Marks the quiet move that the strategy of the table makes, if it has one.
    fn certify_by_strategy(&mut self, board: &Board, keeping: &mut Keeping) -> Result<()> {
        let Some(house) = self.exception_of_strategy(board)? else { return Ok(()) };
        // They come in the order of houses.
        let is_named = |played: &Move| house.is_none_or(|house| played.house == house);
        if let Some(scored) = keeping.iter_mut().find(|scored| is_named(&scored.played)) {
            scored.certified = true;
        }
        Ok(())
    }
}

/// Marks moves that achieve a claim.
fn collect<'a>(moves: impl Iterator<Item = &'a mut ScoredMove>, claim: Score) {
    for scored in moves {
        scored.certified = true;
        scored.collects = Some(claim);
    }
}
