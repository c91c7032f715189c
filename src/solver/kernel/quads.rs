//! A line in four registers of 16 bytes: NEON and WebAssembly.

use super::compiled::compiled;
use super::operands::{LineTile, Picks};
use super::vector::Vector;
use crate::layer::line::Line;
use crate::layer::packing::{Codes, Half, Quarter, UNSCORED};
use crate::simd::{Register, Sixteen};

/// 64 bytes.
#[derive(Clone, Copy)]
pub struct Quads<R>([R; 4]);

/// Which byte of a word a bit is in, and which bit of that byte it is, as a mask.
#[derive(Clone, Copy)]
pub struct Bits<R> {
    byte: [R; 4],
    bit: [R; 4],
}

impl<R: Register> Quads<R> {
    #[inline(always)]
    fn read(bytes: &[u8; 64]) -> Quads<R> {
        let (quarters, _) = bytes.as_chunks();
        Quads([
            R::read(&quarters[0]),
            R::read(&quarters[1]),
            R::read(&quarters[2]),
            R::read(&quarters[3]),
        ])
    }

    #[inline(always)]
    fn each(self, other: Quads<R>, work: impl Fn(R, R) -> R) -> Quads<R> {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Quads([work(a, e), work(b, f), work(c, g), work(d, h)])
    }
}

impl<R: Register> Vector for Quads<R> {
    type Lanes = Quads<R>;
    type Picks = Quads<R>;
    type Bits = Bits<R>;

    #[inline(always)]
    fn lanes(bits: u64) -> Quads<R> {
        Quads(R::masks(bits))
    }

    #[inline(always)]
    fn picks(picks: &Picks) -> Quads<R> {
        Quads::read(&picks.0)
    }

    #[inline(always)]
    fn bits(picks: &Picks) -> Bits<R> {
        let numbers = Quads::<R>::read(&picks.0).0;
        Bits { byte: numbers.map(R::right::<3>), bit: numbers.map(R::bit_of) }
    }

    #[inline(always)]
    fn load(line: &Line) -> Quads<R> {
        Quads::read(&line.0.map(i8::cast_unsigned))
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        let mut bytes = [[0; 16]; 4];
        for (register, bytes) in self.0.into_iter().zip(&mut bytes) {
            register.write(bytes);
        }
        *line = zerocopy::transmute!(bytes);
    }

    #[inline(always)]
    fn splat(byte: i8) -> Quads<R> {
        Quads([R::splat(byte.cast_unsigned()); 4])
    }

    #[inline(always)]
    fn min(self, other: Quads<R>) -> Quads<R> {
        self.each(other, R::min)
    }

    #[inline(always)]
    fn max(self, other: Quads<R>) -> Quads<R> {
        self.each(other, R::max)
    }

    #[inline(always)]
    fn minus(self, other: Quads<R>) -> Quads<R> {
        self.each(other, R::minus)
    }

    #[inline(always)]
    fn pick(line: &Line, picks: Quads<R>) -> Quads<R> {
        Quads::load(line).picked(picks)
    }

    #[inline(always)]
    fn picked(self, picks: Quads<R>) -> Quads<R> {
        Quads(picks.0.map(|at| R::pick_of(self.0, at)))
    }

    #[inline(always)]
    fn members(set: u64, Bits { byte, bit }: Bits<R>) -> u64 {
        let set = R::twice(set);
        let bytes = Quads(byte.map(|byte| set.pick(byte)));
        R::bits(bytes.each(Quads(bit), |byte, bit| byte.and(bit).equal(bit)).0)
    }

    #[inline(always)]
    fn replace(self, lanes: Quads<R>, other: Quads<R>) -> Quads<R> {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        let [i, j, k, l] = lanes.0;
        Quads([a.replace(i, e), b.replace(j, f), c.replace(k, g), d.replace(l, h)])
    }

    #[inline(always)]
    fn differing(self, other: Quads<R>) -> u64 {
        !R::bits(self.each(other, R::equal).0)
    }

    #[inline(always)]
    fn load_half(line: &Half, codes: Codes) -> Quads<R> {
        let (halves, _) = line.0.as_chunks();
        let [a, b] = apart::<R, 4>(R::read(&halves[0]), 0x0f);
        let [c, d] = apart::<R, 4>(R::read(&halves[1]), 0x0f);
        scores([a, b, c, d], codes)
    }

    #[inline(always)]
    fn load_quarter(line: &Quarter, codes: Codes) -> Quads<R> {
        let [low, high] = apart::<R, 4>(R::read(&line.0), 0x0f);
        let ([a, b], [c, d]) = (apart::<R, 2>(low, 0x03), apart::<R, 2>(high, 0x03));
        scores([a, b, c, d], codes)
    }

    #[inline(always)]
    fn store_half(self, line: &mut Half, codes: Codes) {
        let [a, b, c, d] = codes_of(self, codes);
        let (halves, _) = line.0.as_chunks_mut();
        together::<R, 4>(a, b).write(&mut halves[0]);
        together::<R, 4>(c, d).write(&mut halves[1]);
    }

    #[inline(always)]
    fn store_quarter(self, line: &mut Quarter, codes: Codes) {
        let [a, b, c, d] = codes_of(self, codes);
        together::<R, 4>(together::<R, 2>(a, b), together::<R, 2>(c, d)).write(&mut line.0);
    }

    #[inline(always)]
    fn transpose(tile: &mut LineTile) {
        for row in 0..4 {
            for column in 0..=row {
                let (one, other) = (square::<R>(tile, row, column), square::<R>(tile, column, row));
                put(tile, row, column, other);
                put(tile, column, row, one);
            }
        }
    }
}

/// The lower bits of each byte and the others by turns.
#[inline(always)]
fn apart<R: Register, const BITS: u32>(bytes: R, lower: u8) -> [R; 2] {
    let (low, high) = (bytes.and(R::splat(lower)), bytes.right::<BITS>());
    [low.zip_low(high), low.zip_high(high)]
}

/// Neighbours in a byte, the first one lowest.
#[inline(always)]
fn together<R: Register, const BITS: u32>(one: R, other: R) -> R {
    one.evens(other).or(one.odds(other).left::<BITS>())
}

/// The scores that codes stand for.
#[inline(always)]
fn scores<R: Register>(each: [R; 4], codes: Codes) -> Quads<R> {
    let scores = R::read(&codes.scores().map(i8::cast_unsigned));
    Quads(each.map(|code| scores.pick(code)))
}

/// The codes of scores.
#[inline(always)]
fn codes_of<R: Register>(scores: Quads<R>, codes: Codes) -> [R; 4] {
    let by_score = Quads::<R>::read(codes.by_score()).0;
    let numbers = scores.min(Quads::splat(UNSCORED)).0;
    numbers.map(|score| R::pick_of(by_score, score.and(R::splat(63))))
}

/// A square of 16 rows of 16 bytes, its rows made columns.
#[inline(always)]
fn square<R: Register>(tile: &LineTile, row: usize, column: usize) -> [R; 16] {
    let mut rows = [R::splat(0); 16];
    for (bytes, line) in rows.iter_mut().zip(&tile.0[16 * row..16 * row + 16]) {
        let part: &[i8; 16] = &line.0.as_chunks().0[column];
        *bytes = R::read(&part.map(i8::cast_unsigned));
    }
    for _ in 0..4 {
        let mut shuffled = rows;
        for at in 0..8 {
            let (one, other) = (rows[at], rows[at + 8]);
            (shuffled[2 * at], shuffled[2 * at + 1]) = (one.zip_low(other), one.zip_high(other));
        }
        rows = shuffled;
    }
    rows
}

/// Puts a square in its place.
#[inline(always)]
fn put<R: Register>(tile: &mut LineTile, row: usize, column: usize, rows: [R; 16]) {
    for (register, line) in rows.into_iter().zip(&mut tile.0[16 * row..16 * row + 16]) {
        let mut bytes = [0; 16];
        register.write(&mut bytes);
        line.0.as_chunks_mut().0[column] = bytes.map(u8::cast_signed);
    }
}

compiled!(Quads<Sixteen>);
