//! [`Register`], 16 bytes: what a file for a set of instructions with such registers implements.

/// Bytes of a register.
pub const WIDTH: usize = 16;

/// The bits of a byte, twice.
const BIT: [u8; WIDTH] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// 16 bytes. A *mask* has each byte 0 or 255.
pub trait Register: Copy {
    /// From memory.
    fn read(bytes: &[u8; WIDTH]) -> Self;

    /// To memory.
    fn write(self, bytes: &mut [u8; WIDTH]);

    /// The same byte everywhere.
    fn splat(byte: u8) -> Self;

    /// The lesser of each, as signed bytes.
    fn min(self, other: Self) -> Self;

    /// The greater of each, as signed bytes.
    fn max(self, other: Self) -> Self;

    /// The difference of each, wrapping.
    fn minus(self, other: Self) -> Self;

    /// The bits that both have.
    fn and(self, other: Self) -> Self;

    /// The bits that either has.
    fn or(self, other: Self) -> Self;

    /// A mask of the bytes that are equal.
    fn equal(self, other: Self) -> Self;

    /// `other` where a mask is set.
    fn replace(self, mask: Self, other: Self) -> Self;

    /// Each byte shifted towards its lowest bit, by 1 to 7.
    fn right<const BITS: u32>(self) -> Self;

    /// Each byte shifted towards its highest bit, by 1 to 7.
    fn left<const BITS: u32>(self) -> Self;

    /// Bytes of both by turns, of their first halves.
    fn zip_low(self, other: Self) -> Self;

    /// Bytes of both by turns, of their second halves.
    fn zip_high(self, other: Self) -> Self;

    /// Every other byte of both, from the first on.
    fn evens(self, other: Self) -> Self;

    /// Every other byte of both, from the second on.
    fn odds(self, other: Self) -> Self;

    /// Each byte from where `at` says; a zero where it says 16 or more.
    fn pick(self, at: Self) -> Self;

    /// The same among 64 bytes; a zero where `at` says 64 or more.
    #[inline(always)]
    fn pick_of(table: [Self; 4], at: Self) -> Self {
        let [a, b, c, d] = table;
        let lower = a.pick(at).or(b.pick(at.minus(Self::splat(16))));
        let upper = c.pick(at.minus(Self::splat(32))).or(d.pick(at.minus(Self::splat(48))));
        lower.or(upper)
    }

    /// A bit for each of 64 bytes of masks.
    fn bits(masks: [Self; 4]) -> u64;

    /// A bit of a byte for each number, which counts modulo 8.
    #[inline(always)]
    fn bit_of(self) -> Self {
        Self::read(&BIT).pick(self.and(Self::splat(7)))
    }

    /// The same 8 bytes twice.
    #[inline(always)]
    fn twice(word: u64) -> Self {
        let mut bytes = [0; WIDTH];
        bytes.as_chunks_mut::<8>().0.fill(word.to_le_bytes());
        Self::read(&bytes)
    }

    /// Masks of the bits of a word.
    #[inline(always)]
    fn masks(bits: u64) -> [Self; 4] {
        let (bits, bit) = (Self::twice(bits), Self::read(&BIT));
        SPREAD.map(|at| bits.pick(Self::read(&at)).and(bit).equal(bit))
    }
}

/// By sixteen bits of a word the byte that each is in.
const SPREAD: [[u8; WIDTH]; 4] = {
    let mut spread = [[0; WIDTH]; 4];
    let mut at = 0;
    while at < 4 * WIDTH {
        spread[at / WIDTH][at % WIDTH] = (at / 8) as u8;
        at += 1;
    }
    spread
};
