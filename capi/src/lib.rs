//! The C interface of oware-db: `include/oware.h` is made from this file by cbindgen.
//!
//! Every function answers with a status, checks what can be checked of its arguments, and lets no
//! panic out: what unwinds ends as [`OwareStatus::Mistake`]. What cannot be checked are pointers.
//! Of those the header says what they have to point to, and that is the whole of each function's
//! safety.

#![allow(clippy::missing_safety_doc)]

mod arguments;
mod failure;
mod mancala;

use std::ffi::{CStr, c_char};

use oware_db::engine::search::best_move;
use oware_db::game::{Game, Interval, Position, Rules, Stores};
use oware_db::pool::Pool;
use oware_db::probe::{DEFAULT_CACHE, Prober, ScoredMove, Tables};
use oware_db::{Board, Error, House};

use arguments::{
    apart, board, given, given_mut, houses, items, items_mut, numbered_board, place, rules, stores,
    text,
};
use failure::{Failure, guarded, last_status, last_text, quietly, usage};

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwareStatus {
    /// Everything is as it should be.
    Ok = 0,
    /// A mistake of the caller.
    Usage = 1,
    /// A table is needed that has not been built.
    MissingTable = 2,
    /// A table is damaged, foreign, or of another version.
    CorruptTable = 3,
    /// The operating system refused.
    Io = 4,
    /// The game is over: there is no move.
    GameOver = 5,
    /// A mistake in this library.
    Mistake = 6,
}

/// Tables of one sheet, open. Any number of threads may use it at the same time.
pub struct OwareTables {
    tables: Tables,
    rules: &'static Rules,
    probers: Pool<'static, Prober>,
}

/// What a position is worth to the player to move: the seeds still to come minus the opponent's,
/// with best play, and no position of the game so far able to come back.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwareScore {
    /// The player to move gets at least this.
    pub low: i8,
    /// The player to move gets at most this; equal to `low` where the score is exact.
    pub high: i8,
}

/// A legal move, and what it is worth to the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwareMove {
    /// The house that is emptied, 0 to 5 from the player's left.
    pub house: u8,
    /// The seeds captured.
    pub captured: u8,
    /// The score, the seeds captured included.
    pub score: OwareScore,
    /// Whether `score.low` is secured by this move and by going on with `oware_best`.
    pub certified: bool,
    /// The board after it, from the next player's seat.
    pub board: [u8; 12],
}

/// Opens the tables of a sheet in a directory. `rules` is the id of the sheet, as in "abapa"; null
/// stands for that one. The directory has to exist, no file is looked at yet. Returns null if it fails
/// (`oware_last_status`). Close it with `oware_close`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_open(dir: *const c_char, rules: *const c_char) -> *mut OwareTables {
    // SAFETY: the caller's.
    unsafe { oware_open_with_cache(dir, rules, DEFAULT_CACHE) }
}

/// Opens tables as `oware_open` does, with a cache of at most so many bytes for decoded pieces of
/// them; `oware_open` keeps 256 MiB. Whatever the size, answers are the same: a larger cache makes
/// them faster. All threads share it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_open_with_cache(
    dir: *const c_char,
    rules: *const c_char,
    bytes: u64,
) -> *mut OwareTables {
    let mut opened = std::ptr::null_mut();
    guarded(|| {
        // SAFETY: the header asks for texts that end with 0.
        let (dir, id) = unsafe { (text(dir, "dir")?, text(rules, "rules")) };
        let rules = if rules.is_null() { &oware_db::ABAPA } else { self::rules(id?)? };
        opened = Box::into_raw(Box::new(OwareTables::open(dir, rules, bytes)?));
        Ok(())
    });
    opened
}

/// Closes tables. No thread may be using them, nor use them afterwards. Null is left alone, and so is what
/// `oware_last_error` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_close(tables: *mut OwareTables) {
    quietly(|| {
        if !tables.is_null() {
            // SAFETY: it came from `oware_open`, and the caller has no further use for it.
            drop(unsafe { Box::from_raw(tables) });
        }
    });
}

/// Returns the number of seeds up to which every layer has a table, so that each position with so
/// many seeds or fewer can be probed; -1 if there is none, and if it fails, which `oware_last_status`
/// tells apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_max_seeds(tables: *const OwareTables) -> i32 {
    let mut most = -1;
    guarded(|| {
        // SAFETY: the header asks for a pointer from `oware_open`, or null.
        most = unsafe { given(tables, "tables")? }.max_seeds()?;
        Ok(())
    });
    most
}

/// Finds the score of a position: twelve houses, those of the player to move first, each row from
/// the left of its owner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_probe(
    tables: *const OwareTables,
    board: *const u8,
    score: *mut OwareScore,
) -> OwareStatus {
    guarded(|| {
        // SAFETY: the header asks for open tables, twelve houses and room for a score. The houses are
        // copied, so the score may be written over them.
        let (tables, board, score) =
            unsafe { (given(tables, "tables")?, self::board(board)?, given_mut(score, "score")?) };
        *score = tables.probers.with(|prober| prober.interval(&board))?.into();
        Ok(())
    })
}

/// Finds the legal moves of a position, best first, and their scores. `moves` has room for six;
/// `count` is set to how many there are, 0 if the game is over. They may not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_probe_moves(
    tables: *const OwareTables,
    board: *const u8,
    moves: *mut OwareMove,
    count: *mut usize,
) -> OwareStatus {
    guarded(|| {
        let written = [place(moves, 6, "moves"), place(count, 1, "count")];
        apart(&written, &[place(board, 12, "board")])?;
        // SAFETY: the header asks for open tables, twelve houses, and room for six moves and a
        // number, and these are apart.
        let (tables, board, moves, count) = unsafe {
            let moves = items_mut(moves, 6, "moves")?;
            (given(tables, "tables")?, self::board(board)?, moves, given_mut(count, "count")?)
        };
        let found = tables.probers.with(|prober| prober.moves(&board))?;
        for (slot, scored) in moves.iter_mut().zip(&found) {
            *slot = scored.into();
        }
        *count = found.len();
        Ok(())
    })
}

/// Finds the scores of `count` positions on all processors: `boards` has twelve houses for each,
/// one position after the other; `low` and `high` have room for `count` bounds. None of the three may
/// overlap another. If it fails, which the first position with a mistake or without a table makes it
/// do, nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_probe_batch(
    tables: *const OwareTables,
    boards: *const u8,
    count: usize,
    low: *mut i8,
    high: *mut i8,
) -> OwareStatus {
    guarded(|| {
        let houses = count.checked_mul(12).ok_or_else(|| usage("count is too large"))?;
        let written = [place(low, count, "low"), place(high, count, "high")];
        apart(&written, &[place(boards, houses, "boards")])?;
        // SAFETY: the header asks for open tables, that many houses, and room for that many bounds,
        // which nothing else uses meanwhile, and these are apart.
        let (tables, boards, low, high) = unsafe {
            let (low, high) = (items_mut(low, count, "low")?, items_mut(high, count, "high")?);
            (given(tables, "tables")?, items(boards, houses, "boards")?, low, high)
        };
        let scores = tables.probe_batch(boards.as_chunks().0)?;
        for (score, (low, high)) in scores.iter().zip(low.iter_mut().zip(high)) {
            (*low, *high) = (score.low, score.high);
        }
        Ok(())
    })
}

/// Finds the move to make in a game: the one that collects what the tables promise, given where
/// play has been.
///
/// The game began, or had its last capture, at `start`, when the player to move had captured
/// `own_store` seeds and the other one `other_store` (0 for both if that does not matter), and
/// since then `count` moves have emptied `houses`, 0 to 5, of both players in turn. Null is enough
/// for no houses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_best(
    tables: *const OwareTables,
    start: *const u8,
    own_store: u8,
    other_store: u8,
    houses: *const u8,
    count: usize,
    best: *mut OwareMove,
) -> OwareStatus {
    guarded(|| {
        // SAFETY: the header asks for open tables, twelve houses, `count` houses and room for a
        // move. Houses are copied, so the move may be written over them.
        let (tables, start, houses, best) = unsafe {
            let houses = self::houses(items(houses, count, "houses")?)?;
            (given(tables, "tables")?, board(start)?, houses, given_mut(best, "best")?)
        };
        let stores = stores(&start, own_store, other_store)?;
        *best = tables.best(start, stores, &houses)?;
        Ok(())
    })
}

/// Returns what went wrong in the last call of this thread, and what to do about it: a text that is
/// empty if nothing did, and stays until the next call. The functions that close tables and the three
/// below this text leave it as it is.
#[unsafe(no_mangle)]
pub extern "C" fn oware_last_error() -> *const c_char {
    last_text()
}

/// Returns how the last call of this thread ended, also one that returns a pointer or a number.
#[unsafe(no_mangle)]
pub extern "C" fn oware_last_status() -> OwareStatus {
    last_status()
}

/// Returns the version of the library, as in "0.1.0": `OWARE_VERSION` is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn oware_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The version of the crate, which the header has, too.
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version has no 0 inside"),
    };

impl OwareTables {
    fn open(dir: &str, rules: &'static Rules, cache: u64) -> Result<OwareTables, Failure> {
        let tables = Tables::open(dir)?.with_cache(cache);
        let probed = tables.clone();
        let probers = Pool::new(move || Prober::new(&probed, rules));
        Ok(OwareTables { tables, rules, probers })
    }

    fn max_seeds(&self) -> Result<i32, Failure> {
        let available = self.tables.available(self.rules)?;
        let whole = available.iter().zip(0..).take_while(|(seeds, place)| seeds.get() == *place);
        Ok(whole.count() as i32 - 1)
    }

    fn probe_batch(&self, boards: &[[u8; 12]]) -> Result<Vec<OwareScore>, Failure> {
        let mut scores = Vec::new();
        let bytes = (boards.len() * size_of::<OwareScore>()) as u64;
        let refused = |_| Error::OutOfMemory { bytes };
        scores.try_reserve_exact(boards.len()).map_err(refused)?;
        scores.resize(boards.len(), OwareScore::default());
        self.probers.answer_all(boards, &mut scores, |prober, number, houses| {
            let board = numbered_board(number, houses)?;
            let failed = |error| Failure::from(&error).of_question(number, &error);
            prober.interval(&board).map(OwareScore::from).map_err(failed)
        })?;
        Ok(scores)
    }

    fn best(&self, start: Board, stores: Stores, houses: &[House]) -> Result<OwareMove, Failure> {
        let start = Position { stores: Some(stores), ..Position::from(start) };
        let game = replayed(self.rules, start, houses)?;
        let best = self.probers.with(|prober| best_move(prober, &game))?;
        best.as_ref().map(OwareMove::from).ok_or_else(Failure::game_over)
    }
}

/// Plays a game as far as the moves go.
fn replayed(rules: &'static Rules, start: Position, houses: &[House]) -> Result<Game, Failure> {
    let mut game = Game::new(rules, start);
    for (at, &house) in houses.iter().enumerate() {
        let played = game.find(house).filter(|_| game.over().is_none());
        let ply = oware_db::game::Ply { seat: game.seat(), house }.to_string();
        let position = game.position().to_string();
        let illegal = || Failure::from(&Error::IllegalMove { ply, position }).of_move(at);
        game.make(&played.ok_or_else(illegal)?);
    }
    Ok(game)
}

impl From<Interval> for OwareScore {
    fn from(interval: Interval) -> OwareScore {
        OwareScore { low: interval.low.get(), high: interval.high.get() }
    }
}

impl From<&ScoredMove> for OwareMove {
    fn from(scored: &ScoredMove) -> OwareMove {
        OwareMove {
            house: scored.played.house.index() as u8,
            captured: scored.played.captured,
            score: scored.interval.into(),
            certified: scored.certified,
            board: scored.played.next.houses(),
        }
    }
}

#[cfg(test)]
mod tests {
    /// What each function of the interface does first is to hold panics back, but for the one that
    /// only returns a pointer. That `guarded` holds them is tested with it.
    #[test]
    fn no_function_lets_a_panic_out() {
        let functions = [include_str!("lib.rs"), include_str!("mancala.rs")].map(|file| {
            let functions = file.split("extern \"C\" fn ").skip(1);
            functions.take_while(|text| text.starts_with("oware_"))
        });
        let (mut guarded, mut others) = (0, Vec::new());
        for function in functions.into_iter().flatten() {
            let name = function.split('(').next().unwrap_or_default();
            let body = function.split("\n}").next().unwrap_or_default();
            let body = body.replace("quietly(|| {", "guarded(|| {");
            let outside = body.split("guarded(|| {").next().unwrap_or_default();
            let is_harmless = !outside.contains("unsafe {") && !outside.contains("unwrap");
            match body.contains("guarded(|| {") && is_harmless {
                true => guarded += 1,
                false => others.push(name),
            }
        }
        // The first is the second with another argument.
        let known = vec!["oware_open", "oware_last_error", "oware_last_status", "oware_version"];
        assert_eq!((guarded, others), (11, known));
    }
}
