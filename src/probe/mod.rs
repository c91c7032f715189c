//! Probing: the score, the moves and a line of best play of any position, from a directory of
//! tables.
//!
//! A position is answered from the cheapest place that knows: a finished game needs no table, and
//! one that the layer's table leaves out (see [`crate::layer::index`]) is the best of its moves, each of which
//! leads to positions that are held. For one that is held, the table says what it is worth *unless a
//! capture brings as much*; so its captures are looked at, too, each in a smaller layer. Among
//! positions of 17 seeds that comes to 2.7 look-ups on average and to 20 at most.
//!
//! Invariant: every interval obeys the rule of the game, `low` = the largest of captured − high
//! of the child over all moves, and `high` likewise with low.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;

use crate::error::{Error, Result};
use crate::game::{
    Board, Endless, HOUSES, House, Interval, Move, Rules, Score, Seeds, captures, final_score,
    legal_moves,
};
use crate::layer::{Layer, Moment, Place, UNSTAMPED};
use crate::table::{Access, Cache, Scratch, Table, file_name, named_seeds};

/// Bytes of decoded tiles that tables keep at most, unless they are [told](Tables::with_cache)
/// otherwise: all tiles of the tables to 17 seeds.
pub const CACHE: u64 = 256 << 20;

/// A directory of tables, of any number of sheets. Threads share it, and the tiles they decode. A file is
/// opened when it is first asked for and stays open.
#[derive(Debug)]
pub struct Tables {
    dir: PathBuf,
    access: Access,
    cache: Arc<Cache>,
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
        Ok(Tables { dir, access, cache: Arc::new(Cache::new(CACHE)), open: Mutex::default() })
    }

    /// The same tables with another cache of decoded tiles: of `bytes` bytes at most, instead of
    /// [`CACHE`].
    pub fn with_cache(self, bytes: u64) -> Tables {
        Tables { cache: Arc::new(Cache::new(bytes)), ..self }
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

    /// The table of a layer that is needed.
    ///
    /// # Errors
    /// As [`Tables::layer`], and [`Error::MissingTable`] if there is no file of its name.
    pub fn require(&self, rules: &'static Rules, seeds: Seeds) -> Result<Arc<Table>> {
        self.layer(rules, seeds)?.ok_or_else(|| self.missing(rules, seeds))
    }

    /// That the table of a layer is not there.
    pub fn missing(&self, rules: &Rules, seeds: Seeds) -> Error {
        Error::MissingTable {
            dir: self.dir.clone(),
            rules: rules.id.to_owned(),
            seeds: seeds.get(),
        }
    }

    /// The table of a layer if it has been opened before.
    fn opened(&self, rules: &Rules, seeds: Seeds) -> Option<Arc<Table>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&(rules.id, seeds)).cloned()
    }

    fn open_layer(&self, rules: &'static Rules, seeds: Seeds) -> Result<Option<Table>> {
        let path = self.dir.join(file_name(rules, seeds));
        let table = match Table::open(&path, self.access) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            opened => opened?,
        };
        if table.rules() != rules || table.seeds() != seeds {
            let (id, held) = (table.rules().id, table.seeds());
            let what =
                format!("it holds the layer of {held} seeds of `{id}`, not what its name says");
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
    /// Whether `interval.low` is secured by this move and by playing on with our strategy
    /// ([`crate::layer::strategy`]), wherever a cycle is cut. It is
    ///
    /// * for a capture, since no earlier position can come back,
    /// * for any move of a position that cannot come back, because no table holds it,
    /// * for the loss of every seed, since it cannot come worse,
    /// * under an even split for a score of 0 or less, which going round is worth,
    /// * for a quiet move that the strategy may make: the only one that keeps the score, or one to
    ///   the child whose claim settled earliest.
    ///
    /// Without strategies in the tables the last is known of an only move alone. A move that is not
    /// certified need not be bad: `low` is what its child is worth with fresh history, and after a
    /// quiet move history is not fresh.
    pub certified: bool,
}

impl ScoredMove {
    /// Best first: by both bounds, then what is certified.
    fn order(&self) -> impl Ord + use<> {
        std::cmp::Reverse((self.interval.low, self.interval.high, self.certified))
    }
}

/// The moves of a position: as many as there are houses at most, so they need no allocation.
pub type ScoredMoves = ArrayVec<ScoredMove, HOUSES>;

/// How to find what is stored of a position.
type LookUp<'t> = fn(&mut Prober<'t>, Seeds, Place) -> Result<Option<Interval>>;

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    GameOver,
    /// The last move leads to a position that the line has been through.
    Cycle {
        /// How many moves lead to the cycle; those behind them go round.
        after: usize,
    },
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

impl Line {
    /// Moves until the next capture, that one included, or until the game is over; `None` if the
    /// line goes round or stops before.
    pub fn until_capture(&self) -> Option<usize> {
        let capture = self.moves.iter().position(|&(_, captured)| captured > 0);
        capture.map(|at| at + 1).or((self.ends == LineEnd::GameOver).then_some(self.moves.len()))
    }
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
        let scratch = Scratch::sharing(tables.cache.clone());
        Prober { tables, rules, layers: [const { None }; _], scratch }
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
        let found = self.resolve(board, Prober::stored)?;
        Ok(found.expect("whatever is stored is found, or missing"))
    }

    /// The same, if that takes no file access and no decoding; `None` if it does, or a table is missing.
    /// For engines that search on rather than wait.
    ///
    /// # Errors
    /// Whatever is wrong with a table.
    pub fn cached(&mut self, board: &Board) -> Result<Option<Interval>> {
        self.resolve(board, Prober::cached_stored)
    }

    /// What a position is worth, given what is stored of it and of those that captures lead to;
    /// `None` if something of that is not at hand.
    fn resolve(&mut self, board: &Board, stored: LookUp<'t>) -> Result<Option<Interval>> {
        if let Some(score) = final_score(self.rules, board) {
            return Ok(Some(Interval::exact(score)));
        }
        let (found, moves) = match Layer::of(self.rules, board.seeds()).place(board) {
            Some(place) => match stored(self, board.seeds(), place)? {
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

    /// What the table of a layer says of a position.
    fn stored(&mut self, seeds: Seeds, place: Place) -> Result<Option<Interval>> {
        let (table, scratch) = self.table(seeds)?;
        table.stored(place, scratch).map(Some)
    }

    /// The same, if it is in the cache.
    fn cached_stored(&mut self, seeds: Seeds, place: Place) -> Result<Option<Interval>> {
        let slot = &mut self.layers[seeds.get()];
        if slot.is_none() {
            *slot = self.tables.opened(self.rules, seeds);
        }
        slot.as_ref().map_or(Ok(None), |table| table.cached_stored(place, &mut self.scratch))
    }

    /// The table of a layer, and what to probe it with.
    fn table(&mut self, seeds: Seeds) -> Result<(&Table, &mut Scratch)> {
        let slot = &mut self.layers[seeds.get()];
        let table = match slot {
            Some(table) => table,
            None => slot.insert(self.tables.require(self.rules, seeds)?),
        };
        Ok((table, &mut self.scratch))
    }

    /// What a move is worth to the player who makes it.
    fn after(&mut self, played: &Move) -> Result<Interval> {
        Ok(self.interval(&played.next)?.after_capture(played.captured))
    }

    /// The legal moves of a position, best first: by low, high, certified, and then by house.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn moves(&mut self, board: &Board) -> Result<ScoredMoves> {
        let mut moves = ScoredMoves::new();
        for played in legal_moves(self.rules, board).iter() {
            moves.push(ScoredMove { played, interval: self.after(&played)?, certified: false });
        }
        self.certify(board, &mut moves)?;
        // There are so few that this sorts in place; it keeps the order of houses.
        moves.sort_by_key(ScoredMove::order);
        Ok(moves)
    }

    fn certify(&mut self, board: &Board, moves: &mut [ScoredMove]) -> Result<()> {
        let returns = Layer::of(self.rules, board.seeds()).place(board).is_some();
        for scored in moves.iter_mut() {
            let low = scored.interval.low;
            let nothing_to_lose = -i32::from(low.get()) == board.seeds().get() as i32;
            scored.certified = scored.played.captured > 0
                || !returns
                || nothing_to_lose
                || self.is_worth_going_round(low);
        }
        let Some(best) = moves.iter().map(|scored| scored.interval.low).max() else {
            return Ok(());
        };
        let mut keeping: ArrayVec<&mut ScoredMove, HOUSES> =
            moves.iter_mut().filter(|scored| scored.interval.low == best).collect();
        if keeping.iter().any(|scored| scored.certified) {
            return Ok(());
        }
        if let [only] = &mut keeping[..] {
            only.certified = true;
            return Ok(());
        }
        let mut moments = ArrayVec::<Moment, HOUSES>::new();
        for scored in &keeping {
            let Some(moment) = self.moment(&scored.played.next)? else { return Ok(()) };
            moments.push(moment);
        }
        let Some(least) = moments.iter().min().filter(|least| least.stamp != UNSTAMPED) else {
            return Ok(());
        };
        let hold = self.is_hold(board.seeds(), least.stamp)?;
        for (scored, moment) in keeping.iter_mut().zip(&moments) {
            scored.certified = if hold { moment.stamp == least.stamp } else { moment == least };
        }
        Ok(())
    }

    /// Whether a cycle under an even split is worth at least `claim`.
    fn is_worth_going_round(&self, claim: Score) -> bool {
        self.rules.endless == Endless::EvenSplit && claim <= Score::ZERO
    }

    /// When the claim against the mover of a position in a table settled; `None` if the table has
    /// no strategy.
    fn moment(&mut self, board: &Board) -> Result<Option<Moment>> {
        let place = Layer::of(self.rules, board.seeds())
            .place(board)
            .expect("a move leads to a position of the layer");
        let (table, scratch) = self.table(board.seeds())?;
        Ok(table.stamp(place, scratch)?.map(|stamp| Moment::new(stamp, board)))
    }

    fn is_hold(&mut self, seeds: Seeds, stamp: u8) -> Result<bool> {
        let (table, _) = self.table(seeds)?;
        Ok(table.header().holds().is_some_and(|holds| holds.contains(stamp)))
    }

    /// The move that our strategy makes for what the mover can secure; `None` if the game is over.
    /// It depends on the position alone.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn strategy_move(&mut self, board: &Board) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves(board)?))
    }

    /// A line of best play from `board`, at most `limit` moves long: both players follow the
    /// strategy. So where the tables hold strategies a line that goes round is one that neither can
    /// improve on: any cut of the cycle pays within the interval of its positions.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn line(&mut self, board: &Board, limit: usize) -> Result<Line> {
        let mut moves = Vec::new();
        let mut visited = vec![*board];
        let mut at = *board;
        while moves.len() < limit {
            let Some(played) = self.strategy_move(&at)? else {
                return Ok(Line { moves, ends: LineEnd::GameOver });
            };
            moves.push((played.house, played.captured));
            at = played.next;
            if let Some(after) = visited.iter().position(|seen| *seen == at) {
                return Ok(Line { moves, ends: LineEnd::Cycle { after } });
            }
            visited.push(at);
        }
        let over = final_score(self.rules, &at).is_some();
        Ok(Line { moves, ends: if over { LineEnd::GameOver } else { LineEnd::Limit } })
    }
}

/// What a position is worth whose moves these are: the best of them, bound by bound; `None` if there
/// are none.
pub fn best_of(moves: &[ScoredMove]) -> Option<Interval> {
    moves.iter().fold(None, |best, scored| Some(better(best, scored.interval)))
}

/// The one of all moves of a position, best first, that our strategy makes; `None` if there are none.
pub fn of_strategy(moves: &[ScoredMove]) -> Option<Move> {
    let low = moves.first()?.interval.low;
    let keeping = moves.iter().filter(|scored| scored.interval.low == low);
    let rank =
        |scored: &&ScoredMove| (scored.certified, scored.interval.high, scored.played.captured > 0);
    // Of equals the first by house: `max_by_key` takes the last one.
    keeping.rev().max_by_key(rank).map(|scored| scored.played)
}

/// What the better of two moves is worth, bound by bound.
fn better(best: Option<Interval>, found: Interval) -> Interval {
    best.map_or(found, |best| Interval {
        low: best.low.max(found.low),
        high: best.high.max(found.high),
    })
}
