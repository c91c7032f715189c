//! A [code](super::code) for whole rows: marks and contexts of all positions of a row at once.
//!
//! A reader learns one position after the other, so a mark of its code is one number, ready to be
//! added. Who writes knows a row before it is chosen: here a mark is a sign and the lower number of
//! its letter, and contexts are computed from them. For whole rows both are bytes in
//! [lanes](crate::simd::lanes); where positions are looked at one by one they are side by side, so that
//! a processor gets both at once.
//!
//! Invariant: contexts are those of the code; a test compares all of them.

use super::code::{Code, ContextMark, STEP_OF, STEPS_FROM, over};
use super::ground::Ground;
use super::groups::GROUP;
use super::model::{KINDS, STEPS};
use crate::simd::lanes::{BOTH, Bytes, Lanes, Words};

/// The mark of a position: its sign, and above it the lower number of its letter, 0 for special
/// signs.
pub type LaneMark = u16;

/// The marks of a row.
pub type RowMarks = [LaneMark; BOTH];

/// What positions of a row give to the contexts of others.
#[derive(Clone, Copy, Debug)]
pub struct LaneMarks {
    /// Their signs.
    pub signs: Bytes,
    /// The lower numbers of their letters, 0 for special signs.
    pub middles: Bytes,
}

/// What is known of the contexts of a row without marks.
#[derive(Clone, Copy)]
pub struct KnownContexts<'a> {
    /// Flags.
    pub flags: &'a Bytes,
    /// The bounds from children to lower bounds, and 1; 0 for nothing.
    pub brought: &'a Bytes,
}

/// See the module.
#[derive(Debug)]
pub struct LaneCode {
    /// Letters and special signs.
    pub signs: usize,
    /// By number that stands for both bounds: the sign, and the lower number of its letter.
    of_one: [Box<[u8; 256]>; 2],
    /// By the same: the mark.
    marks_of_one: Box<[LaneMark; 256]>,
    /// By lower number and spread: the mark. At last that of what the layer cannot have.
    of_both: Vec<u32>,
    pub spreads: usize,
    /// The mark of what is not there.
    edge: LaneMark,
    /// By side, the smaller one first, and flags: the first context.
    kinds: [u32; KINDS],
    /// By context.
    classes: Vec<u8>,
}

/// Which positions of a row stand to the left of which.
pub struct Left {
    /// The lanes, counted in their half; of those that are not there [`GROUP`].
    lanes: Bytes,
    /// The same, counted in the row; [`BOTH`].
    places: Bytes,
    /// Masks of those that are there.
    masks: Bytes,
    /// The lanes that stand to the left of others.
    pub referred: u64,
}

impl LaneCode {
    /// The same code for rows.
    pub fn new(code: Code) -> LaneCode {
        let mark = |mark: ContextMark| {
            LaneMark::from(mark.sign() as u8) | LaneMark::from(mark.middle()) << 8
        };
        let marks_of_one: Box<[LaneMark; 256]> =
            Box::new(std::array::from_fn(|number| mark(code.mark_of_one(number as u8))));
        let part =
            |shift| Box::new(std::array::from_fn(|number| (marks_of_one[number] >> shift) as u8));
        let of_one = [part(0), part(8)];
        let of_both =
            code.marks.iter().chain([&code.rare]).map(|&found| mark(found).into()).collect();
        let kinds = std::array::from_fn(|kind| code.kinds[(kind + FLAGS) % KINDS]);
        let edge = mark(code.edge);
        let Code { signs, spreads, contexts: classes, .. } = code;
        LaneCode { signs, of_one, marks_of_one, of_both, spreads, edge, kinds, classes }
    }

    /// Marks of what is not there.
    pub fn edge(&self) -> RowMarks {
        [self.edge; BOTH]
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
        LaneMarks::of_row(&L::look_up(&self.of_both, &at).map(|mark| mark as LaneMark))
    }

    /// The mark of one position.
    #[inline(always)]
    pub fn mark<const PLANES: usize>(&self, numbers: [u8; 2]) -> LaneMark {
        if PLANES == 1 {
            return self.marks_of_one[usize::from(numbers[0])];
        }
        let at = (self.place(numbers) as usize).min(self.of_both.len() - 1);
        self.of_both[at] as LaneMark
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

    /// The context of one position, given the marks to its left and above it.
    #[inline(always)]
    pub fn context(
        &self,
        known: KnownContexts,
        lane: usize,
        left: LaneMark,
        above: LaneMark,
    ) -> u32 {
        let ([left, left_middle], [above, above_middle]) =
            (left.to_le_bytes(), above.to_le_bytes());
        let middle = (u16::from(above_middle) + u16::from(left_middle)) / 2;
        let step = STEP_OF[usize::from(over(known.brought[lane]) - middle) % STEP_OF.len()];
        let kind = lane / GROUP * FLAGS + usize::from(known.flags[lane]);
        let signs = u32::from(left) * self.signs as u32 + u32::from(above);
        self.kinds[kind % KINDS] + signs * STEPS as u32 + u32::from(step)
    }

    /// The contexts of all positions of a row.
    #[inline(always)]
    pub fn contexts(&self, known: KnownContexts, left: &LaneMarks, above: &LaneMarks) -> Words {
        let (mut contexts, mut steps) = ([0; BOTH], [0; BOTH]);
        for (lane, found) in steps.iter_mut().enumerate() {
            let middle = (u16::from(above.middles[lane]) + u16::from(left.middles[lane])) / 2;
            *found = step(over(known.brought[lane]) - middle);
        }
        let [smaller, stride, larger] =
            [self.kinds[0], self.kinds[1] - self.kinds[0], self.kinds[FLAGS]];
        for (lane, context) in contexts.iter_mut().enumerate() {
            let first = if lane < GROUP { smaller } else { larger };
            let kind = first + u32::from(known.flags[lane]) * stride;
            let signs = u32::from(left.signs[lane]) * self.signs as u32;
            let signs = signs + u32::from(above.signs[lane]);
            *context = kind + signs * STEPS as u32 + u32::from(steps[lane]);
        }
        contexts
    }
}

/// Kinds of positions of a side.
const FLAGS: usize = KINDS / 2;

/// The step of what is brought above the middle of both references, more by 255.
#[inline(always)]
fn step(over: u16) -> u16 {
    STEPS_FROM.iter().map(|&from| u16::from(over.cast_signed() >= from)).sum()
}

impl LaneMarks {
    /// Those of a row.
    #[inline(always)]
    pub fn of_row(row: &RowMarks) -> LaneMarks {
        LaneMarks { signs: row.map(|mark| mark as u8), middles: row.map(|mark| (mark >> 8) as u8) }
    }

    /// The marks of a row.
    #[inline(always)]
    pub fn to_row(self) -> RowMarks {
        let mut row = [0; BOTH];
        for (mark, (&sign, &middle)) in row.iter_mut().zip(self.signs.iter().zip(&self.middles)) {
            *mark = LaneMark::from(sign) | LaneMark::from(middle) << 8;
        }
        row
    }

    /// Lanes whose masks are zeros become those of what is not there.
    #[inline(always)]
    pub fn keep(&mut self, masks: &Bytes, code: &LaneCode) {
        let [edge, middle] = code.edge.to_le_bytes();
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
        let mut left = Left {
            lanes: [GROUP as u8; BOTH],
            places: [BOTH as u8; BOTH],
            masks: [0; BOTH],
            referred: 0,
        };
        for lane in 0..BOTH {
            let reference = ground.left[lane % GROUP];
            if usize::from(reference) < GROUP {
                let place = lane / GROUP * GROUP + usize::from(reference);
                (left.lanes[lane], left.places[lane]) = (reference, place as u8);
                left.masks[lane] = u8::MAX;
                left.referred |= 1 << place;
            }
        }
        left
    }

    /// The mark to the left of one position.
    #[inline(always)]
    pub fn of_one(&self, marks: &RowMarks, code: &LaneCode, lane: usize) -> LaneMark {
        marks.get(usize::from(self.places[lane])).copied().unwrap_or(code.edge)
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
