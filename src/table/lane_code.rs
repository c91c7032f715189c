//! A [code](super::code) for whole rows: marks and contexts of all positions of a row at once.
//!
//! A reader learns one position after the other, so a mark of its code is one number, ready to be
//! added. Who writes knows a row before it is chosen: here a mark is a sign and the lower number of
//! its letter, each a byte in a [lane](super::lanes), and contexts are computed from them.
//!
//! Invariant: contexts are those of the code; a test compares all of them.

use super::code::{Code, Mark, NOTHING, STEP_OF, STEPS_FROM};
use super::ground::Ground;
use super::groups::GROUP;
use super::lanes::{BOTH, Bytes, Lanes, Words};
use super::model::STEPS;

/// What positions of a row give to the contexts of others.
#[derive(Clone, Copy, Debug)]
pub struct LaneMarks {
    /// Their signs.
    pub signs: Bytes,
    /// The lower numbers of their letters, 0 for special signs.
    pub middles: Bytes,
}

/// See the module.
#[derive(Debug)]
pub struct LaneCode {
    /// Letters and special signs.
    signs: usize,
    /// By number that stands for both bounds: the sign, and the lower number of its letter.
    of_one: [Box<[u8; 256]>; 2],
    /// By lower number and spread: the sign, and above it the lower number. At last those of what
    /// the layer cannot have.
    of_both: Vec<u32>,
    spreads: usize,
    /// The mark of what is not there.
    edge: [u8; 2],
    /// The first context of each side and what a flag adds to it.
    first: [u32; 2],
    stride: u32,
    /// By context.
    classes: Vec<u8>,
}

/// Which positions of a row stand to the left of which.
pub struct Left {
    /// The lanes, counted in their half; of those that are not there [`GROUP`].
    lanes: Bytes,
    /// Masks of those that are there.
    masks: Bytes,
    /// The lanes that stand to the left of others.
    pub referred: u64,
    /// All lanes, column after column in the order of their group.
    order: Bytes,
}

/// What is known of the contexts of a row without marks.
#[derive(Clone, Copy)]
pub struct LaneContexts {
    sums: Words,
    /// What children bring, and 1, more by 255; [`NOTHING`] for nothing.
    brought: [u16; BOTH],
}

impl LaneCode {
    /// The same code for rows.
    pub fn new(code: &Code) -> LaneCode {
        let bytes = |mark: Mark| [mark.sign() as u8, mark.middle()];
        let of_one = [0, 1].map(|part| {
            Box::new(std::array::from_fn(|number| bytes(code.mark_of_one(number as u8))[part]))
        });
        let word = |mark: Mark| {
            let [sign, middle] = bytes(mark);
            u32::from(sign) | u32::from(middle) << 8
        };
        let of_both = code.marks().chain([code.rare()]).map(word).collect();
        let classes = (0..code.contexts()).map(|context| code.class(context) as u8).collect();
        let (edge, spreads) = (bytes(code.edge()), code.spreads());
        let (first, stride) = code.kinds();
        LaneCode { signs: code.signs, of_one, of_both, spreads, edge, first, stride, classes }
    }

    /// Marks of what is not there.
    pub fn edge(&self) -> LaneMarks {
        LaneMarks { signs: [self.edge[0]; BOTH], middles: [self.edge[1]; BOTH] }
    }

    /// The marks of a row.
    #[inline(always)]
    pub fn marks<const PLANES: usize, L: Lanes>(&self, [low, high]: [&Bytes; 2]) -> LaneMarks {
        if PLANES == 1 {
            let [signs, middles] = L::translate(self.of_one.each_ref().map(|table| &**table), low);
            return LaneMarks { signs, middles };
        }
        let (mut at, last) = ([0; BOTH], self.of_both.len() as u32 - 1);
        for lane in 0..BOTH {
            at[lane] = self.place([low[lane], high[lane]]).min(last);
        }
        let words = L::look_up(&self.of_both, &at);
        let mut marks = LaneMarks { signs: [0; BOTH], middles: [0; BOTH] };
        for ((sign, middle), word) in marks.signs.iter_mut().zip(&mut marks.middles).zip(words) {
            (*sign, *middle) = (word as u8, (word >> 8) as u8);
        }
        marks
    }

    /// The sign of one position, and the lower number of its letter.
    #[inline(always)]
    pub fn mark<const PLANES: usize>(&self, numbers: [u8; 2]) -> [u8; 2] {
        if PLANES == 1 {
            return self.of_one.each_ref().map(|table| table[usize::from(numbers[0])]);
        }
        let at = (self.place(numbers) as usize).min(self.of_both.len() - 1);
        [self.of_both[at] as u8, (self.of_both[at] >> 8) as u8]
    }

    #[inline(always)]
    fn place(&self, [low, high]: [u8; 2]) -> u32 {
        u32::from(low) * self.spreads as u32 + u32::from(high.wrapping_sub(low))
    }

    /// The class of a context.
    #[inline(always)]
    pub fn class(&self, context: u32) -> u8 {
        self.classes[context as usize]
    }

    /// The classes of all positions of a row.
    #[inline(always)]
    pub fn classes<L: Lanes>(&self, contexts: &Words) -> Bytes {
        L::look_up_bytes(&self.classes, contexts)
    }
}

impl Default for LaneMarks {
    fn default() -> LaneMarks {
        LaneMarks { signs: [0; BOTH], middles: [0; BOTH] }
    }
}

impl LaneMarks {
    /// The sign of one position, and the lower number of its letter.
    #[inline(always)]
    pub fn of(&self, lane: usize) -> [u8; 2] {
        [self.signs[lane], self.middles[lane]]
    }

    /// Lanes whose masks are zeros become those of what is not there.
    #[inline(always)]
    pub fn keep(&mut self, masks: &Bytes, code: &LaneCode) {
        let [edge, middle] = code.edge;
        for (mark, &mask) in self.signs.iter_mut().zip(masks) {
            *mark = *mark & mask | edge & !mask;
        }
        for (mark, &mask) in self.middles.iter_mut().zip(masks) {
            *mark = *mark & mask | middle & !mask;
        }
    }
}

impl Left {
    /// Those of a tile.
    pub fn new(ground: &Ground) -> Left {
        let mut left =
            Left { lanes: [GROUP as u8; BOTH], masks: [0; BOTH], referred: 0, order: [0; BOTH] };
        for lane in 0..BOTH {
            let reference = ground.left[lane % GROUP];
            if usize::from(reference) < GROUP {
                left.lanes[lane] = reference;
                left.masks[lane] = u8::MAX;
                left.referred |= 1 << (lane / GROUP * GROUP + usize::from(reference));
            }
        }
        for (lanes, &column) in left.order.as_chunks_mut().0.iter_mut().zip(ground.columns.order) {
            *lanes = [column, column + GROUP as u8];
        }
        left
    }

    /// The lane that has this number in an order in which a lane seldom stands close behind the one
    /// to its left.
    #[inline(always)]
    pub fn lane(&self, number: usize) -> usize {
        usize::from(self.order[number]) % BOTH
    }

    /// Lanes as bits, those in that order.
    #[inline(always)]
    pub fn in_order<L: Lanes>(&self, lanes: u64) -> u64 {
        L::lanes(&L::pick(&L::masks(lanes), &self.order))
    }

    /// The mark to the left of one position.
    #[inline(always)]
    pub fn of_one(&self, marks: &LaneMarks, code: &LaneCode, lane: usize) -> [u8; 2] {
        let left = lane / GROUP * GROUP + usize::from(self.lanes[lane]) % GROUP;
        if self.masks[lane] == 0 { code.edge } else { [marks.signs[left], marks.middles[left]] }
    }

    /// The marks to the left of all.
    #[inline(always)]
    pub fn of_all<L: Lanes>(&self, marks: &LaneMarks, code: &LaneCode) -> LaneMarks {
        let mut picked = LaneMarks {
            signs: L::pick_halves(&marks.signs, &self.lanes),
            middles: L::pick_halves(&marks.middles, &self.lanes),
        };
        picked.keep(&self.masks, code);
        picked
    }
}

impl Default for LaneContexts {
    fn default() -> LaneContexts {
        LaneContexts { sums: [0; BOTH], brought: [NOTHING; BOTH] }
    }
}

impl LaneContexts {
    /// Takes what is known: the flags, and what children bring to lower bounds, and 1; 0 for nothing.
    #[inline(always)]
    pub fn new(code: &LaneCode, flags: &Bytes, brought: &Bytes) -> LaneContexts {
        let (mut sums, mut known) = ([0; BOTH], [NOTHING; BOTH]);
        for (half, first) in code.first.into_iter().enumerate() {
            for lane in half * GROUP..(half + 1) * GROUP {
                sums[lane] = first + u32::from(flags[lane]) * code.stride;
            }
        }
        for lane in 0..BOTH {
            let brought = u16::from(brought[lane]);
            known[lane] = if brought == 0 { NOTHING } else { 255 + brought };
        }
        LaneContexts { sums, brought: known }
    }

    /// The context of a position with these marks to the left and above.
    #[inline(always)]
    pub fn of_one(&self, code: &LaneCode, lane: usize, left: [u8; 2], above: [u8; 2]) -> u32 {
        let middle = (u16::from(above[1]) + u16::from(left[1])) / 2;
        let step = STEP_OF[usize::from(self.brought[lane] - middle) % STEP_OF.len()];
        let signs = u32::from(left[0]) * code.signs as u32 + u32::from(above[0]);
        self.sums[lane] + signs * STEPS as u32 + u32::from(step)
    }

    /// The contexts of all positions.
    #[inline(always)]
    pub fn of_all(&self, code: &LaneCode, left: &LaneMarks, above: &LaneMarks) -> Words {
        let (mut contexts, mut steps) = (self.sums, [0; BOTH]);
        for (lane, found) in steps.iter_mut().enumerate() {
            let middle = (u16::from(above.middles[lane]) + u16::from(left.middles[lane])) / 2;
            *found = step(self.brought[lane], middle);
        }
        for (lane, context) in contexts.iter_mut().enumerate() {
            let signs = u32::from(left.signs[lane]) * code.signs as u32;
            let signs = signs + u32::from(above.signs[lane]);
            *context += signs * STEPS as u32 + u32::from(steps[lane]);
        }
        contexts
    }
}

/// The step of what is brought above the middle of both references.
#[inline(always)]
fn step(brought: u16, middle: u16) -> u16 {
    let over = (brought - middle) as i16;
    STEPS_FROM.iter().map(|&from| u16::from(over >= from)).sum()
}
