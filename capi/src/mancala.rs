//! Other games: positions are texts here, for boards have from 12 to 32 places, and houses
//! of Nam Nam have owners.

use std::ffi::c_char;

use oware_db::game::mancala::Sheet;
use oware_db::pool::Pool;
use oware_db::probe::Tables;
use oware_db::probe::general::{GeneralProber, Known, ScoredOutcome};

use crate::OwareStatus;
use crate::arguments::{apart, given, given_mut, items_mut, place, sheet, text};
use crate::failure::{Failure, guarded, quietly};

/// Moves of a position at most: two directions for each of 16 places.
pub const OWARE_MANCALA_MOVES: usize = 32;

/// Bytes of the text of a position at most, with the 0 at its end.
pub const OWARE_MANCALA_TEXT: usize = 112;

/// Bytes of the name of a move at most, with the 0 at its end.
pub const OWARE_MANCALA_NAME: usize = 4;

/// Tables of another game, open. Any number of threads may use it at the same time.
pub struct OwareMancala {
    sheet: &'static Sheet,
    probers: Pool<'static, GeneralProber>,
}

/// The score of a position of another game for the player to move: the seeds still to come
/// minus the opponent's; in Bao la Kujifunza 1, 0 or -1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwareMancalaScore {
    /// The player to move gets at least this.
    pub low: i8,
    /// The player to move gets at most this; equal to `low` where the score is exact.
    pub high: i8,
    /// In Bao la Kujifunza the plies to the end, if the winner hurries and the loser does not; -1 in
    /// a drawn position, and in the other games.
    pub plies: i16,
}

/// A legal move of another game, and its score for the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwareMancalaMove {
    /// What it is called, as `oware moves` writes it.
    pub name: [c_char; OWARE_MANCALA_NAME],
    /// The seeds that the mover gets.
    pub captured: u8,
    /// The seeds that the opponent gets.
    pub opponent_captured: u8,
    /// Whether the same player moves again.
    pub again: bool,
    /// Whether `score.low` is secured by this move and by going on with such moves.
    pub certified: bool,
    /// The score, the seeds captured included; `plies` counts this move.
    pub score: OwareMancalaScore,
    /// The position after it, from the view of the next player.
    pub next: [c_char; OWARE_MANCALA_TEXT],
}

/// Opens the tables of another game in a directory; `rules` is the id of its sheet, as in
/// "bao-laps". The directory has to exist, no file is looked at yet. Returns null if it fails
/// (`oware_last_status`). Close it with `oware_mancala_close`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_mancala_open(
    dir: *const c_char,
    rules: *const c_char,
) -> *mut OwareMancala {
    let mut opened = std::ptr::null_mut();
    guarded(|| {
        // SAFETY: the header asks for texts that end with 0.
        let (dir, id) = unsafe { (text(dir, "dir")?, text(rules, "rules")?) };
        opened = Box::into_raw(Box::new(OwareMancala::open(dir, sheet(id)?)?));
        Ok(())
    });
    opened
}

/// Closes tables. No thread may be using them, nor use them afterwards. Null is left alone, and so is what
/// `oware_last_error` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_mancala_close(tables: *mut OwareMancala) {
    quietly(|| {
        if !tables.is_null() {
            // SAFETY: it came from `oware_mancala_open`, and the caller has no further use for it.
            drop(unsafe { Box::from_raw(tables) });
        }
    });
}

/// Finds the score of a position, which is a text as the command line reads it: the numbers of all
/// places, those of the player to move first; in Nam Nam the owners of the houses may follow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_mancala_probe(
    tables: *const OwareMancala,
    position: *const c_char,
    score: *mut OwareMancalaScore,
) -> OwareStatus {
    guarded(|| {
        // SAFETY: the header asks for open tables and a text that ends with 0.
        let (tables, position) = unsafe { (given(tables, "tables")?, text(position, "position")?) };
        let placement = tables.sheet.parse(position)?;
        // SAFETY: the header asks for room for a score. The text has been read, so the score may be
        // written over it.
        let score = unsafe { given_mut(score, "score")? };
        *score = tables.probers.with(|prober| prober.known(&placement))?.into();
        Ok(())
    })
}

/// Finds the legal moves of a position, best first, and their scores. `moves` has room for
/// `OWARE_MANCALA_MOVES`; `count` is set to how many there are, 0 if the game is over. They may not
/// overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oware_mancala_moves(
    tables: *const OwareMancala,
    position: *const c_char,
    moves: *mut OwareMancalaMove,
    count: *mut usize,
) -> OwareStatus {
    guarded(|| {
        let written = [place(moves, OWARE_MANCALA_MOVES, "moves"), place(count, 1, "count")];
        apart(&written, &[])?;
        // SAFETY: the header asks for open tables and a text that ends with 0.
        let (tables, position) = unsafe { (given(tables, "tables")?, text(position, "position")?) };
        apart(&written, &[place(position.as_ptr(), position.len() + 1, "position")])?;
        let placement = tables.sheet.parse(position)?;
        // SAFETY: the header asks for room for so many moves and a number, and these are apart, from the
        // text, too.
        let (moves, count) = unsafe {
            (items_mut(moves, OWARE_MANCALA_MOVES, "moves")?, given_mut(count, "count")?)
        };
        let found = tables.probers.with(|prober| prober.answer(&placement))?.moves;
        for (slot, scored) in moves.iter_mut().zip(&found) {
            *slot = scored.into();
        }
        *count = found.len();
        Ok(())
    })
}

impl OwareMancala {
    fn open(dir: &str, sheet: &'static Sheet) -> Result<OwareMancala, Failure> {
        let tables = Tables::open(dir)?;
        Ok(OwareMancala { sheet, probers: Pool::new(move || GeneralProber::new(&tables, sheet)) })
    }
}

impl From<&ScoredOutcome> for OwareMancalaMove {
    fn from(scored: &ScoredOutcome) -> OwareMancalaMove {
        let &ScoredOutcome { outcome, low, high, certified, plies } = scored;
        OwareMancalaMove {
            name: c_text(&outcome.label.to_string()),
            captured: outcome.mover,
            opponent_captured: outcome.opponent,
            again: outcome.again,
            certified,
            score: OwareMancalaScore { low, high, plies: number(plies) },
            next: c_text(&outcome.next.to_string()),
        }
    }
}

impl From<Known> for OwareMancalaScore {
    fn from(known: Known) -> OwareMancalaScore {
        OwareMancalaScore { low: known.low, high: known.high, plies: number(known.plies) }
    }
}

/// Plies, or -1 for none.
fn number(plies: Option<u8>) -> i16 {
    plies.map_or(-1, i16::from)
}

/// A text that ends with 0, as the bytes behind it are.
fn c_text<const ROOM: usize>(text: &str) -> [c_char; ROOM] {
    assert!(text.len() < ROOM, "`{text}` has room, and a 0 at its end");
    let mut written = [0; ROOM];
    for (slot, byte) in written.iter_mut().zip(text.bytes()) {
        *slot = byte as c_char;
    }
    written
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ffi::{CStr, CString};
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use oware_db::game::mancala::{Layers, MANCALAS, Placement};
    use oware_db::layer::general::{GeneralLayer, GeneralSolved};
    use oware_db::solver::general::{Edges, solve};
    use oware_db::table::WriteOptions;
    use oware_db::table::general::write;

    use super::*;

    fn solved_to(layer: GeneralLayer, dir: &Path) -> BTreeMap<usize, GeneralSolved> {
        let mut below = BTreeMap::new();
        for seeds in (0..=layer.seeds()).filter(|&seeds| layer.sheet().has_layer(seeds)) {
            let layer = layer.with_seeds(seeds);
            let found = solve(layer, &below, Edges::Kept, &AtomicBool::new(false)).unwrap();
            write(dir, &found, WriteOptions::default()).unwrap();
            below.insert(seeds, found);
        }
        below
    }

    fn moves(tables: *const OwareMancala, position: &CStr) -> Vec<OwareMancalaMove> {
        let mut found = [NO_MOVE; OWARE_MANCALA_MOVES];
        let mut count = usize::MAX;
        // SAFETY: the tables are open, and there is room for so many moves.
        let status = unsafe {
            oware_mancala_moves(tables, position.as_ptr(), found.as_mut_ptr(), &mut count)
        };
        assert_eq!(status, OwareStatus::Ok);
        found[..count].to_vec()
    }

    fn score(tables: *const OwareMancala, position: &CStr) -> OwareMancalaScore {
        let mut found = OwareMancalaScore::default();
        // SAFETY: the tables are open.
        let status = unsafe { oware_mancala_probe(tables, position.as_ptr(), &mut found) };
        assert_eq!(status, OwareStatus::Ok, "{position:?}");
        found
    }

    fn text_of(written: &[c_char]) -> &CStr {
        // SAFETY: it ends with 0.
        unsafe { CStr::from_ptr(written.as_ptr()) }
    }

    const NO_MOVE: OwareMancalaMove = OwareMancalaMove {
        name: [0; OWARE_MANCALA_NAME],
        captured: 0,
        opponent_captured: 0,
        again: false,
        certified: false,
        score: OwareMancalaScore { low: 0, high: 0, plies: 0 },
        next: [0; OWARE_MANCALA_TEXT],
    };

    /// What is probed is what the solver has found, and moves lead to where they say.
    fn check(layer: GeneralLayer, dir: &Path) {
        let solved = solved_to(layer, dir);
        let id = CString::new(layer.sheet().id).unwrap();
        let place = CString::new(dir.to_str().unwrap()).unwrap();
        // SAFETY: both end with 0.
        let tables = unsafe { oware_mancala_open(place.as_ptr(), id.as_ptr()) };
        for rank in (0..layer.positions()).step_by(7) {
            let at = layer.placement(rank);
            let known = score(tables, &CString::new(at.to_string()).unwrap());
            assert_eq!((known.low, known.high), solved[&layer.seeds()].bounds(&at));
            let is_alone = layer.sheet().layers == Layers::Alone;
            assert_eq!(known.plies >= 0, is_alone && known.low != 0);
            let found = moves(tables, &CString::new(at.to_string()).unwrap());
            let outcomes = layer.sheet().outcomes(&at);
            assert_eq!(found.len(), outcomes.len());
            for (place, each) in found.iter().enumerate() {
                assert!(place > 0 || each.score.low == known.low);
                let name = text_of(&each.name).to_str().unwrap();
                let outcome = outcomes.iter().find(|of| of.label.to_string() == name).unwrap();
                let said = (each.captured, each.opponent_captured, each.again);
                assert_eq!(said, (outcome.mover, outcome.opponent, outcome.again));
                assert_eq!(text_of(&each.next).to_str().unwrap(), outcome.next.to_string());
                let next = score(tables, text_of(&each.next));
                assert_eq!(
                    (each.score.low, each.score.high),
                    outcome.bounds((next.low, next.high))
                );
            }
        }
        // SAFETY: it is no longer used.
        unsafe { oware_mancala_close(tables) };
    }

    #[test]
    fn what_is_probed_is_what_is_solved() {
        let dir = std::env::temp_dir().join(format!("oware-c-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        for sheet in MANCALAS {
            let seeds = if sheet.least > 4 { 8 } else { 4 };
            check(GeneralLayer::new(sheet, seeds), &dir);
            if sheet.has_owners {
                let unequal = sheet.initial().with_owners(0b0101_1111_1111);
                check(GeneralLayer::around(sheet, &unequal).with_seeds(seeds), &dir);
            }
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn every_text_has_room() {
        let longest = Placement::new(&[99; 32]).to_string();
        assert!(longest.len() < OWARE_MANCALA_TEXT, "{longest}");
        for sheet in MANCALAS {
            for outcome in sheet.outcomes(&sheet.initial()) {
                assert!(outcome.label.to_string().len() < OWARE_MANCALA_NAME);
            }
        }
    }
}
