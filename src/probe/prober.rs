//! Asking tables: the score of a position, and of its moves.

use std::sync::Arc;

use crate::error::Result;
use crate::game::{Board, Interval, Move, Rules, Seeds, captures, final_score, legal_moves};
use crate::layer::{Cell, Layer};
use crate::table::{Scratch, Table};

use super::Tables;
use super::scored_move::{ScoredMove, ScoredMoves, better, of_strategy};

/// Access to the tables of a sheet, for a single thread.
///
/// It holds a handle of the [`Tables`], the tables it has asked, and the tiles it decoded last; an
/// engine keeps one for each of its threads. Where tiles are at hand a probe takes less than a
/// microsecond and allocates nothing.
pub struct Prober {
    tables: Tables,
    rules: &'static Rules,
    layers: [Option<Arc<Table>>; Seeds::MAX.get() + 1],
    scratch: Scratch,
}

/// How to find what is stored of a position.
type LookUp = fn(&mut Prober, Seeds, Cell) -> Result<Option<Interval>>;

impl Prober {
    /// Makes a prober of the tables of `rules`. No file is opened before it is needed.
    pub fn new(tables: &Tables, rules: &'static Rules) -> Prober {
        let scratch = Scratch::sharing(tables.cache());
        Prober { tables: tables.clone(), rules, layers: [const { None }; _], scratch }
    }

    /// Returns the sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Returns the score of a position: what the mover will get minus what the opponent will, in
    /// seeds, with fresh history.
    ///
    /// It takes the table of the position's layer and those that captures lead into.
    ///
    /// # Errors
    /// [`Error::MissingTable`](crate::Error::MissingTable) if a table is needed that is not there,
    /// and whatever is wrong with one that is.
    pub fn interval(&mut self, board: &Board) -> Result<Interval> {
        let found = self.resolve(board, Prober::stored)?;
        Ok(found.expect("whatever is stored is found, or missing"))
    }

    /// Returns the score of a position as [`Prober::interval`] does, if all it takes is in the
    /// cache; `None` if a file would have to be read, or a table is missing. For engines that
    /// search on rather than wait.
    ///
    /// # Errors
    /// Whatever is wrong with a table.
    pub fn cached(&mut self, board: &Board) -> Result<Option<Interval>> {
        self.resolve(board, Prober::cached_stored)
    }

    /// Returns the legal moves of a position with their scores, best first: by low, high,
    /// certified, and then by house.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn moves(&mut self, board: &Board) -> Result<ScoredMoves> {
        let mut moves = ScoredMoves::new();
        for played in legal_moves(self.rules, board).iter() {
            let interval = self.interval(&played.next)?.after_capture(played.captured);
            moves.push(ScoredMove { played, interval, certified: false });
        }
        self.certify(board, &mut moves)?;
        // There are so few that this sorts in place; it keeps the order of houses.
        moves.sort_by_key(ScoredMove::order);
        Ok(moves)
    }

    /// Returns the move by which the strategy of the tables secures the position's `low`; `None` if
    /// the game is over. It depends on the position alone.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn strategy_move(&mut self, board: &Board) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves(board)?))
    }

    /// Returns the score of a position, given what is stored of it and of those that captures lead
    /// to; `None` if something of that is not at hand.
    fn resolve(&mut self, board: &Board, stored: LookUp) -> Result<Option<Interval>> {
        if let Some(score) = final_score(self.rules, board) {
            return Ok(Some(Interval::exact(score)));
        }
        let (found, moves) = match Layer::of(self.rules, board.seeds()).cell(board) {
            Some(cell) => match stored(self, board.seeds(), cell)? {
                Some(found) => (Some(found), captures(self.rules, board)),
                None => return Ok(None),
            },
            // After a move the origin is empty in the sheets whose tables leave positions out, so
            // the children are held.
            None => (None, legal_moves(self.rules, board)),
        };
        let mut best = found;
        for played in moves.iter() {
            let Some(child) = self.resolve(&played.next, stored)? else { return Ok(None) };
            best = Some(better(best, child.after_capture(played.captured)));
        }
        Ok(best)
    }

    /// Returns what the table of a layer holds of a position.
    fn stored(&mut self, seeds: Seeds, cell: Cell) -> Result<Option<Interval>> {
        let (table, scratch) = self.table(seeds)?;
        table.stored(cell, scratch).map(Some)
    }

    /// Returns what the table of a layer holds of a position, if that is in the cache.
    fn cached_stored(&mut self, seeds: Seeds, cell: Cell) -> Result<Option<Interval>> {
        let slot = &mut self.layers[seeds.get()];
        if slot.is_none() {
            *slot = self.tables.opened(self.rules, seeds);
        }
        slot.as_ref().map_or(Ok(None), |table| table.cached_stored(cell, &mut self.scratch))
    }

    /// Returns the table of a layer, and what to probe it with.
    pub(super) fn table(&mut self, seeds: Seeds) -> Result<(&Table, &mut Scratch)> {
        let slot = &mut self.layers[seeds.get()];
        let table = match slot {
            Some(table) => table,
            None => slot.insert(self.tables.require(self.rules, seeds)?),
        };
        Ok((table, &mut self.scratch))
    }
}
