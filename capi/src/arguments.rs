//! Arguments from C, checked as far as they can be.

use std::ffi::{CStr, c_char};

use oware_db::game::mancala::{MANCALAS, Sheet};
use oware_db::game::{Rules, Stores};
use oware_db::{Board, House, Seeds};

use crate::failure::{Failure, usage};

type Given<T> = Result<T, Failure>;

fn null(name: &str) -> Failure {
    usage(format!("{name} is null"))
}

/// Reads an object.
///
/// # Safety
/// `pointer` is null, or points to a `T` that lives as long as the reference is used, and that
/// no thread writes to meanwhile.
pub unsafe fn given<'a, T>(pointer: *const T, name: &str) -> Given<&'a T> {
    // SAFETY: the caller's.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Reads an object to write to.
///
/// # Safety
/// `pointer` is null, or points to a `T` that lives as long as the reference is used, and that
/// no other thread uses meanwhile.
pub unsafe fn given_mut<'a, T>(pointer: *mut T, name: &str) -> Given<&'a mut T> {
    // SAFETY: the caller's.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// Reads `count` items; null will do for none.
///
/// # Safety
/// As [`given`], for as many.
pub unsafe fn items<'a, T>(pointer: *const T, count: usize, name: &str) -> Given<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    fits::<T>(count, name)?;
    // SAFETY: the caller's; it is not null and no longer than a slice may be.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Reads `count` items to write to; null will do for none.
///
/// # Safety
/// As [`given_mut`], for as many.
pub unsafe fn items_mut<'a, T>(pointer: *mut T, count: usize, name: &str) -> Given<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    fits::<T>(count, name)?;
    // SAFETY: the caller's; it is not null and no longer than a slice may be.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// No object is larger than half the address space.
fn fits<T>(count: usize, name: &str) -> Given<()> {
    let bytes = count.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    bytes.map(drop).ok_or_else(|| usage(format!("{name} cannot have {count} items")))
}

/// Where something is that is read or written.
#[derive(Clone, Copy)]
pub struct Place {
    name: &'static str,
    start: usize,
    bytes: usize,
}

/// Returns where `count` items are, whether or not they can be there.
pub fn place<T>(pointer: *const T, count: usize, name: &'static str) -> Place {
    Place { name, start: pointer.addr(), bytes: count.saturating_mul(size_of::<T>()) }
}

/// Makes sure that nothing is written where something else is written or read.
pub fn apart(written: &[Place], read: &[Place]) -> Given<()> {
    let overlaps = |one: &Place, other: &Place| {
        let (end, other_end) =
            (one.start.saturating_add(one.bytes), other.start.saturating_add(other.bytes));
        one.bytes > 0 && other.bytes > 0 && one.start < other_end && other.start < end
    };
    for (at, one) in written.iter().enumerate() {
        let others = written[at + 1..].iter().chain(read);
        if let Some(other) = others.into_iter().find(|other| overlaps(one, other)) {
            return Err(usage(format!("{} and {} overlap", one.name, other.name)));
        }
    }
    Ok(())
}

/// Reads a text.
///
/// # Safety
/// `pointer` is null, or points to bytes that end with 0 and stay as they are.
pub unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Given<&'a str> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|_| usage(format!("{name} is not UTF-8")))
}

/// Finds a sheet of Oware.
pub fn rules(id: &str) -> Given<&'static Rules> {
    let unknown = || match Sheet::by_id(id) {
        Some(_) => usage(format!("`{id}` is not a sheet of Oware; use oware_mancala_open")),
        None => usage(format!("unknown rules `{id}`; known sheets: {}", Rules::ids())),
    };
    Rules::by_id(id).ok_or_else(unknown)
}

/// Finds a sheet of another game.
pub fn sheet(id: &str) -> Given<&'static Sheet> {
    let unknown = || match Rules::by_id(id) {
        Some(_) => usage(format!("`{id}` is a sheet of Oware; use oware_open")),
        None => {
            let known = MANCALAS.map(|sheet| sheet.id).join(", ");
            usage(format!("unknown rules `{id}`; known sheets: {known}"))
        }
    };
    Sheet::by_id(id).ok_or_else(unknown)
}

/// Reads a board.
///
/// # Safety
/// As [`given`], for twelve houses.
pub unsafe fn board(pointer: *const u8) -> Given<Board> {
    // SAFETY: the caller's.
    of_houses(unsafe { items(pointer, 12, "board") }?)
}

/// Makes a board of twelve houses.
pub fn of_houses(houses: &[u8]) -> Given<Board> {
    let total: usize = houses.iter().map(|&count| usize::from(count)).sum();
    let board = houses.try_into().ok().and_then(Board::new);
    board.ok_or_else(|| usage(format!("{total} seeds on the board; the game has {}", Seeds::MAX)))
}

/// Reads one of many boards.
pub fn numbered_board(number: usize, houses: &[u8; 12]) -> Given<Board> {
    of_houses(houses).map_err(|failure| failure.of_board(number))
}

/// Reads houses.
pub fn houses(numbers: &[u8]) -> Given<Vec<House>> {
    let house = |(at, &number): (usize, &u8)| {
        let known = House::new(number.into());
        known.ok_or_else(|| usage(format!("houses[{at}] is {number}; houses are 0 to 5")))
    };
    numbers.iter().enumerate().map(house).collect()
}

/// Reads what has been captured.
pub fn stores(board: &Board, mover: u8, opponent: u8) -> Given<Stores> {
    let total = board.seeds().get() + usize::from(mover) + usize::from(opponent);
    if total > Seeds::MAX.get() {
        let places = "on the board and in the stores";
        return Err(usage(format!("{total} seeds {places}; the game has {}", Seeds::MAX)));
    }
    Ok(Stores { mover, opponent })
}
