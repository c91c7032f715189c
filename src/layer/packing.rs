//! How the scores of a line are kept: a byte each, or fewer bits where there are few to tell apart.
//!
//! A layer of a large game has few scores ([`ScoreRange`]). Up to 15 of them, and what stands where
//! there is none, fit half a byte; up to 5 fit a third, up to 3 a quarter. Only memory is packed: a
//! line is unpacked when it is loaded and packed when it is stored, and all arithmetic is on bytes.
//! So solving, claiming, encoding and looking up work on the same 64 signed bytes, however they are
//! kept.
//!
//! Invariant: of positions a line holds scores of its range or [`NONE`]. Any other byte comes back
//! as another one.
//!
//! Scores become *codes* in ascending order, then [`NONE`]. Half a byte, or a quarter, is some bits of
//! it: a byte holds neighbours, the first one lowest. A third is a digit of base 6: the first third of
//! a line is the last digit of its bytes.

use std::borrow::Cow;

use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

use crate::game::ScoreRange;
use crate::layer::line::{LINE, Line};

/// No capture, no child: more than any negated score, so that every child is better.
pub const NONE: i8 = i8::MAX;

/// What stands for [`NONE`] while a line is packed: the byte that no score has, modulo 64.
pub const UNSCORED: i8 = 32;

/// Codes that half a byte has.
const HALF: usize = 16;

/// Codes that a third of a byte has.
const THIRD: usize = 6;

/// Codes that a quarter of a byte has.
const QUARTER: usize = 4;

/// Bytes of a line of which each holds three scores; the last ones hold two.
pub const THIRDS: usize = 22;

/// Bytes that there are.
const BYTES: usize = 256;

/// How the scores of a line are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they are.
    Byte,
    /// Two in a byte.
    Half(Codes),
    /// Three in a byte.
    Third(Codes),
    /// Four in a byte.
    Quarter(Codes),
}

/// Which scores are told apart, and what they are in a packed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes(&'static Tables);

/// A score for each code and a code for each score.
#[derive(Debug, PartialEq, Eq)]
#[repr(C, align(64))]
struct Tables {
    /// By score, modulo 64.
    codes: [u8; LINE],
    /// By code.
    scores: [i8; HALF],
    /// By byte of a packed line: the scores of its two codes, or of its four.
    halves: [[i8; 2]; BYTES],
    quarters: [[i8; 4]; BYTES],
    /// By a byte's two lower digits, as a number below 36: what the last of them is, what the first is.
    /// Then by its highest digit: the score.
    digits: [i8; 2 * LINE],
}

/// 64 scores, two in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(32))]
pub struct Half(pub [u8; LINE / 2]);

/// 64 scores, three in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Third(pub [u8; THIRDS]);

/// 64 scores, four in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(16))]
pub struct Quarter(pub [u8; LINE / 4]);

/// By W: tables where all scores between are there, and where every other one is. Zero always is:
/// a solver begins with it.
static SINGLE: [Tables; HALF] = tables(1);
static DOUBLE: [Tables; HALF] = tables(2);

const fn tables(step: i8) -> [Tables; HALF] {
    let mut all = [const { EMPTY }; HALF];
    let mut end = 0;
    while end < HALF {
        all[end] = table(end as i8, step);
        end += 1;
    }
    all
}

const EMPTY: Tables = Tables {
    codes: [0; LINE],
    scores: [NONE; HALF],
    halves: [[NONE; 2]; BYTES],
    quarters: [[NONE; 4]; BYTES],
    digits: [NONE; 2 * LINE],
};

/// The scores from −`end` on that are so far apart, up to `end`, and zero.
const fn table(end: i8, step: i8) -> Tables {
    let mut table = EMPTY;
    let (mut code, mut score) = (0, -end);
    while score <= end {
        if score == 0 || (score + end) % step == 0 {
            if code < HALF {
                table.scores[code] = score;
            }
            table.codes[score as u8 as usize % LINE] = code as u8;
            code += 1;
        }
        score += 1;
    }
    table.codes[UNSCORED as usize] = code as u8;
    let (mut byte, scores) = (0, table.scores);
    while byte < BYTES {
        table.halves[byte] = [scores[byte % 16], scores[byte / 16]];
        let [a, b, c, d] = [byte % 4, byte / 4 % 4, byte / 16 % 4, byte / 64];
        table.quarters[byte] = [scores[a], scores[b], scores[c], scores[d]];
        byte += 1;
    }
    let mut low = 0;
    while low < THIRD * THIRD {
        table.digits[low] = scores[low % THIRD];
        table.digits[THIRD * THIRD + low] = scores[low / THIRD];
        low += 1;
    }
    let mut high = 0;
    while high < THIRD {
        table.digits[2 * THIRD * THIRD + high] = scores[high];
        high += 1;
    }
    table
}

impl Packing {
    /// How scores of a range are kept: in the fewest bits that tell them apart.
    pub const fn of(range: ScoreRange) -> Packing {
        let end = range.end() as usize;
        if range.is_full() || end >= HALF {
            return Packing::Byte;
        }
        let tables: &'static Tables = if range.is_even() { &DOUBLE[end] } else { &SINGLE[end] };
        // With the code of none.
        let count = tables.codes[UNSCORED as usize] as usize + 1;
        if count <= QUARTER {
            Packing::Quarter(Codes(tables))
        } else if count <= THIRD {
            Packing::Third(Codes(tables))
        } else if count <= HALF {
            Packing::Half(Codes(tables))
        } else {
            Packing::Byte
        }
    }

    /// Bytes of a line.
    pub const fn bytes(self) -> usize {
        match self {
            Packing::Byte => LINE,
            Packing::Half(_) => LINE / 2,
            Packing::Third(_) => THIRDS,
            Packing::Quarter(_) => LINE / 4,
        }
    }

    /// The bytes that lines take.
    pub fn packed(self, lines: &[Line]) -> Cow<'_, [u8]> {
        fn pack<L: Stored + FromZeros + IntoBytes + Immutable>(
            lines: &[Line],
            codes: Codes,
        ) -> Vec<u8> {
            let mut packed = vec![L::new_zeroed(); lines.len()];
            packed.iter_mut().zip(lines).for_each(|(packed, line)| packed.pack(line, codes));
            packed.as_bytes().to_vec()
        }
        match self {
            Packing::Byte => lines.as_bytes().into(),
            Packing::Half(codes) => pack::<Half>(lines, codes).into(),
            Packing::Third(codes) => pack::<Third>(lines, codes).into(),
            Packing::Quarter(codes) => pack::<Quarter>(lines, codes).into(),
        }
    }

    /// The lines that some bytes keep: the inverse of [`Packing::packed`].
    pub fn unpacked(self, bytes: &[u8]) -> Vec<Line> {
        let line = |bytes| match self {
            Packing::Byte => unpacked::<Line>(bytes, NO_CODES),
            Packing::Half(codes) => unpacked::<Half>(bytes, codes),
            Packing::Third(codes) => unpacked::<Third>(bytes, codes),
            Packing::Quarter(codes) => unpacked::<Quarter>(bytes, codes),
        };
        bytes.chunks_exact(self.bytes()).map(line).collect()
    }

    /// What each byte of memory holds whose scores are all the same.
    pub fn filled(self, score: i8) -> u8 {
        match self {
            Packing::Byte => score.cast_unsigned(),
            Packing::Half(codes) => codes.code(score) * 0x11,
            Packing::Third(codes) => codes.code(score) * WEIGHTS.iter().sum::<u8>(),
            Packing::Quarter(codes) => codes.code(score) * 0x55,
        }
    }
}

impl Codes {
    /// The code of a score, or of [`NONE`].
    #[inline(always)]
    pub fn code(self, score: i8) -> u8 {
        self.0.codes[usize::from(score.min(UNSCORED).cast_unsigned()) % LINE]
    }

    /// By score, modulo 64, what its code is; [`UNSCORED`] is [`NONE`].
    #[inline(always)]
    pub fn by_score(self) -> &'static [u8; LINE] {
        &self.0.codes
    }

    /// By a byte's two lower digits, a number below 36, the score of the last one, from 36 on that of the
    /// one before, and from 72 on the scores of digits.
    #[inline(always)]
    pub fn digits(self) -> &'static [i8; 2 * LINE] {
        &self.0.digits
    }

    /// By code, what the score is.
    #[inline(always)]
    pub fn scores(self) -> &'static [i8; HALF] {
        &self.0.scores
    }
}

/// A line as it is kept.
pub trait Stored: Copy {
    /// The scores.
    fn unpacked(&self, codes: Codes) -> Line;
    /// Keeps scores.
    fn pack(&mut self, scores: &Line, codes: Codes);
    /// One of the scores.
    fn score(&self, lane: usize, codes: Codes) -> i8;
    /// Replaces one of them.
    fn set(&mut self, lane: usize, score: i8, codes: Codes);
}

/// Codes of lines that are kept as they are; they are not used.
pub const NO_CODES: Codes = Codes(&SINGLE[0]);

impl Stored for Line {
    #[inline(always)]
    fn unpacked(&self, _: Codes) -> Line {
        *self
    }

    #[inline(always)]
    fn pack(&mut self, scores: &Line, _: Codes) {
        *self = *scores;
    }

    #[inline(always)]
    fn score(&self, lane: usize, _: Codes) -> i8 {
        self.0[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, score: i8, _: Codes) {
        self.0[lane] = score;
    }
}

/// A line from this many bytes.
fn unpacked<L: Stored + FromBytes>(bytes: &[u8], codes: Codes) -> Line {
    L::read_from_bytes(bytes).expect("the bytes of a line").unpacked(codes)
}

/// Implements [`Stored`] for lines of some bits a score.
macro_rules! packed {
    ($line:ty, $bits:literal, $by_byte:ident) => {
        impl Stored for $line {
            #[inline]
            fn unpacked(&self, codes: Codes) -> Line {
                let mut line = Line::of(0);
                let all = line.0.as_chunks_mut().0;
                for (scores, &byte) in all.iter_mut().zip(&self.0) {
                    *scores = codes.0.$by_byte[usize::from(byte)];
                }
                line
            }

            fn pack(&mut self, scores: &Line, codes: Codes) {
                let all = scores.0.as_chunks::<{ 8 / $bits }>().0;
                for (byte, scores) in self.0.iter_mut().zip(all) {
                    let packed = |byte, &score: &i8| byte << $bits | codes.code(score);
                    *byte = scores.iter().rev().fold(0, packed);
                }
            }

            #[inline(always)]
            fn score(&self, lane: usize, codes: Codes) -> i8 {
                let byte = self.0[lane * $bits / 8] >> (lane * $bits % 8);
                codes.0.scores[usize::from(byte) % (1 << $bits)]
            }

            #[inline(always)]
            fn set(&mut self, lane: usize, score: i8, codes: Codes) {
                let shift = lane * $bits % 8;
                let byte = &mut self.0[lane * $bits / 8];
                *byte = *byte & !(((1 << $bits) - 1) << shift) | codes.code(score) << shift;
            }
        }
    };
}

packed!(Half, 4, halves);
packed!(Quarter, 2, quarters);

/// What the digits of a byte count, the last one first.
const WEIGHTS: [u8; 3] = [1, THIRD as u8, (THIRD * THIRD) as u8];

impl Stored for Third {
    #[inline]
    fn unpacked(&self, codes: Codes) -> Line {
        let (mut line, base) = (Line::of(0), THIRD * THIRD);
        let (first, rest) = line.0.split_at_mut(THIRDS);
        let (second, third) = rest.split_at_mut(THIRDS);
        for (at, &byte) in self.0.iter().enumerate() {
            let (low, high) = (usize::from(byte) % base, usize::from(byte) / base);
            first[at] = codes.0.digits[low];
            second[at] = codes.0.digits[base + low];
            if let Some(score) = third.get_mut(at) {
                *score = codes.0.scores[high];
            }
        }
        line
    }

    fn pack(&mut self, scores: &Line, codes: Codes) {
        self.0 = [0; THIRDS];
        for (scores, weight) in scores.0.chunks(THIRDS).zip(WEIGHTS) {
            for (byte, &score) in self.0.iter_mut().zip(scores) {
                *byte += weight * codes.code(score);
            }
        }
    }

    #[inline(always)]
    fn score(&self, lane: usize, codes: Codes) -> i8 {
        let byte = self.0[lane % THIRDS] / WEIGHTS[lane / THIRDS];
        codes.0.scores[usize::from(byte) % THIRD]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, score: i8, codes: Codes) {
        let weight = WEIGHTS[lane / THIRDS];
        let byte = &mut self.0[lane % THIRDS];
        let before = *byte / weight % THIRD as u8;
        *byte = *byte - before * weight + codes.code(score) * weight;
    }
}
