//! What the encoder asks of an instruction set: operations on the 64 lanes of a row of a tile
//! ([`Lanes`]), and [`Picks`], which say where lanes are in other rows.
//!
//! Every implementation returns the same, but in lanes that are of no account.

use std::borrow::Borrow;
use std::ops::Range;

use arrayvec::ArrayVec;

/// Positions on one side of a row: half-boards in a group.
pub const GROUP: usize = 32;

/// Positions of a row: those of its smaller side, then those of its larger one.
pub const BOTH: usize = 2 * GROUP;

/// A byte for each position of a row.
pub type Bytes = [u8; BOTH];

/// A byte for each position on one side of a row.
pub type Half = [u8; GROUP];

/// A number for each position of a row.
pub type Words = [u32; BOTH];

/// A loop over lanes. All that it calls has to be inlined, or it is not compiled with the
/// instructions.
pub trait Loop {
    /// What comes of it.
    type Output;

    /// Runs it.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Plain arithmetic, for which a compiler finds the instructions. The closure has to be
/// `#[inline(always)]`.
impl<T, F: FnMut() -> T> Loop for F {
    type Output = T;

    #[inline(always)]
    fn run<L: Lanes>(mut self) -> T {
        self()
    }
}

/// What an instruction set does with lanes.
pub trait Lanes {
    /// Whether to pick or gather a whole row beats a loop over the lanes that matter.
    const IS_WIDE: bool;

    /// What picks of many lines are prepared to.
    type Picker<'p>;

    /// Prepares picks.
    fn picker(picks: &Picks) -> Self::Picker<'_>;

    /// What they pick of each of some rows, given the line of each panel in a row. What no pick
    /// names is of no account.
    fn pick_lines<const ROWS: usize, B: Borrow<Bytes>>(
        picker: &Self::Picker<'_>,
        line: impl Fn(u32, usize) -> B,
    ) -> [Half; ROWS];

    /// What they pick, given the word of each panel: bits.
    fn pick_words(picker: &Self::Picker<'_>, word: impl Fn(u32) -> u64) -> u32;

    /// Each lane of half a row from where `from` says, below 32, and a zero where it says 32.
    fn pick_half(bytes: &Half, from: &Half) -> Half;

    /// Both halves of a row, each by itself.
    fn pick_halves(bytes: &Bytes, from: &Bytes) -> Bytes;

    /// Bytes of one row and of another by turns.
    fn interleave(first: &Bytes, second: &Bytes) -> [Bytes; 2];

    /// What stands in each of two tables for each byte.
    fn translate(tables: [&[u8; 256]; 2], bytes: &Bytes) -> [Bytes; 2];

    /// What stands at some places in a table.
    ///
    /// # Panics
    /// If a place is not in the table.
    #[inline(always)]
    fn look_up(table: &[u32], at: &Words) -> Words {
        at.map(|at| table[at as usize])
    }

    /// Likewise in a table of bytes.
    ///
    /// # Panics
    /// If a place is not in the table.
    #[inline(always)]
    fn look_up_bytes(table: &[u8], at: &Words) -> Bytes {
        at.map(|at| table[at as usize])
    }

    /// A mask for each lane.
    fn masks(lanes: u64) -> Bytes;

    /// The lanes that are not 0.
    fn lanes(bytes: &Bytes) -> u64;

    /// Some lanes, one after the other; what stands behind them is of no account.
    fn gather(bytes: &Bytes, wanted: u64, into: &mut Bytes);
}

/// The lanes of which something is true.
#[inline(always)]
pub fn lanes_where<L: Lanes>(is_true: impl Fn(usize) -> bool) -> u64 {
    let mut lanes = [0; BOTH];
    for (lane, byte) in lanes.iter_mut().enumerate() {
        *byte = u8::from(is_true(lane));
    }
    L::lanes(&lanes)
}

/// Where half a row is picked: lane by lane the panel, and the byte in its line or the bit in its
/// word.
#[derive(Debug, Default)]
pub struct Picks {
    /// How many lanes there are.
    count: usize,
    panels: [u32; GROUP],
    places: Half,
    /// The panels that are picked from, with their lanes as bits.
    by_panel: ArrayVec<(u32, u32), GROUP>,
}

impl Picks {
    /// Picks of these columns, which come in order, as far as they are in some panels; and which
    /// are, as bits.
    pub fn of(columns: &[u32], panels: &Range<usize>) -> (Picks, u32) {
        let mut picks = Picks { count: columns.len(), ..Picks::default() };
        let (mut present, mut first_of_panel, mut before) = (0, 0, u32::MAX);
        for (lane, &column) in columns.iter().enumerate() {
            let (panel, place) = (column / BOTH as u32, column % BOTH as u32);
            let there = panel.wrapping_sub(panels.start as u32);
            let is_there = there < panels.len() as u32;
            picks.panels[lane] = if is_there { there } else { 0 };
            picks.places[lane] = place as u8;
            present |= u32::from(is_there) << lane;
            first_of_panel |= u32::from(panel != before) << lane;
            before = panel;
        }
        // Where a panel ends a processor cannot foresee: no branch for each lane.
        let mut left = present;
        while left != 0 {
            let lane = left.trailing_zeros();
            let others = first_of_panel & left & (left - 1);
            let lanes = left & others.wrapping_sub(1) & !others;
            picks.by_panel.push((picks.panels[lane as usize], lanes));
            left ^= lanes;
        }
        (picks, present)
    }

    /// Panel and place of each lane; of one that is in none of the panels, any.
    #[inline(always)]
    pub fn lanes(&self) -> impl Iterator<Item = (u32, u8)> {
        let (panels, places) = (&self.panels[..self.count], &self.places[..self.count]);
        panels.iter().zip(places).map(|(&panel, &place)| (panel, place))
    }

    /// The panels that are picked from, with their lanes as bits.
    #[cfg_attr(
        not(any(
            test,
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_feature = "simd128"
        )),
        allow(dead_code)
    )]
    #[inline(always)]
    pub fn by_panel(&self) -> &[(u32, u32)] {
        &self.by_panel
    }

    /// The places of all lanes.
    #[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
    #[inline(always)]
    pub fn places(&self) -> &Half {
        &self.places
    }
}
