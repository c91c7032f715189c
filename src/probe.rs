//! Probing: the score, the moves and a line of best play of any position, from a directory of
//! tables.
//!
//! A position is answered from the cheapest place that knows: a finished game needs no table, a
//! position that the layer's table holds is one look-up, and one that it leaves out (see
//! [`crate::index`]) is the best of its moves, each of which leads to positions that are held.
//!
//! Invariant: every interval obeys the rule of the game, `low` = the largest of captured − high
//! of the child over all moves, and `high` likewise with low.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::{Board, House, Seeds};
use crate::error::{Error, Result};
use crate::index::{Layer, Rank};
use crate::moves::{Move, final_score, legal_moves};
use crate::rules::{Endless, Rules};
use crate::score::{Interval, Score};
use crate::table::{Access, Scratch, Table, file_name, named_seeds};

/// A directory of tables, of any number of sheets. A file is opened when it is first asked for
/// and stays open; threads share it.
#[derive(Debug)]
pub struct Tables {
    dir: PathBuf,
    access: Access,
    open: Mutex<HashMap<(&'static str, Seeds), Arc<Table>>>,
}

impl Tables {
    /// The tables of `dir`, which need not exist: it has no tables then.
    ///
    /// # Errors
    /// [`Error::Io`] if `dir` is not a directory.
    pub fn open(dir: impl Into<PathBuf>, access: Access) -> Result<Tables> {
        let dir = dir.into();
        match std::fs::metadata(&dir) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(Error::io("opening", dir)(io::ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("opening", dir)(error)),
        }
        Ok(Tables { dir, access, open: Mutex::default() })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The table of a layer; `None` if there is no file of its name. A file that appears later is
    /// found later, one that is replaced after it was opened stays the one it was.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] or [`Error::WrongVersion`] if the file is not what its name says,
    /// [`Error::Io`] if it cannot be read.
    pub fn layer(&self, rules: &'static Rules, seeds: Seeds) -> Result<Option<Arc<Table>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&(rules.id, seeds)) {
            return Ok(Some(table.clone()));
        }
        let Some(table) = self.open_layer(rules, seeds)? else { return Ok(None) };
        let table = Arc::new(table);
        open.insert((rules.id, seeds), table.clone());
        Ok(Some(table))
    }

    fn open_layer(&self, rules: &'static Rules, seeds: Seeds) -> Result<Option<Table>> {
        let path = self.dir.join(file_name(rules, seeds));
        let table = match Table::open(&path, self.access) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        if table.rules() != rules || table.seeds() != seeds {
            let (id, held) = (table.rules().id, table.seeds());
            let what = format!("it holds the layer of {held} seeds of `{id}`, not what its name says");
            return Err(Error::CorruptTable { path, what });
        }
        Ok(Some(table))
    }

    /// The layers of a sheet that have a file, fewest seeds first. Other files do not matter.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be listed.
    pub fn available(&self, rules: &Rules) -> Result<Vec<Seeds>> {
        let listing = match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing.map_err(Error::io("listing", &self.dir))?,
        };
        let mut found = Vec::new();
        for entry in listing {
            let name = entry.map_err(Error::io("listing", &self.dir))?.file_name();
            found.extend(name.to_str().and_then(|name| named_seeds(rules, name)));
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// A legal move with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub played: Move,
    /// What the player who moves gets by it, seeds captured by it included: the negated interval
    /// of the position it leads to.
    pub interval: Interval,
    /// Whether `interval.low` is secured by this move and by playing on with moves that keep the
    /// score.
    ///
    /// True for a capture: no earlier position can come back. Under an even split also for a
    /// quiet move worth 0 or less, because from there on the opponent cannot push the score below
    /// `low` and each of our moves can keep it, so the game either ends with at least `low` or
    /// goes round, which is worth 0. A quiet move worth *more* than 0 may keep the score and still
    /// make no progress; played for ever it ends in an even split. The tables do not tell which
    /// moves make progress, so none of them is certified.
    pub certified: bool,
}

impl ScoredMove {
    /// Best first: by both bounds, then what is certified.
    fn order(&self) -> impl Ord + use<> {
        std::cmp::Reverse((self.interval.low, self.interval.high, self.certified))
    }
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    GameOver,
    /// The last move leads to a position that the line has been through.
    Circle,
    /// The line is as long as was asked for.
    Limit,
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// House and seeds captured, of both players in turn, each house counted by its owner.
    pub moves: Vec<(House, u8)>,
    /// Why there is no further move.
    pub ends: LineEnd,
}

/// What one thread needs to probe the tables of one sheet: they, and a [`Scratch`].
pub struct Prober<'t> {
    tables: &'t Tables,
    rules: &'static Rules,
    layers: [Option<Arc<Table>>; Seeds::MAX.get() + 1],
    scratch: Scratch,
}

impl<'t> Prober<'t> {
    /// A prober of the tables of `rules`.
    pub fn new(tables: &'t Tables, rules: &'static Rules) -> Prober<'t> {
        Prober { tables, rules, layers: [const { None }; _], scratch: Scratch::new() }
    }

    /// The sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// What a position is worth to the mover.
    ///
    /// # Errors
    /// [`Error::MissingTable`] if a table is needed that is not there, and whatever is wrong with
    /// one that is.
    pub fn interval(&mut self, board: &Board) -> Result<Interval> {
        if let Some(score) = final_score(self.rules, board) {
            return Ok(Interval::exact(score));
        }
        match Layer::of(self.rules, board.seeds()).rank(board) {
            Some(rank) => self.look_up(board.seeds(), rank),
            None => self.best_of_moves(board),
        }
    }

    /// The interval in the table.
    fn look_up(&mut self, seeds: Seeds, rank: Rank) -> Result<Interval> {
        let slot = &mut self.layers[seeds.get()];
        let table = match slot {
            Some(table) => table,
            None => {
                let table = self.tables.layer(self.rules, seeds)?;
                slot.insert(table.ok_or_else(|| missing(self.tables, self.rules, seeds))?)
            }
        };
        table.interval(rank, &mut self.scratch)
    }

    /// The interval of a position that no table holds, by one ply. After a move the origin is
    /// empty in the sheets whose tables leave positions out, so the children are held.
    fn best_of_moves(&mut self, board: &Board) -> Result<Interval> {
        let mut best: Option<Interval> = None;
        for played in legal_moves(self.rules, board).iter() {
            let found = self.after(&played)?;
            best = Some(
                best.map_or(found, |best| Interval { low: best.low.max(found.low), high: best.high.max(found.high) }),
            );
        }
        Ok(best.unwrap_or(Interval::exact(board.own_rows())))
    }

    /// What a move is worth to the player who makes it.
    fn after(&mut self, played: &Move) -> Result<Interval> {
        Ok(self.interval(&played.next)?.after_capture(played.captured))
    }

    /// The legal moves of a position, best first: by low, high, certified, and then by house.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn moves(&mut self, board: &Board) -> Result<Vec<ScoredMove>> {
        let mut moves = Vec::with_capacity(6);
        for played in legal_moves(self.rules, board).iter() {
            let interval = self.after(&played)?;
            let certified = played.captured > 0 || self.secured_by_going_round(interval.low);
            moves.push(ScoredMove { played, interval, certified });
        }
        moves.sort_by_key(ScoredMove::order);
        Ok(moves)
    }

    /// Whether a score that every move can keep is secured even if play never ends.
    fn secured_by_going_round(&self, low: Score) -> bool {
        match self.rules.endless {
            Endless::EvenSplit => low <= Score::ZERO,
            Endless::OwnSide => false,
        }
    }

    /// A line of best play from `board`, at most `limit` moves long. Among equally good moves it
    /// prefers a capture, then a move to a position that it has not been through.
    ///
    /// It is one line of many, and the scores do not hang on it: a line that ends in a circle does
    /// not mean that a player who is ahead cannot make progress.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn line(&mut self, board: &Board, limit: usize) -> Result<Line> {
        let mut moves = Vec::new();
        let mut visited = vec![*board];
        let mut at = *board;
        while moves.len() < limit {
            let Some(played) = self.best_move(&at, &visited)? else {
                return Ok(Line { moves, ends: LineEnd::GameOver });
            };
            moves.push((played.house, played.captured));
            at = played.next;
            if visited.contains(&at) {
                return Ok(Line { moves, ends: LineEnd::Circle });
            }
            visited.push(at);
        }
        let over = final_score(self.rules, &at).is_some();
        Ok(Line { moves, ends: if over { LineEnd::GameOver } else { LineEnd::Limit } })
    }

    /// The move that goes on with a line; `None` if the game is over.
    fn best_move(&mut self, board: &Board, visited: &[Board]) -> Result<Option<Move>> {
        let moves = self.moves(board)?;
        let Some(best) = moves.first().map(|best| best.interval) else { return Ok(None) };
        let equals = moves.iter().filter(|found| found.interval == best).map(|found| found.played);
        Ok(equals.min_by_key(|played| (played.captured == 0, visited.contains(&played.next), played.house)))
    }
}

fn missing(tables: &Tables, rules: &Rules, seeds: Seeds) -> Error {
    Error::MissingTable { dir: tables.dir.clone(), rules: rules.id.to_owned(), seeds: seeds.get() }
}
