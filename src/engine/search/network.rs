//! The evaluation learnt from the tables: a small network of integers.
//!
//! ```text
//! 12 houses × 24 counts × 4 ends  ->  128 hidden units, each cut off at 0 and ONE, and squared
//!                                 ->  1 output
//! ```
//!
//! A board has twelve inputs that are one: how many seeds each house holds, the mover's houses
//! first, together with how many the house holds where they would end, 3 standing for more. So the
//! network sees what a move hits. The first layer is a sum of twelve rows; it is computed again for
//! each board that is estimated. A move changes 4.9 of the twelve inputs (mean of 11,859 moves in
//! positions of 17 to 29 seeds; 6.2 in 671 of 30 and more). To keep the sum up to date, for either
//! player as the mover, is 20 rows to take off or to add, at every position and not only where there
//! is an estimate. The output is one of eight, by seeds on the board; it is what the mover gets more
//! than the opponent from here on, as the tables say it. The compiler makes vectors of the
//! loops, once for each set of instructions (`Instructions`); integers are the same on every machine.
//!
//! Learnt from 3,424,908 positions of 32,000 games with tables to 24 seeds, 12,000 played with the
//! weights before, 20,000 with the first of this form; the mean absolute error is 1.4 seeds on
//! positions held out, 1.9 from 25 seeds on. It takes a quarter of the positions a second. Weights
//! of the first 2.1 million, with tables to 12 seeds, scored 58.5 % of 100 games (48.7 to 67.7 %) at
//! 50 ms a move against 32 units that see no ends, 51 % (41 to 61 %) at 20,000 positions a move;
//! these weights scored 55.6 % of 400 games there (50.7 to 60.4 %).
//!
//! More rounds gained nothing, against these weights: two million positions more, whose worth says
//! more of how games ended, 45.8 % of 400 games (40.9 to 50.6 %); going on from these with 3.9 million
//! positions of games with tables to 29 seeds, 47.5 % of 1,000 games (44.4 to 50.6 %, 5,000 positions a
//! move, tables to 12), though of 30,000 positions of 17 to 29 seeds 2,503 moves lost instead of 2,628,
//! and the first 2.7 million brought the error on positions held out down by 2 to 5 % from 13 seeds on.
//! Twice the units, learnt from these 2.7 million, had no smaller error above 24 seeds. The guide's
//! page on performance has figures of the whole engine.
//!
//! Invariant: no sum overflows. [`Network::read`] proves it of the weights, once.
//!
//! `examples/evaluation_data.rs` and `examples/train_evaluation.rs` make such a file; these weights are
//! of the scripts at commit `3993643`. As they are now, they make weights from nothing that are as
//! good, of 2.7 million positions (seeds 101 and 102: 17 minutes on two cores, and 80 s to learn from them): 2,657 of
//! their moves lose in the 30,000 positions, 2,628 of those of the weights in use. The file:
//!
//! ```text
//! "OwareNet"                          what it is
//! version, counts, hidden, bands      4 × u16
//! rows                                12 × counts × 4 × hidden × i16
//! bias                                hidden × i16
//! outputs                             bands × hidden × i16
//! rest                                bands × i32
//! checksum                            u64, FNV-1a of all bytes before
//! ```
//!
//! All numbers are little-endian.

use std::sync::{Arc, LazyLock};

use zerocopy::little_endian::{I16, I32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::error::{Error, Result};
use crate::game::sowing::reach;
use crate::game::{Board, HOUSES, Origin, Seeds};
use crate::simd::Instructions;
use crate::simd::lanes::{Lanes, Loop};

/// Numbers of seeds that are distinguished in a house; the last also stands for more.
const COUNTS: usize = 24;
/// Numbers of seeds that are distinguished in the house where a sowing ends; the last also stands
/// for more.
const ENDS: usize = 4;
const RING: usize = 2 * HOUSES;
/// Inputs of the network.
pub const INPUTS: usize = RING * COUNTS * ENDS;
/// Hidden units.
pub const HIDDEN: usize = 128;
/// Bands of six seeds on the board: 0 to 6, 7 to 12, ..., 43 to 48.
pub const BANDS: usize = 8;
/// What a hidden unit is at most; its square still fits 16 bits.
pub const ONE: i16 = 181;
/// The output is hundredths of a seed times a power of two.
pub const SHIFT: u32 = 14;
/// The greatest weight of an output: 128 of them, times the squares, fit 31 bits.
pub const MOST_OUTPUT: i16 = 511;

const MAGIC: &[u8; 8] = b"OwareNet";
/// The version, and the sizes.
const FORM: [i16; 4] = [2, COUNTS as i16, HIDDEN as i16, BANDS as i16];

/// A network whose sums do not overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    weights: Weights,
    /// Those of this machine: to ask for them again takes longer than a loop.
    instructions: Instructions,
}

/// The numbers of a network, as its file has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What each input adds to the hidden units.
    pub rows: Box<[[i16; HIDDEN]]>,
    /// What the hidden units begin with.
    pub bias: [i16; HIDDEN],
    /// What the square of each hidden unit counts, by band.
    pub outputs: [[i16; HIDDEN]; BANDS],
    /// What is added to the output, by band.
    pub rest: [i32; BANDS],
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
        self.estimate_with(self.instructions, board)
    }

    /// The same with some instructions.
    fn estimate_with(&self, instructions: Instructions, board: &Board) -> i32 {
        let Weights { rows, bias, outputs, rest } = &self.weights;
        let (rows, band) = (inputs(board).map(|input| &rows[input]), band(board));
        let total = instructions.run(Output { rows, bias, output: &outputs[band] });
        let most = 100 * board.seeds().get() as i32;
        (total.saturating_add(rest[band]) >> SHIFT).clamp(-most, most)
    }

    /// Returns the weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Weights {
    /// Returns the file that [`Network::read`] reads.
    pub fn file(&self) -> Vec<u8> {
        let words = FORM.iter().chain(self.rows.as_flattened()).chain(&self.bias);
        let words = words.chain(self.outputs.as_flattened()).flat_map(|word| word.to_le_bytes());
        let rest = self.rest.iter().flat_map(|sum| sum.to_le_bytes());
        let mut bytes: Vec<u8> = MAGIC.iter().copied().chain(words).chain(rest).collect();
        let sum = checksum(&bytes).to_le_bytes();
        bytes.extend(sum);
        bytes
    }

    /// Returns whether a board might have a sum that does not fit.
    fn may_overflow(&self) -> bool {
        let most = |unit: usize| -> i32 {
            let greatest = |rows: &[[i16; HIDDEN]]| {
                rows.iter().map(|row| i32::from(row[unit]).abs()).max().unwrap_or(0)
            };
            i32::from(self.bias[unit]).abs()
                + self.rows.chunks(COUNTS * ENDS).map(greatest).sum::<i32>()
        };
        let outputs = self.outputs.as_flattened();
        (0..HIDDEN).any(|unit| most(unit) > i32::from(i16::MAX))
            || outputs.iter().any(|weight| weight.unsigned_abs() > MOST_OUTPUT as u16)
    }
}

/// What the hidden units make of the rows of a board, as a loop that is compiled for each set of
/// instructions.
struct Output<'a> {
    rows: [&'a [i16; HIDDEN]; RING],
    bias: &'a [i16; HIDDEN],
    output: &'a [i16; HIDDEN],
}

impl Loop for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i32 {
        let mut sums = *self.bias;
        for row in self.rows {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let squares = sums.map(|sum| sum.clamp(0, ONE)).map(|held| held * held);
        let products = squares.iter().zip(self.output);
        products.map(|(&held, &weight)| i32::from(held) * i32::from(weight)).sum()
    }
}

/// Returns the band of a board.
pub fn band(board: &Board) -> usize {
    board.seeds().get().saturating_sub(1) / 6
}

/// Returns the inputs that are one: for each house, how many seeds it holds and how many the house
/// where they would end.
pub fn inputs(board: &Board) -> [usize; RING] {
    let houses = board.houses();
    std::array::from_fn(|house| {
        let count = houses[house];
        let end = houses[usize::from(END[house][usize::from(count)])].min(ENDS as u8 - 1);
        let count = usize::from(count).min(COUNTS - 1);
        (house * COUNTS + count) * ENDS + usize::from(end)
    })
}

/// Where a sowing from a house ends, by its number of seeds; an empty house is its own end.
static END: [[u8; Seeds::MAX.get() + 1]; RING] = ends();

const fn ends() -> [[u8; Seeds::MAX.get() + 1]; RING] {
    let mut found = [[0; Seeds::MAX.get() + 1]; RING];
    let mut house = 0;
    while house < RING {
        let mut seeds = 0;
        while seeds < found[house].len() {
            found[house][seeds] = ((house + reach(Origin::Skipped, seeds)) % RING) as u8;
            seeds += 1;
        }
        house += 1;
    }
    found
}

/// Reads the weights of a file, or says why they cannot be used.
fn read(bytes: &[u8]) -> std::result::Result<Network, &'static str> {
    let (body, sum) = bytes.split_last_chunk().ok_or("they are cut short")?;
    let words = body.strip_prefix(MAGIC).ok_or("they are none")?;
    let form = FORM.map(i16::to_le_bytes);
    let words = words.strip_prefix(form.as_flattened()).ok_or("they are of another version")?;
    if words.len() < size_of::<RawWeights>() || checksum(body) != u64::from_le_bytes(*sum) {
        return Err("they are cut short or changed");
    }
    let raw = RawWeights::ref_from_bytes(words).map_err(|_| "they are too few or too many")?;
    let weights = raw.weights();
    if weights.may_overflow() {
        return Err("they are too great");
    }
    Ok(Network { weights, instructions: Instructions::best() })
}

/// What a file has between its head and the checksum.
#[derive(FromBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct RawWeights {
    rows: [[I16; HIDDEN]; INPUTS],
    bias: [I16; HIDDEN],
    outputs: [[I16; HIDDEN]; BANDS],
    rest: [I32; BANDS],
}

impl RawWeights {
    fn weights(&self) -> Weights {
        Weights {
            rows: self.rows.iter().map(|row| row.map(I16::get)).collect(),
            bias: self.bias.map(I16::get),
            outputs: self.outputs.map(|row| row.map(I16::get)),
            rest: self.rest.map(I32::get),
        }
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
        assert_eq!(Network::built_in().expect("weights").weights().file(), BYTES);
    }

    #[test]
    fn weights_that_are_not_whole_of_this_version_and_small_are_refused() {
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
        assert_eq!(flaw(&sealed([BYTES, &[0; 2]].concat())), "they are too few or too many");
        let outputs = 16 + 2 * HIDDEN * (INPUTS + 1);
        for (at, word, why) in [
            (8, FORM[0] + 1, "they are of another version"),
            (10, FORM[1] + 1, "they are of another version"),
            (12, FORM[2] + 1, "they are of another version"),
            (14, FORM[3] + 1, "they are of another version"),
            (16, i16::MAX, "they are too great"),
            (16, i16::MIN, "they are too great"),
            (outputs, MOST_OUTPUT + 1, "they are too great"),
        ] {
            let mut other = BYTES.to_vec();
            other[at..at + 2].copy_from_slice(&word.to_le_bytes());
            assert_eq!(flaw(&sealed(other)), why);
        }
    }

    /// Where the last of some seeds falls; an empty house is its own end.
    fn sown_to(house: usize, count: u8) -> usize {
        let others = (1..12).map(|step| (house + step) % 12).cycle();
        others.take(count.into()).last().unwrap_or(house)
    }

    /// What the network says, as one would write it down.
    fn plainly(network: &Weights, board: &Board) -> i64 {
        let (seeds, houses) = (board.seeds().get(), board.houses());
        let band = (0..BANDS).find(|band| seeds <= 6 * (band + 1)).expect("a band");
        let mut total = i64::from(network.rest[band]);
        for unit in 0..HIDDEN {
            let mut sum = i64::from(network.bias[unit]);
            for (house, count) in houses.into_iter().enumerate() {
                let end = houses[sown_to(house, count)].min(3);
                let input = 4 * (24 * house + usize::from(count.min(23))) + usize::from(end);
                sum += i64::from(network.rows[input][unit]);
            }
            let held = sum.clamp(0, 181);
            total += held * held * i64::from(network.outputs[band][unit]);
        }
        total.div_euclid(16_384).clamp(-100 * seeds as i64, 100 * seeds as i64)
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
            let expected = plainly(network.weights(), &board);
            for instructions in Instructions::available() {
                let found = network.estimate_with(instructions, &board);
                assert_eq!(i64::from(found), expected, "{board} {instructions:?}");
            }
            assert_eq!(i64::from(network.estimate(&board)), expected, "{board}");
        }
    }

    /// No game comes to all seeds in one house.
    #[test]
    fn an_estimate_stays_within_what_is_on_the_board() {
        let network = Network::built_in().expect("weights");
        let mut great = (*network).clone();
        great.weights.rest =
            [i32::MAX, i32::MIN, i32::MAX, i32::MIN, 0, i32::MAX, i32::MIN, i32::MAX];
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
