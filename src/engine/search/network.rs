//! The evaluation learnt from the tables: a small network of integers.
//!
//! ```text
//! 12 houses × 24 counts  ->  32 hidden units, each cut off at 0 and ONE, and squared  ->  1 output
//! ```
//!
//! A board has twelve inputs that are one: how many seeds each house holds, the mover's houses
//! first. So the first layer is a sum of twelve rows of 32 numbers, shorter than what a move changes
//! in it, and it is computed again for each board. The output is one of eight, by seeds on the
//! board; it is what the mover gets more than the opponent from here on, as the tables say it. The
//! compiler makes vectors of the loops; integers are the same on every machine.
//!
//! Learnt from 663,440 positions of games with tables to 22 seeds; the mean absolute error is 1.8 seeds
//! on positions held out, in the games that the others are of, too; 64 hidden units have 1.68. Against
//! the evaluation by houses, at 5,000 positions a move with tables to 12 seeds: +77 Elo (+37 to +119,
//! 220 games); at 3,000 without tables +196 (+117 to +274, 100 games). It costs 2 % of the
//! positions a second. Of 1,572 positions of 20 to 22 seeds from games, without tables, results thrown
//! away and seeds lost a move:
//!
//! | evaluation | 20,000 positions a move | 75,000 |
//! |---|---|---|
//! | by houses | 44, 0.58 | 29, 0.47 |
//! | network | 38, 0.45 | 27, 0.36 |
//! | network, decided games played on for seeds | 38, 0.32 | 29, 0.28 |
//!
//! Invariant: no sum overflows. [`Network::read`] proves it of the weights, once.
//!
//! `examples/evaluation_data.rs` and `python/training/train_evaluation.py` make the file again:
//!
//! ```text
//! "OwareNet"                          what it is
//! version, counts, hidden, bands      4 × u16
//! rows                                12 × counts × hidden × i16
//! bias                                hidden × i16
//! outputs                             bands × hidden × i16
//! rest                                bands × i32
//! checksum                            u64, FNV-1a of all bytes before
//! ```
//!
//! All numbers are little-endian.

use std::sync::{Arc, LazyLock};

use crate::error::{Error, Result};
use crate::game::{Board, HOUSES};

/// Numbers of seeds that are distinguished in a house; the last also stands for more.
const COUNTS: usize = 24;
const INPUTS: usize = 2 * HOUSES * COUNTS;
const HIDDEN: usize = 32;
/// Bands of six seeds on the board: 0 to 6, 7 to 12, ..., 43 to 48.
const BANDS: usize = 8;
/// What a hidden unit is at most; its square still fits 16 bits.
const ONE: i16 = 181;
/// The output is hundredths of a seed times a power of two.
const SHIFT: u32 = 16;
/// The greatest weight of an output: 32 of them, times the squares, fit 31 bits.
const MOST_OUTPUT: i16 = 2047;

const MAGIC: &[u8; 8] = b"OwareNet";
/// The version, and the sizes.
const FORM: [i16; 4] = [1, COUNTS as i16, HIDDEN as i16, BANDS as i16];

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    rows: Box<[[i16; HIDDEN]]>,
    bias: [i16; HIDDEN],
    outputs: [[i16; HIDDEN]; BANDS],
    rest: [i32; BANDS],
}

static BUILT_IN: LazyLock<std::result::Result<Arc<Network>, &'static str>> =
    LazyLock::new(|| read(include_bytes!("evaluation.bin")).map(Arc::new));

impl Network {
    /// Returns the weights that are part of the program.
    ///
    /// # Errors
    /// As [`Network::read`].
    pub fn built_in() -> Result<Arc<Network>> {
        BUILT_IN.clone().map_err(|why| Error::Evaluation { why })
    }

    /// Reads the weights of a file.
    ///
    /// # Errors
    /// [`Error::Evaluation`] if the bytes are not weights, are cut short or changed, are of another
    /// version, or are such that sums would overflow.
    pub fn read(bytes: &[u8]) -> Result<Network> {
        read(bytes).map_err(|why| Error::Evaluation { why })
    }

    /// Estimates what the mover will get more than the opponent, in hundredths of a seed: no more
    /// than there is on the board.
    pub fn estimate(&self, board: &Board) -> i32 {
        let mut sums = self.bias;
        for (house, count) in board.houses().into_iter().enumerate() {
            let row = &self.rows[house * COUNTS + usize::from(count).min(COUNTS - 1)];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let seeds = board.seeds().get();
        let band = seeds.saturating_sub(1) / 6;
        let squares = sums.map(|sum| sum.clamp(0, ONE)).map(|held| held * held);
        let products = squares.iter().zip(&self.outputs[band]);
        let total: i32 = products.map(|(&held, &weight)| i32::from(held) * i32::from(weight)).sum();
        let most = 100 * seeds as i32;
        (total.saturating_add(self.rest[band]) >> SHIFT).clamp(-most, most)
    }

    /// Returns whether a board might have a sum that does not fit.
    fn may_overflow(&self) -> bool {
        let most = |unit: usize| -> i32 {
            let greatest = |rows: &[[i16; HIDDEN]]| {
                rows.iter().map(|row| i32::from(row[unit]).abs()).max().unwrap_or(0)
            };
            i32::from(self.bias[unit]).abs() + self.rows.chunks(COUNTS).map(greatest).sum::<i32>()
        };
        let outputs = self.outputs.as_flattened();
        (0..HIDDEN).any(|unit| most(unit) > i32::from(i16::MAX))
            || outputs.iter().any(|weight| weight.unsigned_abs() > MOST_OUTPUT as u16)
    }
}

/// Reads the weights of a file, or says why they cannot be used.
fn read(bytes: &[u8]) -> std::result::Result<Network, &'static str> {
    let (body, sum) = bytes.split_last_chunk().ok_or("they are cut short")?;
    let mut words = Words(body.strip_prefix(MAGIC).ok_or("they are none")?);
    if words.array() != Some(FORM) {
        return Err("they are of another version");
    }
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err("they are cut short or changed");
    }
    let network = words.network().ok_or("they are too few or too many")?;
    if network.may_overflow() { Err("they are too great") } else { Ok(network) }
}

/// What is left to read.
struct Words<'b>(&'b [u8]);

impl Words<'_> {
    /// Reads what follows the head; `None` if it is too short or too long.
    fn network(&mut self) -> Option<Network> {
        let rows = (0..INPUTS).map(|_| self.array()).collect::<Option<_>>()?;
        let bias = self.array()?;
        let mut outputs = [[0; HIDDEN]; BANDS];
        for output in &mut outputs {
            *output = self.array()?;
        }
        let mut rest = [0; BANDS];
        for sum in &mut rest {
            *sum = i32::from_le_bytes(self.bytes()?);
        }
        self.0.is_empty().then_some(Network { rows, bias, outputs, rest })
    }

    fn array<const N: usize>(&mut self) -> Option<[i16; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = i16::from_le_bytes(self.bytes()?);
        }
        Some(words)
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

/// FNV-1a of 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seeds;
    use crate::random::Dice;

    const BYTES: &[u8] = include_bytes!("evaluation.bin");

    /// Returns the bytes with a checksum that fits them.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len() - 8;
        let sum = checksum(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn flaw(bytes: &[u8]) -> &'static str {
        read(bytes).expect_err("no weights")
    }

    #[test]
    fn the_built_in_weights_are_whole_and_small() {
        assert!(Network::built_in().is_ok() && BYTES.len() <= 300_000);
        assert_eq!(sealed(BYTES.to_vec()), BYTES);
    }

    #[test]
    fn weights_missing_cut_short_or_changed_are_refused() {
        assert_eq!(flaw(&[]), "they are cut short");
        assert_eq!(flaw(&[7; 64]), "they are none");
        for length in 0..BYTES.len() {
            assert!(read(&BYTES[..length]).is_err(), "{length}");
        }
        for at in (0..BYTES.len()).step_by(97) {
            let mut changed = BYTES.to_vec();
            changed[at] ^= 4;
            assert!(read(&changed).is_err(), "{at}");
        }
        let mut longer = BYTES.to_vec();
        longer.extend([0; 2]);
        assert_eq!(flaw(&sealed(longer)), "they are too few or too many");
    }

    #[test]
    fn weights_of_another_version_are_refused() {
        for at in [8, 10, 12, 14] {
            let mut other = BYTES.to_vec();
            other[at] += 1;
            assert_eq!(flaw(&sealed(other)), "they are of another version");
        }
    }

    #[test]
    fn weights_whose_sums_would_overflow_are_refused() {
        let outputs = 16 + 2 * HIDDEN * (INPUTS + 1);
        for (at, weight) in [(16, i16::MAX), (16, i16::MIN), (outputs, MOST_OUTPUT + 1)] {
            let mut great = BYTES.to_vec();
            great[at..at + 2].copy_from_slice(&weight.to_le_bytes());
            assert_eq!(flaw(&sealed(great)), "they are too great");
        }
    }

    /// What the network says, as one would write it down.
    fn plainly(network: &Network, board: &Board) -> i64 {
        let seeds = board.seeds().get();
        let band = (0..BANDS).find(|band| seeds <= 6 * (band + 1)).expect("a band");
        let mut total = i64::from(network.rest[band]);
        for unit in 0..HIDDEN {
            let mut sum = i64::from(network.bias[unit]);
            for (house, count) in board.houses().into_iter().enumerate() {
                sum += i64::from(network.rows[24 * house + usize::from(count.min(23))][unit]);
            }
            let held = sum.clamp(0, 181);
            total += held * held * i64::from(network.outputs[band][unit]);
        }
        total.div_euclid(65_536).clamp(-100 * seeds as i64, 100 * seeds as i64)
    }

    fn drawn(dice: &mut Dice) -> Board {
        let mut houses = [0; 12];
        let used = 1 + dice.below(12);
        for _ in 0..dice.below(49) {
            houses[dice.below(used) as usize] += 1;
        }
        houses.rotate_left(dice.below(12) as usize);
        Board::new(houses).expect("at most 48 seeds")
    }

    #[test]
    fn vectors_find_what_plain_sums_find() {
        let network = Network::built_in().expect("weights");
        let mut dice = Dice::new(45);
        for _ in 0..20_000 {
            let board = drawn(&mut dice);
            assert_eq!(i64::from(network.estimate(&board)), plainly(&network, &board), "{board}");
        }
    }

    /// No game comes to all seeds in one house.
    #[test]
    fn an_estimate_stays_within_what_is_on_the_board() {
        let network = Network::built_in().expect("weights");
        let mut great = (*network).clone();
        great.rest = [i32::MAX, i32::MIN, i32::MAX, i32::MIN, 0, i32::MAX, i32::MIN, i32::MAX];
        for seeds in Seeds::MAX.up_to() {
            for house in 0..12 {
                let mut houses = [0; 12];
                houses[house] = seeds.get() as u8;
                let board = Board::new(houses).expect("at most 48 seeds");
                for network in [&*network, &great] {
                    let estimate = network.estimate(&board);
                    assert!(estimate.unsigned_abs() as usize <= 100 * seeds.get(), "{board}");
                }
            }
        }
    }
}
