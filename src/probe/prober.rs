//! Asking tables: the score of a position, and of its moves.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::{Board, Interval, Move, Position, Rules, Score, ScoreRange, Seeds};
use crate::game::{captures, final_score, legal_moves};
use crate::layer::{Cell, Layer, Rank, Settlement};
use crate::table::{Scratch, Table};

use super::Tables;
use super::scored_move::{ScoredMove, ScoredMoves, best_of, better};

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueryKind {
    /// Its score with fresh history.
    Score,
    /// The same, if all it takes is in the cache.
    CachedScore,
    /// The bounds that hold wherever a cycle is cut.
    Bounds,
}

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
    /// What [`Prober::game`] has found.
    game: Option<Option<Seeds>>,
}

impl Prober {
    /// Makes a prober of the tables of `rules`. No file is opened before it is needed.
    pub fn new(tables: &Tables, rules: &'static Rules) -> Prober {
        let scratch = Scratch::sharing(tables.cache());
        Prober { tables: tables.clone(), rules, layers: [const { None }; _], scratch, game: None }
    }

    /// Makes a prober for so many positions that most of the tables will be needed: a tile that has
    /// to be decoded is so with its neighbours. The first probes take half as long again, and a
    /// million of them three quarters of the time.
    pub fn for_many(tables: &Tables, rules: &'static Rules) -> Prober {
        let scratch = Scratch::sharing(tables.cache()).with_neighbours();
        Prober { scratch, ..Prober::new(tables, rules) }
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
    /// [`Error::MissingTable`] if a table is needed that is not there, [`Error::NarrowRange`] if one
    /// clamps scores that another needs, and whatever is wrong with one that is.
    pub fn interval(&mut self, board: &Board) -> Result<Interval> {
        self.found(board, QueryKind::Score)
    }

    /// Returns the bounds of a position that hold wherever a cycle is cut: those that the strategy
    /// certifies. They are the score unless a search has settled it.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub(crate) fn bounds(&mut self, board: &Board) -> Result<Interval> {
        self.found(board, QueryKind::Bounds)
    }

    /// Returns the score of a position as [`Prober::interval`] does, if all it takes is in the
    /// cache; `None` if a tile would have to be read, or a table is missing. For engines that
    /// search on rather than wait.
    ///
    /// # Errors
    /// Whatever is wrong with a table.
    pub fn cached(&mut self, board: &Board) -> Result<Option<Interval>> {
        self.resolve(board, QueryKind::CachedScore)
    }

    /// Returns the legal moves of a position with their scores, best first: by low, high,
    /// certified, and then by house.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn moves(&mut self, board: &Board) -> Result<ScoredMoves> {
        self.moves_for(board, None)
    }

    /// Returns the moves of [`Prober::moves`], those marked that the strategy may make to achieve a
    /// claim, or what the position is worth.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub(crate) fn moves_for(&mut self, board: &Board, claim: Option<Score>) -> Result<ScoredMoves> {
        let mut moves = ScoredMoves::new();
        for played in legal_moves(self.rules, board).iter() {
            let interval = self.interval(&played.next)?.after_capture(played.captured);
            self.make_sure_it_serves(&played, board)?;
            let range = match final_score(self.rules, &played.next) {
                Some(_) => None,
                None => self.range(played.next.seeds())?.clamp_end(),
            };
            moves.push(ScoredMove { played, interval, range, certified: false, collects: None });
        }
        self.certify(board, claim, &mut moves)?;
        // There are so few that this sorts in place; it keeps the order of houses.
        moves.sort_by_key(ScoredMove::order);
        Ok(moves)
    }

    /// Returns the score of a position whose moves are known, as [`Prober::interval`] does: with
    /// less to look up.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn interval_of(&mut self, board: &Board, moves: &[ScoredMove]) -> Result<Interval> {
        let Some(best) = best_of(moves) else { return self.interval(board) };
        if Layer::of(self.rules, board.seeds()).cell(board).is_some() {
            // A table that is needed has to be there, also where captures say all.
            self.table(board.seeds())?;
        }
        // A score that a search has settled is not always the best of what moves lead to.
        match self.has_settled(board.seeds())? {
            true => self.interval(board),
            false => Ok(self.range(board.seeds())?.known(best)),
        }
    }

    fn found(&mut self, board: &Board, kind: QueryKind) -> Result<Interval> {
        if !board.opponent.has_empty_house() {
            // It may be in no table. Whether its score is clamped that of its layer says, if there
            // is one.
            self.range(board.seeds())?;
        }
        let found = self.resolve(board, kind)?;
        Ok(found.expect("whatever is stored is found, or missing"))
    }

    /// Returns the score of a position, given what is stored of it and of those that captures lead
    /// to; `None` if something of that is not at hand.
    fn resolve(&mut self, board: &Board, kind: QueryKind) -> Result<Option<Interval>> {
        if let Some(score) = final_score(self.rules, board) {
            return Ok(Some(Interval::exact(score)));
        }
        let (found, moves) = match Layer::of(self.rules, board.seeds()).cell(board) {
            Some(cell) => match self.stored(board.seeds(), cell, kind)? {
                Some(found) => (Some(found), captures(self.rules, board)),
                None => return Ok(None),
            },
            // After a move the origin is empty in the sheets whose tables leave positions out, so
            // the children are held.
            None => (None, legal_moves(self.rules, board)),
        };
        let mut best = found;
        for played in moves.iter() {
            let kind = match kind {
                QueryKind::Bounds if played.captured > 0 => QueryKind::Score,
                kind => kind,
            };
            let Some(child) = self.resolve(&played.next, kind)? else { return Ok(None) };
            self.make_sure_it_serves(&played, board)?;
            best = Some(better(best, child.after_capture(played.captured)));
        }
        let Some(mut best) = best else { return Ok(None) };
        if kind != QueryKind::Bounds && found.is_some() && best.value().is_none() {
            let held = self.settlement(board)?;
            let settled = held.and_then(|(settlement, rank)| settlement.interval(rank));
            best = settled.unwrap_or(best);
        }
        // What is known of the best is the best of what is known.
        let table = self.layers[board.seeds().get()].as_ref();
        Ok(Some(table.map_or(best, |table| table.range().known(best))))
    }

    /// Makes sure that the table which a capture leads into tells apart what that of `board` asks of it.
    fn make_sure_it_serves(&self, played: &Move, board: &Board) -> Result<()> {
        if played.captured == 0 {
            return Ok(());
        }
        let [below, above] = [&played.next, board].map(|board| &self.layers[board.seeds().get()]);
        let (Some(below), Some(above)) = (below, above) else { return Ok(()) };
        let served = below.layer().make_sure_it_serves(above.layer());
        // A game that is over after the capture needs no table.
        served.or_else(|error| final_score(self.rules, &played.next).map(drop).ok_or(error))
    }

    /// Returns which scores a layer keeps apart: all, if it has no table.
    ///
    /// # Errors
    /// Whatever is wrong with its table.
    pub fn range(&mut self, seeds: Seeds) -> Result<ScoreRange> {
        Ok(self.table_if_any(seeds)?.map_or(ScoreRange::full(seeds), Table::range))
    }

    /// Returns how many seeds the games have that the tables decide, if they do not tell all scores: the
    /// largest layer says so.
    ///
    /// # Errors
    /// Whatever is wrong with the directory or that table.
    pub fn game(&mut self) -> Result<Option<Seeds>> {
        if let Some(game) = self.game {
            return Ok(game);
        }
        let largest = self.tables.available(self.rules)?.last().copied();
        let game = largest.map(|seeds| self.range(seeds)).transpose()?.and_then(ScoreRange::game);
        self.game = Some(game);
        Ok(game)
    }

    /// Returns how many seeds the game has that a position belongs to: 48, or as many as the tables
    /// decide if it is no position of such a game.
    ///
    /// # Errors
    /// As [`Prober::game`].
    pub(crate) fn game_of(&mut self, position: &Position) -> Result<Seeds> {
        let is_whole = position.misfit(Seeds::MAX).is_none();
        let game = if is_whole { None } else { self.game()? };
        Ok(game.unwrap_or(Seeds::MAX))
    }

    /// Returns whether a search has settled scores of a layer. For a layer without a table this is
    /// unknown, and a caller that needs nothing else does not need the table.
    pub(super) fn has_settled(&mut self, seeds: Seeds) -> Result<bool> {
        if !self.rules.endless.is_settled() {
            return Ok(false);
        }
        let Some(table) = self.table_if_any(seeds)? else { return Ok(false) };
        Ok(table.settlement()?.is_some())
    }

    /// Returns what was settled in the layer of a position, and its rank there.
    pub(super) fn settlement(&mut self, board: &Board) -> Result<Option<(&Settlement, Rank)>> {
        let (table, _) = self.table(board.seeds())?;
        Ok(table.settlement()?.zip(table.layer().rank(board)))
    }

    /// Returns what the table of a layer holds of a position; `None` if that is to be in the cache
    /// and is not.
    fn stored(&mut self, seeds: Seeds, cell: Cell, kind: QueryKind) -> Result<Option<Interval>> {
        if kind != QueryKind::CachedScore {
            let (table, scratch) = self.table(seeds)?;
            return table.stored(cell, scratch).map(Some);
        }
        let slot = &mut self.layers[seeds.get()];
        if slot.is_none() {
            *slot = self.tables.opened(self.rules, seeds);
        }
        slot.as_ref().map_or(Ok(None), |table| table.cached_stored(cell, &mut self.scratch))
    }

    /// Returns the table of a layer; `None` if there is none.
    fn table_if_any(&mut self, seeds: Seeds) -> Result<Option<&Table>> {
        match self.table(seeds) {
            Ok((table, _)) => Ok(Some(table)),
            Err(Error::MissingTable { .. }) => Ok(None),
            Err(error) => Err(error),
        }
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
