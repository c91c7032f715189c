//! Half-boards in groups: those that are adjacent in a tile.
//!
//! A move that stays at home changes the mover's row alone. If a tile holds the row before and the
//! row after it, what is stored of one position bounds another ([`super::walk`]). So half-boards
//! with the same number of seeds are gathered in groups of [`GROUP`] that such moves rarely leave:
//!
//! 1. A group begins with the last half-board, in lexicographic order, that has no group yet.
//! 2. It grows by the half-board without a group that is tied to it most, less some of what ties
//!    it to others: 9 times the weight of its ties to the group less that of all its ties.
//!    Among equals it is the last one; if none is tied to the group, the last one without a group.
//! 3. Full, its half-boards are sorted. Only the very last group may be smaller.
//!
//! Two half-boards are tied if a home move leads from one to the other; the weight of a tie says
//! how often such a move is best ([`WEIGHTS`]).
//!
//! A home move leads to a half-board of lower rank, that is, to an earlier one in the group: it is
//! decoded before. Groups do not depend on the sheet: no home move goes round the board.

use std::array;
use std::sync::OnceLock;

use arrayvec::ArrayVec;

use crate::game::{HOUSES, Seeds, Side};
use crate::layer::{Domain, row_at, row_rank, rows};

/// Half-boards in a group: rows and columns of a tile.
pub use crate::simd::lanes::GROUP;

/// Home moves of a half-board at most: the last house has none.
pub const HOME: usize = HOUSES - 1;

/// Stands for no place in the group.
const NONE: u8 = GROUP as u8;

/// By house and seeds, from one seed on: the weight of a home move. They were found by changing
/// them at random and keeping what was better: with these, groups hold 72.4 % of the home moves
/// that attain a score in layer 15 of `awari`, and 72.2 % in layer 17; with equal weights it is 66 %.
const WEIGHTS: [&[i32]; HOME] =
    [&[23, 36, 11, 8, 14], &[17, 14, 8, 14], &[15, 10, 8], &[15, 15], &[18]];

/// All half-boards with the same number of seeds, by *place*: group after group.
#[derive(Debug)]
pub struct Groups {
    /// Full ones but for the last.
    pub groups: Vec<Group>,
    /// By rank: the place.
    places: Vec<u32>,
    /// By number among those with an empty house: the place.
    open_places: Vec<u32>,
}

/// Some half-boards that are side by side in a tile.
#[derive(Debug)]
pub struct Group {
    /// The half-boards.
    pub sides: ArrayVec<Side, GROUP>,
    /// Their numbers, among all.
    pub ranks: ArrayVec<u32, GROUP>,
    /// Their numbers among those with an empty house, or `u32::MAX`.
    open_rows: ArrayVec<u32, GROUP>,
    /// Those with an empty house, the first one in the lowest bit.
    open: u32,
    /// For each the most similar one before it, [`GROUP`] for none.
    pub references: [u8; GROUP],
    /// By house: for each where its home move leads; [`GROUP`] where that leaves the group, or is
    /// none.
    pub homes: [[u8; GROUP]; HOME],
    /// All home moves that stay in the group: from where to where, place after place.
    pub home_moves: Box<[(u8, u8)]>,
}

impl Group {
    /// Makes the group that has this number of half-boards with these ranks, given all by rank, and
    /// their places.
    fn new(number: usize, ranks: &[u32], by_rank: &[Side], places: &[u32]) -> Group {
        let sides: ArrayVec<_, GROUP> = ranks.iter().map(|&rank| by_rank[rank as usize]).collect();
        let open_row =
            |side: &Side| Domain::EmptyHouse.row_rank(*side).map_or(u32::MAX, |row| row as u32);
        let open = sides.iter().map(|side| u32::from(side.has_empty_house())).enumerate();
        let references = references(&sides);
        let home =
            |house, at| sides.get(at).map_or(NONE, |&side| home(side, house, number, places));
        let homes = array::from_fn(|house| array::from_fn(|at| home(house, at)));
        Group {
            ranks: ranks.iter().copied().collect(),
            open_rows: sides.iter().map(open_row).collect(),
            open: open.fold(0, |bits, (at, open)| bits | open << at),
            home_moves: home_moves(&homes),
            sides,
            references,
            homes,
        }
    }

    /// Returns the half-boards that one home move leads to from a half-board of the group, as far
    /// as they are in the group: places before its own.
    pub fn homes(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.homes.iter().map(move |homes| homes[at].into()).filter(|&home| home < GROUP)
    }

    /// Returns which half-boards are in a domain, the first one in the lowest bit.
    pub fn held(&self, domain: Domain) -> u32 {
        match domain {
            Domain::All => u32::MAX >> (GROUP - self.sides.len()),
            Domain::EmptyHouse => self.open,
        }
    }

    /// Returns the numbers among those of a domain; `u32::MAX` for those that it has not.
    pub fn rows(&self, domain: Domain) -> &[u32] {
        match domain {
            Domain::All => &self.ranks,
            Domain::EmptyHouse => &self.open_rows,
        }
    }
}

impl Groups {
    /// Returns the groups of the half-boards with this many seeds. They are made when they are
    /// asked for first.
    pub fn of(seeds: usize) -> &'static Groups {
        static GROUPS: [OnceLock<Groups>; Seeds::MAX.get() + 1] =
            [const { OnceLock::new() }; Seeds::MAX.get() + 1];
        GROUPS[seeds].get_or_init(|| Groups::new(seeds))
    }

    fn new(seeds: usize) -> Groups {
        let by_rank: Vec<Side> = (0..rows(seeds)).map(|rank| row_at(seeds, rank)).collect();
        let ranks = gather(&by_rank);
        let mut places = vec![0; ranks.len()];
        (0..).zip(&ranks).for_each(|(place, &rank)| places[rank as usize] = place);
        let group = |(number, ranks)| Group::new(number, ranks, &by_rank, &places);
        let groups: Vec<Group> = ranks.chunks(GROUP).enumerate().map(group).collect();
        let mut open_places = vec![0; Domain::EmptyHouse.rows(seeds)];
        let open_rows = (0..).zip(groups.iter().flat_map(|group| &group.open_rows));
        for (place, &row) in open_rows.filter(|(_, row)| **row != u32::MAX) {
            open_places[row as usize] = place;
        }
        Groups { groups, places, open_places }
    }

    /// Returns how many half-boards with this many seeds there are.
    pub const fn count(seeds: usize) -> usize {
        rows(seeds)
    }

    /// Returns the place of a half-board, given its number among all.
    #[inline]
    pub fn place_of_rank(&self, rank: usize) -> usize {
        self.places[rank] as usize
    }

    /// Returns the place of a half-board, given its number among those of a domain.
    #[inline]
    pub fn place_of_row(&self, domain: Domain, row: usize) -> usize {
        match domain {
            Domain::All => self.place_of_rank(row),
            Domain::EmptyHouse => self.open_places[row] as usize,
        }
    }
}

/// Returns the half-board after a home move.
fn after_home_move(side: Side, house: usize) -> Option<Side> {
    let seeds = usize::from(side.0[house]);
    if seeds == 0 || house + seeds >= HOUSES {
        return None;
    }
    let mut after = side;
    after.0[house] = 0;
    after.0[house + 1..=house + seeds].iter_mut().for_each(|count| *count += 1);
    Some(after)
}

/// Returns the half-board before a home move of this many seeds.
fn before_home_move(side: Side, house: usize, seeds: usize) -> Option<Side> {
    if side.0[house] > 0 {
        return None;
    }
    let mut before = side;
    before.0[house] = seeds as u8;
    for count in &mut before.0[house + 1..=house + seeds] {
        *count = count.checked_sub(1)?;
    }
    Some(before)
}

/// By place in a group: the most similar half-board before it. Two are the less similar the more
/// seeds have to go how far to make one of the other; among equals it is the nearest one.
fn references(group: &[Side]) -> [u8; GROUP] {
    let distance = |one: &Side, other: &Side| {
        let differences =
            one.0.iter().zip(&other.0).map(|(&one, &other)| i32::from(one) - i32::from(other));
        let sums = differences.scan(0, |sum, difference| {
            *sum += difference;
            Some(sum.abs())
        });
        sums.sum::<i32>()
    };
    let reference = |at: usize| {
        let side = group.get(at)?;
        (0..at).rev().min_by_key(|&before| distance(&group[before], side))
    };
    array::from_fn(|at| reference(at).map_or(NONE, |before| before as u8))
}

/// Where a home move of a half-board leads, as a place in its group, which has this number.
fn home(side: Side, house: usize, number: usize, places: &[u32]) -> u8 {
    let home = after_home_move(side, house).map(|after| places[row_rank(after)] as usize);
    home.filter(|home| home / GROUP == number).map_or(NONE, |home| (home % GROUP) as u8)
}

/// The home moves of a group, as pairs.
fn home_moves(homes: &[[u8; GROUP]; HOME]) -> Box<[(u8, u8)]> {
    let from_place = |from| homes.iter().map(move |homes| (from as u8, homes[from]));
    (0..GROUP).flat_map(from_place).filter(|&(_, to)| to != NONE).collect()
}

/// The half-boards that are tied to one, and how much their ties weigh: those that its home moves
/// lead to, and those whose home moves lead to it.
fn ties(side: Side) -> impl Iterator<Item = (Side, i32)> {
    let of_house = move |house: usize| {
        let after = after_home_move(side, house).map(|after| (after, usize::from(side.0[house])));
        let before = (1..HOUSES - house)
            .filter_map(move |seeds| Some((before_home_move(side, house, seeds)?, seeds)));
        let tied = after.into_iter().chain(before);
        tied.map(move |(other, seeds)| (other, WEIGHTS[house][seeds - 1]))
    };
    (0..HOME).flat_map(of_house)
}

/// Gathers half-boards in groups, given all by rank; returns their ranks, group after group.
fn gather(by_rank: &[Side]) -> Vec<u32> {
    let count = by_rank.len();
    let all: Vec<i32> =
        by_rank.iter().map(|&side| ties(side).map(|(_, weight)| weight).sum()).collect();
    let (mut gathered, mut gains) = (vec![false; count], vec![0i32; count]);
    let (mut order, mut last, mut near) = (Vec::with_capacity(count), count, Vec::new());
    while order.len() < count {
        let first = order.len();
        near.clear();
        while order.len() < count.min(first + GROUP) {
            let worth = |rank: u32| 9 * gains[rank as usize] - all[rank as usize];
            let best = (0..near.len()).max_by_key(|&at| (worth(near[at]), near[at]));
            let next = match best {
                Some(at) => near.swap_remove(at),
                None => {
                    last = (0..last).rev().find(|&rank| !gathered[rank]).expect("one is left");
                    last as u32
                }
            };
            gathered[next as usize] = true;
            order.push(next);
            for (other, weight) in ties(by_rank[next as usize]) {
                let other = row_rank(other);
                if gathered[other] {
                    continue;
                }
                if gains[other] == 0 {
                    near.push(other as u32);
                }
                gains[other] += weight;
            }
        }
        near.iter().for_each(|&rank| gains[rank as usize] = 0);
        order[first..].sort_unstable();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_board_is_in_one_group() {
        for seeds in 0..=14 {
            let groups = Groups::of(seeds);
            let mut ranks: Vec<u32> =
                groups.groups.iter().flat_map(|group| group.ranks.clone()).collect();
            ranks.sort_unstable();
            assert!(ranks.into_iter().eq(0..rows(seeds) as u32));
            for place in 0..rows(seeds) {
                let (group, at) = (&groups.groups[place / GROUP], place % GROUP);
                let rank = group.ranks[at] as usize;
                assert_eq!(group.sides[at], row_at(seeds, rank));
                assert_eq!(groups.place_of_rank(rank), place);
                for domain in [Domain::All, Domain::EmptyHouse] {
                    let row = domain.row_rank(group.sides[at]);
                    let found = group.rows(domain)[at];
                    assert_eq!(group.held(domain) >> at & 1 == 1, row.is_some());
                    assert_eq!(found, row.map_or(u32::MAX, |row| row as u32));
                    assert!(row.is_none_or(|row| groups.place_of_row(domain, row) == place));
                }
            }
        }
    }

    #[test]
    fn home_moves_lead_to_earlier_places() {
        for seeds in 0..=12 {
            for group in &Groups::of(seeds).groups {
                assert!(group.sides.is_sorted());
                for at in 0..group.sides.len() {
                    for home in group.homes(at) {
                        assert!(home < at);
                        let after = |house| after_home_move(group.sides[at], house);
                        assert!((0..HOME).any(|house| after(house) == Some(group.sides[home])));
                    }
                    let reference = usize::from(group.references[at]);
                    assert!(if at == 0 { reference == GROUP } else { reference < at });
                }
            }
        }
    }
}
