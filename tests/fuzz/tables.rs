//! What has to hold for any bytes that are given as a table.

use std::cell::RefCell;

use oware_db::error::{Error, Kind, Result};
use oware_db::game::{Interval, Seeds};
use oware_db::layer::{Cell, Exceptions, Plane, Rank, Solved};
use oware_db::table::{Planes, Scratch, Table};

/// Positions of the largest layer that is loaded; larger ones are only probed.
const LOADED: u64 = 1 << 21;

/// How far some bytes got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// They do not open as a table.
    Refused,
    /// They open, but something in them is wrong.
    Flawed,
    /// Every byte is as it should be.
    Sound,
}

/// Asks a table everything.
///
/// # Panics
/// If it says something that no layer could say, or something else the next time.
pub fn examine(file: Vec<u8>) -> Outcome {
    let length = file.len() as u64;
    let table = match Table::from_bytes(file) {
        Ok(table) => table,
        Err(error) => return refused(&error),
    };
    let header = table.header();
    assert_eq!(table.bytes(), length);
    assert!(
        table.layer().positions() / (4 * u64::from(header.frame_cells)) <= length / 16,
        "more frames than have room"
    );
    let small = table.layer().positions() <= LOADED;
    let verified = corrupt_or(table.check());
    let scores = small.then(|| corrupt_or(table.load_stored())).flatten();
    let exceptions = small.then(|| corrupt_or(table.exceptions())).flatten();
    if small {
        assert!(
            verified.is_none() || (scores.is_some() && exceptions.is_some()),
            "a verified table does not load"
        );
    }
    if let Some(exceptions) = exceptions {
        plausible_exceptions(&table, exceptions);
    }
    if let Some(scores) = &scores {
        plausible_layer(&table, scores);
    }
    let stats = table.stats();
    assert_eq!((stats.positions, stats.bytes), (table.layer().positions(), length));
    assert!(
        stats.wins + stats.draws + stats.losses <= stats.positions
            && stats.low_sum <= stats.high_sum
    );
    probed(&table, scores.as_ref(), verified.is_some());
    if verified.is_some() { Outcome::Sound } else { Outcome::Flawed }
}

/// That bytes which are not what was written are noticed, and never taken for other scores:
/// a table that opens gives those of the honest file, or none.
///
/// The header is bound to the rest by the checksum of the whole file alone, so scores are compared
/// only under the honest header.
pub fn notice(damaged: Vec<u8>, honest: &Table) -> Outcome {
    if let Ok(table) = Table::from_bytes(damaged.clone())
        && table.header() == honest.header()
    {
        if let Ok(found) = table.exceptions() {
            assert_eq!(found, honest.exceptions().expect("an honest file"), "wrong exceptions");
        }
        for rank in ranks(&table) {
            let (at, place) = (rank.0, place(&table, rank));
            let found = stored(&table, place).ok();
            assert!(found.is_none() || found == stored(honest, place).ok(), "wrong score at {at}");
        }
    }
    let outcome = examine(damaged);
    assert_ne!(outcome, Outcome::Sound, "damage that nobody notices");
    outcome
}

fn refused(error: &Error) -> Outcome {
    assert_eq!(error.kind(), Kind::CorruptTable, "{error}");
    assert!(error.to_string().len() < 400, "{error}");
    Outcome::Refused
}

/// The answer, if the table is not corrupt; nothing else may be the matter with bytes in memory.
fn corrupt_or<T>(answer: Result<T>) -> Option<T> {
    answer.map_err(|error| refused(&error)).ok()
}

fn plausible(seeds: Seeds, Interval { low, high }: Interval) -> bool {
    let most = seeds.get() as i8;
    -most <= low.get() && low <= high && high.get() <= most
}

fn plausible_layer(table: &Table, scores: &Solved) {
    let most = table.seeds().get() as i8;
    assert_eq!(scores.layer(), table.layer());
    assert_eq!(scores.high.is_some(), table.header().planes == Planes::LowAndHigh);
    let is_within = |plane: &Plane| plane.scores().all(|score| -most <= score && score <= most);
    assert!(is_within(&scores.low) && scores.high.iter().all(is_within));
    let mut both = scores.high.iter().flat_map(|high| scores.low.scores().zip(high.scores()));
    assert!(both.all(|(low, high)| low <= high));
}

/// Exceptions stand where the header says that there is a strategy, each at a position of the layer.
fn plausible_exceptions(table: &Table, exceptions: Option<&Exceptions>) {
    assert_eq!(exceptions.is_some(), table.header().has_strategy());
    let ranks = || exceptions.into_iter().flat_map(|all| all.iter()).map(|found| found.rank);
    assert!(ranks().is_sorted_by(|one, other| one < other), "exceptions out of order");
    assert!(ranks().all(|rank| rank.0 < table.layer().positions()), "exceptions beyond the layer");
}

/// First and last, both sides of what may be borders of tiles, and some between.
fn ranks(table: &Table) -> impl Iterator<Item = Rank> {
    let positions = table.layer().positions();
    let block = u64::from(table.header().frame_cells);
    let last = positions - 1;
    let chosen = [
        0,
        1,
        block - 1,
        block,
        block + 1,
        last / 2,
        last / block * block,
        last.saturating_sub(1),
        last,
    ];
    let scattered = (1..=16).map(move |nth| last / 16 * nth + nth);
    chosen.into_iter().chain(scattered).filter(move |&rank| rank < positions).map(Rank)
}

/// What a table stores at a place, with what has been decoded before still at hand.
fn stored(table: &Table, place: Cell) -> Result<Interval> {
    thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::default());
    SCRATCH.with_borrow_mut(|scratch| table.stored(place, scratch))
}

/// Probes agree with what loading says, and with themselves when the block is at hand.
fn probed(table: &Table, scores: Option<&Solved>, verified: bool) {
    for rank in ranks(table) {
        let board = table.layer().position(rank).expect("a rank of the layer");
        let interval = corrupt_or(stored(table, place(table, rank)));
        assert!(interval.is_none_or(|interval| plausible(table.seeds(), interval)), "{interval:?}");
        assert!(!verified || interval.is_some(), "a verified table does not answer");
        if let Some(scores) = scores {
            assert_eq!(interval, scores.interval(&board), "rank {}", rank.0);
        }
        assert_eq!(interval, corrupt_or(stored(table, place(table, rank))));
    }
    let inside = place(table, Rank(0));
    let beyond = [
        Cell { own: 49, ..inside },
        Cell { row: usize::MAX, ..inside },
        Cell { column: 1 << 40, ..inside },
    ];
    for beyond in beyond {
        let kind = stored(table, beyond).map(drop).map_err(|error| error.kind());
        assert_eq!(kind, Err(Kind::Usage));
    }
}

fn place(table: &Table, rank: Rank) -> Cell {
    table.layer().cell_at(rank).expect("a rank of the layer")
}
