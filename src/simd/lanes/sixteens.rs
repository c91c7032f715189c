//! Lanes in four registers of 16 bytes: NEON and WebAssembly.

use std::borrow::Borrow;
use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::portable::LANES_OF;
use super::vector::{BOTH, Bytes, GROUP, Half, Lanes, Picks};
use crate::simd::Register;

/// See the module.
pub struct Sixteens<R>(PhantomData<R>);

impl<R: Register> Lanes for Sixteens<R> {
    const IS_WIDE: bool = true;

    type Picker<'p> = Picker<R>;

    #[inline(always)]
    fn picker(picks: &Picks) -> Picker<R> {
        Picker::new(picks)
    }

    #[inline(always)]
    fn pick_lines<const ROWS: usize, B: Borrow<Bytes>>(
        picker: &Picker<R>,
        line: impl Fn(u32, usize) -> B,
    ) -> [Half; ROWS] {
        let mut found = [[R::splat(0); 2]; ROWS];
        for panel in &picker.panels {
            for (row, found) in found.iter_mut().enumerate() {
                let line = loaded(line(panel.number, row).borrow());
                found[0] = found[0].or(R::pick_of(line, panel.places[0]));
                found[1] = found[1].or(R::pick_of(line, panel.places[1]));
            }
        }
        found.map(half_stored)
    }

    #[inline(always)]
    fn pick_words(picker: &Picker<R>, word: impl Fn(u32) -> u64) -> u32 {
        let mut found = [R::splat(0); 2];
        for panel in &picker.panels {
            let word = R::twice(word(panel.number));
            found[0] = found[0].or(word.pick(panel.bytes[0]));
            found[1] = found[1].or(word.pick(panel.bytes[1]));
        }
        let [low, high] = picker.bit;
        let masks = [found[0].and(low).equal(low), found[1].and(high).equal(high)];
        R::bits([masks[0], masks[1], R::splat(0), R::splat(0)]) as u32
    }

    #[inline(always)]
    fn pick_half(bytes: &Half, from: &Half) -> Half {
        half_stored(of_half(half_loaded::<R>(bytes), half_loaded(from)))
    }

    #[inline(always)]
    fn pick_halves(bytes: &Bytes, from: &Bytes) -> Bytes {
        let ([a, b, c, d], [e, f, g, h]) = (loaded::<R>(bytes), loaded(from));
        let ([a, b], [c, d]) = (of_half([a, b], [e, f]), of_half([c, d], [g, h]));
        stored([a, b, c, d])
    }

    #[inline(always)]
    fn interleave(first: &Bytes, second: &Bytes) -> [Bytes; 2] {
        let ([a, b, c, d], [e, f, g, h]) = (loaded::<R>(first), loaded(second));
        [
            stored([a.zip_low(e), a.zip_high(e), b.zip_low(f), b.zip_high(f)]),
            stored([c.zip_low(g), c.zip_high(g), d.zip_low(h), d.zip_high(h)]),
        ]
    }

    #[inline(always)]
    fn translate(tables: [&[u8; 256]; 2], bytes: &Bytes) -> [Bytes; 2] {
        let largest = bytes.iter().fold(0, |largest, &byte| byte.max(largest));
        let (used, from) = (usize::from(largest) / BOTH + 1, loaded::<R>(bytes));
        tables.map(|table| {
            let mut found = [R::splat(0); 4];
            for (number, part) in table.as_chunks().0[..used].iter().enumerate() {
                let (part, first) = (loaded::<R>(part), R::splat((BOTH * number) as u8));
                for (found, from) in found.iter_mut().zip(from) {
                    *found = found.or(R::pick_of(part, from.minus(first)));
                }
            }
            stored(found)
        })
    }

    #[inline(always)]
    fn masks(lanes: u64) -> Bytes {
        stored(R::masks(lanes))
    }

    #[inline(always)]
    fn lanes(bytes: &Bytes) -> u64 {
        !R::bits(loaded::<R>(bytes).map(|bytes| bytes.equal(R::splat(0))))
    }

    #[inline(always)]
    fn gather(bytes: &Bytes, wanted: u64, into: &mut Bytes) {
        let mut end = 0;
        for (eight, wanted) in bytes.as_chunks().0.iter().zip(wanted.to_le_bytes()) {
            let (eight, lanes) =
                (u64::from_le_bytes(*eight), u64::from_le_bytes(LANES_OF[usize::from(wanted)]));
            let mut picked = [0; 16];
            R::twice(eight).pick(R::twice(lanes)).write(&mut picked);
            into[end..end + 8].copy_from_slice(&picked[..8]);
            end += wanted.count_ones() as usize;
        }
    }
}

/// What is picked from lines and from words.
pub struct Picker<R> {
    panels: ArrayVec<PanelPick<R>, GROUP>,
    /// By lane the bit in its byte.
    bit: [R; 2],
}

/// What is picked from a panel: of lanes that pick from others, what no register has.
struct PanelPick<R> {
    number: u32,
    /// Where in a line.
    places: [R; 2],
    /// Where in a word.
    bytes: [R; 2],
}

impl<R: Register> Picker<R> {
    #[inline(always)]
    fn new(picks: &Picks) -> Picker<R> {
        let places = half_loaded::<R>(picks.places());
        let mut picker = Picker { panels: ArrayVec::new(), bit: places.map(R::bit_of) };
        for &(number, lanes) in picks.by_panel() {
            let [low, high, ..] = R::masks(!u64::from(lanes));
            picker.panels.push(PanelPick {
                number,
                places: [places[0].or(low), places[1].or(high)],
                bytes: [places[0].right::<3>().or(low), places[1].right::<3>().or(high)],
            });
        }
        picker
    }
}

/// Each lane of a half from where `from` says in a half; a zero for 32.
#[inline(always)]
fn of_half<R: Register>([a, b]: [R; 2], from: [R; 2]) -> [R; 2] {
    from.map(|from| a.pick(from).or(b.pick(from.minus(R::splat(16)))))
}

/// Lanes in registers.
#[inline(always)]
fn loaded<R: Register>(lanes: &Bytes) -> [R; 4] {
    let (parts, _) = lanes.as_chunks();
    [R::read(&parts[0]), R::read(&parts[1]), R::read(&parts[2]), R::read(&parts[3])]
}

#[inline(always)]
fn half_loaded<R: Register>(lanes: &Half) -> [R; 2] {
    let (parts, _) = lanes.as_chunks();
    [R::read(&parts[0]), R::read(&parts[1])]
}

/// Registers as lanes.
#[inline(always)]
fn stored<R: Register>(registers: [R; 4]) -> Bytes {
    let mut lanes = [0; BOTH];
    for (register, part) in registers.into_iter().zip(lanes.as_chunks_mut().0) {
        register.write(part);
    }
    lanes
}

#[inline(always)]
fn half_stored<R: Register>(registers: [R; 2]) -> Half {
    let mut lanes = [0; GROUP];
    for (register, part) in registers.into_iter().zip(lanes.as_chunks_mut().0) {
        register.write(part);
    }
    lanes
}
