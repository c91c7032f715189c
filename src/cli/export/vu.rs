//! The score database of Awari that the Vrije Universiteit Amsterdam published (Romein and Bal,
//! DOI 10.48338/vu01-11wjke): how its files number positions.
//!
//! A file `scores.N` has one signed byte for each position with N seeds that can arise: the score
//! of the player to move. Positions stand in the order of their houses read backwards, `f` first:
//!
//! ```text
//!    most significant                                                   least
//!    f  e  d  c  b  a   the opponent's row    F  E  D  C  B  A   the mover's row
//! ```
//!
//! and those whose opponent's row has no empty house are left out. The number of a position is how
//! many come before it. That is also how the reader in the repository keesverstoep/Awari numbers
//! them ("Goedel number"), from which these facts are.
//!
//! Positions with the same opponent's row follow each other, in a *run*.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use zerocopy::IntoBytes;

use crate::error::Result;
use crate::game::{AWARI, Board, HOUSES, Rules, Seeds, Side};
use crate::layer::ways;

use super::file::{Finished, Growing};
use super::shape::{RowSource, Rows, Shape};

/// The sheet of the database.
pub const SHEET: &Rules = &AWARI;

/// Writes the scores of a layer, into a file as long as it will be.
pub fn write(dir: &Path, shape: &Shape, source: RowSource) -> Result<Vec<Finished>> {
    let mut file = Growing::new(dir, &file_name(shape.seeds))?;
    file.with(|out| out.get_ref().as_file().set_len(shape.positions))?;
    each_run(
        source,
        |rows, at| rows.low[at],
        |run| {
            file.with(|out| {
                out.seek(SeekFrom::Start(run.first))?;
                out.write_all(run.scores.as_bytes())
            })
        },
    )?;
    Ok(vec![file.finish()?])
}

/// Returns the name of the file of a layer.
pub fn file_name(seeds: Seeds) -> String {
    format!("scores.{seeds}")
}

/// Returns the number of a position in its file; `None` for one that cannot arise.
fn index(board: &Board) -> Option<u64> {
    let houses = board.houses();
    let (mut left, mut full, mut before) = (board.seeds().get(), true, 0);
    for house in (0..2 * HOUSES).rev() {
        let opponents = house >= HOUSES;
        for count in 0..usize::from(houses[house]) {
            before += completions(house, left - count, full && !(opponents && count == 0));
        }
        left -= usize::from(houses[house]);
        full &= !opponents || houses[house] > 0;
    }
    (!full).then_some(before)
}

/// Returns how many positions complete those of the houses from `house` on: with `left` seeds in
/// the houses below, if all of the opponent's from `house` on are `full` with one that is empty.
fn completions(house: usize, left: usize, full: bool) -> u64 {
    let opponents = house.saturating_sub(HOUSES);
    let all_full = if full { left.checked_sub(opponents) } else { None };
    ways(house, left) - all_full.map_or(0, |left| ways(house, left))
}

/// The scores of a run, or what else there is of each position, in the order of the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Run<T> {
    /// The number of the first.
    pub first: u64,
    /// The opponent's row.
    opponent: Side,
    /// The seeds in the mover's row.
    own: usize,
    pub scores: Vec<T>,
}

/// Hands the runs of a layer to `done`, with what is `known` of each of its rows. In rank order positions
/// with the same opponent's row follow each other, too, but in another order.
///
/// # Errors
/// Those of the source and of `done`.
pub fn each_run<T: Clone + Default>(
    source: RowSource,
    known: impl Fn(&Rows, usize) -> T,
    mut done: impl FnMut(&Run<T>) -> Result<()>,
) -> Result<()> {
    let mut last: Option<Run<T>> = None;
    source(&mut |rows| {
        for (at, board) in rows.boards().enumerate() {
            if last.as_ref().is_none_or(|run| run.opponent != board.opponent) {
                last.replace(Run::empty(&board)).map_or(Ok(()), |run| done(&run))?;
            }
            let run = last.as_mut().expect("the run of the position");
            let place = index(&board).expect("a layer has positions that can arise") - run.first;
            run.scores[place as usize] = known(rows, at);
        }
        Ok(())
    })?;
    last.map_or(Ok(()), |run| done(&run))
}

impl<T: Clone + Default> Run<T> {
    /// Returns the run of a position, without scores. It begins with all of the mover's seeds in
    /// house A.
    fn empty(board: &Board) -> Run<T> {
        let own = board.mover.seeds();
        let mut mover = Side::EMPTY;
        mover.0[0] = own as u8;
        let first = index(&Board { mover, ..*board }).expect("the opponent's row can arise");
        let scores = vec![T::default(); ways(HOUSES, own) as usize];
        Run { first, opponent: board.opponent, own, scores }
    }

    /// Returns the position of a score of the run, the first one being number 0.
    pub fn position(&self, mut number: u64) -> Board {
        let (mut mover, mut left) = (Side::EMPTY, self.own);
        for house in (1..HOUSES).rev() {
            // With a seed more in this house, there are fewer ways for those below.
            while number >= ways(house, left) {
                number -= ways(house, left);
                left -= 1;
                mover.0[house] += 1;
            }
        }
        mover.0[0] = left as u8;
        Board { mover, opponent: self.opponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::{Layer, Rank};

    /// The positions of a layer in the order of the file, by sorting.
    fn sorted(seeds: Seeds) -> Vec<Board> {
        let mut boards: Vec<Board> = Layer::of(SHEET, seeds).boards(Rank(0)).collect();
        boards.sort_by_key(|board| {
            let mut houses = board.houses();
            houses.reverse();
            houses
        });
        boards
    }

    #[test]
    fn numbers_follow_the_order_of_houses_read_backwards() {
        for seeds in Seeds::new(9).unwrap().up_to() {
            let numbers = sorted(seeds).into_iter().map(|board| index(&board));
            assert!(numbers.eq((0..Layer::of(SHEET, seeds).positions()).map(Some)), "{seeds}");
        }
    }

    /// The largest layer ends where its number of positions says.
    #[test]
    fn the_last_position_of_every_layer_has_the_last_number() {
        for seeds in Seeds::MAX.up_to() {
            let mut houses = [0; 12];
            houses[11] = seeds.get() as u8;
            let last = index(&Board::new(houses).unwrap());
            assert_eq!(last, Some(Layer::of(SHEET, seeds).positions() - 1));
        }
        assert_eq!(index(&Board::INITIAL), None);
    }
}
